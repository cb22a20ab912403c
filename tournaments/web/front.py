"""Answer most requests of a full hall before session, account and messages are read:
from the store, with one query.

The query reads the public state of the tournament. Every other request goes the ordinary way, and
so does the first one for each page (``web.public_page``), whose answer has the same bytes and
headers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, cast

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate

from tournaments.core.frame import state_now
from tournaments.web.language import language_of
from tournaments.web.public_page import PageRequest, known_parameters

_ADDRESS: Final = re.compile(r"/t/[-a-zA-Z0-9_]+/")


class PublicPagesFirstMiddleware:
    """Answer with what ``core.page_store`` has."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        match = _public_page(request)
        return (_found(request, match) if match is not None else None) or self.get_response(request)


def _public_page(request: HttpRequest) -> ResolverMatch | None:
    """Return the public page that *request* asks for; None if it may differ for the reader."""
    if request.method != "GET" or not _ADDRESS.match(request.path_info):
        return None
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return None
    if known_parameters(match.func) is None:
        return None
    has_more = cast(Any, match.func).more and settings.SESSION_COOKIE_NAME in request.COOKIES
    return None if has_more else match


def _found(request: HttpRequest, match: ResolverMatch) -> HttpResponse | None:
    language = language_of(request, match)
    try:
        state = state_now(match.kwargs["slug"])
    except DatabaseError:
        activate(language)  # for the page that says so
        raise  # The view would have to wait just as long.
    if state is None:
        return None
    known = known_parameters(match.func) or {}
    requested = PageRequest(request, state, known, match=match, language=language)
    response = requested.found()
    if response is None:
        request.requested = requested  # type: ignore[attr-defined]  # for the view
        return None
    request.get_host()  # refuses a host name that is not ours
    # What the middleware does that is not asked here.
    patch_vary_headers(response, ["Accept-Language"])
    response.headers["Content-Language"] = language
    response.headers["X-Frame-Options"] = settings.X_FRAME_OPTIONS
    if response.status_code == 200:
        response.headers["Content-Length"] = str(len(response.content))
    return response
