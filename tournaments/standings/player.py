"""One player's rounds in the tournament, and the player's next board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias

from pairing.engine.model import TPN, Result, RoundRecord
from pairing.rounds.open_games import OpenGame, open_games
from pairing.rules.names import namesakes
from pairing.standings.points import score
from pairing.standings.rating_tables import expected_score, rating_difference
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame, state_key
from tournaments.models import Entry, Round, Seat
from tournaments.standings.crosstable import Cell, cells_of
from tournaments.standings.kept import Field, field_after

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
    """One round: the cell, the board of a game, the opponent's rating, the points after the round (tenths).

    ``adjourned`` has the game that is still open, of a match perhaps both.
    """

    cell: Cell
    board: int | None
    opponent_rating: int
    total: int
    adjourned: tuple[OpenGame, ...] = ()


@dataclass(frozen=True, slots=True)
class NextSeat:
    """The player's place in the newest published round without public results; no board for a bye.

    ``opponent_tpn`` is None if the opponent's name is enough: no other player has it.
    """

    round_number: int
    board: int | None
    table: int | None
    colour: str
    bye: str
    opponent_id: int | None
    opponent: str
    starts_at: datetime | None = None
    """The start of the round."""
    opponent_tpn: int | None = None
    dated: tuple[OpenGame, ...] = ()
    """The game, if it has a date of its own; of a match perhaps both."""


@dataclass(frozen=True, slots=True)
class ComingRound:
    """The first round without public pairings, and its announced start. A draft of it changes nothing here."""

    number: int
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class Performance:
    """The score against rated opponents, over the board: ``made`` and ``expected`` are hundredths of a game [B.02 8.1].

    ``rating`` is the opponents' average plus the rating difference for the score [C.07/2026 10.2]. ``expected`` is
    the expected score of C.07, with the full scale [C.07/2026 10.3]; the rating rules count other games and cut
    differences above 400 [B.02/2024 8.3]. It is None if the player has no rating. ``by_round`` has the actual and
    the expected score after each such game.
    """

    games: int
    average: int
    made: int
    expected: int | None
    rating: int
    by_round: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player after ``after_round`` rounds; ``rank`` is None before the first results.

    ``coming`` is only there for a player who has no next place and may play in that round.
    """

    entry: Entry
    after_round: int
    rank: int | None
    points: int
    rounds: tuple[RoundOfPlayer, ...]
    next_seat: NextSeat | None
    performance: Performance | None
    coming: ComingRound | None


def player_page(frame: Frame, entry_id: int) -> PlayerPage | None:
    """Return the public page of the player with *entry_id*; None if the tournament has no numbered entry with that id.

    Six queries and those of the ranking, seven with open games; none if another page was read since the last public
    action. Arbiters see the same as visitors: results when they are published [C.04.2/2026 4.2].
    """
    field = _field(frame)
    own = next((tpn for tpn, found in field.entries.items() if found.pk == entry_id and tpn in field.players), None)
    return next(_pages(frame, field, [own]), None) if own is not None else None


def player_pages(frame: Frame) -> Iterator[PlayerPage]:
    """Yield the public pages of all players of the tournament, as :func:`player_page`.

    Four queries, five with open games, and the field.
    """
    field = _field(frame)
    return _pages(frame, field, list(field.players))


def _field(frame: Frame) -> Field:
    return field_after(frame.tournament, state_key(frame.tournament, runs=False), frame.latest_results)


def _pages(frame: Frame, field: Field, numbers: Iterable[TPN]) -> Iterator[PlayerPage]:
    """Yield the pages of the players with these *numbers*."""
    after = frame.latest_results
    entries = field.entries
    ratings = {other: found.rating for other, found in entries.items()}
    columns = {other: int(other) for other in entries}
    system = point_system(frame.tournament)
    ranks = field.ranks if after else {}
    boards, still_open, next_seats, coming = _seats(frame, state_key(frame.tournament, runs=False))
    for number in numbers:
        own, entry, change = field.players[number], entries[number], field.changes.get(number)
        own_boards, own_open = boards.get(entry.pk, {}), still_open.get(entry.pk, {})
        rounds, total = [], 0
        for cell in cells_of(own.rounds, columns, entries, system, change, first_round=entry.first_round):
            total += cell.points + (change.bonuses[cell.round_number - 1] if change else 0)
            rating = ratings[cell.opponent] if cell.opponent is not None else 0
            board, adjourned = own_boards.get(cell.round_number), own_open.get(cell.round_number, ())
            rounds.append(RoundOfPlayer(cell, board, rating, total, adjourned))
        yield PlayerPage(
            entry=entry,
            after_round=after,
            rank=ranks.get(number),
            points=score(own, system, change),
            rounds=tuple(rounds),
            next_seat=next_seats.get(entry.pk),
            performance=performance(own.rounds, entry.rating, ratings),
            coming=coming if entry.pk not in next_seats and _may_play(entry, coming) else None,
        )


def _may_play(entry: Entry, coming: ComingRound | None) -> bool:
    """Return whether *entry* is in the *coming* round; a requested bye in it stays private."""
    if coming is None:
        return False
    return entry.first_round <= coming.number < (entry.withdrawn_from or coming.number + 1)


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


_Boards: TypeAlias = dict[int, dict[int, int]]
_Open: TypeAlias = dict[int, dict[int, tuple[OpenGame, ...]]]


@lru_cache(maxsize=4)
def _seats(frame: Frame, state: str) -> tuple[_Boards, _Open, dict[int, NextSeat], ComingRound | None]:
    """Return :func:`_boards`, :func:`_open_games`, :func:`_next_seats` and :func:`_coming`, kept until the *state* of
    the event changes.
    """
    still_open = _open_games(frame)
    return _boards(frame, frame.latest_results), still_open, _next_seats(frame, still_open), _coming(frame)


def forget() -> None:
    """Forget everything, for tests: the tournaments of the next one have the same keys."""
    _seats.cache_clear()


def _boards(frame: Frame, after: int) -> dict[int, dict[int, int]]:
    """Return the board of each entry in each round up to *after*. One query."""
    seats = Seat.objects.filter(round__tournament=frame.tournament, round__number__lte=after, game__isnull=False)
    found: dict[int, dict[int, int]] = {}
    for entry, number, board in seats.values_list("entry", "round__number", "game__board"):
        found.setdefault(entry, {})[number] = board
    return found


def _open_games(frame: Frame) -> _Open:
    """Return the games of each entry in each round that the page of the open games shows. One query, two with some."""
    found: _Open = {}
    for game in open_games(frame.tournament, public=True):
        for entry in (game.white, game.black):
            own = found.setdefault(entry.pk, {})
            own[game.round_number] = (*own.get(game.round_number, ()), game)
    return found


def _next_seats(frame: Frame, still_open: _Open) -> dict[int, NextSeat]:
    """Return the place of each entry in the newest round without public results. One query.

    Late entries have none in a round before their first.
    """
    number = frame.latest_published
    if number is None or number <= frame.latest_results:
        return {}
    seats = Seat.objects.filter(round__tournament=frame.tournament, round__number=number)
    rows = list(seats.exclude(game=None, entry__first_round__gt=number).values(*_OF_A_SEAT))
    at: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        at.setdefault(row["game_id"], []).append(row)
    shared = namesakes({row["entry_id"]: row["entry__name"] for row in rows})
    return {
        row["entry_id"]: _next_seat(
            number, row, at[row["game_id"]], shared, still_open.get(row["entry_id"], {}).get(number, ())
        )
        for row in rows
    }


def _coming(frame: Frame) -> ComingRound | None:
    """Return the first round without public pairings; None after the last, or without a start. One query."""
    number = (frame.latest_published or 0) + 1
    announced = Round.objects.filter(tournament=frame.tournament, number=number, starts_at__isnull=False)
    at = announced.values_list("starts_at", flat=True).first()
    return ComingRound(number, at) if at is not None else None


_OF_A_SEAT: Final = (
    "entry_id",
    "entry__name",
    "entry__tpn",
    "colour",
    "bye",
    "game_id",
    "game__board",
    "game__table",
    "round__starts_at",
)


def _next_seat(
    number: int,
    row: Mapping[str, Any],
    at_the_board: Sequence[Mapping[str, Any]],
    shared: Collection[int],
    dated: tuple[OpenGame, ...],
) -> NextSeat:
    if row["game_id"] is None:
        # The published list of the round has it too, also one that the player asked for.
        return NextSeat(number, None, None, "", row["bye"], None, "")
    other = next(each for each in at_the_board if each is not row)
    board = row["game__board"]
    opponent = other["entry_id"], other["entry__name"]
    tpn = other["entry__tpn"] if other["entry_id"] in shared else None
    return NextSeat(
        number, board, row["game__table"] or board, row["colour"], "", *opponent, row["round__starts_at"], tpn, dated
    )
