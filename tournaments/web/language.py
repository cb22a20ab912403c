"""The language of a page: public pages have all languages, those of arbiters only two."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import ResolverMatch
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import activate, check_for_language, get_language_from_request
from django.views.decorators.http import require_safe

YEAR = 365 * 24 * 3600

PUBLIC: Final = frozenset(
    {
        *("home", "event", "event-me", "tournament", "me", "follow", "offline", "manifest"),
        *("players", "pairings-public", "round-codes", "live-results", "open-games"),
        *("games-calendar", "rounds-calendar", "player-calendar", "feed", "embedded"),
        *("standings", "standings-after", "player-standing", "player-page", "progress"),
        *("progress-picture", "performance-picture", "forecast", "crosstable"),
        *("crosstable-picture", "prizes", "self-check-in", "self-check-in-confirm"),
        *("table-report", "kiosk", "kiosk-board", "entered-result", "register"),
        *("event-register", "registered", "registered-correct", "screen", "push", "certificate"),
        "pairing-mail",
        *("mistake", "table-mistake", "player-groups", "event-prizes", "language"),
    }
)
"""The addresses of pages in all languages. The record, the reasons for a pairing and Help are in
the languages of arbiters.
"""


class ArbiterLanguageMiddleware:
    """Show pages that only arbiters' languages have in one of these."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> None:
        activate(language_of(request, request.resolver_match))


def language_of(request: HttpRequest, match: ResolverMatch | None) -> str:
    """Return the language in which *request* is answered with the page at *match*.

    A page that is not in the reader's language is in the first language of ``ARBITER_LANGUAGES``
    that the browser accepts, or in that of the site, or in English.
    """
    language = get_language_from_request(request)
    whole: tuple[str, ...] = settings.ARBITER_LANGUAGES
    if language in whole or match is None or match.url_name in PUBLIC:
        return language
    accepted = re.search(rf"\b({'|'.join(whole)})\b", request.headers.get("Accept-Language", ""))
    if accepted:
        return accepted[1]
    return settings.LANGUAGE_CODE if settings.LANGUAGE_CODE in whole else whole[0]


def languages_of(match: ResolverMatch | None) -> list[tuple[str, str]]:
    """Return code and own name of each language of the page at *match*; None: a page of errors."""
    is_public = match is None or match.url_name in PUBLIC
    return [
        (code, name)
        for code, name in settings.LANGUAGES
        if is_public or code in settings.ARBITER_LANGUAGES
    ]


@require_safe
def language(request: HttpRequest, code: str) -> HttpResponse:
    """Store the reader's language and go back.

    It is a plain link, so that public pages need no form token.
    """
    if code not in dict(settings.LANGUAGES) or not check_for_language(code):
        raise Http404
    back = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        back = "/"
    response = HttpResponseRedirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=YEAR,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )
    return response
