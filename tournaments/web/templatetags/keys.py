"""Template tags for the menu of an arbiter and for the keys: where ``g`` and a letter lead."""

from __future__ import annotations

import json
from typing import Any, Final

from django import template
from django.urls import reverse

from tournaments.core.frame import Frame
from tournaments.desk.navigation import (
    PAGE_OF,
    SETUP,
    Destination,
    MenuLine,
    Tab,
    destinations,
    menu,
)
from tournaments.models import Role

register = template.Library()

FIRST_PAGE: Final = {"entries": "entries", "rounds": "round", "desk": "desk"}
"""The page of the menu that stands for each section of the views."""


def destination_url(slug: str, place: Destination) -> str:
    """Return the address of *place* in the tournament *slug*."""
    return reverse(
        place.name, args=[slug] if place.round_number is None else [slug, place.round_number]
    )


@register.filter
def address_of(place: Destination, slug: str) -> str:
    """Return the address of *place* in the tournament *slug*."""
    return destination_url(slug, place)


@register.simple_tag(takes_context=True)
def arbiter_menu(context: dict[str, Any]) -> list[Tab]:
    """Return the tabs of the reader of the page, and which one is open."""
    request = context["request"]
    match = request.resolver_match
    here = context.get("here_on") or match.url_name
    if here not in PAGE_OF:  # a form that was refused: the view says where it belongs
        here = FIRST_PAGE.get(context.get("section", ""), "")
    number = match.kwargs.get("number")
    return menu(context["frame"], request.role, here=here, number=number)


@register.simple_tag(takes_context=True)
def setup_list(context: dict[str, Any]) -> list[tuple[str, list[MenuLine]]]:
    """Return the groups of the pages of *Setup* if the page of an arbiter is one of them."""
    frame, request = context.get("frame"), context.get("request")
    if not frame or not frame.runs or request is None or not request.resolver_match:
        return []
    page = PAGE_OF.get(request.resolver_match.url_name)
    if page is None or page.tab != "setup" or getattr(request, "role", None) is None:
        return []
    (tab,) = (tab for tab in arbiter_menu(context) if tab.key == "setup")
    lines = {line.place.name: line for line in tab.pages}
    return [
        (str(label), [lines[name] for name in names if name in lines]) for label, names in SETUP
    ]


@register.simple_tag
def letters_after_g(frame: Frame, role: Role) -> str:
    """Return, as JSON, the address and the title of the page of each letter."""
    slug = frame.tournament.slug
    return json.dumps(
        {
            place.letter: [destination_url(slug, place), place.label]
            for place in destinations(frame, role)
            if place.letter
        },
        ensure_ascii=False,
    )
