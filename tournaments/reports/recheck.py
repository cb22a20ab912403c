"""Re-check the whole event from its report file alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from pairing.engine.errors import InputError
from pairing.engine.model import TPN
from pairing.recheck import Board, Recheck, RoundDifference, recheck, round_difference
from pairing.standings.ranking import standings
from pairing.standings_recheck import rules_of
from pairing.trf.crosstable import changes, ratings, tie_break_list
from pairing.trf.document import TrfDocument
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import played_rounds
from pairing.trf.scoring import point_system
from tournaments.core.errors import BadInput, unreadable
from tournaments.models import Tournament
from tournaments.reports.trf_export import trf_export

MAX_SEATS: Final = 10_000
"""The most players times rounds that are paired again while the user waits."""


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A board of a difference with names; the pairing-allocated bye has no number and no Black."""

    number: int | None
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class ReadRound:
    """A round with a different pairing, with names."""

    number: int
    in_file: tuple[ReadBoard, ...]
    paired_again: tuple[ReadBoard, ...]
    no_legal_pairing: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DifferentNumber:
    """A player with different points (tenths) or rank."""

    player: str
    in_file: int
    computed: int


@dataclass(frozen=True, slots=True)
class EventRecheck:
    """The result: how much was compared, and each difference.

    ``problem``: why the file could not be checked.
    """

    found: Recheck | None = None
    rounds: tuple[ReadRound, ...] = ()
    points: tuple[DifferentNumber, ...] = ()
    ranks: tuple[DifferentNumber, ...] = ()
    problem: str = ""


def event_recheck(tournament: Tournament) -> EventRecheck:
    """Return the differences of :func:`recheck_of` with names, or why there is no check."""
    try:
        return with_names(*recheck_of(tournament))
    except BadInput as error:
        return EventRecheck(problem=str(error))


def recheck_of(
    tournament: Tournament, progress: Callable[[int, int], None] = lambda done, rounds: None
) -> tuple[Recheck, dict[TPN, str]]:
    """Write the report, read it, and check that text. Changes nothing. Five queries.

    Return the differences and the name of each player. The list of tie-breaks, the edition of C.07
    and the ratings come from the file. All rounds with published pairings are checked, with every
    result entered so far. *progress* as in :func:`pairing.recheck.recheck`. Raises
    :class:`BadInput`. Cost: pairing all of them.
    """
    try:
        document = by_rounds_played(read(trf_export(tournament, public=False), any_kind=True))
        rules = rules_of(document, tie_breaks=None if tie_break_list(document) else "")
        found = recheck(
            document,
            rank=lambda players: standings(
                players,
                point_system(document),
                rules,
                ratings=ratings(document),
                changes=changes(document, players),
            ),
            progress=progress,
        )
    except InputError as error:
        raise unreadable(error) from error
    return found, {player.tpn: f"{player.tpn} {player.name}" for player in document.players}


def with_names(found: Recheck, names: Mapping[TPN, str]) -> EventRecheck:
    """Return *found* with the *names* of the players."""
    return EventRecheck(
        found=found,
        rounds=tuple(_round(difference, names) for difference in found.pairing_differences),
        points=tuple(
            DifferentNumber(names[d.tpn], d.in_file, d.computed) for d in found.points_differences
        ),
        ranks=tuple(
            DifferentNumber(names[d.tpn], d.in_file, d.computed) for d in found.rank_differences
        ),
    )


def rounds_paired_otherwise(document: TrfDocument, *, system: str) -> tuple[ReadRound, ...] | None:
    """Pair the rounds of *document* again by *system*;
    return those that differ, with names, or None if too large.

    Too large: more than :data:`MAX_SEATS` seats in all rounds, because the user would wait too
    long. Raises :class:`~pairing.engine.errors.InputError` like
    :func:`pairing.recheck.round_difference`.
    """
    players = document.players
    rounds = played_rounds(players)
    if len(players) * rounds > MAX_SEATS:
        return None
    names = {player.tpn: f"{player.tpn} {player.name}" for player in players}
    found = (round_difference(document, number, system=system) for number in range(1, rounds + 1))
    return tuple(_round(difference, names) for difference in found if difference is not None)


def _round(difference: RoundDifference, names: Mapping[TPN, str]) -> ReadRound:
    def seen(boards: tuple[Board, ...]) -> tuple[ReadBoard, ...]:
        return tuple(
            ReadBoard(board.number, names[board.white], names[board.black] if board.black else "")
            for board in boards
        )

    return ReadRound(
        number=difference.round_number,
        in_file=seen(difference.in_file),
        paired_again=seen(difference.paired_again),
        no_legal_pairing=difference.no_legal_pairing,
        remarks=difference.remarks,
    )
