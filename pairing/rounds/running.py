"""The games of the running round at their tables, with the players' reports."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from pairing.rounds.players_reports import NOTHING, SIDES, Reported, ReportedBy, reports_of_games
from pairing.rounds.steps import last_result_line
from pairing.rules.names import begins, search_words, words_of
from pairing.rules.plausible import PLAYED
from pairing.rules.rounds import RoundState
from tournaments.models import Game, GameResult, Round, Seat, Tournament


@dataclass(frozen=True, slots=True)
class TableGame:
    """One game at a table, with the players by name; ``number`` is None if a round is one game.

    ``result`` is what an arbiter has entered, empty before; ``entered_at`` when, if that was asked
    for. Only its players learn it before it is published [C.04.2/2026 4.2].
    """

    game_id: int
    board: int
    table: int
    number: int | None
    version: int
    white: str
    black: str
    result: GameResult
    reported: Reported
    entered_at: datetime | None = None

    @property
    def is_entered(self) -> bool:
        return self.result != GameResult.NOT_YET

    @property
    def is_adjourned(self) -> bool:
        return self.result == GameResult.ADJOURNED

    @property
    def winner(self) -> str:
        """The name of the player who has won the game as entered; empty for a draw or a forfeit."""
        return {1.0: self.white, 0.0: self.black}.get(PLAYED.get(self.result, 0.5), "")

    @property
    def reporter(self) -> str:
        """The name of the only player who has reported the result; empty if there is none."""
        return {ReportedBy.WHITE: self.white, ReportedBy.BLACK: self.black}.get(
            self.reported.by, ""
        )

    def name_of(self, side: str) -> str:
        """Return the name of the player of *side*, ``w`` or ``b``."""
        return self.white if side == "w" else self.black


def running_round(tournament: Tournament) -> Round | None:
    """Return the round whose pairings are published and whose results are not; None between rounds.

    One query.
    """
    rows = Round.objects.filter(tournament=tournament, state=RoundState.PAIRINGS_PUBLISHED)
    return rows.order_by("number").last()


def games_at(round_: Round, table: int) -> list[TableGame]:
    """Return the game at *table* in *round_*, both games of a match, or nothing. Three queries."""
    return _games(round_, Q(game__table=table) | Q(game__table=None, game__board=table))


def games_of(round_: Round, entry: int) -> list[TableGame]:
    """Return the game of the player *entry* in *round_*, both games of a match, or nothing.

    Each has the time when its result was entered. Three queries, two more for each result.
    """
    seats = Seat.objects.filter(round=round_, entry=entry, game__isnull=False)
    return with_times(_games(round_, Q(game__in=seats.values("game"))))


def with_times(games: Iterable[TableGame]) -> list[TableGame]:
    """Return *games* with the times when their results were entered. Two queries for each."""
    entered = {game.game_id: game for game in games}
    rows = Game.objects.filter(
        pk__in=[pk for pk, game in entered.items() if game.is_entered]
    ).select_related("round")
    for row in rows:
        line = last_result_line(row)
        at = line.at if line is not None else None
        entered[row.pk] = replace(entered[row.pk], entered_at=at)
    return list(entered.values())


def games_found(round_: Round, words: str) -> list[TableGame]:
    """Return the first games at the boards whose number, or the name of a player, matches *words*.

    Three queries.
    """
    wanted = words.strip()
    if wanted.isascii() and wanted.isdecimal():
        number = int(wanted[:6])
        found = _games(round_, Q(game__table=number) | Q(game__board=number))
    else:
        parts = search_words(wanted)
        found = [
            game
            for game in _games(round_, Q())
            if any(begins(words_of(game.name_of(side)), parts) for side in SIDES)
        ]
    return [each for each in found if each.number != 2]


def _games(round_: Round, which: Q) -> list[TableGame]:
    seats = Seat.objects.filter(which, round=round_, game__isnull=False).select_related(
        "entry", "game"
    )
    names: dict[int, dict[str, str]] = {}
    firsts: dict[int, Game] = {}
    for seat in seats:
        assert seat.game is not None
        firsts[seat.game.pk] = seat.game
        names.setdefault(seat.game.pk, {})[seat.colour] = seat.entry.name
    seconds = {game.first_id: game for game in Game.objects.filter(first__in=firsts)}
    reports = reports_of_games([*firsts.values(), *seconds.values()])
    found = []
    for first in sorted(firsts.values(), key=lambda game: game.board):
        second = seconds.get(first.pk)
        white, black = names[first.pk].get("w", ""), names[first.pk].get("b", "")
        found.append(_running_game(first, first, 1 if second else None, (white, black), reports))
        if second is not None:
            found.append(_running_game(second, first, 2, (black, white), reports))
    return found


def _running_game(
    game: Game,
    first: Game,
    number: int | None,
    names: tuple[str, str],
    reports: dict[int, Reported],
) -> TableGame:
    return TableGame(
        game_id=game.pk,
        board=first.board,
        table=first.table or first.board,
        number=number,
        version=game.version,
        white=names[0],
        black=names[1],
        result=GameResult(game.result),
        reported=reports.get(game.pk, NOTHING),
    )
