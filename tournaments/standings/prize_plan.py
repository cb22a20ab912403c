"""The prizes of a tournament as the arbiter defined them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeVar

from pairing.record.defaults import prizes_with_defaults
from pairing.standings.prize_rules import Choice, Division, PrizeRules
from tournaments.models import Eligible, Prize, PrizeCategory, PrizeFund, Tournament, payload_data

MOST_AMOUNTS: Final = 100
MOST_CENTS: Final = 10**10
MOST_EACH: Final = 9
LARGEST_TEAM: Final = 20
UNITS: Final = (1, 100, 1000)
"""The units of rounding: one cent, one and ten of the currency."""

T = TypeVar("T")
Condition = tuple[Eligible, str]


@dataclass(frozen=True, slots=True)
class CategoryPlan:
    """A category as the arbiter defined it; ``amounts`` are cents, the first place first.

    All conditions must be met. ``things`` are prizes in kind. Without a ``name`` the heading comes
    from the conditions. A ``team_size`` above zero: the prizes are for clubs.
    """

    name: str
    eligible: Eligible
    value: str
    amounts: tuple[int, ...]
    also: tuple[Condition, ...] = ()
    things: tuple[str, ...] = ()
    team_size: int = 0

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions, without that of a category for everybody."""
        first = () if self.eligible is Eligible.EVERYBODY else ((self.eligible, self.value),)
        return (*first, *self.also)


@dataclass(frozen=True, slots=True)
class PrizePlan:
    """All prizes and their rules; those of a new event pay the more valuable prize.

    ``excluded`` are the entries of players who may not win. ``event_winners`` are those of players
    who take a prize of money over all sections of the event instead of one here.
    """

    currency: str = ""
    division: Division = Division.EQUAL
    most_each: int = 1
    categories: tuple[CategoryPlan, ...] = ()
    choice: Choice = Choice.MOST_VALUABLE
    unit: int = 1
    cap: int = 0
    minimum: int = 0
    withdrawn_win: bool = True
    excluded: tuple[int, ...] = ()
    event_winners: tuple[int, ...] = ()

    @property
    def rules(self) -> PrizeRules:
        return PrizeRules(
            self.division, self.choice, self.most_each, self.unit, self.cap, self.minimum
        )


def plan_of(tournament: Tournament) -> PrizePlan:
    """Return the prizes of *tournament*; an empty plan if none were defined.

    Two queries, one without prizes.
    """
    fund = PrizeFund.objects.filter(tournament=tournament).first()
    return PrizePlan() if fund is None else _read(fund)


def replace_plan(tournament: Tournament, plan: PrizePlan) -> None:
    """Save *plan* instead of the prizes of *tournament*, inside the caller's transaction."""
    PrizeFund.objects.filter(tournament=tournament).delete()
    values = described(plan)
    lines = values.pop("categories")  # type: ignore[misc]
    fund = PrizeFund.objects.create(tournament=tournament, **values)
    categories = PrizeCategory.objects.bulk_create(
        PrizeCategory(
            fund=fund,
            place=place,
            name=line["name"],
            eligible=line["eligible"],
            value=line["value"],
            also=line["also"],
            team_size=line["team_size"],
        )
        for place, line in enumerate(lines, start=1)
    )
    Prize.objects.bulk_create(
        Prize(
            category=category,
            place=place + 1,
            amount=_at(line["amounts"], place, 0),
            thing=_at(line["things"], place, ""),
        )
        for category, line in zip(categories, lines, strict=True)
        for place in range(max(len(line["amounts"]), len(line["things"])))
    )


def _at(values: list[T], place: int, otherwise: T) -> T:
    return values[place] if place < len(values) else otherwise


def _read(fund: PrizeFund) -> PrizePlan:
    prizes = (
        Prize.objects.filter(category__fund=fund)
        .select_related("category")
        .order_by("category__place", "place")
    )
    categories: list[payload_data.PrizeCategory] = []
    for category, group in groupby(prizes, key=lambda prize: prize.category):
        rows = list(group)
        categories.append(
            {
                "name": category.name,
                "eligible": category.eligible,
                "value": category.value,
                "also": category.also,
                "team_size": category.team_size,
                "amounts": [row.amount for row in rows if row.amount],
                "things": [row.thing for row in rows if row.thing],
            }
        )
    return plan_from(
        {
            "currency": fund.currency,
            "division": fund.division,
            "choice": fund.choice,
            "most_each": fund.most_each,
            "unit": fund.unit,
            "cap": fund.cap,
            "minimum": fund.minimum,
            "withdrawn_win": fund.withdrawn_win,
            "excluded": fund.excluded,
            "event_winners": fund.event_winners,
            "categories": categories,
        }
    )


def described(plan: PrizePlan) -> payload_data.Prizes:
    """Return *plan* as the record keeps it."""
    return {
        "currency": plan.currency,
        "division": plan.division.value,
        "choice": plan.choice.value,
        "most_each": int(plan.most_each),
        "unit": plan.unit,
        "cap": plan.cap,
        "minimum": plan.minimum,
        "withdrawn_win": plan.withdrawn_win,
        "excluded": list(plan.excluded),
        "event_winners": list(plan.event_winners),
        "categories": [
            {
                "name": category.name,
                "eligible": category.eligible.value,
                "value": category.value,
                "also": [[eligible.value, value] for eligible, value in category.also],
                "team_size": category.team_size,
                "amounts": list(category.amounts),
                "things": list(category.things),
            }
            for category in plan.categories
        ],
    }


def plan_from(values: payload_data.Prizes) -> PrizePlan:
    """Return the plan that the record keeps as *values*; the opposite of :func:`described`."""
    prizes = prizes_with_defaults(values)
    categories = tuple(
        CategoryPlan(
            line["name"],
            Eligible(line["eligible"]),
            line["value"],
            tuple(line["amounts"]),
            tuple((Eligible(eligible), str(value)) for eligible, value in line["also"]),
            tuple(line["things"]),
            line["team_size"],
        )
        for line in prizes["categories"]
    )
    return PrizePlan(
        currency=prizes["currency"],
        division=Division(prizes["division"]),
        most_each=prizes["most_each"],
        categories=categories,
        choice=Choice(prizes["choice"]),
        unit=prizes["unit"],
        cap=prizes["cap"],
        minimum=prizes["minimum"],
        withdrawn_win=prizes["withdrawn_win"],
        excluded=tuple(prizes["excluded"]),
        event_winners=tuple(prizes["event_winners"]),
    )


def money(cents: int) -> str:
    """Return *cents* as money: 15050 is ``150.50``."""
    return f"{cents // 100}.{cents % 100:02d}"
