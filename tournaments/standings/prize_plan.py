"""The categories of prizes of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from pairing.rules.names import fold
from pairing.standings.prizes import Division
from tournaments.models import Entry, Sex

MOST_AMOUNTS: Final = 100


MOST_CENTS: Final = 10**10


class Eligible(models.TextChoices):
    """The condition for a category; all but the first two need a value."""

    EVERYBODY = "everybody", _("everybody")
    WOMEN = "women", _("women")
    UNRATED = "unrated", _("players without a rating")
    BORN_FROM = "born_from", _("born in this year or later")
    BORN_UNTIL = "born_until", _("born in this year or earlier")
    RATING = "rating", _("rating from – to (1600-1999)")
    CLUB = "club", _("club")
    FEDERATION = "federation", _("federation")


WITHOUT_VALUE: Final = frozenset({Eligible.EVERYBODY, Eligible.WOMEN, Eligible.UNRATED})


@dataclass(frozen=True, slots=True)
class PrizeCategory:
    """A category as the arbiter defined it; ``amounts`` are cents, the first place first."""

    name: str
    eligible: Eligible
    value: str
    amounts: tuple[int, ...]

    def admits(self, entry: Entry) -> bool:
        """Return whether *entry* can win it; a player without the required data cannot."""
        return _TESTS[self.eligible](entry, self.value)


@dataclass(frozen=True, slots=True)
class PrizePlan:
    """All prizes, the sharing of places, and whether a player can win only one."""

    currency: str = ""
    division: Division = Division.EQUAL
    one_each: bool = True
    categories: tuple[PrizeCategory, ...] = ()


def plan_of(stored: Mapping[str, Any]) -> PrizePlan:
    """Return the stored plan of a tournament; an empty one if nothing was defined."""
    if not stored:
        return PrizePlan()
    return PrizePlan(
        currency=stored["currency"],
        division=Division(stored["division"]),
        one_each=stored["one_each"],
        categories=tuple(
            PrizeCategory(row["name"], Eligible(row["eligible"]), row["value"], tuple(row["amounts"]))
            for row in stored["categories"]
        ),
    )


def as_stored(plan: PrizePlan) -> dict[str, Any]:
    """Return *plan* in a form that JSON can store."""
    return {
        "currency": plan.currency,
        "division": plan.division.value,
        "one_each": plan.one_each,
        "categories": [
            {
                "name": category.name,
                "eligible": category.eligible.value,
                "value": category.value,
                "amounts": list(category.amounts),
            }
            for category in plan.categories
        ],
    }


def is_value(eligible: Eligible, value: str) -> bool:
    """Return whether *value* is valid for *eligible*."""
    match eligible:
        case Eligible.EVERYBODY | Eligible.WOMEN | Eligible.UNRATED:
            return not value
        case Eligible.BORN_FROM | Eligible.BORN_UNTIL:
            return _is_number(value) and len(value) == 4
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


def _in_band(entry: Entry, value: str) -> bool:
    low, _dash, high = value.partition("-")
    return int(low) <= entry.rating <= int(high)


_TESTS: Final[Mapping[Eligible, Callable[[Entry, str], bool]]] = {
    Eligible.EVERYBODY: lambda entry, value: True,
    Eligible.WOMEN: lambda entry, value: entry.sex == Sex.WOMAN,
    Eligible.UNRATED: lambda entry, value: not (entry.fide_rating or entry.national_rating),
    Eligible.BORN_FROM: lambda entry, value: _year(entry) >= int(value),
    Eligible.BORN_UNTIL: lambda entry, value: 0 < _year(entry) <= int(value),
    Eligible.RATING: _in_band,
    Eligible.CLUB: lambda entry, value: fold(entry.club) == fold(value),
    Eligible.FEDERATION: lambda entry, value: entry.federation.casefold() == value.casefold(),
}


def money(cents: int) -> str:
    """Return *cents* as money: 15050 is ``150.50``."""
    return f"{cents // 100}.{cents % 100:02d}"
