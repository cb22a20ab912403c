"""The public page of an event, its desk, and its list of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.core.page_store import EVENT
from tournaments.core.permissions import Power, may_run, role_of
from tournaments.core.request_values import MOST, BadValue, number_of, whole_number
from tournaments.entries.ranking_changes import has_begun
from tournaments.events.event_page import (
    event_key,
    own_tournaments,
    players_of,
    section_desks,
    sections_of,
)
from tournaments.events.moves import entries_move, misplaced
from tournaments.events.waiting_in_sections import rows_of_event
from tournaments.models import Event, Role, Section
from tournaments.web.access import not_to_be_stored, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem
from tournaments.web.events.access import event_page
from tournaments.web.events.navigation import keys_of
from tournaments.web.events.public import shown_event
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part
from tournaments.web.parts import numbered_page
from tournaments.web.public_page import stored_for_visitors, words

PLAYERS_A_PAGE: Final = 100
"""Each line of the list of players has a form."""


@require_safe
def event(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Show the sections of an event with their state, and find a player in all of them.

    It is rendered once for all visitors. Who has the newest state gets 304, or 204 with ``?v=…``,
    for two queries.
    """
    found = get_object_or_404(Event, slug=slug)
    sections = sections_of(found)
    key = event_key(sections, runs=False)
    if request.htmx and request.GET.get("v") == key:
        return HttpResponse(status=204)

    def render_for(reader: HtmxHttpRequest) -> HttpResponse:
        context = shown_event(found, sections, words(reader.GET.get("q", "")))
        return page_or_partial(
            reader, "events/event.html", "live", context | {"search_at": reader.path}
        )

    if not request.user.is_authenticated:
        return stored_for_visitors(
            request,
            f"{EVENT}{found.pk}",
            key,
            lambda: event_key(sections_of(found), runs=False),
            render_for,
            q=words,
        )
    if not wants_part(request):
        request.event_keys = keys_of(request.user, found, sections)
    return not_to_be_stored(render_for(request))


@event_page(*Power)
@require_safe
def desk(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Show the next action of every section; an open desk polls with ``?v=``: 204 without news.

    People whose only role is at the check-in desk go to the check-in.
    """
    roles = {role_of(request.user, section.tournament) for section in sections}
    if roles <= {Role.CHECK_IN_DESK, None}:
        return redirect("event-check-in", event.slug)
    key = event_key(sections, runs=True)
    if request.htmx and request.GET.get("v") == key:
        return HttpResponse(status=204)
    desks = section_desks(sections, request.user)
    published = (each for each in desks if each.desk and each.frame.latest_published)
    context = {
        "event": event,
        "desks": desks,
        "printed_from": next(published, None),
        "key": key,
        "imports": all(may_run(request.user, section.tournament) for section in sections),
        "here": "desk",
    }
    return page_or_partial(request, "events/desk.html", "live", context)


@event_page(Power.READ, Power.RUN)
@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """List the players of all sections, 100 on a page, or all to print.

    POST moves one (``entry``, ``to``), or all of ``moves``.
    """
    if request.method != "POST":
        return _entries_page(request, event, sections)
    moves = _moves(request)
    moved = len(moves)
    return do(
        request,
        lambda: entries_move(moves=moves, event_id=event.pk, **who_and_when(request)),
        done=ngettext("%(n)d player has moved.", "%(n)d players have moved.", moved) % {"n": moved},
        to=request.get_full_path(),
        refused=lambda problem: _entries_page(request, event, sections_of(event), problem),
    )


def _moves(request: HtmxHttpRequest) -> dict[int, int]:
    """Return the tournament for each entry: ``entry`` and ``to``, or ``moves`` (``7:2,9:3``)."""
    if "moves" not in request.POST:
        return {number_of(request.POST, "entry"): number_of(request.POST, "to")}
    moves = {}
    for pair in request.POST["moves"].split(","):
        entry, _colon, to = pair.partition(":")
        numbers = whole_number(entry), whole_number(to)
        if numbers[0] is None or numbers[1] is None:
            raise BadValue("request.number", field="moves", name="moves", least=0, most=MOST)
        moves[numbers[0]] = numbers[1]
    return moves


def _entries_page(
    request: HtmxHttpRequest,
    event: Event,
    sections: Sequence[Section],
    problem: Problem | None = None,
) -> HttpResponse:
    search = words(request.GET.get("q", ""))
    open_ = [section for section in sections if not has_begun(section.tournament)]
    moves, lost = misplaced(open_)
    imports = all(may_run(request.user, section.tournament) for section in sections)
    context = {
        "event": event,
        "imports": imports,
        "waiting": rows_of_event(event).count() if imports else 0,
        "page": numbered_page(
            players_of(sections, search), request.GET.get("page", ""), size=PLAYERS_A_PAGE
        ),
        "open": open_,
        "open_ids": {section.tournament_id for section in open_} if len(open_) > 1 else set(),
        "own": own_tournaments(sections, request.user),
        "moves": moves,
        "lost": lost,
        "q": search,
        "runs": any(may_run(request.user, section.tournament) for section in sections),
        "problem": problem,
        "here": "entries",
    }
    return render_with_problem(request, "events/entries.html", context)
