"""The list of tournaments."""

from __future__ import annotations

from typing import cast

from django.contrib.messages import get_messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.core.permissions import may_create, may_load_lists, may_take_over
from tournaments.events.event_page import events_for, named_sections
from tournaments.models import Event
from tournaments.setup.tournament_list import has_archived, public_states, tournament_list
from tournaments.web.access import not_to_be_stored
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import kept_for_visitors


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the public tournaments and the reader's own, the newest first; with ``?archived=1`` the archived ones.

    For visitors it is rendered once for each state of the list.
    """
    ours = cast(HtmxHttpRequest, request)
    events = events_for(request.user)
    if not request.user.is_authenticated and not get_messages(request):
        state = "\n".join(["home", *public_states(), *map(str, named_sections(events))])
        return kept_for_visitors(ours, state, lambda plain: _page(plain, events))
    response = _page(ours, events)
    return not_to_be_stored(response)


def _page(request: HtmxHttpRequest, events: QuerySet[Event]) -> HttpResponse:
    archived = request.user.is_authenticated and request.GET.get("archived") == "1"
    context = {
        "cards": tournament_list(request.user, archived=archived),
        "may_create": may_create(request.user),
        "may_take_over": may_take_over(request.user),
        "may_check_venue": may_load_lists(request.user),
        "archived": archived,
        "events": events,
        "has_archived": request.user.is_authenticated and has_archived(request.user),
    }
    return render(request, "home.html", context)
