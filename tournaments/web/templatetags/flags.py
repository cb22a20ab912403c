"""The flag of a federation, before its code."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from pairing.rules.federations import FEDERATIONS

register = template.Library()

WITHOUT_FLAG: Final = frozenset({"AHO", "FID", "NON", "TPE"})
"""No federation, no country of today, or a flag of its own that the set of flags does not have."""


@register.filter
@lru_cache(1000)
def with_flag(federation: str, loading: str = "lazy") -> SafeString:
    """Return the code *federation* after its flag, which screen readers leave out.

    On paper and on screens *loading* is ``eager``: nobody scrolls to what is printed.
    """
    return format_html("{}{}", _picture(federation, "", loading), federation)


@register.filter
def flag(federation: str) -> SafeString:
    """Return the flag of *federation* alone, with its code for screen readers."""
    return _picture(federation, federation)


@cache
def _picture(federation: str, name: str, loading: str = "lazy") -> SafeString:
    """Return the picture, whose size is in the page, so that nothing moves when it arrives."""
    if federation not in FEDERATIONS or federation in WITHOUT_FLAG:
        return SafeString()
    return format_html(
        '<img class="flag" src="{}" alt="{}" width="14" height="14" loading="{}">',
        static(f"img/flags/{federation}.svg"),
        name,
        loading,
    )
