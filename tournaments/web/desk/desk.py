"""The arbiter's desk."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, pgettext
from django.views.decorators.http import require_POST, require_safe

from pairing.rounds.absences import no_shows
from pairing.rounds.open_games import older_adjourned_named
from pairing.rounds.versions import round_version
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import handling
from tournaments.core.frame import Frame, state_key, tournament_frame
from tournaments.core.names_of_people import name_of
from tournaments.core.permissions import Power
from tournaments.core.request_values import number_of
from tournaments.desk.desk import Desk, NextAction, desk as read_desk
from tournaments.desk.undo import ABLE_TO_UNDO, action_undo, undoable_actions
from tournaments.models import Decision, Entry, Game, GameResult, Role, Round, Tournament
from tournaments.web.access import arbiter, page, who_and_when
from tournaments.web.action_form import Problem, do
from tournaments.web.desk.needs import needs
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial

DESKS: Final = (Role.RESULT_DESK, Role.CHECK_IN_DESK)
PAIRS: Final = (NextAction.PAIR, NextAction.PAIR_AGAIN)
MOST_ACTIONS: Final = 5
"""So many recent actions are on the page."""

UNDOS: Final = 3
"""So many that can be undone are among them, and older ones after them."""


@page(read=tuple(Power))
@require_safe
def desk(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the state and the next action; an open desk polls with ``?v=``: 204 without news."""
    if request.role in DESKS:
        return _own_page(request, tournament)
    if request.htmx and request.GET.get("v") == state_key(tournament, runs=True):
        return HttpResponse(status=204)
    return _desk_page(request, tournament)


@page(write=ABLE_TO_UNDO)
@require_POST
def undo(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo the action that the page shows."""
    sequence = number_of(request.POST, "sequence")
    return do(
        request,
        lambda: action_undo(
            tournament_id=tournament.pk, **who_and_when(request), sequence=sequence
        ),
        done=_("Undone. The record keeps both actions."),
        to=_page_before(request) or reverse("desk", args=[tournament.slug]),
        refused=lambda problem: _refused(request, tournament, problem),
    )


def _page_before(request: HtmxHttpRequest) -> str:
    """Return the page of ours on which the user pressed the button; otherwise empty."""
    page = request.POST.get("next", "")
    hosts = {request.get_host()}
    safe = url_has_allowed_host_and_scheme(
        page, allowed_hosts=hosts, require_https=request.is_secure()
    )
    return page if page.startswith("/") and safe else ""


def _refused(request: HtmxHttpRequest, tournament: Tournament, problem: Problem) -> HttpResponse:
    """Show the refusal on the desk; a person at a desk gets it on the own first page."""
    if request.role not in DESKS:
        return _desk_page(request, tournament, problem)
    messages.warning(request, problem.sentence)
    return redirect("desk", tournament.slug)


def _own_page(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a person at the result desk or the check-in desk what is missing, with the way there.

    Only what visitors see too: a draft is not counted.
    """
    assert request.role is not None
    frame = tournament_frame(tournament, runs=False)
    checks_in = request.role is Role.CHECK_IN_DESK
    if checks_in:
        rows = Entry.objects.filter(tournament=tournament, checked_in=False, withdrawn_from=None)
        missing = rows.count()
    else:
        games = Game.objects.filter(
            round__tournament=tournament,
            round__number=frame.latest_published or 0,
            result=GameResult.NOT_YET,
        )
        missing = games.values("board").distinct().count()
    context = {
        "frame": frame,
        "section": "",
        "name": name_of(arbiter(request)),
        "role": request.role.label,
        "checks_in": checks_in,
        "number": frame.latest_published,
        "missing": missing,
    }
    return render(request, "desk/own.html", context)


def _desk_page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    state, absent = read_desk(frame), no_shows(frame)
    undecided = sum(not one.withdrawn for one in absent)
    undoables = undoable_actions(frame, request.user, now=timezone.now())
    actions = _recent(undoables, state.decisions)
    changes = request.role is not Role.READER
    context = {
        "seen_version": round_version(tournament, state.number)
        if state.next_action is NextAction.PUBLISH_RESULTS
        else None,
        "announced_later": (
            _announced_later(tournament, state.number)
            if state.next_action is NextAction.PUBLISH_RESULTS
            else None
        ),
        "frame": frame,
        "section": "desk",
        "desk": state,
        "steps": _steps(frame, state),
        "no_shows": absent,
        "needs": needs(frame, state, undecided=undecided, changes=changes),
        "is_unlisted": changes
        and bool(state.players)
        and not (tournament.listed or tournament.final_at),
        "actions": actions,
        "undoables": {line.sequence for line in undoables},
        "problem": problem,
        "older_adjourned": (
            older_adjourned_named(tournament, state.number) if state.next_action in PAIRS else ()
        ),
        "handling": handling(tournament),
    }
    status = problem.status if problem else 200
    return page_or_partial(request, "desk/desk.html", "live", context, status=status)


def _recent(undoables: list[Decision], others: tuple[Decision, ...]) -> list[Decision]:
    """Return the newest actions, and after them a few older ones that can be undone.

    An own mistake stays within reach while others enter results; it never hides what is newer.
    """
    by_sequence = {line.sequence: line for line in (*others, *undoables)}
    newest_first = [by_sequence[number] for number in sorted(by_sequence, reverse=True)]
    newest = newest_first[:MOST_ACTIONS]
    offered = [line for line in newest_first if line in undoables][:UNDOS]
    return [*newest, *(line for line in offered if line not in newest)]


def _announced_later(tournament: Tournament, number: int) -> datetime | None:
    """Return the announced time of the results of round *number* if it is still to come.

    One query.
    """
    rows = Round.objects.filter(
        tournament=tournament, number=number, results_due_at__gt=timezone.now()
    )
    return rows.values_list("results_due_at", flat=True).first()


def _steps(frame: Frame, seen: Desk) -> list[dict[str, str]]:
    """Return the steps of the current round; before round 1 the preparations."""
    if seen.number == 1 and frame.rounds[0].state == RoundState.PLANNED:
        actions = [
            NextAction.ADD_ENTRIES,
            NextAction.ASSIGN_NUMBERS,
            NextAction.DRAW_COLOUR,
            NextAction.PAIR,
        ]
        labels = [_("Entries"), _("Numbers"), _("Initial colour"), _("Pair round 1")]
    else:
        actions = [
            NextAction.PAIR,
            NextAction.PUBLISH,
            NextAction.ENTER_RESULTS,
            NextAction.PUBLISH_RESULTS,
        ]
        labels = [
            pgettext("step", "Pair"),
            pgettext("step", "Publish pairings"),
            pgettext("step", "Results"),
            pgettext("step", "Publish results"),
        ]
    now = NextAction.PAIR if seen.next_action in PAIRS else seen.next_action
    at = actions.index(now) if now in actions else len(actions)
    states = ["done" if i < at else "now" if i == at else "later" for i in range(len(actions))]
    return [{"label": label, "state": state} for label, state in zip(labels, states, strict=True)]
