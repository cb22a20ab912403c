"""The results on the boards, for pages that are open in several places."""

from __future__ import annotations

from typing import TypedDict

from tournaments.models import Game, Tournament


class BoardState(TypedDict):
    """One game by its id. ``result`` is a ``GameResult`` value; ``version`` grows with each change of the result."""

    game: int
    result: str
    version: int


def board_states(tournament: Tournament, number: int) -> list[BoardState]:
    """Return every game of round *number*, by board, for arbiters only. One query."""
    rows = Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board", "pk")
    return [
        BoardState(game=game, result=result, version=version)
        for game, result, version in rows.values_list("pk", "result", "version")
    ]
