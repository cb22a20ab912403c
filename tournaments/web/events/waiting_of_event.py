"""The rows that wait in all sections of an event, on one page."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.permissions import Power
from tournaments.core.request_values import optional_number_of
from tournaments.entries.waiting_rows import UNPLACED, waiting_discard
from tournaments.events.event_page import sections_of
from tournaments.events.placing import open_sections
from tournaments.events.waiting_in_sections import event_row_enter, rows_of_event
from tournaments.models import Event, Section, WaitingEntry
from tournaments.web.access import who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.entries.waiting_page import WaitingForm, part_of, seen_texts, shown_row
from tournaments.web.events.access import event_page, require_runs_all
from tournaments.web.htmx import HtmxHttpRequest


@event_page(Power.RUN)
@require_safe
def waiting(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show the rows that wait in all sections, 50 on a page."""
    require_runs_all(request, sections)
    return _page(request, event)


@event_page(Power.RUN)
@require_POST
def decide(
    request: HtmxHttpRequest, event: Event, sections: list[Section], waiting_id: int
) -> HttpResponse:
    """Enter the player with corrected data in the section ``to``, or ``discard`` the row."""
    require_runs_all(request, sections)
    form = WaitingForm(WaitingEntry(pk=waiting_id, fields={}), request.POST)
    seen = seen_texts(request, form)
    given: dict[str, Any] = {"waiting_id": waiting_id, **who_and_when(request), "seen": seen}
    try:
        if "discard" in request.POST:
            row = rows_of_event(event).filter(pk=waiting_id).first()
            if row is None:
                raise Conflict("waiting.gone", params={"name": seen.get("name", "")})
            waiting_discard(tournament_id=row.tournament_id, **given)
            message = _("The row “%(name)s” is discarded.") % {"name": seen.get("name", "")}
        else:
            confirmed = form.add_prefix("confirmed") in request.POST
            to = optional_number_of(request.POST, "to")
            entry = event_row_enter(
                event=event, to_id=to, values=form.texts(), confirmed=confirmed, **given
            )
            label = next(
                each.label for each in sections if each.tournament_id == entry.tournament_id
            )
            message = _("%(name)s is entered in %(label)s.") % {"name": entry.name, "label": label}
    except ServiceError as error:
        return _page(request, event, refused=(waiting_id, error))
    messages.success(request, message)
    return redirect("event-waiting", event.slug)


def _page(
    request: HtmxHttpRequest, event: Event, refused: tuple[int, ServiceError] | None = None
) -> HttpResponse:
    """Show a page of the list; *refused*: the row with a problem, whose form keeps its text."""
    rows = rows_of_event(event)
    refused_id, error = refused or (0, None)
    page = part_of(rows, request, refused_id)
    context = {
        "event": event,
        "page": page,
        "rows": [
            (
                shown_row(row, request if row.pk == refused_id else None),
                _section_chosen(request, row, refused_id),
            )
            for row in page.object_list
        ],
        "sections": open_sections(sections_of(event)),
        "problem": Problem.from_error(error) if error else None,
        "here": "entries",
    }
    return render(request, "events/waiting.html", context, status=error.status if error else 200)


def _section_chosen(request: HtmxHttpRequest, row: WaitingEntry, refused_id: int) -> int:
    """Return the tournament that the form of *row* proposes; 0: by rating and age."""
    if row.pk == refused_id:
        return optional_number_of(request.POST, "to") or 0
    return 0 if any(problem["code"] in UNPLACED for problem in row.problems) else row.tournament_id
