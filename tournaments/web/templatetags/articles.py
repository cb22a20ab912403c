"""Template filters and tags for articles in the edition of a tournament,
and for form fields that cite them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST

register = template.Library()


@register.simple_tag(takes_context=True)
def cite(context: Mapping[str, Any], article: str) -> str:
    """Return an article of 2026 in brackets, with its number in the edition of the tournament;
    empty if it has none.

    No line breaks inside the brackets.
    """
    number = HANDLING[edition_of(context)].cited(article)
    return f"[{number}]".replace(" ", "\u00a0") if number else ""


def edition_of(context: Mapping[str, Any]) -> str:
    """Return the edition of the handling rules for a page:
    that of its tournament or of the file it shows.
    """
    frame = context.get("frame")
    return str(
        frame.tournament.handling_edition if frame else context.get("handling_edition", NEWEST)
    )


@register.filter
def retold(text: object, edition: str) -> str:
    """Replace the articles of 2026 at the end of a sentence by those of *edition*;
    safe text stays safe.
    """
    replaced = HANDLING[edition].retold(str(text))
    return SafeString(replaced) if isinstance(text, SafeString) else replaced


@register.filter
def by_hand_article(code: str) -> str:
    """Return the article by which a pairing system leaves the pairing to the arbiter."""
    return SYSTEMS[code].no_legal_pairing


@register.inclusion_tag("shared/_field.html", takes_context=True)
def field(context: Mapping[str, Any], bound_field: Any, width: str = "") -> dict[str, Any]:
    """Return a form field with its label, help and errors;
    *width* is ``half``, ``third`` or empty.
    """
    return {"field": bound_field, "width": width, "edition": edition_of(context)}


@register.filter
def colour_article(code: str) -> str:
    """Return the article by which a pairing system draws the initial colour."""
    return SYSTEMS[code].initial_colour
