"""The results on the boards, for pages that are open in several places."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from pairing.rounds.players_reports import NOTHING, reports_of
from tournaments.models import Game, Seat, Tournament


class BoardState(TypedDict):
    """One game by its id. ``result`` is a ``GameResult`` value;
    ``version`` grows with each change of the result.

    ``white`` is the entry with White: the arbiter may learn that the colours were swapped.
    ``reported`` is the result that the players report, of games without a result, and
    ``reported_by`` a :class:`ReportedBy`. ``starts_at`` is the date of a game that is not played
    with its round, and ``place`` where it is played.
    """

    game: int
    result: str
    version: int
    white: int
    reported: str
    reported_by: str
    starts_at: datetime | None
    place: str


def board_states(
    tournament: Tournament, number: int, boards: range | None = None
) -> list[BoardState]:
    """Return the games of round *number* on *boards*, or all of them, by board, for arbiters only.

    Two queries.
    """
    white = Seat.objects.filter(game=OuterRef("pk"), colour="w").values("entry_id")[:1]
    # The players of a match sit at its first game; in the second they have the reverse colours.
    black_of_first = Seat.objects.filter(game=OuterRef("first"), colour="b").values("entry_id")[:1]
    rows = Game.objects.filter(round__tournament=tournament, round__number=number).order_by(
        "board", "pk"
    )
    if boards is not None:
        rows = rows.filter(board__gte=boards.start, board__lt=boards.stop)
    rows = rows.annotate(white=Coalesce(Subquery(white), Subquery(black_of_first)))
    reports = reports_of(tournament, number)
    return [
        BoardState(
            game=game,
            result=result,
            version=version,
            white=entry,
            reported=reports.get(game, NOTHING).result,
            reported_by=reports.get(game, NOTHING).by.value,
            starts_at=starts_at,
            place=place,
        )
        for game, result, version, entry, starts_at, place in rows.values_list(
            "pk", "result", "version", "white", "starts_at", "place"
        )
    ]
