"""One player's rounds in the tournament, and the player's next board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pairing.engine.model import TPN, Result, RoundRecord
from pairing.standings.points import score
from pairing.standings.rating_tables import expected_score, rating_difference
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame, state_key
from tournaments.models import Entry, Seat
from tournaments.standings.crosstable import Cell, cells_of
from tournaments.standings.kept import field_after

MADE: Final[Mapping[Result, int]] = {
    Result.WIN: 100,
    Result.UNRATED_WIN: 100,
    Result.DRAW: 50,
    Result.UNRATED_DRAW: 50,
    Result.LOSS: 0,
    Result.UNRATED_LOSS: 0,
}
"""The score of a game over the board, in hundredths, with any point system."""


@dataclass(frozen=True, slots=True)
class RoundOfPlayer:
    """One round: the cell, the board of a game, the opponent's rating, the points after the round (tenths)."""

    cell: Cell
    board: int | None
    opponent_rating: int
    total: int


@dataclass(frozen=True, slots=True)
class NextSeat:
    """The player's place in the newest published round without public results; no board for a bye."""

    round_number: int
    board: int | None
    table: int | None
    colour: str
    bye: str
    opponent_id: int | None
    opponent: str
    starts_at: datetime | None = None
    """The start of the round, or the date of this game alone."""


@dataclass(frozen=True, slots=True)
class Performance:
    """The score against rated opponents, over the board: ``made`` and ``expected`` are hundredths of a game [B.02 8.1].

    ``rating`` is the opponents' average plus the rating difference for the score [C.07/2026 10.2]; ``expected`` is None
    if the player has no rating. ``by_round`` has the actual and the expected score after each such game.
    """

    games: int
    average: int
    made: int
    expected: int | None
    rating: int
    by_round: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player after ``after_round`` rounds; ``rank`` is None before the first results."""

    entry: Entry
    after_round: int
    rank: int | None
    points: int
    rounds: tuple[RoundOfPlayer, ...]
    next_seat: NextSeat | None
    performance: Performance | None


def player_page(frame: Frame, entry_id: int) -> PlayerPage | None:
    """Return the public page of the player with *entry_id*; None if the tournament has no numbered entry with that id.

    Five queries, three if another page was read since the last public action. Arbiters see the same as visitors:
    results when they are published [C.04.2/2026 4.2].
    """
    after = frame.latest_results
    tournament = frame.tournament
    field = field_after(tournament, state_key(tournament, runs=False), after)
    entries = field.entries
    tpn = next((tpn for tpn, found in entries.items() if found.pk == entry_id), None)
    own = None if tpn is None else field.players.get(tpn)
    if own is None:
        return None
    entry = entries[own.tpn]
    ratings = {other: found.rating for other, found in entries.items()}
    system = point_system(tournament)
    seats = Seat.objects.filter(entry=entry, round__number__lte=after, game__isnull=False)
    boards = dict(seats.values_list("round__number", "game__board"))
    change = field.changes.get(own.tpn)
    rounds, total = [], 0
    for cell in cells_of(own.rounds, {other: int(other) for other in entries}, entries, system, change):
        total += cell.points + (change.bonuses[cell.round_number - 1] if change else 0)
        rating = ratings[cell.opponent] if cell.opponent is not None else 0
        rounds.append(RoundOfPlayer(cell, boards.get(cell.round_number), rating, total))
    return PlayerPage(
        entry=entry,
        after_round=after,
        rank=field.ranks.get(own.tpn) if after else None,
        points=score(own, system, change),
        rounds=tuple(rounds),
        next_seat=_next_seat(frame, entry),
        performance=performance(own.rounds, entry.rating, ratings),
    )


def performance(rounds: Sequence[RoundRecord], rating: int, ratings: Mapping[TPN, int]) -> Performance | None:
    """Return the performance of a player of *rating* (0: unrated) against rated opponents; None without a game."""
    games = [
        (number, MADE[result], ratings[record.opponent])
        for number, record in enumerate(rounds, start=1)
        for result in (record.result, record.second)
        if record.opponent is not None and result is not None and result in MADE and ratings[record.opponent]
    ]
    if not games:
        return None
    made = expected = 0
    by_round = []
    for number, gave, theirs in games:
        made += gave
        expected += expected_score(rating - theirs)
        by_round.append((number, made, expected))
    average = _rounded(sum(theirs for _, _, theirs in games), len(games))
    return Performance(
        games=len(games),
        average=average,
        made=made,
        expected=expected if rating else None,
        rating=average + rating_difference(_rounded(made, len(games))),
        by_round=tuple(by_round) if rating else (),
    )


def _rounded(total: int, count: int) -> int:
    """Return the average; a half is rounded up."""
    return (2 * total + count) // (2 * count)


def _next_seat(frame: Frame, entry: Entry) -> NextSeat | None:
    number = frame.latest_published
    if number is None or number <= frame.latest_results:
        return None
    seats = Seat.objects.select_related("round").filter(round__tournament=frame.tournament, entry=entry)
    seat = seats.filter(round__number=number).first()
    if seat is None:
        return None
    if seat.game_id is None:
        # A requested bye stays private until the round is over.
        return NextSeat(number, None, None, "", seat.bye if seat.bye == "U" else "", None, "")
    other = Seat.objects.select_related("entry", "game").filter(game=seat.game_id).exclude(pk=seat.pk).get()
    board = other.game.board if other.game else None
    table = (other.game.table if other.game else None) or board
    starts_at = (other.game.starts_at if other.game else None) or seat.round.starts_at
    return NextSeat(number, board, table, seat.colour, "", other.entry_id, other.entry.name, starts_at)
