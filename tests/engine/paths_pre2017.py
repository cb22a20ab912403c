"""The paths of the engine for the Dutch System before July 2017:
each answer is compared with the exact one.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from pairing.engine.dutch_pre2017.backtracking import best_of_lowest
from pairing.engine.dutch_pre2017.bracket import Bracket, bit_set
from pairing.engine.dutch_pre2017.candidates import (
    BracketPairing,
    Outside,
    OutsideVertex,
    best,
    candidate_graph,
    very_first,
)
from pairing.engine.dutch_pre2017.field import FieldBefore2017
from pairing.engine.dutch_pre2017.procedure import pair_bracket_as_it_is, pair_field
from pairing.engine.dutch_pre2017.requirements import Costs
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.generator import generate
from pairing.engine.model import Pairing, TournamentState
from pairing.engine.systems import pair

from .events import late_plan
from .path_report import Report
from .positions import random_state


class PathsPre2017(Report):
    """Pair each bracket by the whole search, compare the fast paths with it, and play on."""

    def play(self, seeds: range, *, players: tuple[int, int] = (4, 14)) -> PathsPre2017:
        """Pair the random position of each of *seeds*."""
        for seed in seeds:
            self.pair_round_exactly(
                replace(random_state(Random(seed), players=players), system="dutch_pre2017")
            )
        return self

    def play_late(self, seeds: range) -> PathsPre2017:
        """Play for each of *seeds* a tournament with nearly as many rounds as possible."""
        for seed in seeds:
            plan = late_plan(Random(seed))
            plan = replace(
                plan,
                players=min(plan.players, 30),
                rounds=min(plan.rounds, 15),
                system="dutch_pre2017",
            )
            generate(plan, Random(seed), self.pair_round)
        return self

    def pair_round(self, state: TournamentState) -> Pairing:
        """Compare the paths in *state* and return its pairing."""
        self.pair_round_exactly(state)
        return pair(state)

    def pair_round_exactly(self, state: TournamentState) -> None:
        """Pair *state* by the whole search; the fast paths together must give the same."""
        field = FieldBefore2017.from_state(state)
        if not field.players:
            return
        try:
            exact: list[BracketPairing] | None = pair_field(field, self.first_try)
        except NoLegalPairingError:
            exact = None
        try:
            found: list[BracketPairing] | None = pair_field(field)
        except NoLegalPairingError:
            found = None
        assert (found is None) == (exact is None)
        self.compare("round", found, exact)

    def first_try(self, bracket: Bracket) -> BracketPairing | None:
        """Compare the paths in *bracket*, and leave it to the whole search."""
        if bracket.is_lowest:
            lowest = best_of_lowest(bracket)
            exact = None if lowest is None else lowest.first()
        else:
            exact = pair_bracket_as_it_is(bracket, ())
        kind = "heterogeneous"
        if bracket.is_lowest or bracket.is_homogeneous:
            kind = "lowest" if bracket.is_lowest else "homogeneous"
        self.compare(f"very first, {kind}", very_first(bracket), exact)
        self.compare_cardinality(bracket)
        return None

    def compare_cardinality(self, bracket: Bracket) -> None:
        """Compare the search without costs, which finds that there is no pairing,
        with the search with costs.
        """
        costs = Costs(bracket, as_heterogeneous=not bracket.is_homogeneous)
        for leftover in range(len(bracket.ranks) % 2, min(len(bracket.ranks), 3) + 1, 2):
            outside = Outside([OutsideVertex(joins=bit_set(bracket.ranks))] * leftover)
            impossible = True if best(bracket, costs, outside) is None else None
            self.compare(
                "no pairing", impossible, candidate_graph(bracket, costs, outside).optimal() is None
            )
