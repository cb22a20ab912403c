"""Forms of the pages for points and lots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class PointsForm(forms.Form):
    """A point adjustment: player, points, article, reason.

    *players* are (entry id, number and name), *amounts* are the possible differences of scores, in
    tenths.
    """

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    sign = forms.TypedChoiceField(
        label=_("Adjustment"),
        coerce=int,
        choices=[(-1, _("Deduct points")), (1, _("Give points"))],
        initial=-1,
        widget=forms.RadioSelect,
    )
    amount = forms.TypedChoiceField(label=_("Number of points"), coerce=int)
    article = forms.CharField(
        label=_("Rule"),
        max_length=40,
        help_text=_(
            "The article of the Laws of Chess (such as “Laws 12.9”), or the clause of the "
            "regulations."
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Players can read it beside the standings and in the record."),
    )

    def __init__(
        self,
        *args: Any,
        players: Sequence[tuple[int, str]],
        amounts: Sequence[tuple[int, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        # No player is selected by default: otherwise a slip would affect the first on the list.
        for name, choices in (("player", [("", "–"), *players]), ("amount", amounts)):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = choices

    @property
    def points(self) -> int:
        """Return tenths, below zero for points taken; only for a valid form."""
        return int(self.cleaned_data["sign"]) * int(self.cleaned_data["amount"])
