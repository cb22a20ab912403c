"""What stands on the boards, for pages that are open in several places."""

from __future__ import annotations

from typing import TypedDict

from tournaments.models import Game, Tournament


class BoardState(TypedDict):
    """One board: ``result`` is a ``GameResult`` value, ``version`` grows with each change of it."""

    board: int
    result: str
    version: int


def board_states(tournament: Tournament, number: int) -> list[BoardState]:
    """Every board of round *number*, in order. One query. For arbiters only."""
    rows = Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board")
    return [
        BoardState(board=board, result=result, version=version)
        for board, result, version in rows.values_list("board", "result", "version")
    ]
