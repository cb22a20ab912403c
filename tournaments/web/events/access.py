"""Check access to the arbiters' pages of an event."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.core.permissions import POWERS, Power, may_run, read_roles, role_of
from tournaments.core.request_values import BadValue
from tournaments.events.event_page import sections_of
from tournaments.models import Event, Section
from tournaments.web.access import arbiter, not_to_be_stored
from tournaments.web.action_form import Problem
from tournaments.web.events.navigation import EventKeys
from tournaments.web.htmx import HtmxHttpRequest, log_in_first

P = ParamSpec("P")
EventPage = Callable[Concatenate[HtmxHttpRequest, Event, list[Section], P], HttpResponse]


def event_page(
    *powers: Power,
) -> Callable[[EventPage[P]], Callable[Concatenate[HttpRequest, str, P], HttpResponse]]:
    """Return a decorator for a page of people with one of *powers* in a section of the event.

    Log-in first, then 404, then 403. Each action checks the power in its own section again.
    """

    def decorate(view: EventPage[P]) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
        @wraps(view)
        def guarded(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            ours = cast(HtmxHttpRequest, request)
            if not request.user.is_authenticated:
                return log_in_first(ours)
            event = get_object_or_404(Event, slug=slug)
            sections = sections_of(event)
            read_roles(arbiter(ours), [section.tournament for section in sections])
            roles = [role_of(request.user, section.tournament) for section in sections]
            if not any(role and not POWERS[role].isdisjoint(powers) for role in roles):
                raise PermissionDenied
            ours.event_keys = EventKeys(event, sections, arbiter(ours))
            try:
                return not_to_be_stored(view(ours, event, sections, *args, **kwargs))
            except BadValue as error:
                response = render(
                    request,
                    "shared/bad_value.html",
                    {"problem": Problem.from_error(error)},
                    status=error.status,
                )
                return not_to_be_stored(response)

        return guarded  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional

    return decorate


def require_runs_all(request: HtmxHttpRequest, sections: list[Section]) -> None:
    """Raise ``PermissionDenied`` unless the user is an arbiter of every section."""
    if not all(may_run(request.user, section.tournament) for section in sections):
        raise PermissionDenied(
            _("Only an arbiter of all sections can do this. Nothing was changed.")
        )
