"""Check access to a page: the first line of every view that belongs to a tournament."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page

from tournaments.core.permissions import may_run
from tournaments.core.request_values import BadValue
from tournaments.models import Tournament
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest, log_in_first

P = ParamSpec("P")


def signed_in(
    view: Callable[Concatenate[HtmxHttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Make a page available to every account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        if not request.user.is_authenticated:
            return log_in_first(ours)
        return not_to_be_stored(view(ours, *args, **kwargs))

    return guarded  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional


def arbiter_only(
    view: Callable[Concatenate[HtmxHttpRequest, Tournament, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Make a page for arbiters of the tournament: log-in first, then 404, then 403; 422 for a :class:`BadValue`.

    The page is compressed for the wireless network of the hall (a list of 150 boards: 16 kB instead of 300). Django
    adds random bytes to each answer and masks the form token anew each time, so that the length reveals nothing
    (BREACH).
    """

    @gzip_page
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        if not request.user.is_authenticated:
            return log_in_first(ours)
        tournament = get_object_or_404(Tournament, slug=slug)
        if not may_run(request.user, tournament):
            raise PermissionDenied
        try:
            response = view(ours, tournament, *args, **kwargs)
        except BadValue as error:
            # No person typed this value, so no form has a place for the error.
            template = "shared/_problem.html" if ours.htmx else "shared/bad_value.html"
            response = render(request, template, {"problem": Problem.of(error)}, status=error.status)
        return not_to_be_stored(response)

    return guarded  # type: ignore[return-value]  # as above


def not_to_be_stored(response: HttpResponse) -> HttpResponse:
    """Forbid browsers and proxies to store *response*: it is for one reader, and the device may be shared."""
    response.headers["Cache-Control"] = "private, no-store"
    return response


def arbiter(request: HtmxHttpRequest) -> User:
    """Return the user; only behind :func:`signed_in` or :func:`arbiter_only`."""
    assert isinstance(request.user, User)
    return request.user
