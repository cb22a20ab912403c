"""Compare the boards of published rounds with the pairings of the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pairing.rounds.change_page import ChangePage
from pairing.rounds.paired_before import PAIRED, boards_unlike, engine_gave
from pairing.rules.published import Arrangement
from tournaments.core.frame import Frame
from tournaments.core.undone import not_undone
from tournaments.models import Action, Decision, Seat, Tournament

BY_HAND = (Action.ROUND_ARRANGED, Action.ROUND_CHANGED, Action.COLOURS_CORRECTED)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A published board that differs from the engine's pairing."""

    board: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class RoundAgainstEngine:
    """A published round compared with the engine's pairing.

    ``boards`` counts its boards. ``known`` is False if the round was not paired by this program.
    ``no_legal_pairing`` is the article under which the engine found no pairing, so that the round
    was paired by hand.
    """

    number: int
    boards: int
    known: bool
    no_legal_pairing: str
    deviations: tuple[Deviation, ...]
    decisions: tuple[Decision, ...]


def differs_from_engine(
    tournament: Tournament, page: ChangePage, after: Arrangement
) -> tuple[int, ...] | None:
    """Return the boards of *after* that differ from the engine's pairing;
    None without one on record. One query.

    There is none if the engine found no legal pairing, or if another program paired the round.
    """
    paired = (
        Decision.objects.filter(
            tournament=tournament, action__in=PAIRED, round_number=page.facts.number
        )
        .order_by("-sequence")
        .first()
    )
    given = engine_gave(paired)
    if given is None or paired is None or paired.action == Action.ROUND_PAIRED_BY_HAND:
        return None
    pk = {tpn: entry.pk for tpn, entry in page.entries.items()}
    return boards_unlike(
        given, {n: (pk[white], pk[black]) for n, (white, black) in after.boards.items()}
    )


def against_engine(frame: Frame) -> tuple[RoundAgainstEngine, ...]:
    """Compare every published round with the engine's pairing [C.04.2/2026 1.5]. Two queries."""
    numbers = [tab.number for tab in frame.published]
    pairs: dict[int, dict[int, dict[str, tuple[int, str]]]] = defaultdict(lambda: defaultdict(dict))
    seats = Seat.objects.filter(
        round__tournament=frame.tournament, round__number__in=numbers, game__isnull=False
    )
    rows = seats.values_list("round__number", "game__board", "colour", "entry_id", "entry__name")
    for number, board, colour, pk, name in rows:
        pairs[number][board or 0][colour] = (pk, name)
    given: dict[int, Collection[tuple[int, int]] | None] = {}
    by_hand: dict[int, list[Decision]] = defaultdict(list)
    actions = Decision.objects.filter(tournament=frame.tournament, round_number__in=numbers)
    made = actions.filter(action__in=(*PAIRED, *BY_HAND, Action.ACTION_UNDONE))
    for decision in not_undone(made.order_by("sequence")):
        number = decision.round_number or 0
        if decision.action in PAIRED:
            given[number] = engine_gave(decision)
            by_hand[number].clear()
        if decision.action != Action.ROUND_PAIRED:
            by_hand[number].append(decision)
    return tuple(
        _compared(number, pairs[number], given.get(number), by_hand[number]) for number in numbers
    )


def _compared(
    number: int,
    pairs: Mapping[int, Mapping[str, tuple[int, str]]],
    given: Collection[tuple[int, int]] | None,
    by_hand: list[Decision],
) -> RoundAgainstEngine:
    deviations = tuple(
        Deviation(board, seats["w"][1], seats["b"][1])
        for board, seats in sorted(pairs.items())
        if given is not None and (seats["w"][0], seats["b"][0]) not in given
    )
    article = next(
        (row.article for row in by_hand if row.action == Action.ROUND_PAIRED_BY_HAND), ""
    )
    return RoundAgainstEngine(
        number, len(pairs), given is not None, article, deviations, tuple(by_hand)
    )
