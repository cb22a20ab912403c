"""Return to the page from which an action was done."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.web.htmx import HtmxHttpRequest

ROUND: Final = "round-"


def way_back(request: HtmxHttpRequest, tournament: Tournament, otherwise: str) -> str:
    """Return the page named by the field ``back``: ``desk``, or ``round-3`` for the page of round 3; else *otherwise*.

    The field names a page of this tournament instead of an address: no form can send the reader to another site.
    """
    name = request.POST.get("back", "")
    if name == "desk":
        return reverse("desk", args=[tournament.slug])
    number = whole_number(name.removeprefix(ROUND), least=1, most=tournament.total_rounds)
    if name.startswith(ROUND) and number is not None:
        return reverse("round", args=[tournament.slug, number])
    return otherwise
