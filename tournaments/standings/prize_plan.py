"""The categories of prizes of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from pairing.record.defaults import prizes_with_defaults
from pairing.rules.names import fold
from pairing.standings.prizes import Division
from tournaments.models import (
    Eligible,
    Entry,
    Prize,
    PrizeCategory,
    PrizeFund,
    Sex,
    Tournament,
    payload_data,
)

MOST_AMOUNTS: Final = 100
MOST_CENTS: Final = 10**10


WITHOUT_VALUE: Final = frozenset({Eligible.EVERYBODY, Eligible.WOMEN, Eligible.UNRATED})


@dataclass(frozen=True, slots=True)
class CategoryPlan:
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
    categories: tuple[CategoryPlan, ...] = ()


def plan_of(tournament: Tournament) -> PrizePlan:
    """Return the prizes of *tournament*; an empty plan if none were defined.

    Two queries, one without prizes.
    """
    fund = PrizeFund.objects.filter(tournament=tournament).first()
    return PrizePlan() if fund is None else _read(fund)


def replace_plan(tournament: Tournament, plan: PrizePlan) -> None:
    """Save *plan* instead of the prizes of *tournament*, inside the caller's transaction."""
    PrizeFund.objects.filter(tournament=tournament).delete()
    fund = PrizeFund.objects.create(
        tournament=tournament,
        currency=plan.currency,
        division=plan.division.value,
        one_each=plan.one_each,
    )
    categories = PrizeCategory.objects.bulk_create(
        PrizeCategory(
            fund=fund, place=place, name=line.name, eligible=line.eligible, value=line.value
        )
        for place, line in enumerate(plan.categories, start=1)
    )
    Prize.objects.bulk_create(
        Prize(category=category, place=place, amount=amount)
        for category, line in zip(categories, plan.categories, strict=True)
        for place, amount in enumerate(line.amounts, start=1)
    )


def _read(fund: PrizeFund) -> PrizePlan:
    prizes = (
        Prize.objects.filter(category__fund=fund)
        .select_related("category")
        .order_by("category__place", "place")
    )
    return PrizePlan(
        currency=fund.currency,
        division=Division(fund.division),
        one_each=fund.one_each,
        categories=tuple(
            CategoryPlan(
                category.name,
                Eligible(category.eligible),
                category.value,
                tuple(prize.amount for prize in rows),
            )
            for category, rows in groupby(prizes, key=lambda prize: prize.category)
        ),
    )


def described(plan: PrizePlan) -> payload_data.Prizes:
    """Return *plan* as the record keeps it."""
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


def plan_from(values: payload_data.Prizes) -> PrizePlan:
    """Return the plan that the record keeps as *values*; the opposite of :func:`described`."""
    prizes = prizes_with_defaults(values)
    categories = tuple(
        CategoryPlan(
            line["name"], Eligible(line["eligible"]), line["value"], tuple(line["amounts"])
        )
        for line in prizes["categories"]
    )
    return PrizePlan(
        prizes["currency"], Division(prizes["division"]), prizes["one_each"], categories
    )


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
