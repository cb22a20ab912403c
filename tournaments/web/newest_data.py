"""Compare a form with the newest data, and save only what was compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from tournaments.core.errors import DataMoved
from tournaments.models import Tournament
from tournaments.web.htmx import HtmxHttpRequest

TRIES: Final = 5


def on_newest_data(
    request: HtmxHttpRequest, tournament: Tournament, answer: Callable[[Tournament], HttpResponse]
) -> HttpResponse:
    """Return *answer* to *tournament* as it is now in the database.

    *answer* gives its action the version that it has compared. If somebody else changes something
    in between, the action raises :class:`DataMoved`, nothing is saved, and *answer* is called again
    with the newer data. After five times the page is opened anew, with a message.
    """
    for _ in range(TRIES):
        try:
            return answer(Tournament.objects.get(pk=tournament.pk))
        except DataMoved as error:
            moved = error
    messages.warning(request, str(moved))
    return redirect(request.path)
