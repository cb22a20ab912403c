"""Forms of the pages of an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.sections import LAST_POSITION, LIMITS, MAX_LABEL
from tournaments.models import Section
from tournaments.web.form_fields import WholeNumberField


class EventForm(forms.Form):
    """A new event around a tournament."""

    name = forms.CharField(label=_("Name of the event"), max_length=100)
    label = forms.CharField(
        label=_("Name of this section"),
        max_length=MAX_LABEL,
        help_text=_("For example A, Open or U12."),
    )


class SectionForm(forms.Form):
    """The label of a section, its place in the order, and the players for whom it is meant."""

    label = forms.CharField(label=_("Name of the section"), max_length=MAX_LABEL)
    position = WholeNumberField(
        label=_("Order of the sections"),
        help_text=_("The section with the lowest number comes first."),
        min_value=1,
        max_value=LAST_POSITION,
        required=False,
    )
    rating_from = WholeNumberField(
        label=_("Rating from"), min_value=0, max_value=4000, required=False
    )
    rating_to = WholeNumberField(
        label=_("Rating up to"), min_value=0, max_value=4000, required=False
    )
    born_from = WholeNumberField(
        label=_("Born in or after"), min_value=1900, max_value=2200, required=False
    )
    born_to = WholeNumberField(
        label=_("Born in or before"), min_value=1900, max_value=2200, required=False
    )

    @classmethod
    def from_section(cls, section: Section) -> SectionForm:
        """Return the form with the present values of *section*."""
        values: dict[str, Any] = {
            name: getattr(section, name) for name in ("label", "position", *LIMITS)
        }
        return cls(initial=values, prefix=str(section.pk))

    def limits(self) -> dict[str, int | None]:
        """Return the limits of a valid form."""
        return {name: self.cleaned_data[name] for name in LIMITS}
