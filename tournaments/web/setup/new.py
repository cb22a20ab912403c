"""Set up a tournament: four fields, the kind of event, and all else folded with its value."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.setup.presets import PRESETS, USUAL, values_for, with_preset
from tournaments.setup.schedule import schedule_announce
from tournaments.setup.tournaments import tournament_create_once
from tournaments.web.access import signed_in, who_and_when
from tournaments.web.action_form import add_service_error, confirms_leaving
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part
from tournaments.web.setup.new_form import NewTournamentForm
from tournaments.web.setup.settings import add_edition_message, add_other_list_message
from tournaments.web.setup.tie_break_steps import is_step, picker_part, typed

FILL: Final = "fill"
"""The name of the buttons that fill the folded settings or show the schedule, and save nothing."""


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HtmxHttpRequest) -> HttpResponse:
    """Show the form, fill it by the kind of event, or create the tournament with its schedule."""
    if request.method != "POST":
        return _page(request, NewTournamentForm(initial={"kind": USUAL, **_settings(USUAL)}), USUAL)
    data, kind = _filled(request.POST)
    if is_step(data) or FILL in data:
        return _not_saved(request, data, kind)
    form = NewTournamentForm(data)
    if form.is_valid():
        try:
            return _created(request, form)
        except ServiceError as error:
            add_service_error(form, error)
    return _page(request, form, kind, status=422)


def _created(request: HtmxHttpRequest, form: NewTournamentForm) -> HttpResponse:
    """Save the tournament and its times, and go to its desk."""
    with transaction.atomic():
        made, is_new = tournament_create_once(
            **who_and_when(request), leave_fide_mode=confirms_leaving(request.POST), **form.values()
        )
        if is_new:
            schedule_announce(tournament=made, **who_and_when(request), starts=form.times)
    if is_new:
        messages.success(request, _("The tournament is created. Enter the players next."))
    else:
        messages.info(
            request, _("This tournament was already created a moment ago. This page shows it.")
        )
    add_other_list_message(request, form, made)
    add_edition_message(request, made)
    return redirect("desk", made.slug)


def _filled(sent: QueryDict) -> tuple[QueryDict, str]:
    """Return the form as sent, filled by its kind where nothing else was typed, and the kind;
    a form may have none.
    """
    kind = sent.get("kind", "")
    if kind not in PRESETS:
        return sent, ""
    data = sent.copy()
    blank = not sent.get("total_rounds", "").strip()
    for name, value in with_preset(
        {name: sent.get(name, "") for name in sent}, kind, sent.get("kind_shown", "")
    ).items():
        data[name] = value
    if not data.get("byes_in_advance"):
        data.pop("byes_in_advance", None)
    if blank and (FILL in sent or is_step(sent)):
        data["total_rounds"] = ""  # it stays as usual for the kind, whatever kind is chosen next
    return data, kind


def _not_saved(request: HtmxHttpRequest, data: QueryDict, kind: str) -> HttpResponse:
    """Return the form as typed, with the tie-breaks after a step, or a schedule by pattern."""
    form = NewTournamentForm(initial=typed(data))
    if is_step(data) and wants_part(request):
        return picker_part(request, form)
    checked = NewTournamentForm(_complete(data, kind))
    checked.is_valid()
    fields = ("first_times", "other_times", "days_between", "start_date")
    problems = [error for name in fields for error in checked.errors.get(name, ())]
    return _page(request, form, kind, planned=checked.times, problems=problems)


def _complete(data: QueryDict, kind: str) -> QueryDict:
    """Return *data* with what a form needs to be valid for the preview of its schedule."""
    complete = data.copy()
    if not data.get("total_rounds", "").strip() and kind:
        complete["total_rounds"] = str(PRESETS[kind].rounds)
    complete["name"] = data.get("name", "").strip() or "–"
    return complete


def _settings(kind: str) -> dict[str, object]:
    """Return the values of *kind* for a new form, whose number of rounds stays empty."""
    return {**values_for(kind), "total_rounds": ""}


def _page(
    request: HtmxHttpRequest,
    form: NewTournamentForm,
    kind: str,
    *,
    status: int = 200,
    planned: Any = (),
    problems: Any = (),
) -> HttpResponse:
    context = {
        "form": form,
        "kind": kind,
        "planned": list(enumerate(planned, 1)),
        "problems": problems,
        "asks_schedule": FILL in request.POST and request.POST[FILL] == "schedule",
        "zone": timezone.get_current_timezone_name(),
    }
    return page_or_partial(request, "setup/new_tournament.html", "folded", context, status=status)
