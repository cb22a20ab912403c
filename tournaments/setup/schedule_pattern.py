"""Make the start times from a pattern: the times of the first and the other days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Final

from tournaments.core.errors import BadInput

_TIME: Final = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?\s*(?:([aApP])\.?[mM]\.?)?")
_BETWEEN: Final = re.compile(r"[,;/+&\n]|\s(?:and|et|puis|then)\s|(?<=[\dmM])\s+(?=\d)")
_FRENCH: Final = re.compile(
    r"(\d)\s*(?:[hH]eures?|[hH])(?![a-zA-Z])(?:\s*(\d{2})(?!\d|\s*[hH:.]))?"
)
"""``9 h 30``, ``9h30``, ``9 h`` and ``9 heures``."""


def times_of(text: str, field: str) -> tuple[time, ...]:
    """Return the times of day in *text*, in order: ``9:00, 15:00``, ``9h30 et 15h``, ``9.00 3pm``.

    ``BadInput`` at *field* for a word that is not a time, or for times that are not in order.
    """
    text = _FRENCH.sub(lambda found: f"{found[1]}:{found[2] or '00'}", text)
    words = [word.strip() for word in _BETWEEN.split(text) if word.strip()]
    times = tuple(_time(word, field) for word in words)
    if any(later <= earlier for earlier, later in pairwise(times)):
        raise BadInput("schedule.times_order", field=field, value=text)
    return times


def _time(word: str, field: str) -> time:
    found = _TIME.fullmatch(word)
    hour, minute = (int(found[1]), int(found[2] or 0)) if found else (99, 0)
    if found and found[3] and 1 <= hour <= 12:
        hour = hour % 12 + (12 if found[3] in "pP" else 0)
    if hour > 23 or minute > 59:
        raise BadInput("schedule.time", field=field, value=word)
    return time(hour, minute)


def starts(
    *,
    first_day: date,
    rounds: int,
    first: Sequence[time],
    others: Sequence[time],
    days_between: int = 1,
) -> list[datetime]:
    """Return the start of each of *rounds*, without time zone; empty without any time.

    The first day has the times *first*, every *days_between* days later another day has those of
    *others*. If only one of the two is given, it counts for all days.
    """
    if not (first or others):
        return []
    found: list[datetime] = []
    day = first_day
    while len(found) < rounds:
        times = (first if day == first_day else others) or first or others
        found += [datetime.combine(day, at) for at in times]
        day += timedelta(days=days_between)
    return found[:rounds]
