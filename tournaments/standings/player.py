"""One player's rounds in the tournament, and the player's next board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from pairing.engine.changes import PointChanges
from pairing.engine.model import ABSENT, TPN, Colour, Player, Result, RoundRecord
from pairing.ratings.tables import expected_score, rating_difference
from pairing.rounds.computed_standings import changes_of
from pairing.rounds.open_games import OpenGame, open_games
from pairing.standings.points import score
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.core.request_values import MOST
from tournaments.core.scores import AT_BOARD, made, result_of
from tournaments.models import Entry, GameResult, Round, Seat
from tournaments.standings.crosstable import Cell, cells_of
from tournaments.standings.prospects import Prospect, prospect_of
from tournaments.standings.rating_change import RatingOfPlayer, rating_of_player
from tournaments.standings.standings import places

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
    """One round: the cell, the board of a game, the opponent's rating and federation, the points
    (tenths) after the round, and those of the opponent today; None for an expelled one.

    ``adjourned`` has the game that is still open, of a match perhaps both.
    """

    cell: Cell
    board: int | None
    opponent_rating: int
    total: int
    adjourned: tuple[OpenGame, ...] = ()
    opponent_federation: str = ""
    opponent_points: int | None = None

    @property
    def has_result(self) -> bool:
        """Whether the player has a game here whose result is entered, of a match at least one."""
        return self.board is not None and len(self.adjourned) < self.cell.games


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
    opponent_rating: int = 0
    dated: tuple[OpenGame, ...] = ()
    """The game, if it has a date of its own; of a match perhaps both."""

    @property
    def begins_with_round(self) -> bool:
        """Whether play begins at the start of the round; of a match at least the first game."""
        return self.starts_at is not None and all(game.number == 2 for game in self.dated)


@dataclass(frozen=True, slots=True)
class ComingRound:
    """The first round without public pairings, and its announced start.

    A draft of it changes nothing here.
    """

    number: int
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class Performance:
    """The score against rated opponents, over the board:
    ``made`` and ``expected`` are hundredths of a game [B.02 8.1].

    ``rating`` is the opponents' average plus the rating difference for the score [C.07/2026 10.2].
    ``expected`` is the expected score of C.07, with the full scale [C.07/2026 10.3]; the rating
    rules count other games and cut differences above 400 [B.02/2024 8.3]. It is None if the player
    has no rating. ``by_round`` has the actual and the expected score after each such game.
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
    rating: RatingOfPlayer | None = None
    prospect: Prospect | None = None


def player_page(frame: Frame, entry_id: int) -> PlayerPage | None:
    """Return the public page of the player with *entry_id*;
    None if the tournament has no numbered entry with that id.

    Three queries, two more with open games, one more without a next place. Only rank, namesakes
    and the prospect come from the whole field: the store has them. Arbiters see the same as
    visitors: results when they are published [C.04.2/2026 4.2].
    """
    tournament, after = frame.tournament, frame.latest_results
    if entry_id > MOST:
        return None
    seats = _seats(frame, entry_id)
    opponents = Entry.objects.filter(tournament=tournament, tpn__isnull=False).in_bulk(
        {entry_id, *(seat.opponent for seat in seats.values() if seat.opponent is not None)}
    )
    entry = opponents.pop(entry_id, None)
    if entry is None:
        return None
    found = places(frame, after)
    entries = {TPN(each.tpn or 0): each for each in (entry, *opponents.values())}
    for tpn, each in entries.items():
        each.is_namesake = tpn in found.namesakes
    number = TPN(entry.tpn or 0)
    own = Player(number, tuple(_record(seats.get(each), opponents) for each in range(1, after + 1)))
    may_be_open = any(seat.may_be_open for seat in seats.values())
    still_open = _open_games(frame, entry) if may_be_open else {}
    next_seat = _next_seat(frame, entry, seats, opponents, still_open)
    coming = None if next_seat else _coming(frame, entry)
    change = changes_of(tournament, own)
    return PlayerPage(
        entry=entry,
        after_round=after,
        rank=found.ranks.get(number) if after else None,
        points=score(own, point_system(tournament), change),
        rounds=tuple(_rounds(frame, own, entries, seats, still_open, change, found.points)),
        next_seat=next_seat,
        performance=performance(
            own.rounds, entry.rating, {tpn: each.rating for tpn, each in entries.items()}
        ),
        coming=coming,
        rating=rating_of_player(tournament, entry, own.rounds, entries),
        prospect=prospect_of(frame, number, found.points),
    )


class _Place(NamedTuple):
    """A seat of the player in a round: at a board with an *opponent* (the entry's id), or a bye."""

    colour: str
    bye: str
    board: int | None
    table: int | None
    first: str
    second: str | None
    starts_at: datetime | None
    played_at: datetime | None
    second_played_at: datetime | None
    opponent: int | None

    @property
    def may_be_open(self) -> bool:
        """Whether a game is adjourned or has a date of its own, so that it may be an open game."""
        return (
            GameResult.ADJOURNED in (self.first, self.second)
            or (self.played_at or self.second_played_at) is not None
        )


def _seats(frame: Frame, entry_id: int) -> dict[int, _Place]:
    """Return the seat of the entry in each published round, by its number. One query.

    There is none in a round that the player missed.
    """
    rows = _PLACES.filter(
        entry=entry_id,
        round__number__lte=frame.latest_published or 0,
        round__tournament=frame.tournament,
    )
    # Each game comes with both of its players.
    return {number: _Place._make(rest) for number, *rest in rows if rest[-1] != entry_id}


# Finding the columns of four other tables takes time, so it is done once.
_PLACES: Final = Seat.objects.values_list(
    "round__number",
    *("colour", "bye", "game__board", "game__table", *AT_BOARD, "round__starts_at"),
    *("game__starts_at", "game__second__starts_at", "game__seats__entry"),
)


def _record(seat: _Place | None, opponents: Mapping[int, Entry]) -> RoundRecord:
    """Return a round as the engine knows it; a round without a seat was missed."""
    if seat is None:
        return ABSENT
    if seat.bye or seat.opponent is None:
        return RoundRecord(opponent=None, colour=None, result=result_of(seat.bye))
    tpn = TPN(opponents[seat.opponent].tpn or 0)
    return RoundRecord(tpn, Colour(seat.colour), *made(seat.colour, seat.first, seat.second))


def _rounds(
    frame: Frame,
    own: Player,
    entries: Mapping[TPN, Entry],
    seats: Mapping[int, _Place],
    still_open: Mapping[int, tuple[OpenGame, ...]],
    change: PointChanges | None,
    points: Mapping[int, int],
) -> Iterator[RoundOfPlayer]:
    columns, total = {tpn: int(tpn) for tpn in entries}, 0
    system, first_round = point_system(frame.tournament), entries[own.tpn].first_round
    for cell in cells_of(own.rounds, columns, entries, system, change, first_round=first_round):
        number = cell.round_number
        total += cell.points + (change.bonuses[number - 1] if change else 0)
        board = seats[number].board if number in seats else None
        line = RoundOfPlayer(cell, board, 0, total, still_open.get(number, ()))
        if cell.opponent is not None:
            opponent = entries[cell.opponent]
            line = replace(
                line,
                opponent_rating=opponent.rating,
                opponent_federation=opponent.federation,
                opponent_points=points.get(int(cell.opponent)),
            )
        yield line


def performance(
    rounds: Sequence[RoundRecord], rating: int, ratings: Mapping[TPN, int]
) -> Performance | None:
    """Return the performance of a player with *rating* (0: unrated) against rated opponents.

    None without such a game.
    """
    games = [
        (number, MADE[result], ratings[record.opponent])
        for number, record in enumerate(rounds, start=1)
        for result in (record.result, record.second)
        if record.opponent is not None
        and result is not None
        and result in MADE
        and ratings[record.opponent]
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


def _open_games(frame: Frame, entry: Entry) -> dict[int, tuple[OpenGame, ...]]:
    """Return the games of *entry* in each round that the page of the open games shows.

    One query, two with some.
    """
    found: dict[int, tuple[OpenGame, ...]] = {}
    for game in open_games(frame.tournament, public=True, entry_id=entry.pk):
        found[game.round_number] = (*found.get(game.round_number, ()), game)
    return found


def _next_seat(
    frame: Frame,
    entry: Entry,
    seats: Mapping[int, _Place],
    opponents: Mapping[int, Entry],
    still_open: Mapping[int, tuple[OpenGame, ...]],
) -> NextSeat | None:
    """Return the place in the newest round without public results.

    Late entries have none before their first round.
    """
    number = frame.latest_published
    seat = seats.get(number) if number is not None and number > frame.latest_results else None
    if number is None or seat is None:
        return None
    if seat.opponent is None:
        # The published list of the round has it too, also one that the player asked for.
        return (
            NextSeat(number, None, None, "", seat.bye, None, "")
            if entry.first_round <= number
            else None
        )
    other = opponents[seat.opponent]
    return NextSeat(
        round_number=number,
        board=seat.board,
        table=seat.table or seat.board,
        colour=seat.colour,
        bye="",
        opponent_id=other.pk,
        opponent=other.name,
        starts_at=seat.starts_at,
        opponent_tpn=other.tpn if other.is_namesake else None,
        opponent_rating=other.rating,
        dated=still_open.get(number, ()),
    )


def _coming(frame: Frame, entry: Entry) -> ComingRound | None:
    """Return the first round without public pairings, if *entry* may play in it;
    a requested bye in it stays private.

    None after the last round, or without a start. One query.
    """
    number = (frame.latest_published or 0) + 1
    if not entry.first_round <= number < (entry.withdrawn_from or number + 1):
        return None
    announced = Round.objects.filter(
        tournament=frame.tournament, number=number, starts_at__isnull=False
    )
    at = announced.values_list("starts_at", flat=True).first()
    return ComingRound(number, at) if at is not None else None
