"""The results of the running round as they come in, if the tournament shows them to everybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from pairing.rounds.running_results import running_key, running_results, shows_all_results
from tournaments.core.frame import state_key, tournament_frame
from tournaments.core.page_store import RUNNING
from tournaments.models import Tournament
from tournaments.web.access import not_to_be_stored
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.public_page import stored_for_visitors

MOST_BOARDS: Final = 200
"""The number of boards that are shown: the page is rendered again for each result."""


@require_safe
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results entered so far, marked as provisional; 404 where they are not shown.

    Not a page of a public state, because an entered result is none: it is rendered once for each
    entered result. With ``?v=`` of the newest one 204. Two queries, unless it is rendered.
    """
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    if not shows_all_results(tournament):
        raise Http404
    key = _key(tournament)
    if request.headers.get("HX-Request") == "true" and request.GET.get("v") == key:
        return not_to_be_stored(HttpResponse(status=204))

    def render_for(reader: HtmxHttpRequest) -> HttpResponse:
        frame = tournament_frame(tournament, runs=False, now=timezone.now())
        found = running_results(frame)
        context = {
            "frame": frame,
            "section": "pairings",
            "found": found,
            "surprises": found.surprises if found else (),
            "page": replace(found.page, boards=found.boards[:MOST_BOARDS]) if found else None,
            "most": MOST_BOARDS,
            "shows_results": True,
            "key": key,
        }
        return page_or_partial(reader, "rounds/live.html", "live", context)

    return stored_for_visitors(
        request,  # type: ignore[arg-type]  # the middleware of htmx has been there
        f"{RUNNING}{tournament.pk}",
        key,
        lambda: _key(Tournament.objects.get(pk=tournament.pk)),
        render_for,
    )


def _key(tournament: Tournament) -> str:
    return f"{state_key(tournament, runs=False)}-{running_key(tournament)}"
