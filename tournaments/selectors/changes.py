"""Who could sit elsewhere, what a new arrangement breaks, and how far the published pairings are the engine's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Max

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair
from pairing.rules.manual import new_cautions
from pairing.rules.publication import (
    Arrangement,
    Ground,
    Published,
    boards_corrected,
    boards_met_again,
    without_opponent,
)
from tournaments import bridge
from tournaments.models import ByeKind, Decision, Entry, Round, Seat, Tournament

from .frame import Frame

PAIRED = ("round.paired", "round.paired_by_hand")
"""Acts that made a pairing out of nothing; by hand where the engine found none [C.04.3/2026 1.9.3]."""
BY_HAND = ("round.arranged", "round.changed", "colours.corrected")
"""Acts after which boards may be others than the engine gave."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One of the situations of the tournament's edition of [C.04.2/2026 4.4] as the tables show it.

    ``holds`` whether it could be claimed; ``boards`` and ``players`` are those it is about, ``clause`` the regulation.
    """

    ground: Ground
    article: str
    holds: bool
    boards: tuple[int, ...] = ()
    players: tuple[Entry, ...] = ()
    clause: str = ""


@dataclass(frozen=True, slots=True)
class ChangePage:
    """A round whose places may change: everything the page and the service look at."""

    facts: Published
    state: TournamentState
    entries: Mapping[TPN, Entry]
    situations: tuple[Situation, ...]

    @property
    def by_pk(self) -> dict[int, TPN]:
        return {entry.pk: tpn for tpn, entry in self.entries.items()}

    @property
    def late(self) -> list[Entry]:
        """Late entries who could be admitted now, in order of number."""
        return [self.entries[tpn] for tpn in sorted(self.facts.late)]

    def named_by(self, ground: Ground | None) -> tuple[set[int], list[TPN]]:
        """The boards and the players that the situation of *ground* is about; none where it does not hold."""
        for situation in self.situations:
            if situation.ground is ground and situation.holds:
                return {*situation.boards}, [self.by_pk[entry.pk] for entry in situation.players]
        return set(), []

    def board_of(self, tpn: TPN) -> int | None:
        return next((n for n, pair in self.facts.now.boards.items() if tpn in pair), None)


@dataclass(frozen=True, slots=True)
class CautionLine:
    """A caution in names."""

    code: str
    article: str
    board: int | None
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deviation:
    """A published board that the engine did not give."""

    board: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class RoundAgainstEngine:
    """One published round; ``boards`` counts its boards, ``known`` is False where it was not paired here.

    ``no_legal_pairing`` is the article by which the engine had found none, and the round was paired by hand.
    """

    number: int
    boards: int
    known: bool
    no_legal_pairing: str
    deviations: tuple[Deviation, ...]
    decisions: tuple[Decision, ...]


def ever_paired(tournament: Tournament) -> int:
    """The number of the last round that was ever paired here, a discarded draft included; 0 for none. One query."""
    paired = Decision.objects.filter(tournament=tournament, act__in=PAIRED)
    return paired.aggregate(last=Max("round_number"))["last"] or 0


def changeable(
    tournament: Tournament, row: Round, *, at: datetime
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """As :func:`~tournaments.bridge.published`, with what follows from a correction made since the publication.

    Two queries more, and one pairing, where there is such a correction.
    """
    facts, state, entries = bridge.published(tournament, row, at=at)
    if facts.corrected:
        facts = replace(facts, follows=_follows(tournament, row, state, entries))
    return facts, state, entries


def _follows(
    tournament: Tournament, row: Round, state: TournamentState, entries: Mapping[TPN, Entry]
) -> Arrangement | None:
    """The engine's pairing of the round *row* from what is right now; None where it is the one it gave before."""
    try:
        pairing = pair(state)
    except NoLegalPairingError:
        return None
    paired = Decision.objects.filter(tournament=tournament, act__in=PAIRED, round_number=row.number)
    boards = frozenset((entries[white].pk, entries[black].pk) for white, black in pairing.pairs)
    if boards == _given(paired.order_by("-sequence").first()):
        return None
    byes = {} if pairing.bye is None else {pairing.bye: ByeKind.PAIRING_ALLOCATED.value}
    return Arrangement(dict(enumerate(pairing.pairs, start=1)), byes)


def change_page(tournament: Tournament, row: Round, *, at: datetime) -> ChangePage:
    """What the round *row* looks like at the moment *at* to somebody who wants to change it. Four queries."""
    facts, state, entries = changeable(tournament, row, at=at)
    return ChangePage(facts, state, entries, _situations(facts, entries))


def _situations(facts: Published, entries: Mapping[TPN, Entry]) -> tuple[Situation, ...]:
    again = boards_met_again(facts)
    alone = without_opponent(facts)
    late = sorted(facts.late)
    with_bye = [tpn for tpn, letter in facts.now.byes.items() if letter == "U"]
    top = tuple(n for n in facts.now.boards if n <= facts.top_boards)
    arriving = [*late, *with_bye] if late else []
    corrected = boards_corrected(facts)
    moving_bye = [tpn for tpn in with_bye if facts.follows is not None and tpn not in facts.follows.byes]
    broken = tuple(sorted(n for n in facts.broken if n is not None))
    shown: dict[Ground, tuple[bool, tuple[int, ...], Sequence[TPN], str]] = {
        Ground.ALREADY_MET: (bool(again), again, (), ""),
        Ground.REGULATIONS: (bool(facts.clause.strip()), (), (), facts.clause),
        Ground.WITHOUT_OPPONENT: (len(alone) > 1, (), alone, ""),
        Ground.LATE_ENTRY: (bool(late), (), arriving, ""),
        Ground.TOP_BOARDS: (facts.is_last and bool(top), top, (), ""),
        Ground.ABSOLUTE_CRITERION: (bool(facts.broken), broken, (), ""),
        Ground.CORRECTION: (bool(corrected) and not any(facts.results.values()), corrected, moving_bye, ""),
    }
    return tuple(
        Situation(ground, article, holds, boards, tuple(entries[tpn] for tpn in players), clause)
        for ground, article in facts.grounds.items()
        for holds, boards, players, clause in (shown[ground],)
    )


def caution_lines(
    state: TournamentState, entries: Mapping[TPN, Entry], before: Arrangement, after: Arrangement
) -> tuple[CautionLine, ...]:
    """What *after* breaks of the basic rules at the boards that are not those of *before*, and by a new bye."""
    found = new_cautions(state, before, after)
    return tuple(CautionLine(c.code, c.article, c.board, tuple(entries[tpn].name for tpn in c.players)) for c in found)


def differs_from_engine(tournament: Tournament, page: ChangePage, after: Arrangement) -> tuple[int, ...] | None:
    """The boards of *after* that are not the engine's; None where the engine's are not on record. One query."""
    given = _given(
        Decision.objects.filter(tournament=tournament, act__in=PAIRED, round_number=page.facts.number)
        .order_by("-sequence")
        .first()
    )
    if given is None:
        return None
    return tuple(
        n
        for n, (white, black) in sorted(after.boards.items())
        if (page.entries[white].pk, page.entries[black].pk) not in given
    )


def against_engine(frame: Frame) -> tuple[RoundAgainstEngine, ...]:
    """Every published round beside what the engine gave when it was paired [C.04.2/2026 1.5]. Two queries."""
    numbers = [tab.number for tab in frame.published]
    pairs: dict[int, dict[int, dict[str, tuple[int, str]]]] = defaultdict(lambda: defaultdict(dict))
    seats = Seat.objects.filter(round__tournament=frame.tournament, round__number__in=numbers, game__isnull=False)
    rows = seats.values_list("round__number", "game__board", "colour", "entry_id", "entry__name")
    for number, board, colour, pk, name in rows:
        pairs[number][board or 0][colour] = (pk, name)
    given: dict[int, Collection[tuple[int, int]] | None] = {}
    by_hand: dict[int, list[Decision]] = defaultdict(list)
    acts = Decision.objects.filter(tournament=frame.tournament, round_number__in=numbers)
    for decision in acts.filter(act__in=(*PAIRED, *BY_HAND)).order_by("sequence"):
        number = decision.round_number or 0
        if decision.act in PAIRED:
            given[number] = _given(decision)
            by_hand[number].clear()
        if decision.act != "round.paired":
            by_hand[number].append(decision)
    return tuple(_compared(number, pairs[number], given.get(number), by_hand[number]) for number in numbers)


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
    article = next((row.article for row in by_hand if row.act == "round.paired_by_hand"), "")
    return RoundAgainstEngine(number, len(pairs), given is not None, article, deviations, tuple(by_hand))


def _given(decision: Decision | None) -> frozenset[tuple[int, int]] | None:
    """The boards the engine gave, by entry; None where the row does not tell, and none where it found no pairing."""
    if decision is not None and decision.act == "round.paired_by_hand":
        return frozenset()
    if decision is None or "boards" not in decision.after:
        return None
    return frozenset((white, black) for white, black in decision.after["boards"])
