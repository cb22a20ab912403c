"""The pages for arbiters under Help: ``docs/arbiter`` in the language of the reader."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import markdown
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy as _
from django.views.decorators.http import require_safe

from tournaments.web.access import not_to_be_stored

FOLDER: Final = settings.BASE_DIR / "docs" / "arbiter"
PAGES: Final = {
    "first-tournament": _("A first tournament in fifteen minutes"),
    "day-of-the-event": _("The day of the event, on one page"),
    "importing-lists": _("Importing lists"),
    "what-to-do-when": _("What to do when …"),
    "restore": _("The laptop has failed: go on with another one"),
    "mirror": _("Mirror: a public event from a laptop"),
    "pages": _("The pages in pictures"),
    "reports": _("The reports"),
}
"""The pages in every language, with their titles, in the order of the list."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the pages."""
    return _answer(request, {"pages": PAGES})


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one page in the language of the reader."""
    if name not in PAGES:
        raise Http404
    return _answer(
        request,
        {"pages": PAGES, "name": name, "title": PAGES[name], "text": text_of(name, _language())},
    )


@cache
def text_of(name: str, language: str) -> SafeString:
    """Return page *name* as HTML. The source is part of the program, so it is safe."""
    source = (FOLDER / language / f"{name}.md").read_text(encoding="utf-8")
    html = markdown.markdown(source, extensions=["tables", "fenced_code", "sane_lists", "toc"])
    html = re.sub(
        r'src="\.\./\.\./img/([\w.-]+)"', lambda found: f'src="{static(f"help/{found[1]}")}"', html
    )
    html = re.sub(r'<a href="([\w./-]+)\.md(#[\w-]+)?">(.*?)</a>', _link, html, flags=re.DOTALL)
    return mark_safe(html.replace("<img ", '<img loading="lazy" '))  # noqa: S308 - from our own files


def _link(found: re.Match[str]) -> str:
    """Lead to another page of the help; keep only the words of a link to any other document."""
    name, anchor, words = found[1], found[2] or "", found[3]
    return (
        f'<a href="{reverse("help-page", args=[name])}{anchor}">{words}</a>'
        if name in PAGES
        else words
    )


def _language() -> str:
    language = (get_language() or "").partition("-")[0]
    return language if (FOLDER / language).is_dir() else "en"


def _answer(request: HttpRequest, context: dict[str, object]) -> HttpResponse:
    response = render(request, "help.html", context)
    return not_to_be_stored(response) if request.user.is_authenticated else response
