"""Names on the screens of the hall."""

from __future__ import annotations

import unicodedata
from typing import Final

from django import template

register = template.Library()

SIZES: Final = ((50, "endless"), (32, "longest"), (26, "longer"), (22, "long"), (18, "rather-long"))
"""The most letters of a name in the size before, and the style of a longer one."""
LAST_LATIN: Final = "\u036f"
BROADER: Final = 1.2
"""The width of a Greek or Cyrillic letter; that of a Latin one is 1."""


@register.filter
def name_size(name: str) -> str:
    """Return the style of a *name* that is too long for the usual size; empty for the others."""
    width = sum(_width(letter) for letter in name)
    return next((style for most, style in SIZES if width > most), "")


def _width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 2
    return BROADER if letter > LAST_LATIN and letter.isalpha() else 1
