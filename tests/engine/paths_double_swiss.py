"""The paths of the Double-Swiss engine: each answer is compared with the exact one,
bracket by bracket.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

from pairing.engine.double_swiss.bracket import (
    BracketGraph,
    pair_by_identifier,
    pair_upper_with_lower_half,
)
from pairing.engine.double_swiss.bye import assigned_bye
from pairing.engine.double_swiss.field import MatchField
from pairing.engine.double_swiss.procedure import pair_double_swiss_2026
from pairing.engine.double_swiss.upfloaters import (
    Search,
    from_everybody,
    from_nearest,
    no_upfloater,
    one_upfloater,
    select_upfloaters,
)
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.generator import generate
from pairing.engine.matching.cardinality import bits
from pairing.engine.model import Pairing, TournamentState

from .events import late_plan
from .match_positions import random_match_state
from .path_report import Report

FEW = 3
"""So few lower players are looked at first, instead of 24,
so that small fields have players further down.
"""


class PathsDoubleSwiss(Report):
    """Pair each bracket by the exact paths, compare the fast paths with them, and play on."""

    def play(self, seeds: range, *, players: tuple[int, int] = (4, 10)) -> PathsDoubleSwiss:
        """Pair the random position of each of *seeds*."""
        for seed in seeds:
            self.pair_if_possible(random_match_state(Random(seed), players=players))
        return self

    def play_late(self, seeds: range) -> PathsDoubleSwiss:
        """Play for each of *seeds* a tournament with nearly as many rounds as possible."""
        for seed in seeds:
            plan = replace(late_plan(Random(seed)), system="double_swiss_2026")
            generate(plan, Random(seed), self.pair_round)
        return self

    def pair_if_possible(self, state: TournamentState) -> None:
        """Pair *state*, unless it has no legal pairing."""
        with suppress(NoLegalPairingError):
            self.pair_round(state)

    def pair_round(self, state: TournamentState) -> Pairing:
        """Pair *state* by the exact paths; the fast paths together must give the same."""
        field = MatchField.from_state(state)
        byes = exact_byes(field)
        try:
            exact = pair_double_swiss_2026(state, self.select, self.pair_one)
        except NoLegalPairingError:
            self.compare("no legal pairing", True, not byes)
            raise
        self.compare("bye", assigned_bye(field), byes[0])
        self.compare("round", pair_double_swiss_2026(state), exact)
        return exact

    def select(self, field: MatchField, unpaired: int) -> tuple[int, int]:
        """Select the upfloaters [C.04.5/2026 3.5]."""
        search = Search.from_field(field, unpaired)
        exact = from_everybody(search)
        self.compare_sizes(field, search)
        if search.exposed:
            number = "one" if len(search.exposed) == 1 else "several"
            if number == "one":
                self.compare(
                    f"one upfloater, {kind_of_one(search, exact)}", one_upfloater(search), exact
                )
            self.compare(f"from the nearest, {number}", from_nearest(search), exact)
            self.compare(f"from the nearest {FEW}, {number}", from_nearest(search, FEW), exact)
        else:
            self.compare("no upfloater", no_upfloater(search), exact)
        selected = select_upfloaters(field, unpaired)
        self.compare("upfloaters", selected, (search.residents, exact))
        return search.residents, exact

    def compare_sizes(self, field: MatchField, search: Search) -> None:
        """Compare what numbers alone say with a search."""
        for players in (search.residents, search.lower, search.below):
            count = players.bit_count()
            if count % 2 == 0:
                by_number = True if field.completes_by_number(count) else None
                self.compare(
                    "completes by number", by_number, always_searching(field).completes(players)
                )

    def pair_one(self, field: MatchField, residents: int, upfloaters: int) -> list[tuple[int, int]]:
        """Pair a bracket [C.04.5/2026 3.6]."""
        graph = BracketGraph.from_players(field, residents, upfloaters)
        exact = pair_by_identifier(graph)
        kind = ", with [C8]" if any(graph.disliked) else ""
        self.compare(f"upper with lower half{kind}", pair_upper_with_lower_half(graph), exact)
        return exact


def always_searching(field: MatchField) -> MatchField:
    """Return *field* with all opponents barred, so that no set completes by its number."""
    return replace(field, most_barred=len(field.tpns))


def kind_of_one(search: Search, exact: int) -> str:
    """Name the parity of the following scoregroup without one upfloater, and whether he floated."""
    rest = "even" if search.following.bit_count() % 2 else "odd"
    return f"{rest} rest, {'floater' if exact & search.field.floated else 'no floater'}"


def exact_byes(field: MatchField) -> list[int | None]:
    """List the players who may have the bye and leave a legal pairing, in the order of 3.4;
    try each of them.

    In an even field the list is [None] if there is a legal pairing.
    """
    searching = always_searching(field)
    if len(field.tpns) % 2 == 0:
        return [None] if searching.completes(field.everybody) else []
    in_order = sorted(
        bits(field.may_receive_pab),
        key=lambda rank: (field.scores[rank], -field.matches_played[rank], -field.tpns[rank]),
    )
    return [rank for rank in in_order if searching.completes(field.everybody & ~(1 << rank))]
