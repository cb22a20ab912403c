"""What a logged-in reader's browser adds to a public page, which is the same for everybody."""

from __future__ import annotations

from typing import Final, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_read, role_of
from tournaments.models import Tournament
from tournaments.web.access import not_to_be_stored
from tournaments.web.htmx import HtmxHttpRequest

SECTIONS: Final = frozenset({"public", "players", "pairings", "standings", "record"})
"""The tabs to which public pages belong."""


@require_safe
def session_fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """Return name, log-out button and messages of the reader, and an arbiter's tabs and keys;
    204 for a visitor.

    ``?section=`` is the visitors' tab of the page, ``?on=`` the name of its address. Only
    ``static/js/session_fragment.js`` asks for it, if the browser has the cookie of
    ``tournaments.web.people.accounts.log_in.SignedInMarkMiddleware``: without JavaScript a public
    page has a link to the desk.
    """
    ours = cast(HtmxHttpRequest, request)
    if not request.user.is_authenticated:
        return not_to_be_stored(HttpResponse(status=204))
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    ours.role = role_of(request.user, tournament)
    section = request.GET.get("section", "")
    frame = tournament_frame(
        tournament, runs=may_read(request.user, tournament), now=timezone.now()
    )
    context = {
        "frame": frame,
        "section": section if section in SECTIONS else "",
        "keys_on": "tournament",
        "here_on": request.GET.get("on", ""),
    }
    return not_to_be_stored(render(request, "shared/session_fragment.html", context))
