"""The check-in of all sections of an event on one page [C.04.2/2026 4.1]."""

from __future__ import annotations

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from tournaments.core.permissions import Power, may, may_run
from tournaments.core.request_values import whole_number
from tournaments.entries.check_in_list import DeskPart, check_in_list
from tournaments.events.check_in import check_ins_switch
from tournaments.events.event_page import event_key
from tournaments.models import Entry, Event, Section
from tournaments.web.access import who_and_when
from tournaments.web.action_form import Problem, do
from tournaments.web.entries.check_in_desk import DeskPage, list_context
from tournaments.web.events.access import event_page
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part


@gzip_page
@event_page(Power.READ, Power.CHECK_IN)
@require_safe
def check_in(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show everybody with the section; an open page polls with ``?v=``: 204 without news."""
    own = _own(request, sections)
    if wants_part(request) and request.GET.get("v") == event_key(own, runs=True):
        return HttpResponse(status=204)
    return _page(request, event, own)


@gzip_page
@event_page(Power.CHECK_IN)
@require_POST
def find(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Check in the only player of all sections whose name begins with ``who``, or show several."""
    return _desk(request, event, sections).find()


@gzip_page
@event_page(Power.CHECK_IN)
@require_POST
def tick(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Check the player ``in`` or ``out``, by the button that was pressed."""
    return _desk(request, event, sections).tick()


@event_page(Power.RUN)
@require_POST
def switch(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Open (``open=yes``) or close the check-in of the form's sections; ``seen-…``: versions."""
    opens = request.POST.get("open") == "yes"
    seen = {
        pk: -1 if version is None else version
        for name, value in request.POST.items()
        if name.startswith("seen-") and (pk := whole_number(name.removeprefix("seen-"))) is not None
        for version in (whole_number(str(value)),)
    }
    return do(
        request,
        lambda: check_ins_switch(event=event, seen=seen, opens=opens, **who_and_when(request)),
        done=_("The check-in is open.") if opens else _("The check-in is closed."),
        to=reverse("event-check-in", args=[event.slug]),
        refused=lambda problem: _page(request, event, _own(request, sections), problem),
    )


def _own(request: HtmxHttpRequest, sections: list[Section]) -> list[Section]:
    """Return the sections at whose desk the user is, else those that the user can read."""
    for power in (Power.CHECK_IN, Power.READ):
        if own := [section for section in sections if may(request.user, section.tournament, power)]:
            return own
    return []


def _desk(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> DeskPage:
    own = _own(request, sections)
    return DeskPage(
        request,
        [section.tournament for section in own],
        reverse("event-check-in", args=[event.slug]),
        partial(_page, request, event, own),
        _labels(own),
    )


def _labels(sections: list[Section]) -> dict[int, str]:
    return {section.tournament_id: section.label for section in sections}


def _page(
    request: HtmxHttpRequest,
    event: Event,
    sections: list[Section],
    problem: Problem | None = None,
    *,
    status_text: str = "",
    search: str = "",
    last: Entry | None = None,
) -> HttpResponse:
    """Show the page of *sections*, as :class:`~tournaments.web.entries.check_in_desk.Show`."""
    tournaments = [section.tournament for section in sections]
    if problem is not None:
        for tournament in tournaments:
            tournament.refresh_from_db()
    listed, labels = check_in_list(*tournaments), _labels(sections)
    run = [
        part
        for part in listed.parts
        if _can_switch(part) and may_run(request.user, part.tournament)
    ]
    context = {
        **list_context(request, listed, labels, status_text=status_text, search=search, last=last),
        "event": event,
        "here": "check-in",
        "key": event_key(sections, runs=True),
        "desk_address": reverse("event-check-in", args=[event.slug]),
        "find_address": reverse("event-check-in-find", args=[event.slug]),
        "tick_address": reverse("event-check-in-tick", args=[event.slug]),
        "helps": any(may(request.user, tournament, Power.CHECK_IN) for tournament in tournaments),
        "closed": [part for part in run if not part.is_open],
        "opened": [part for part in run if part.is_open],
        "problem": problem,
    }
    status = problem.status if problem else 200
    return page_or_partial(request, "entries/check_in.html", "live", context, status=status)


def _can_switch(part: DeskPart) -> bool:
    """Return whether a check-in can open or close: a round remains, and players are expected."""
    return part.seen.round_number is not None and part.seen.due > 0
