"""The form of the prizes: a row for each category, with money as people write it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _, gettext_lazy

from pairing.standings.prizes import Division
from tournaments.core.amounts import cents_of
from tournaments.models import Eligible
from tournaments.standings.prize_plan import (
    MOST_AMOUNTS,
    MOST_CENTS,
    WITHOUT_VALUE,
    CategoryPlan,
    PrizePlan,
    is_value,
)
from tournaments.web.templatetags.reports import money

SPARE_ROWS = 3
MOST_CATEGORIES = 40


class PrizePlanForm(forms.Form):
    """The settings for all categories."""

    currency = forms.CharField(label=gettext_lazy("Currency"), max_length=10, required=False)
    division = forms.ChoiceField(
        label=gettext_lazy("Players with the same points"),
        choices=[
            (Division.EQUAL.value, gettext_lazy("share the prizes of their places equally")),
            (Division.HORT.value, gettext_lazy("get half by place and half shared equally (Hort)")),
            (Division.BY_RANK.value, gettext_lazy("are paid by place after the tie-breaks")),
        ],
    )
    one_each = forms.BooleanField(
        label=gettext_lazy("At most one prize per player"), required=False
    )


class PrizeRowForm(forms.Form):
    """One category; a row without a name and without money is ignored."""

    name = forms.CharField(label=gettext_lazy("Category"), max_length=60, required=False)
    eligible = forms.ChoiceField(
        label=gettext_lazy("Open to"), choices=Eligible.choices, required=False
    )
    value = forms.CharField(
        label=gettext_lazy("Year, rating, club …"), max_length=100, required=False
    )
    amounts = forms.CharField(
        label=gettext_lazy("Prizes, first place first"), max_length=1000, required=False
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        amounts = str(data.get("amounts", "")).replace(";", " ").replace(", ", " ").split()
        data["cents"] = [cents_of(text) for text in amounts]
        if not data.get("name") and not amounts:
            return data
        if not data.get("name"):
            self.add_error("name", _("Enter a name for the category."))
        if (
            not amounts
            or len(amounts) > MOST_AMOUNTS
            or not all(c and c <= MOST_CENTS for c in data["cents"])
        ):
            self.add_error("amounts", _("Amounts such as 300 200.50 100, separated by spaces."))
        eligible = Eligible(data.get("eligible") or Eligible.EVERYBODY)
        if eligible in WITHOUT_VALUE:
            data["value"] = ""
        if not is_value(eligible, str(data.get("value", ""))):
            self.add_error(
                "value",
                _("A year such as 2010, ratings such as 1600-1999, a club, or three letters."),
            )
        return data

    def was_sent(self) -> bool:
        """Return whether the request has the fields of this row; one made by hand may lack them."""
        return all(self.add_prefix(name) in self.data for name in ("name", "amounts"))

    def category(self) -> CategoryPlan | None:
        """Return the category of a valid row; None for an empty one."""
        data = self.cleaned_data
        if not data.get("name"):  # of a row without any change Django keeps no data
            return None
        eligible = Eligible(data["eligible"] or Eligible.EVERYBODY)
        return CategoryPlan(data["name"], eligible, data["value"], tuple(data["cents"]))


# Without absolute_max the formset creates 1,000 rows more than the maximum if a request claims to
# have them.
PrizeRows = forms.formset_factory(
    PrizeRowForm,
    extra=SPARE_ROWS,
    max_num=MOST_CATEGORIES,
    absolute_max=MOST_CATEGORIES,
    validate_max=True,
)


def initial_rows(plan: PrizePlan) -> list[dict[str, str]]:
    """Return *plan* as initial values of the rows."""
    return [
        {
            "name": category.name,
            "eligible": category.eligible.value,
            "value": category.value,
            "amounts": " ".join(_as_typed(amount) for amount in category.amounts),
        }
        for category in plan.categories
    ]


def _as_typed(cents: int) -> str:
    """Return a sum in the reader's language, without cents if there are none."""
    return money(cents) if cents % 100 else str(cents // 100)
