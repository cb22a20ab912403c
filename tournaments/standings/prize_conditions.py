"""The conditions of a category of prizes: who meets them, and their plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from pairing.rules.names import fold
from tournaments.models import Eligible, Entry, Sex
from tournaments.standings.prize_plan import CategoryPlan

HIGHEST: Final = 9999
"""The end of a range of ratings without an end."""


def admits(category: CategoryPlan, entry: Entry, first_day: date | None = None) -> bool:
    """Return whether *entry* can win *category*; a player without the required data cannot.

    Ages count on *first_day*. Of a date of birth without day or month, both the age before and
    after the birthday of that year must do.
    """
    return all(_TESTS[eligible](entry, value, first_day) for eligible, value in category.conditions)


def is_value(eligible: Eligible, value: str) -> bool:
    """Return whether *value* is valid for *eligible*."""
    match eligible:
        case Eligible.EVERYBODY | Eligible.WOMEN | Eligible.MEN | Eligible.UNRATED:
            return not value
        case Eligible.BORN_FROM | Eligible.BORN_UNTIL:
            return _is_number(value) and len(value) == 4
        case Eligible.AGE_FROM | Eligible.AGE_UNTIL:
            return _is_number(value) and len(value) <= 3
        case Eligible.RATING:
            low, dash, high = value.partition("-")
            return bool(dash) and _is_number(low) and _is_number(high) and int(low) <= int(high)
        case Eligible.CLUB:
            return bool(value)
        case Eligible.FEDERATION:
            return len(value) == 3 and value.isalpha()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4


def _year(entry: Entry) -> int:
    """Return the year of birth; 0 if it is unknown."""
    return int(entry.birth_date[:4] or 0)


def ages(entry: Entry, day: date | None) -> tuple[int, int] | None:
    """Return the lowest and the highest age of *entry* on *day*; None if it is unknown."""
    if day is None or not _year(entry):
        return None
    highest = day.year - _year(entry)
    month, day_of_birth = int(entry.birth_date[5:7] or 0), int(entry.birth_date[8:10] or 0)
    if month and day_of_birth:
        highest -= (month, day_of_birth) > (day.month, day.day)
        return highest, highest
    return highest - 1, highest


def _is_old_enough(entry: Entry, value: str, day: date | None) -> bool:
    known = ages(entry, day)
    return known is not None and known[0] >= int(value)


def _is_young_enough(entry: Entry, value: str, day: date | None) -> bool:
    known = ages(entry, day)
    return known is not None and known[1] <= int(value)


def _is_in_band(entry: Entry, value: str, _day: date | None) -> bool:
    low, _dash, high = value.partition("-")
    return int(low) <= entry.rating <= int(high)


_TESTS: Final[Mapping[Eligible, Callable[[Entry, str, date | None], bool]]] = {
    Eligible.EVERYBODY: lambda entry, value, day: True,
    Eligible.WOMEN: lambda entry, value, day: entry.sex == Sex.WOMAN,
    Eligible.MEN: lambda entry, value, day: entry.sex == Sex.MAN,
    Eligible.UNRATED: lambda entry, value, day: not (entry.fide_rating or entry.national_rating),
    Eligible.BORN_FROM: lambda entry, value, day: _year(entry) >= int(value),
    Eligible.BORN_UNTIL: lambda entry, value, day: 0 < _year(entry) <= int(value),
    Eligible.AGE_FROM: _is_old_enough,
    Eligible.AGE_UNTIL: _is_young_enough,
    Eligible.RATING: _is_in_band,
    Eligible.CLUB: lambda entry, value, day: fold(entry.club) == fold(value),
    Eligible.FEDERATION: lambda entry, value, day: entry.federation.casefold() == value.casefold(),
}


def heading_of(category: CategoryPlan) -> str:
    """Return the name of *category*, or its conditions if it has none."""
    return category.name or words_of(category) or _("All players")


def more_words(category: CategoryPlan) -> str:
    """Return the conditions for the line under the heading; nothing that the heading repeats."""
    words = words_of(category)
    return "" if fold(words) == fold(heading_of(category)) else words


def words_of(category: CategoryPlan) -> str:
    """Return the conditions in plain words: ``Women, under 16``; empty for everybody."""
    words = ", ".join(_words(eligible, value) for eligible, value in category.conditions)
    if category.team_size:
        team = _("best %(n)s of a club") % {"n": category.team_size}
        words = f"{team}, {words}" if words else team
    return capfirst(words)


def _words(eligible: Eligible, value: str) -> str:
    match eligible:
        case Eligible.EVERYBODY:
            return _("all players")
        case Eligible.WOMEN:
            return _("women")
        case Eligible.MEN:
            return _("men")
        case Eligible.UNRATED:
            return _("without a rating")
        case Eligible.BORN_FROM:
            return _("born in %(year)s or later") % {"year": value}
        case Eligible.BORN_UNTIL:
            return _("born in %(year)s or earlier") % {"year": value}
        case Eligible.AGE_FROM:
            return _("aged %(age)s or over") % {"age": value}
        case Eligible.AGE_UNTIL:
            return _("under %(age)s") % {"age": int(value) + 1}
        case Eligible.RATING:
            return _rating_words(*(int(end) for end in value.split("-")))
        case Eligible.CLUB:
            return _("club %(club)s") % {"club": value}
        case Eligible.FEDERATION:
            return _("federation %(federation)s") % {"federation": value}


def _rating_words(low: int, high: int) -> str:
    if high >= HIGHEST:
        return _("rated %(low)s or more") % {"low": low}
    if low > 1:
        return _("rated %(low)s to %(high)s") % {"low": low, "high": high}
    if low:
        return _("rated below %(limit)s") % {"limit": high + 1}
    return _("rated below %(limit)s or without a rating") % {"limit": high + 1}
