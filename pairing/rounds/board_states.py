"""The results on the boards, for pages that are open in several places."""

from __future__ import annotations

from typing import TypedDict

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import Game, Seat, Tournament


class BoardState(TypedDict):
    """One game by its id. ``result`` is a ``GameResult`` value; ``version`` grows with each change of the result.

    ``white`` is the entry with White: the arbiter may learn that the colours were swapped.
    """

    game: int
    result: str
    version: int
    white: int


def board_states(tournament: Tournament, number: int) -> list[BoardState]:
    """Return every game of round *number*, by board, for arbiters only. One query."""
    white = Seat.objects.filter(game=OuterRef("pk"), colour="w").values("entry_id")[:1]
    # The players of a match sit at its first game; in the second they have the reverse colours.
    black_of_first = Seat.objects.filter(game=OuterRef("first"), colour="b").values("entry_id")[:1]
    rows = Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board", "pk")
    rows = rows.annotate(white=Coalesce(Subquery(white), Subquery(black_of_first)))
    return [
        BoardState(game=game, result=result, version=version, white=entry)
        for game, result, version, entry in rows.values_list("pk", "result", "version", "white")
    ]
