"""Accept a players' report: an ordinary result, if they still report what was seen."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rounds.players_reports import NOTHING, reports_of_games
from pairing.rounds.results import result_record
from tournaments.core.errors import Conflict
from tournaments.models import Game, Tournament


def report_accept(
    *, game_id: int, result: str, actor: User, now: datetime, seen_version: int | None = None
) -> Game:
    """Enter *result*, which the players of the game have reported, as
    :func:`~pairing.rounds.results.result_record`.

    :class:`Conflict` if the players report something else by now, or if the game has changed since
    *seen_version*. A game that has this result already stays as it is.
    """
    with transaction.atomic():
        Tournament.objects.select_for_update(of=("self",)).get(rounds__games=game_id)
        game = Game.objects.get(pk=game_id)
        reported = reports_of_games([game]).get(game_id, NOTHING)
        if not game.result and reported.result != result:
            raise Conflict("players_report.changed", params={"board": game.board})
        return result_record(
            game_id=game_id, result=result, actor=actor, now=now, seen_version=seen_version
        )
