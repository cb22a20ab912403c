"""The pages of a screen: the same for everybody who has its address, stored until they change."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import check_for_language, override
from django.views.decorators.http import require_safe

from pairing.rules.names import fold
from tournaments.core.page_store import EVENT
from tournaments.events.screens import screen_at, screen_key, tournaments_of
from tournaments.models import Screen
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.news import event_digest
from tournaments.web.public_page import page_number, stored_for_visitors, words
from tournaments.web.screens.listings import initials, source_of
from tournaments.web.screens.slides import found_slides, slides_of

WITHOUT_SCRIPT: Final = 30
"""Seconds: without a script a screen that turns by click loads itself again."""
FINDER: Final = 20
"""Seconds for which the found names are shown."""


@require_safe
def screen(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Show a screen in its own language; 404 for an address that has ended.

    The script turns the pages. Without it ``?page=`` is the page, and the next one is loaded after
    some seconds. ``?q=`` is the first letter of the names to find.
    """
    found = screen_at(code)
    if found is None:
        raise Http404
    language = found.language if check_for_language(found.language) else settings.LANGUAGE_CODE
    with override(language):
        response = stored_for_visitors(
            request,
            f"{EVENT}screen-{found.pk}",
            screen_key(found, tournaments_of(found)),
            lambda: _key_now(code),
            lambda plain: _page(plain, found),
            page=page_number,
            q=letter,
        )
    response.headers["Content-Language"] = language
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def letter(text: str) -> str:
    """Read the first letter of a name."""
    return fold(words(text))[:1]


def _key_now(code: str) -> str:
    found = screen_at(code)
    return screen_key(found, tournaments_of(found)) if found else ""


def _page(plain: HtmxHttpRequest, found: Screen) -> HttpResponse:
    shown = tournaments_of(found)
    sources = [source_of(tournament) for tournament in shown]
    search = plain.GET.get("q", "")
    slides = found_slides(found, sources, search) if search else slides_of(found, sources)
    current = (int(plain.GET.get("page", 1)) - 1) % len(slides) if slides else 0
    section = getattr(found.tournament, "section", None)
    context = {
        "screen": found,
        "name": section.event.name if section else found.tournament.name,
        "logo_of": next((each for each in shown if each.logo), None),
        "key": event_digest(screen_key(found, shown)),
        "slides": slides,
        "current": current,
        "next": current + 2 if current + 1 < len(slides) else None,
        "pause": found.seconds or WITHOUT_SCRIPT,
        "letters": initials(sources) if found.has_finder else [],
        "search": search.upper(),
        "finder": FINDER,
    }
    return render(plain, "screens/screen.html", context)
