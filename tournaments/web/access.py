"""Check access to a page: the first line of every view that belongs to a tournament."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypedDict, cast

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.gzip import gzip_page

from tournaments.core.errors import RuleRefused
from tournaments.core.permissions import Power, require_may_create, require_power, role_of
from tournaments.core.request_values import BadValue
from tournaments.models import Tournament
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest, log_in_first
from tournaments.web.people.role_ended import role_ended

P = ParamSpec("P")


def signed_in(
    view: Callable[Concatenate[HtmxHttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make a page available to every account that may create tournaments."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        if not request.user.is_authenticated:
            return log_in_first(ours)
        require_may_create(request.user)
        return not_to_be_stored(view(ours, *args, **kwargs))

    return guarded  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional


View = Callable[Concatenate[HttpRequest, str, P], HttpResponse]
Page = Callable[Concatenate[HtmxHttpRequest, Tournament, P], HttpResponse]

SAFE: Final = ("GET", "HEAD", "OPTIONS")


def page(
    *, read: Collection[Power] = (Power.READ,), write: Collection[Power] = (Power.RUN,)
) -> Callable[[Page[P]], View[P]]:
    """Return a decorator for a page of people with a role: log-in first, then 404, then 403;
    422 for a ``BadValue``.

    One of the powers *read* opens the page; one of *write* is needed for every other method. The
    page is compressed for the wireless network of the hall (a list of 150 boards: 16 kB instead of
    300). Django adds random bytes to each answer and masks the form token anew each time, so that
    the length reveals nothing (BREACH).
    """

    def decorate(view: Page[P]) -> View[P]:
        @gzip_page
        @wraps(view)
        def guarded(
            request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            ours = cast(HtmxHttpRequest, request)
            if not request.user.is_authenticated:
                return log_in_first(ours)
            tournament = get_object_or_404(
                Tournament.objects.select_related("section__event"), slug=slug
            )
            ours.role, ours.tournament = role_of(request.user, tournament), tournament
            if ours.role is None and (why := role_ended(tournament, arbiter(ours).pk)):
                raise PermissionDenied(why)
            require_power(request.user, tournament, *(read if request.method in SAFE else write))
            try:
                response = view(ours, tournament, *args, **kwargs)
            except (BadValue, RuleRefused) as error:
                # No person typed this value, or the form was for another state: no form has a place
                # for the error.
                template = "shared/_problem.html" if ours.htmx else "shared/bad_value.html"
                response = render(
                    request, template, {"problem": Problem.from_error(error)}, status=error.status
                )
            return not_to_be_stored(response)

        return guarded  # type: ignore[return-value]  # as above

    return decorate


def arbiter_only(view: Page[P]) -> View[P]:
    """Make a page for arbiters, which a person with the role *read-only* can open."""
    return page()(view)


def not_to_be_stored(response: HttpResponse) -> HttpResponse:
    """Let nobody store *response*: it is for one reader, and the device may be shared."""
    response.headers["Cache-Control"] = "private, no-store"
    return response


def private(response: HttpResponse) -> HttpResponse:
    """Keep *response* out of stores and search engines, and its address from other sites."""
    # Not "no-referrer": browsers would send the form without an origin, and the check of the form
    # would refuse it.
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex"
    return not_to_be_stored(response)


class WhoAndWhen(TypedDict):
    """The arguments that every action of a user has."""

    actor: User
    now: datetime


def who_and_when(request: HtmxHttpRequest) -> WhoAndWhen:
    """Return the user and the time for an action; only where :func:`arbiter` may be called."""
    return {"actor": arbiter(request), "now": timezone.now()}


def arbiter(request: HtmxHttpRequest) -> User:
    """Return the user; only behind :func:`signed_in` or :func:`arbiter_only`."""
    assert isinstance(request.user, User)
    return request.user
