"""The list of tournaments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, cast

from django.contrib.messages import get_messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core.permissions import may_check_venue, may_create, may_take_over
from tournaments.events.event_page import events_for, named_sections
from tournaments.events.staff import invitation_accept
from tournaments.models import Event
from tournaments.people.invitations import invitation_decline, invitations_for
from tournaments.people.people import offered_roles, role_accept, role_decline
from tournaments.setup.tournament_list import (
    Listed,
    has_archived,
    listed_tournaments,
    only_running,
    tournament_list,
)
from tournaments.web.access import arbiter, not_to_be_stored
from tournaments.web.action_form import Problem, do
from tournaments.web.htmx import HtmxHttpRequest, log_in_first, page_or_partial
from tournaments.web.news import event_digest
from tournaments.web.public_page import page_number, stored_for_visitors, words

TOURNAMENTS_A_PAGE: Final = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the public tournaments and the reader's own, the newest first;
    with ``?archived=1`` the archived ones.

    ``?q=`` finds them by name and place; a long list has pages.

    For visitors it is rendered once for each state of the list. Without parameters they are
    redirected to the only event that is running; ``?all`` is the list in any case.
    """
    ours = cast(HtmxHttpRequest, request)
    events = events_for(request.user)
    if not request.user.is_authenticated and not get_messages(request):
        listed = listed_tournaments()
        if not request.GET and (running := only_running(listed)) is not None:
            return not_to_be_stored(redirect(_page_of(running)))

        def key(listed: list[Listed]) -> str:
            states = [each.state for each in listed]
            return "\n".join([*states, *map(str, named_sections(events))])

        now = key(listed)
        return stored_for_visitors(
            ours,
            "home",
            now,
            lambda: key(listed_tournaments()),
            lambda plain: _page(plain, events, version=event_digest(now)),
            q=words,
            page=page_number,
        )
    response = _page(ours, events)
    return not_to_be_stored(response)


@require_POST
def role(request: HttpRequest, appointment_id: int) -> HttpResponse:
    """Accept a role that came with an event's file; with ``do`` = ``decline`` decline it."""
    return _answer(
        request,
        accept=partial(role_accept, appointment_id=appointment_id),
        decline=partial(role_decline, appointment_id=appointment_id, now=timezone.now()),
    )


@require_POST
def invitation(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Accept an invitation to a role; with ``do`` = ``decline`` decline it."""
    return _answer(
        request,
        accept=partial(invitation_accept, invitation_id=invitation_id, now=timezone.now()),
        decline=partial(invitation_decline, invitation_id=invitation_id),
    )


def _answer(
    request: HttpRequest, *, accept: Callable[..., object], decline: Callable[..., object]
) -> HttpResponse:
    """Let the user *accept* or *decline*, by the button."""
    ours = cast(HtmxHttpRequest, request)
    if not request.user.is_authenticated:
        return log_in_first(ours)
    declines = request.POST.get("do") == "decline"
    response = do(
        ours,
        lambda: (decline if declines else accept)(actor=arbiter(ours)),
        done=_("You have declined the role.") if declines else _("You have the role now."),
        to=reverse("home"),
        refused=lambda problem: _page(ours, events_for(request.user), problem),
    )
    return not_to_be_stored(response)


def _page_of(running: Listed) -> str:
    """Return the public page of the event of a tournament, or its own."""
    return (
        reverse("event", args=[running.event])
        if running.event
        else reverse("tournament", args=[running.slug])
    )


def _page(
    request: HtmxHttpRequest,
    events: QuerySet[Event],
    problem: Problem | None = None,
    version: str = "arbiter",
) -> HttpResponse:
    """Render the page. *version* is that of the list for visitors: a phone may keep the page."""
    archived = request.user.is_authenticated and request.GET.get("archived") == "1"
    search = words(request.GET.get("q", ""))
    cards = Paginator(
        tournament_list(request.user, archived=archived, words=search), TOURNAMENTS_A_PAGE
    )
    page = cards.get_page(request.GET.get("page"))
    request.finds = bool(cards.count)
    context = {
        "page": page,
        "digest": version,
        "q": search,
        "may_create": may_create(request.user),
        "may_take_over": may_take_over(request.user),
        "may_check_venue": may_check_venue(request.user),
        "archived": archived,
        "problem": problem,
        "offered": offered_roles(request.user),
        "invitations": invitations_for(request.user),
        "events": events,
        "has_archived": request.user.is_authenticated and has_archived(request.user),
    }
    return page_or_partial(
        request, "home.html", "list", context, status=problem.status if problem else 200
    )
