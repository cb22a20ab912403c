"""Data for the page of a round: boards, byes and players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from django.db.models import Q

from pairing.engine.model import Colour, PointSystem, RoundRecord
from pairing.rounds.before_round import SEATED, BeforeRound, Seated, before_round
from pairing.rounds.snapshot import takes_part
from pairing.rules.name_search import find_lines
from pairing.rules.names import fold
from pairing.rules.rounds import RoundState
from pairing.standings.points import points_of
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.core.scores import Score, result_of
from tournaments.models import ByeKind, GameResult, Round, Seat


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player of a pairing, with points (tenths) and colours *before* the round.

    ``virtual`` are the points (tenths) that an acceleration adds for the pairing of this round only
    [C.04.7/2026]. ``colours`` has a letter for each played game (``W``, ``B``) and ``·`` for an
    unplayed round. ``is_namesake``: another player of the round has the same name.
    """

    entry_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    club: str
    fide_id: int | None
    rating: int
    points: int
    colours: str
    virtual: int
    is_namesake: bool

    @property
    def pairing_score(self) -> int:
        """The score by which the player was paired."""
        return self.points + self.virtual


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game at a board, and its White; ``number`` is None if a round is one game.

    ``result`` is a :class:`GameResult` value, empty if the reader may not know it or there is none.
    """

    board: int
    table: int
    number: int | None
    game_id: int
    white: PlayerLine
    black: PlayerLine
    result: str
    version: int
    starts_at: datetime | None = None
    """The date of the game if it is not played with its round, and its ``place``."""
    place: str = ""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """One board: its game, or the two games of a match; ``white`` has White in the first.

    ``match_points`` are the points of both players in the match so far, in tenths, White's first;
    None if a round is one game, or if the reader may not know them.
    """

    board: int
    table: int
    """The table of the board: usually its number, but not if a player of
    the round has a fixed table [C.04.2/2026 3.6].
    """
    white: PlayerLine
    black: PlayerLine
    games: tuple[GameLine, ...]
    match_points: tuple[int, int] | None

    @property
    def result(self) -> str:
        """The result of the first game."""
        return self.games[0].result

    @property
    def second_result(self) -> str:
        """The result of the second game of a match; empty where there is none."""
        return self.games[1].result if len(self.games) > 1 else ""

    @property
    def dated(self) -> tuple[GameLine, ...]:
        """The games with a date of their own."""
        return tuple(game for game in self.games if game.starts_at is not None)

    @property
    def is_missing(self) -> bool:
        return any(game.result == GameResult.NOT_YET for game in self.games)

    @property
    def crosses_scoregroups(self) -> bool:
        """Whether the two players come from different scoregroups: one of them floats."""
        return self.white.pairing_score != self.black.pairing_score


@dataclass(frozen=True, slots=True)
class ByeLine:
    """A player without a game in the round, with the reason."""

    player: PlayerLine
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class NameLine:
    """The place of one player, for the list by name; no board for a bye.

    ``line`` is the whole board.
    """

    player: PlayerLine
    board: int | None
    table: int | None
    colour: str
    opponent: PlayerLine | None
    line: BoardLine | None
    bye: ByeKind | None


@dataclass(frozen=True, slots=True)
class RoundPage:
    """A round with its boards in publication order [C.04.2/2026 3.6]; empty if it is not paired.

    With ``is_imported`` and ``has_imported_results`` the times are those of the import.
    """

    number: int
    state: RoundState
    starts_at: datetime | None
    results_due_at: datetime | None
    paired_at: datetime | None
    published_at: datetime | None
    results_published_at: datetime | None
    round_id: int
    is_imported: bool = False
    has_imported_results: bool = False
    boards: tuple[BoardLine, ...] = ()
    byes: tuple[ByeLine, ...] = ()

    @property
    def is_draft(self) -> bool:
        return self.state == RoundState.DRAFT

    @property
    def is_accelerated(self) -> bool:
        """Whether a player has virtual points in this round."""
        players = [bye.player for bye in self.byes] + [
            p for line in self.boards for p in (line.white, line.black)
        ]
        return any(player.virtual for player in players)

    @property
    def missing(self) -> tuple[int, ...]:
        """The boards without a result."""
        return tuple(line.board for line in self.boards if line.is_missing)

    @property
    def has_open_games(self) -> bool:
        """Whether a game is adjourned or has a date of its own, as far as the reader may know."""
        return any(game.starts_at or game.result == GameResult.ADJOURNED for game in self.games)

    @property
    def players(self) -> int:
        """The number of players with a board or a bye."""
        return 2 * len(self.boards) + len(self.byes)

    @property
    def entered(self) -> int:
        return len(self.boards) - len(self.missing)

    @property
    def games(self) -> tuple[GameLine, ...]:
        """Every game in the order of the boards; each has its own result."""
        return tuple(game for line in self.boards for game in line.games)

    @property
    def games_entered(self) -> int:
        return sum(game.result != GameResult.NOT_YET for game in self.games)

    @property
    def other_byes(self) -> tuple[ByeLine, ...]:
        return tuple(line for line in self.byes if line.kind != ByeKind.PAIRING_ALLOCATED)

    def by_name(self, words: str = "") -> tuple[NameLine, ...]:
        """Return the players by name; with *words*, those who match (:func:`find_lines`)."""
        lines: list[NameLine] = []
        for line in self.boards:
            lines.append(NameLine(line.white, line.board, line.table, "w", line.black, line, None))
            lines.append(NameLine(line.black, line.board, line.table, "b", line.white, line, None))
        lines.extend(
            NameLine(bye.player, None, None, "", None, None, bye.kind) for bye in self.byes
        )
        found = self.players_found(words)
        wanted = (line for line in lines if line.player.entry_id in found)
        return tuple(
            sorted(wanted, key=lambda line: (fold(line.player.name), line.player.tpn or 0))
        )

    def players_found(self, words: str) -> frozenset[int]:
        """Return the entry ids of the players whom *words* fit (:func:`find_lines`)."""
        players = [bye.player for bye in self.byes]
        players += [player for line in self.boards for player in (line.white, line.black)]
        return frozenset(player.entry_id for player in find_players(players, words))

    def searched(
        self, words: str, *, boards: Collection[int] = (), players: Collection[int] = ()
    ) -> RoundPage:
        """Return the same round with only the boards and byes of players whom *words* fit.

        The given *boards*, and the byes of *players* (entry ids), are always included.
        """
        found = self.players_found(words)
        return replace(
            self,
            boards=tuple(
                line
                for line in self.boards
                if line.board in boards
                or line.white.entry_id in found
                or line.black.entry_id in found
            ),
            byes=tuple(
                line
                for line in self.byes
                if line.player.entry_id in players or line.player.entry_id in found
            ),
        )


_SEARCHED: Final = Seat.objects.values_list(
    *("entry_id", "entry__name", "entry__full_name", "entry__club", "entry__federation"),
    *("entry__tpn", "game_id", "game__board"),
)


def find_players(players: Iterable[PlayerLine], words: str) -> list[PlayerLine]:
    """Return the *players* whose name, club, federation or TPN fits *words*."""
    return find_lines(
        players,
        words,
        text_of=lambda player: f"{player.name} {player.club} {player.federation}",
        numbers_of=lambda player: (player.tpn,),
    )


def round_page(
    frame: Frame,
    row: Round,
    words: str = "",
    *,
    boards: Collection[int] = (),
    players: Collection[int] = (),
    with_entered: bool = False,
) -> RoundPage:
    """Return the round *row* with the data that the reader of *frame* may see. Two queries.

    To a visitor a draft is an unpaired round, and results are unknown until they are published,
    unless *with_entered* (:mod:`pairing.rounds.running_results` decides about it).
    With *words* only the boards and byes of the players whom they fit (:func:`find_players`), or
    with *boards* and *players* (entry ids) only those, unless there is an acceleration, whose
    group A follows from all players: three queries.
    """
    state = frame.state_of(row.number)
    page = RoundPage(
        number=row.number,
        state=state,
        starts_at=row.starts_at,
        results_due_at=row.results_due_at,
        paired_at=row.paired_at if state != RoundState.PLANNED else None,
        published_at=row.published_at,
        results_published_at=row.results_published_at,
        round_id=row.pk,
        is_imported=row.is_imported,
        has_imported_results=row.has_imported_results,
    )
    if state == RoundState.PLANNED:
        return page
    rows = SEATED.filter(round=row)
    names: dict[int, str] = {}
    if (words or boards or players) and not frame.tournament.acceleration:
        everybody = list(_SEARCHED.filter(round=row))
        names = {pk: (full or name) if frame.runs else name for pk, name, full, *_ in everybody}
        if words:
            found = find_lines(
                everybody,
                words,
                text_of=lambda seat: " ".join((names[seat[0]], *seat[3:5])),
                numbers_of=lambda seat: (seat[5],),
            )
        else:
            found = [seat for seat in everybody if seat[7] in boards or seat[0] in players]
        games = [seat[6] for seat in found if seat[6] is not None]
        rows = rows.filter(Q(entry__in=[seat[0] for seat in found]) | Q(game__in=games))
    seats = [Seated._make(values) for values in rows]
    before = before_round(frame.tournament, row.number, seats, names, whole_names=frame.runs)
    show_results = frame.runs or with_entered or state == RoundState.RESULTS_PUBLISHED
    return replace(
        page,
        boards=_boards(seats, before, point_system(frame.tournament) if show_results else None),
        byes=_byes(seats, before, row.number),
    )


def _player(seat: Seated, before: BeforeRound) -> PlayerLine:
    return PlayerLine(
        entry_id=seat.pk,
        tpn=seat.tpn,
        name=before.name(seat),
        title=seat.title,
        federation=seat.federation,
        club=seat.club,
        fide_id=None if seat.full_name and not before.whole_names else seat.fide_id,
        rating=seat.rating,
        points=before.points.get(seat.pk, 0),
        colours=before.colours.get(seat.pk, ""),
        virtual=before.virtual.get(seat.pk, 0),
        is_namesake=seat.pk in before.namesakes,
    )


def _boards(
    seats: Iterable[Seated], before: BeforeRound, values: PointSystem | None
) -> tuple[BoardLine, ...]:
    """Return the boards in order; without *values* the results are hidden from the reader."""
    at_board: defaultdict[int, dict[str, Seated]] = defaultdict(dict)
    for seat in seats:
        if seat.board is not None:
            at_board[seat.board][seat.colour] = seat
    return tuple(
        _board(board, pair["w"], _player(pair["w"], before), _player(pair["b"], before), values)
        for board, pair in sorted(at_board.items())
    )


def _board(
    number: int, seat: Seated, white: PlayerLine, black: PlayerLine, values: PointSystem | None
) -> BoardLine:
    score = Score(seat.result, seat.second_result)
    if values is None:
        score = score.hidden()
    table = seat.table or number
    line, own = partial(GameLine, number, table), (seat.version, seat.starts_at, seat.place)
    if score.second is None:
        games: tuple[GameLine, ...] = (line(None, seat.game, white, black, score.first, *own),)
        return BoardLine(number, table, white, black, games, None)
    second = (seat.second_version, seat.second_starts_at, seat.second_place)
    games = (
        line(1, seat.game, white, black, score.first, *own),
        line(2, seat.second, black, white, score.second, *second),
    )
    return BoardLine(
        number, table, white, black, games, match_points(score, values) if values else None
    )


def match_points(score: Score, values: PointSystem) -> tuple[int, int]:
    """Return the points of both in a match so far, in tenths, White of the first game first."""
    white, black = (
        sum(points_of_letter(letter, values) for letter in score.of(colour))
        for colour in (Colour.WHITE, Colour.BLACK)
    )
    return white, black


def points_of_letter(letter: str, values: PointSystem) -> int:
    """Return the points of one game in tenths; an unfinished game gives 0."""
    return points_of(RoundRecord(None, None, result_of(letter)), values) if letter else 0


def _byes(seats: Iterable[Seated], before: BeforeRound, number: int) -> tuple[ByeLine, ...]:
    """Return the players without a game who have arrived and have not withdrawn."""
    lines = [
        ByeLine(_player(seat, before), ByeKind(seat.bye))
        for seat in seats
        if seat.bye and takes_part(seat, number)
    ]
    rank = {
        ByeKind.PAIRING_ALLOCATED: 0,
        ByeKind.FULL_POINT: 1,
        ByeKind.HALF_POINT: 2,
        ByeKind.ZERO_POINT: 3,
    }
    return tuple(sorted(lines, key=lambda line: (rank[line.kind], line.player.tpn or 0)))
