"""Filters and tags for articles in a tournament's edition, and fields with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django import forms, template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST
from pairing.rules.regulations import (
    CORRECTED_BY_THE_CHIEF,
    FIXED_AT_THE_START,
    FIXED_BEFORE_THE_LAST_ROUND,
)
from tournaments.web.templatetags.numbers import day

register = template.Library()

ARTICLE_OF: Final = {
    **FIXED_AT_THE_START,
    **FIXED_BEFORE_THE_LAST_ROUND,
    **CORRECTED_BY_THE_CHIEF,
    "scoring": FIXED_AT_THE_START["points_win"],
    "pab": FIXED_AT_THE_START["points_pab"],
}
"""The article by which a setting is fixed."""


@register.simple_tag(takes_context=True)
def cite(context: Mapping[str, Any], article: str) -> str:
    """Return an article of 2026 in brackets, with its number in the edition of the tournament;
    empty if it has none.

    No line breaks inside the brackets.
    """
    number = HANDLING[edition_of(context)].cited(article)
    return f"[{number}]".replace(" ", "\u00a0") if number else ""


def edition_of(context: Mapping[str, Any]) -> str:
    """Return the handling edition of a page: of its tournament, or of the file."""
    frame = context.get("frame")
    return str(
        frame.tournament.handling_edition if frame else context.get("handling_edition", NEWEST)
    )


@register.filter
def retold(text: object, edition: str) -> str:
    """Replace articles of 2026 that end a sentence by those of *edition*; safe text stays safe."""
    replaced = HANDLING[edition].retold(str(text))
    return SafeString(replaced) if isinstance(text, SafeString) else replaced


@register.filter
def by_hand_article(code: str) -> str:
    """Return the article by which a pairing system leaves the pairing to the arbiter."""
    return SYSTEMS[code].no_legal_pairing


@register.inclusion_tag("shared/_field.html", takes_context=True)
def field(context: Mapping[str, Any], bound_field: Any, width: str = "") -> dict[str, Any]:
    """Return a field with label, help and errors; *width*: ``half``, ``third`` or empty."""
    return {"field": bound_field, "width": width, "edition": edition_of(context)}


@register.simple_tag(takes_context=True)
def setting(context: Mapping[str, Any], bound_field: Any, width: str = "") -> str:
    """Return a setting as a form field; one that is fixed as text, with its article.

    *width* is as in :func:`field`.
    """
    if not bound_field.field.disabled:
        return render_to_string("shared/_field.html", field(context, bound_field, width))
    return render_to_string(
        "setup/_fixed.html",
        {
            "frame": context.get("frame"),
            "field": bound_field,
            "width": width,
            "value": _shown_value(bound_field),
            "article": ARTICLE_OF.get(bound_field.name, ""),
        },
    )


def _shown_value(bound_field: Any) -> str:
    """Return the value of a field as text: the label of a choice, yes or no, – if it is empty."""
    value = bound_field.value()
    if isinstance(bound_field.field, forms.BooleanField):
        return _("yes") if value else _("no")
    choices = dict(getattr(bound_field.field, "choices", ()))
    if value in choices:
        # The help inside a label of a radio button is for those who choose.
        return re.sub(r'<span class="help">.*?</span>|<[^>]+>', "", str(choices[value]))
    if isinstance(value, date):
        return day(value)
    return str(value) if value not in (None, "") else "–"


@register.filter
def colour_article(code: str) -> str:
    """Return the article by which a pairing system draws the initial colour."""
    return SYSTEMS[code].initial_colour
