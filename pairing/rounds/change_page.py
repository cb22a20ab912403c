"""Data for the page that changes a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair
from pairing.rounds.paired_before import PAIRED, engine_gave
from pairing.rounds.published_round import published
from pairing.rules.manual import new_cautions
from pairing.rules.publication import (
    Arrangement,
    Ground,
    Published,
    boards_corrected,
    boards_met_again,
    without_opponent,
)
from tournaments.models import ByeKind, Decision, Entry, Round, Tournament


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


def changeable(
    tournament: Tournament, row: Round, *, at: datetime
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """Read the round as :func:`~pairing.rounds.published_round.published`, with the effect of later corrections.

    Two queries more, and one pairing, where there is such a correction.
    """
    facts, state, entries = published(tournament, row, at=at)
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
    paired = Decision.objects.filter(tournament=tournament, action__in=PAIRED, round_number=row.number)
    boards = frozenset((entries[white].pk, entries[black].pk) for white, black in pairing.pairs)
    if boards == engine_gave(paired.order_by("-sequence").first()):
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
