"""A step in the tie-breaks of a form: the list changes on the page; nothing is saved."""

from __future__ import annotations

from typing import Final

from django.forms import BaseForm
from django.http import HttpResponse, QueryDict
from django.shortcuts import render

from tournaments.setup.tie_break_lists import after_step
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.tie_break_picker import picker

STEP: Final = "tie_break_step"
"""The name of the buttons that change the list."""


def is_step(data: QueryDict) -> bool:
    """Return whether *data* come from a button that changes the tie-breaks, not from *Save*."""
    return STEP in data


def typed(data: QueryDict) -> dict[str, object]:
    """Return the values of a form as they were typed, with the list after the step,
    for the initial values of a form.

    So the page appears again without error messages for fields that are not filled in yet.
    """
    values: dict[str, object] = {name: data[name] for name in data}
    for tick in (
        "byes_in_advance",
        "second_reading",
        "explanations_public",
        "forecast_public",
        "automatic_results",
    ):
        values[tick] = tick in data
    if STEP in data:
        values["tie_breaks"] = after_step(
            data.get("tie_breaks", ""),
            data.get("tie_break_edition", ""),
            data.get(STEP, ""),
            new=data.get("tie_break_new", ""),
            chosen=data.get("tie_break_list", ""),
        )
    return values


def picker_part(request: HtmxHttpRequest, form: BaseForm) -> HttpResponse:
    """Return only the list of tie-breaks of *form*, for htmx."""
    return render(request, "setup/_tie_break_picker.html", picker(form))
