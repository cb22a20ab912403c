"""The part of the page *Ratings* with a field for each player without a rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import ngettext

from tournaments.core.errors import DataMoved, ServiceError
from tournaments.core.namesakes import disambiguate
from tournaments.core.request_values import whole_number
from tournaments.entries.cells import MAX_RATING
from tournaments.entries.estimates import estimates_save, to_estimate
from tournaments.models import Entry, Tournament
from tournaments.web.access import who_and_when
from tournaments.web.form_fields import WholeNumberField
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.shown_values import up_to_date

PREFIX = "estimate_"


class EstimatesForm(forms.Form):
    """A field for each of *entries*, named after the player."""

    def __init__(self, *args: Any, entries: Sequence[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        disambiguate(entries)
        self.entries = entries
        for entry in entries:
            self.fields[f"{PREFIX}{entry.pk}"] = WholeNumberField(
                label=entry.name_apart,
                initial=entry.rating or None,
                min_value=0,
                max_value=MAX_RATING,
                required=False,
                widget=forms.TextInput({"inputmode": "numeric", "maxlength": 4, "size": 5}),
            )

    @property
    def changed(self) -> dict[int, int]:
        """The estimates that are not those of the entries, by entry."""
        values = {entry: self.cleaned_data[f"{PREFIX}{entry.pk}"] or 0 for entry in self.entries}
        return {entry.pk: value for entry, value in values.items() if value != entry.rating}


def estimates_form(tournament: Tournament) -> EstimatesForm:
    """Return the empty form. One query, two with namesakes."""
    return EstimatesForm(entries=list(to_estimate(tournament)))


def save_estimates(
    request: HtmxHttpRequest, tournament: Tournament
) -> HttpResponse | tuple[EstimatesForm, int]:
    """Save the estimates that are new; return the form with its errors and the status if not.

    The fields that somebody else changed meanwhile are a conflict only if they were changed here.
    """
    entries = list(to_estimate(tournament, _named(request.POST)))
    data, conflict = up_to_date(request.POST, [EstimatesForm(entries=entries)])
    form = EstimatesForm(data, entries=entries)
    if not form.is_valid():
        return form, 422
    if conflict:
        form.add_error(None, conflict)
        return form, 409
    try:
        saved = estimates_save(
            tournament_id=tournament.pk,
            **who_and_when(request),
            estimates=form.changed,
            reason=request.POST.get("reason", "")[:1000],
            compared=tournament.version,
        )
    except DataMoved:
        raise
    except ServiceError as error:
        form.add_error(None, str(error))
        return form, 422
    done = ngettext("%(n)d estimate is saved.", "%(n)d estimates are saved.", saved)
    messages.success(request, done % {"n": saved})
    return redirect("ratings-check", tournament.slug)


def _named(data: QueryDict) -> list[int]:
    """Return the entries whose fields were sent, also if they have a rating by now."""
    numbers = [whole_number(name.removeprefix(PREFIX)) for name in data if name.startswith(PREFIX)]
    return [number for number in numbers if number is not None]
