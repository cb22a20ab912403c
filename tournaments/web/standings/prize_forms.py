"""The form of the prizes: a row for each category, with money as people write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from pairing.standings.prize_rules import Choice, Division
from tournaments.core.amounts import cents_of
from tournaments.models import Eligible, Entry, Tournament
from tournaments.standings.prize_conditions import heading_of, is_value
from tournaments.standings.prize_plan import (
    LARGEST_TEAM,
    MOST_AMOUNTS,
    MOST_CENTS,
    CategoryPlan,
    PrizePlan,
)
from tournaments.web.action_form import Problem
from tournaments.web.standings.prize_rows import age_conditions, as_typed, rating_conditions
from tournaments.web.templatetags.reports import money

SPARE_ROWS = 8
ROWS_BELOW_SAVED = 2
MOST_CATEGORIES = 40

FEW: Final[Mapping[str, tuple[object, ...]]] = {
    "unit": (1, "1"),
    "cap": ("",),
    "minimum": ("",),
    "excluded": ("",),
    "event_winners": ("",),
    "withdrawn_win": (True, "on"),
}
"""The values with which the rarer rules are folded."""


AGES: Final = gettext_lazy("Such as U16, 60+, 2010+ or 2008-2010.")
RATINGS: Final = gettext_lazy("Such as <1800, 1600-1999, 2000+ or unrated.")


def _example(text: str | Promise, more: str | Promise = "") -> dict[str, str | Promise]:
    return {"placeholder": text} | ({"title": more} if more else {})


class PrizeRulesForm(forms.Form):
    """The rules for all categories that do not depend on the standings."""

    currency = forms.CharField(
        label=gettext_lazy("Currency"),
        max_length=10,
        required=False,
        widget=forms.TextInput(_example("EUR")),
    )
    most_each = forms.TypedChoiceField(
        label=gettext_lazy("Prizes of money per player"),
        choices=[
            (1, gettext_lazy("at most one")),
            (2, gettext_lazy("at most two")),
            (3, gettext_lazy("at most three")),
            (0, gettext_lazy("no limit")),
        ],
        coerce=int,
    )
    choice = forms.ChoiceField(
        label=gettext_lazy("If a player could win more, the player gets"),
        choices=[
            (Choice.MOST_VALUABLE.value, gettext_lazy("the more valuable prize")),
            (Choice.IN_ORDER.value, gettext_lazy("the prize of the first category in this order")),
        ],
    )
    unit = forms.TypedChoiceField(
        label=gettext_lazy("Shared prizes in whole"),
        choices=[
            (1, gettext_lazy("cents")),
            (100, gettext_lazy("units of the currency")),
            (1000, gettext_lazy("tens of the currency")),
        ],
        coerce=int,
    )
    cap = forms.CharField(
        label=gettext_lazy("Most money for one player"),
        required=False,
        help_text=gettext_lazy("The rest is shared by the other winners of the category."),
        widget=forms.TextInput(_example("500")),
    )
    minimum = forms.CharField(
        label=gettext_lazy("Smallest shared prize"),
        required=False,
        help_text=gettext_lazy("Only as many players share the last prizes as get this sum."),
        widget=forms.TextInput(_example("10")),
    )
    withdrawn_win = forms.BooleanField(
        label=gettext_lazy("Players who have withdrawn keep their prizes"), required=False
    )

    def clean_cap(self) -> int:
        return self._cents("cap")

    def clean_minimum(self) -> int:
        return self._cents("minimum")

    def _cents(self, name: str) -> int:
        text = self.cleaned_data[name].strip()
        cents = cents_of(text) if text else 0
        if cents is None or cents > MOST_CENTS:
            raise forms.ValidationError(_("An amount such as 300 or 200.50."))
        return cents

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("cap") and data["cap"] % data.get("unit", 1):
            self.add_error("cap", _("Not a multiple of the unit of rounding."))
        return data

    def rules(self) -> dict[str, Any]:
        """Return the fields of the plan that a valid form has."""
        data = self.cleaned_data
        return {name: data[name] for name in RULES} | {"choice": Choice(data["choice"])}


RULES = tuple(PrizeRulesForm.base_fields)


def typed_rules(plan: PrizePlan) -> dict[str, Any]:
    """Return the rules of *plan* as initial values of a :class:`PrizeRulesForm`."""
    return {name: getattr(plan, name) for name in RULES} | {
        "choice": plan.choice.value,
        "cap": _as_typed(plan.cap),
        "minimum": _as_typed(plan.minimum),
    }


class PrizePlanForm(PrizeRulesForm):
    """The settings for all categories of a tournament."""

    division = forms.ChoiceField(
        label=gettext_lazy("Players with the same points"),
        choices=[
            (Division.EQUAL.value, gettext_lazy("share their prizes equally")),
            (Division.HORT.value, gettext_lazy("get half by place and half shared equally (Hort)")),
            (Division.BY_RANK.value, gettext_lazy("are paid by place after the tie-breaks")),
        ],
    )
    excluded = forms.CharField(
        label=gettext_lazy("Numbers of the players who may not win"),
        required=False,
        max_length=500,
        widget=forms.TextInput(_example("3 17")),
    )
    event_winners = forms.CharField(
        label=gettext_lazy("Numbers of the players who take money over all sections instead"),
        required=False,
        max_length=500,
        help_text=gettext_lazy("They win no money here, and the next ones get it."),
        widget=forms.TextInput(_example("3 17")),
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        tournament: Tournament,
        plan: PrizePlan,
        typed: Mapping[str, str] | None = None,
    ) -> None:
        entries = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
        self._numbers = {str(tpn): pk for pk, tpn in entries.values_list("pk", "tpn")}
        tpns = {pk: tpn for tpn, pk in self._numbers.items()}
        self._plan = plan
        initial = {
            **typed_rules(plan),
            "division": plan.division.value,
            "excluded": " ".join(tpns[pk] for pk in plan.excluded if pk in tpns),
            "event_winners": " ".join(tpns[pk] for pk in plan.event_winners if pk in tpns),
        }
        super().__init__(data, initial={**initial, **(typed or {})})

    def clean_excluded(self) -> tuple[int, ...]:
        return self._entries("excluded", self._plan.excluded)

    def clean_event_winners(self) -> tuple[int, ...]:
        return self._entries("event_winners", self._plan.event_winners)

    def _entries(self, name: str, before: tuple[int, ...]) -> tuple[int, ...]:
        """Return the entries with the numbers, and those chosen *before* who have no number now."""
        numbered = set(self._numbers.values())
        found = [pk for pk in before if pk not in numbered]
        for text in self.cleaned_data[name].replace(",", " ").replace(";", " ").split():
            if text not in self._numbers:
                raise forms.ValidationError(_("No player has the number %(n)s.") % {"n": text})
            found.append(self._numbers[text])
        return tuple(sorted(set(found)))

    def plan(self, categories: tuple[CategoryPlan, ...]) -> PrizePlan:
        """Return the plan of a valid form with *categories*."""
        data = self.cleaned_data
        return PrizePlan(
            division=Division(data["division"]),
            excluded=data["excluded"],
            event_winners=data["event_winners"],
            categories=categories,
            **self.rules(),
        )


class PrizeRowForm(forms.Form):
    """One category; a row without prizes and conditions is ignored."""

    either_way = True
    """No field is marked as optional: all are."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=60,
        required=False,
        widget=forms.TextInput(_example(gettext_lazy("Main prizes"))),
    )
    amounts = forms.CharField(
        label=gettext_lazy("Prizes, first place first"),
        max_length=1000,
        required=False,
        widget=forms.TextInput(_example("300 200 100")),
    )
    things = forms.CharField(
        label=gettext_lazy("Cups, books, first place first"),
        max_length=1000,
        required=False,
        widget=forms.TextInput(_example(gettext_lazy("Cup, Medal"))),
    )
    sex = forms.ChoiceField(
        label=gettext_lazy("Open to"),
        required=False,
        choices=[
            ("", pgettext_lazy("open to", "all")),
            (Eligible.WOMEN.value, gettext_lazy("women")),
            (Eligible.MEN.value, gettext_lazy("men")),
        ],
    )
    age = forms.CharField(
        label=gettext_lazy("Age, birth year"),
        max_length=20,
        required=False,
        widget=forms.TextInput(_example("U16, 60+", AGES)),
    )
    rating = forms.CharField(
        label=gettext_lazy("Rating"),
        max_length=20,
        required=False,
        widget=forms.TextInput(_example("<1800", RATINGS)),
    )
    club = forms.CharField(label=gettext_lazy("Club"), max_length=100, required=False)
    federation = forms.CharField(
        label=gettext_lazy("Federation"),
        max_length=3,
        required=False,
        widget=forms.TextInput(_example("FRA")),
    )
    team_size = forms.IntegerField(
        label=gettext_lazy("Team size"),
        required=False,
        min_value=0,
        max_value=LARGEST_TEAM,
        widget=forms.NumberInput(_example("3")),
    )
    order = forms.IntegerField(
        label=gettext_lazy("Order"), required=False, min_value=1, max_value=MOST_CATEGORIES * 10
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        amounts = str(data.get("amounts", "")).replace(";", " ").replace(", ", " ").split()
        data["cents"] = [cents_of(text) for text in amounts]
        data["list"] = [text.strip() for text in str(data.get("things", "")).split(",")]
        data["list"] = [text for text in data["list"] if text]
        data["conditions"] = self._conditions(data)
        if self._is_empty(data):
            return data
        count = max(len(amounts), len(data["list"]))
        if (
            not count
            or count > MOST_AMOUNTS
            or not all(c and c <= MOST_CENTS for c in data["cents"])
        ):
            self.add_error("amounts", _("Amounts such as 300 200.50 100, separated by spaces."))
        if any(len(text) > 60 for text in data["list"]):
            self.add_error("things", _("At most 60 characters each, separated by commas."))
        return data

    def _conditions(self, data: dict[str, Any]) -> list[tuple[Eligible, str]]:
        sex = data.get("sex")
        found = [(Eligible(sex), "")] if sex else []
        ages = age_conditions(str(data.get("age", "")))
        if ages is None:
            self.add_error("age", AGES)
        ratings = rating_conditions(str(data.get("rating", "")))
        if ratings is None:
            self.add_error("rating", RATINGS)
        found += [*(ages or ()), *(ratings or ())]
        if data.get("club"):
            found.append((Eligible.CLUB, data["club"]))
        if federation := data.get("federation"):
            if not is_value(Eligible.FEDERATION, federation):
                self.add_error("federation", _("Three letters, such as FRA."))
            found.append((Eligible.FEDERATION, federation))
        return found

    @staticmethod
    def _is_empty(data: dict[str, Any]) -> bool:
        return not (data.get("name") or data["cents"] or data["list"] or data["conditions"])

    def was_sent(self) -> bool:
        """Return whether the request has the fields of this row; one made by hand may lack them."""
        return all(self.add_prefix(name) in self.data for name in ("name", "amounts"))

    def category(self) -> CategoryPlan | None:
        """Return the category of a valid row; None for an empty one."""
        data = self.cleaned_data
        if "cents" not in data or self._is_empty(data):  # Django keeps no data of an untouched row
            return None
        (eligible, value), *also = data["conditions"] or [(Eligible.EVERYBODY, "")]
        return CategoryPlan(
            data["name"],
            eligible,
            value,
            tuple(data["cents"]),
            tuple(also),
            tuple(data["list"]),
            data["team_size"] or 0,
        )


# Without absolute_max the formset creates 1,000 rows more than the maximum if a request claims to
# have them.
PrizeRows = forms.formset_factory(
    PrizeRowForm,
    extra=SPARE_ROWS,
    max_num=MOST_CATEGORIES,
    absolute_max=MOST_CATEGORIES,
    validate_max=True,
)


def fit_the_unit(form: PrizeRulesForm, rows: Any) -> bool:
    """Return whether all amounts are multiples of the unit; else the rows have an error."""
    unit, fits = form.cleaned_data["unit"], True
    for row in rows:
        if any(cents % unit for cents in row.cleaned_data.get("cents", ())):
            row.add_error("amounts", _("Not a multiple of the unit of rounding."))
            fits = False
    return fits


def has_rare_rules(form: PrizeRulesForm) -> bool:
    """Return whether a rule that is folded has another value than usual."""
    return any(
        form[name].value() not in usual for name, usual in FEW.items() if name in form.fields
    )


def changed_meanwhile(plan: PrizePlan, changes: tuple[str, ...] = ()) -> Problem:
    """Return the problem of a page that is older than *plan*; its input can be saved again."""
    message = _(
        "Somebody else changed the prizes while this page was open. Current values: "
        "%(categories)s. Nothing was "
        "saved, and your input is still here. Compare the two, then save again."
    )
    categories = ", ".join(map(heading_of, plan.categories)) or "–"
    title = _("Somebody else changed this in the meantime.")
    return Problem(title, message % {"categories": categories}, 409, changes)


def initial_rows(plan: PrizePlan) -> list[dict[str, Any]]:
    """Return *plan* as initial values of the rows."""
    return [
        {
            "name": category.name,
            "amounts": " ".join(_as_typed(amount) for amount in category.amounts),
            "things": ", ".join(category.things),
            "team_size": category.team_size or None,
            "order": order,
            **as_typed(category.conditions),
        }
        for order, category in enumerate(plan.categories, start=1)
    ]


def sent_rows(data: QueryDict) -> list[dict[str, str]]:
    """Return the rows of *data* as they were typed, without those at the end that are empty."""
    count = data.get("row-TOTAL_FORMS", "")
    is_number = count.isdecimal() and len(count) < 5
    rows = [
        {name: data.get(f"row-{index}-{name}", "") for name in PrizeRowForm.base_fields}
        for index in range(min(int(count), MOST_CATEGORIES) if is_number else 0)
    ]
    while rows and not any(rows[-1].values()):
        rows.pop()
    return rows


def categories_in_order(rows: Any) -> tuple[CategoryPlan, ...]:
    """Return the categories of valid *rows*, those with a number for the order by it.

    A row without a number stays after the row above it.
    """
    found: list[tuple[int, CategoryPlan]] = []
    last = 0
    for row in rows:
        if (category := row.category()) is not None:
            last = row.cleaned_data.get("order") or last
            found.append((last, category))
    return tuple(category for _order, category in sorted(found, key=lambda pair: pair[0]))


def _as_typed(cents: int) -> str:
    """Return a sum in the reader's language, without cents if there are none; empty for none."""
    if not cents:
        return ""
    return money(cents) if cents % 100 else str(cents // 100)
