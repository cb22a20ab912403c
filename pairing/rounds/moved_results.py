"""Move results that were entered on the wrong lines by one board."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rounds.plausible import questions
from pairing.rounds.results import result_record
from tournaments.core.errors import Conflict
from tournaments.models import Game, Round, Tournament


def results_move(*, round_id: int, move: str, actor: User, now: datetime) -> None:
    """Move the results of an open question by one board: *move* is the
    :attr:`~pairing.rules.plausible.Move.value` of one of its moves.

    No result is lost: the last one goes to a board without a result. One transaction; each board
    has its line in the record, as if the result had been entered. :class:`Conflict` if there is no
    such question any more, or if one of its results has changed.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds=round_id)
        row = Round.objects.get(pk=round_id)
        open_moves = (each for question in questions(tournament, row) for each in question.moves)
        found = next((each for each in open_moves if each.value == move), None)
        if found is None:
            raise Conflict("question.gone")
        games = {game.board: game for game in Game.objects.filter(round=row, first=None)}
        for board, result in found.after.items():
            result_record(game_id=games[board].pk, result=result, actor=actor, now=now)
