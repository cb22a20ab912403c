"""Read and write the conditions of a category as arbiters type them: ``U16``, ``<1800``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from tournaments.models import Eligible
from tournaments.standings.prize_conditions import HIGHEST
from tournaments.standings.prize_plan import Condition

_UNDER: Final = re.compile(r"(?:u|<)\s*([0-9]{1,4})")
_FROM: Final = re.compile(r"([0-9]{1,4})\s*\+")
_UNTIL: Final = re.compile(r"-\s*([0-9]{4})")
_BETWEEN: Final = re.compile(r"([0-9]{1,4})\s*[-–]\s*([0-9]{1,4})")
FIRST_YEAR: Final = 1900
"""A number from here on is a year of birth, a smaller one an age."""


def age_conditions(text: str) -> list[Condition] | None:
    """Return the conditions of ``U16``, ``60+``, ``12-15``, ``2010+``, ``-1965``, ``2008-2010``;
    None if *text* is nothing of the kind.
    """
    text = text.strip().casefold()
    if not text:
        return []
    if found := _UNDER.fullmatch(text):
        age = int(found[1])
        return [(Eligible.AGE_UNTIL, str(age - 1))] if 0 < age < FIRST_YEAR else None
    if found := _FROM.fullmatch(text):
        is_year = int(found[1]) >= FIRST_YEAR
        return [(Eligible.BORN_FROM if is_year else Eligible.AGE_FROM, str(int(found[1])))]
    if found := _UNTIL.fullmatch(text):
        return [(Eligible.BORN_UNTIL, found[1])]
    if text.isascii() and text.isdecimal():
        text = f"{text}-{text}"
    if not (found := _BETWEEN.fullmatch(text)) or int(found[1]) > int(found[2]):
        return None
    low, high = str(int(found[1])), str(int(found[2]))
    if int(low) >= FIRST_YEAR:
        return [(Eligible.BORN_FROM, low), (Eligible.BORN_UNTIL, high)]
    return [(Eligible.AGE_FROM, low), (Eligible.AGE_UNTIL, high)] if int(high) < 200 else None


def rating_conditions(text: str) -> list[Condition] | None:
    """Return the condition ``1600-1999``, ``<1800``, ``2000+`` or ``unrated``; else None."""
    text = text.strip().casefold()
    if not text:
        return []
    if text in ("unrated", _("unrated").casefold(), "0"):
        return [(Eligible.UNRATED, "")]
    if found := _UNDER.fullmatch(text):
        return [(Eligible.RATING, f"1-{int(found[1]) - 1}")] if int(found[1]) > 1 else None
    if found := _FROM.fullmatch(text):
        return [(Eligible.RATING, f"{int(found[1])}-{HIGHEST}")]
    if not (found := _BETWEEN.fullmatch(text)) or int(found[1]) > int(found[2]):
        return None
    return [(Eligible.RATING, f"{int(found[1])}-{int(found[2])}")]


def as_typed(conditions: Iterable[Condition]) -> dict[str, str]:
    """Return the fields of a row with *conditions*."""
    by_kind = dict(conditions)
    sex = Eligible.WOMEN if Eligible.WOMEN in by_kind else Eligible.MEN
    return {
        "sex": sex.value if sex in by_kind else "",
        "age": _age(by_kind),
        "rating": _rating(by_kind),
        "club": by_kind.get(Eligible.CLUB, ""),
        "federation": by_kind.get(Eligible.FEDERATION, ""),
    }


def _age(by_kind: dict[Eligible, str]) -> str:
    for first, last in (
        (Eligible.BORN_FROM, Eligible.BORN_UNTIL),
        (Eligible.AGE_FROM, Eligible.AGE_UNTIL),
    ):
        if first in by_kind and last in by_kind:
            return f"{by_kind[first]}-{by_kind[last]}"
        if first in by_kind:
            return f"{by_kind[first]}+"
    if Eligible.BORN_UNTIL in by_kind:
        return f"-{by_kind[Eligible.BORN_UNTIL]}"
    if Eligible.AGE_UNTIL in by_kind:
        return f"U{int(by_kind[Eligible.AGE_UNTIL]) + 1}"
    return ""


def _rating(by_kind: dict[Eligible, str]) -> str:
    if Eligible.UNRATED in by_kind:
        return _("unrated")
    if Eligible.RATING not in by_kind:
        return ""
    low, _dash, high = by_kind[Eligible.RATING].partition("-")
    if int(high) >= HIGHEST:
        return f"{low}+"
    return f"<{int(high) + 1}" if low == "1" else f"{low}-{high}"
