"""Play matches of two games, and read their results [C.04.5/2026]."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User

from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rounds.round_page import RoundPage, round_page
from tests.tournaments.factories import NOW, pair_and_publish, round_of
from tournaments.core.frame import tournament_frame
from tournaments.models import Game, Round, Tournament
from tournaments.standings.standings import standings

DOUBLE_SWISS = "double_swiss_2026"
Played = Callable[[int], tuple[str, str]]


def game_of(tournament: Tournament, number: int, board: int, game: int = 1) -> Game:
    return Game.objects.get(
        round__tournament=tournament, round__number=number, board=board, first__isnull=game == 1
    )


def enter(
    tournament: Tournament,
    number: int,
    board: int,
    game: int,
    result: str,
    actor: User,
    *,
    confirmed: bool = False,
) -> Game:
    row = game_of(tournament, number, board, game)
    return result_record(game_id=row.pk, result=result, actor=actor, now=NOW, confirmed=confirmed)


def white_wins_then_draw(board: int) -> tuple[str, str]:
    return "10", "=="


def play(
    tournament: Tournament, number: int, actor: User, played: Played = white_wins_then_draw
) -> Round:
    """Pair, publish and play round *number*, and publish its results;
    *played* gives both results of each board.
    """
    round_ = pair_and_publish(tournament, number, actor)
    for board in Game.objects.filter(round=round_, first=None).values_list("board", flat=True):
        for game, result in enumerate(played(board), start=1):
            enter(tournament, number, board, game, result, actor)
    results_publish(round_id=round_.pk, actor=actor, now=NOW)
    tournament.refresh_from_db()
    return round_


def points(tournament: Tournament, after: int) -> dict[int, int]:
    lines = standings(tournament_frame(tournament, runs=True), after_round=after).lines
    return {line.tpn: line.points for line in lines}


def page_of(tournament: Tournament, number: int, *, runs: bool = True) -> RoundPage:
    return round_page(tournament_frame(tournament, runs=runs), round_of(tournament, number))
