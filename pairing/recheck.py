"""Check a whole event again from its report file alone:
pair every round again, recompute points and places.

Used by ``python -m pairing check`` and the arbiters' page *Re-check*. It only reads the document
and returns the differences, so anybody with the file can do the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pairing.engine.basics.board_order import publication_order
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import (
    ABSENT,
    TPN,
    Pairing,
    Player,
    Points,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import pair
from pairing.standings.points import score
from pairing.standings.ranking import Standings
from pairing.trf.convert import colourless_pairs, round_of, state_before_round
from pairing.trf.crosstable import changes
from pairing.trf.document import PlayerRecord, RoundCell, TrfDocument
from pairing.trf.rounds import is_in_play, played_rounds, requested_byes
from pairing.trf.scoring import point_system

Seats = tuple[TPN, TPN]
"""White and Black of a pair."""
_OF_ROUND = re.compile(r"@ Round (\d+)\b")
_LATE = re.compile(r"Late entry @ Round (\d+): TPN (\d+(?:, \d+)*)")
_NUMBERS = "Numbers @"
"""The beginning of a comment on numbers that changed after a round:
that round and all before it had other numbers.
"""


@dataclass(frozen=True, slots=True)
class Board:
    """A pair (White, Black) and its board [C.04.2/2026 3.6]; the allocated bye has none."""

    number: int | None
    white: TPN
    black: TPN | None

    def __str__(self) -> str:
        return f"{self.white}-{self.black or 'bye'}"


@dataclass(frozen=True, slots=True)
class RoundDifference:
    """A round with a different pairing: the boards that only the file has,
    and those that only the engine gives.

    ``no_legal_pairing`` is the article if none exists; then the engine gives no boards. ``remarks``
    are the file's own comments on the round and on the previous one. They explain a published
    pairing kept after a correction [C.04.2/2026 4.3], a change by hand under [C.04.2/2026 4.4], and
    numbers that changed later.
    """

    round_number: int
    in_file: tuple[Board, ...]
    paired_again: tuple[Board, ...]
    no_legal_pairing: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberDifference:
    """A player whose points (tenths) or rank in the file differ from the computed ones."""

    tpn: TPN
    in_file: int
    computed: int


@dataclass(frozen=True, slots=True)
class Recheck:
    """The number of comparisons and the differences, in order of rounds or of TPN.

    ``ranks`` is the number of compared ranks: 0 if the file has none or no ranking was given.
    """

    rounds: int
    players: int
    ranks: int
    pairing_differences: tuple[RoundDifference, ...]
    points_differences: tuple[NumberDifference, ...]
    rank_differences: tuple[NumberDifference, ...]

    @property
    def differences(self) -> int:
        """Return the number of different rounds, points and ranks."""
        return (
            len(self.pairing_differences)
            + len(self.points_differences)
            + len(self.rank_differences)
        )


def recheck(
    document: TrfDocument,
    *,
    rank: Callable[[Sequence[Player]], Standings] | None = None,
    progress: Callable[[int, int], None] = lambda done, rounds: None,
) -> Recheck:
    """Check *document* from itself alone: the pairings of all its rounds, the points,
    and the ranks by *rank*.

    *progress* gets the number of rounds paired again, from 0, and of all rounds; it may raise to
    end the check. Cost: pairing every round. Raise :class:`~pairing.engine.errors.InputError` as
    :func:`state_before_round`.
    """
    rounds = played_rounds(document.players)
    found = []
    for number in range(1, rounds + 1):
        progress(number - 1, rounds)
        found.append(round_difference(document, number))
    progress(rounds, rounds)
    ranked = [player for player in document.players if player.rank is not None]
    players = players_so_far(document)
    return Recheck(
        rounds=rounds,
        players=len(players),
        ranks=len(ranked) if rank is not None else 0,
        pairing_differences=tuple(difference for difference in found if difference is not None),
        points_differences=tuple(points_differences(document, players)),
        rank_differences=tuple(_rank_differences(ranked, rank(players)))
        if rank is not None
        else (),
    )


def round_difference(
    document: TrfDocument, round_number: int, *, system: str | None = None
) -> RoundDifference | None:
    """Return the difference when *round_number* is paired again from *document*;
    None if there is none.

    The check compares the pairs (White, Black) and the pairing-allocated bye, not the order of the
    boards. *system* overrides the system in the file. Raise as :func:`state_before_round` and
    :func:`round_of`.
    """
    theirs = round_of(document, round_number)
    state = state_before_round(document, round_number, system=system)
    try:
        ours = _pair_as_numbered_then(state, _late_entries(document, round_number))
    except NoLegalPairingError as error:
        remarks = remarks_on(document, round_number)
        return RoundDifference(round_number, _boards(state, theirs), (), error.article, remarks)
    theirs = _turned(theirs, colourless_pairs(document, round_number), frozenset(ours.pairs))
    if (frozenset(theirs.pairs), theirs.bye) == (frozenset(ours.pairs), ours.bye):
        return None
    in_file, paired_again = _boards(state, theirs), _boards(state, ours)
    both = _seats(in_file) & _seats(paired_again)
    remarks = remarks_on(document, round_number)
    return RoundDifference(
        round_number, _without(in_file, both), _without(paired_again, both), "", remarks
    )


def _late_entries(document: TrfDocument, round_number: int) -> frozenset[TPN]:
    """Who entered when *round_number* was published, by comments [C.04.2/2026 2.4]."""
    matches = (
        found
        for text in document.texts("###")
        if (found := _LATE.match(text)) and int(found[1]) >= round_number
    )
    return frozenset(TPN(int(number)) for found in matches for number in found[2].split(", "))


def _pair_as_numbered_then(state: TournamentState, late: frozenset[TPN]) -> Pairing:
    """The pairing of *state* with the numbers as they were before
    those who came *late* moved them down.

    The order of the others is the same; whether a number is odd is not [C.04.5/2026 4.3.1].
    """
    if not late or not late <= state.absent:
        return pair(state)
    others = sorted(player.tpn for player in state.players if player.tpn not in late)
    then = {tpn: TPN(number) for number, tpn in enumerate(others, start=1)}
    players = tuple(
        replace(
            player,
            tpn=then[player.tpn],
            rounds=tuple(
                replace(one, opponent=then[one.opponent]) if one.opponent in then else one
                for one in player.rounds
            ),
        )
        for player in state.players
        if player.tpn in then
    )
    absent = frozenset(then[tpn] for tpn in state.absent - late)
    prohibited = frozenset(
        frozenset(then[tpn] for tpn in pair_) for pair_ in state.prohibited if pair_ <= then.keys()
    )
    found = pair(replace(state, players=players, absent=absent, prohibited=prohibited))
    pairs = tuple((TPN(others[white - 1]), TPN(others[black - 1])) for white, black in found.pairs)
    return Pairing(pairs, None if found.bye is None else TPN(others[found.bye - 1]))


def _turned(pairing: Pairing, colourless: frozenset[Seats], others: frozenset[Seats]) -> Pairing:
    """Return *pairing* with the pairs without colours in the file turned to those of *others*."""
    if not colourless:
        return pairing
    pairs = (
        (black, white)
        if (white, black) in colourless and (black, white) in others
        else (white, black)
        for white, black in pairing.pairs
    )
    return Pairing(tuple(pairs), pairing.bye)


def remarks_on(document: TrfDocument, round_number: int) -> tuple[str, ...]:
    """Return the comments (``###``) that name *round_number* or the round before it,
    in the file's order.

    Numbers that changed later [C.04.2/2026 2.3] concern all rounds paired until then.
    """
    return tuple(text for text in document.texts("###") if _concerns(text, round_number))


def _concerns(text: str, round_number: int) -> bool:
    found = _OF_ROUND.search(text)
    if not found:
        return False
    named = int(found[1])
    return (
        round_number <= named
        if text.startswith(_NUMBERS)
        else named in (round_number - 1, round_number)
    )


def _boards(state: TournamentState, pairing: Pairing) -> tuple[Board, ...]:
    """Return *pairing* with its board numbers [C.04.2/2026 3.6], the bye last."""
    values = state.points
    scores = {
        player.tpn: Points(
            sum(values.worth(record) for record in player.rounds)
            + player.virtual_points_in(state.round_number)
        )
        for player in state.players
    }
    boards = [
        Board(number, white, black)
        for number, (white, black) in enumerate(publication_order(pairing.pairs, scores), start=1)
    ]
    return (*boards, *(() if pairing.bye is None else (Board(None, pairing.bye, None),)))


def _seats(boards: Iterable[Board]) -> frozenset[tuple[TPN, TPN | None]]:
    return frozenset((board.white, board.black) for board in boards)


def _without(
    boards: Iterable[Board], seats: frozenset[tuple[TPN, TPN | None]]
) -> tuple[Board, ...]:
    return tuple(board for board in boards if (board.white, board.black) not in seats)


def points_differences(
    document: TrfDocument, players: Sequence[Player] | None = None
) -> Iterator[NumberDifference]:
    """Yield the players whose points column differs from the points of their rounds.

    *players* are those of :func:`players_so_far`, if they are known already.

    An adjourned game gives nothing, or in files that already count it the draw for pairing purposes
    [C.04.2/2026 3.1]. The column may include the byes of the round to be paired, and may leave out
    those of a round in play. It includes the points of records 299, optionally those for the places
    only (round 999). Raise ``trf.points_changed`` if a record does not name the players.
    """
    system = point_system(document)
    played = played_rounds(document.players)
    byes = requested_byes(document, played + 1)
    players = players_so_far(document) if players is None else players
    changed = changes(document, players)
    in_play = is_in_play(document, played)
    for record, player in zip(document.players, players, strict=True):
        if record.points is None:
            continue
        change = changed.get(record.tpn)
        computed = score(player, system, change)
        cells = [cell for cell in record.rounds[:played] if cell is not None]
        adjourned = sum((cell.result, cell.second).count(Result.UNKNOWN) for cell in cells)
        last = record.cell(played) if in_play else None
        uncounted = (
            system.value(last.result)
            if last is not None and last.is_bye and last.result is not None
            else 0
        )
        following = record.cell(played + 1)
        coming = following.result if following is not None else byes.get(record.tpn)
        allowed = {
            total + more
            for total in (computed, computed + adjourned * system.unknown, computed - uncounted)
            for more in (0, system.value(coming) if coming is not None else 0)
        }
        if change is not None:
            allowed |= {total - change.places_only for total in allowed}
        if record.points not in allowed:
            yield NumberDifference(record.tpn, record.points, computed)


def _rank_differences(
    ranked: Iterable[PlayerRecord], computed: Standings
) -> Iterator[NumberDifference]:
    ranks = {line.tpn: line.rank for line in computed.lines}
    for record in sorted(ranked, key=lambda record: record.tpn):
        if record.rank is not None and record.tpn in ranks and record.rank != ranks[record.tpn]:
            yield NumberDifference(record.tpn, record.rank, ranks[record.tpn])


def players_so_far(document: TrfDocument) -> tuple[Player, ...]:
    """Return all players and paired rounds; a blank is an absence, a missing result unknown."""
    rounds = played_rounds(document.players)
    return tuple(_player(record, rounds, document.games) for record in document.players)


def _player(record: PlayerRecord, rounds: int, games: int) -> Player:
    """Return *record* as a player; a blank is an absence, a game without a result unknown."""
    cells = (record.cell(number) for number in range(1, rounds + 1))
    return Player(
        record.tpn, tuple(ABSENT if cell is None else _round(cell, games) for cell in cells)
    )


def _round(cell: RoundCell, games: int) -> RoundRecord:
    second = cell.second or (Result.UNKNOWN if games > 1 and cell.opponent is not None else None)
    return RoundRecord(cell.opponent, cell.colour, cell.result or Result.UNKNOWN, second)
