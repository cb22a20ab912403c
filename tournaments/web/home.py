"""The list of tournaments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.core.permissions import may_create, may_load_lists, may_take_over
from tournaments.events.event_page import events_for
from tournaments.setup.tournament_list import has_archived, tournament_list
from tournaments.web.access import not_to_be_stored


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the public tournaments and the reader's own, the newest first; with ``?archived=1`` the archived ones."""
    archived = request.user.is_authenticated and request.GET.get("archived") == "1"
    context = {
        "cards": tournament_list(request.user, archived=archived),
        "may_create": may_create(request.user),
        "may_take_over": may_take_over(request.user),
        "may_check_venue": may_load_lists(request.user),
        "archived": archived,
        "events": events_for(request.user),
        "has_archived": request.user.is_authenticated and has_archived(request.user),
    }
    response = render(request, "home.html", context)
    return not_to_be_stored(response) if request.user.is_authenticated else response
