"""Return to the page from which an action was done."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.board_links import board_link

ROUND: Final = "round-"
BOARD: Final = "-board-"


def way_back(request: HtmxHttpRequest, tournament: Tournament, otherwise: str) -> str:
    """Return the page named by the field ``back``: ``desk``,
    or ``round-3`` for the page of round 3; else *otherwise*.

    ``round-3-board-12`` is board 12 on that page: the keyboard is there again.
    The field names a page of this tournament instead of an address: no form can send the reader to
    another site.
    """
    name = request.POST.get("back", "")
    if name == "desk":
        return reverse("desk", args=[tournament.slug])
    in_round, at_board, board = name.partition(BOARD)
    number = whole_number(in_round.removeprefix(ROUND), least=1, most=tournament.total_rounds)
    if (
        in_round.startswith(ROUND)
        and number is not None
        and (not at_board or whole_number(board) is not None)
    ):
        return reverse("round", args=[tournament.slug, number]) + (
            board_link(int(board)) if at_board else ""
        )
    return otherwise
