"""The line that a page may be out of date, and what a phone keeps for later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import template
from django.conf import settings
from django.urls import reverse

from tournaments.core.build import build
from tournaments.web.templatetags.news import WITH_NEWS

register = template.Library()

MAIN_PAGES: Final = ("tournament", "offline", "me", "names", "standings")
"""What every phone keeps, besides the pairings of the newest round and the page of its player."""
LONE_PAGES: Final = frozenset({"home", "event", "event-me"})
"""Public pages of no single tournament: a phone keeps each with a time of its own."""


@register.inclusion_tag("shared/_as_of.html", takes_context=True)
def as_of(context: Mapping[str, Any]) -> dict[str, object]:
    """Return the frame of a public page, or root and version of the home page or of a page of an
    event; nothing on all other pages.
    """
    match = getattr(context.get("request"), "resolver_match", None)
    if match is None:
        return {}
    if match.url_name in LONE_PAGES and "digest" in context:
        event = context.get("event")
        root = reverse("event", args=[event.slug]) if event else reverse("home")
        return {"root": root, "version": context["digest"]}
    if "frame" not in context or match.url_name not in WITH_NEWS:
        return {}
    return {"frame": context["frame"]}


@register.simple_tag
def offline_pages(slug: str) -> dict[str, str]:
    """Return what ``static/js/offline.js`` needs on a page of the tournament at *slug*.

    Round 0 in ``pages`` means the newest round with public pairings, which the script learns
    from the news file.
    """
    pairings = reverse("pairings-public", args=[slug, 0])
    pages = (*(reverse(name, args=[slug]) for name in MAIN_PAGES), pairings)
    return {
        "reader": reverse("offline", args=[slug]),
        "pages": " ".join((*pages, f"{pairings}?order=name")),
    }


@register.simple_tag
def offline_worker() -> dict[str, str]:
    """Return what ``static/js/offline.js`` needs on every page."""
    return {
        "build": build(),
        "scope": scope(),
        "worker": reverse("offline-worker") if settings.OFFLINE_PAGES else "",
    }


def scope() -> str:
    """Return the folder that the service worker looks after: the site, or its prefix."""
    return reverse("home")
