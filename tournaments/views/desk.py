"""The arbiter's desk, the numbers, and the initial colour."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import bridge
from tournaments.forms import InitialColourForm
from tournaments.htmx import HtmxHttpRequest, page_or_partial
from tournaments.messages import sentence
from tournaments.models import InitialColourMethod, RoundState, Tournament
from tournaments.permissions import may_decide
from tournaments.request_values import number_of
from tournaments.selectors.absences import no_shows
from tournaments.selectors.desk import Act, Desk, desk as read_desk
from tournaments.selectors.frame import Frame, state_key, tournament_frame
from tournaments.selectors.numbers import number_preview
from tournaments.selectors.rounds import round_version
from tournaments.selectors.undo import undoable_act
from tournaments.services.acts import in_own_edition
from tournaments.services.entries import numbers_assign
from tournaments.services.errors import ServiceError
from tournaments.services.tournaments import initial_colour_set, list_close, list_reopen
from tournaments.services.undo import last_act_undo

from .access import arbiter, arbiter_only
from .acts import Problem, do


@arbiter_only
@require_safe
def desk(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Where the event stands, and the next act. An open desk asks with ``?v=`` for news: 204 while there is none."""
    if request.htmx and request.GET.get("v") == state_key(tournament, runs=True):
        return HttpResponse(status=204)
    return _desk_page(request, tournament)


@arbiter_only
@require_POST
def undo(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Take the last act back, if it is still the one that was shown."""
    sequence = number_of(request.POST, "sequence")
    return do(
        request,
        lambda: last_act_undo(
            tournament_id=tournament.pk, actor=arbiter(request), now=timezone.now(), sequence=sequence
        ),
        done=_("Taken back. The record keeps both."),
        to=reverse("desk", args=[tournament.slug]),
        refused=lambda problem: _desk_page(request, tournament, problem),
    )


def _desk_page(request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    seen, absent = read_desk(frame), no_shows(frame)
    context = {
        "seen_version": round_version(tournament, seen.number) if seen.act is Act.PUBLISH_RESULTS else None,
        "frame": frame,
        "section": "desk",
        "desk": seen,
        "steps": _steps(frame, seen),
        "no_shows": absent,
        "undecided": sum(not one.withdrawn for one in absent),
        "undoable": undoable_act(frame, request.user),
        "problem": problem,
        "handling": bridge.handling(tournament),
    }
    status = problem.status if problem else 200
    return page_or_partial(request, "tournaments/desk.html", "live", context, status=status)


def _steps(frame: Frame, seen: Desk) -> list[dict[str, str]]:
    """The steps of the round at hand; before round 1 the preparations."""
    if seen.number == 1 and frame.rounds[0].state == RoundState.PLANNED:
        acts = [Act.ADD_ENTRIES, Act.ASSIGN_NUMBERS, Act.DRAW_COLOUR, Act.PAIR]
        labels = [_("Entries"), _("Numbers"), _("Initial colour"), _("Pair round 1")]
    else:
        acts = [Act.PAIR, Act.PUBLISH, Act.ENTER_RESULTS, Act.PUBLISH_RESULTS]
        labels = [
            pgettext("step", "Pair"),
            pgettext("step", "Publish"),
            pgettext("step", "Results"),
            pgettext("step", "Publish results"),
        ]
    at = acts.index(seen.act) if seen.act in acts else len(acts)
    states = ["done" if i < at else "now" if i == at else "later" for i in range(len(acts))]
    return [{"label": label, "state": state} for label, state in zip(labels, states, strict=True)]


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """The order of [C.04.2/2026 2.2] to look at, and the assignment of the numbers."""
    if request.method != "POST":
        return _numbers_page(request, tournament)
    return do(
        request,
        lambda: numbers_assign(tournament_id=tournament.pk, actor=arbiter(request), now=timezone.now()),
        done=_("The numbers are assigned."),
        to=reverse("numbers", args=[tournament.slug]),
        refused=lambda problem: _numbers_page(request, tournament, problem),
    )


def _numbers_page(request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None) -> HttpResponse:
    preview = number_preview(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "preview": preview,
        "refusal": sentence(in_own_edition(tournament, preview.refused)) if preview.refused else "",
        "problem": problem,
    }
    return render(request, "tournaments/numbers.html", context, status=problem.status if problem else 200)


@arbiter_only
@require_POST
def close_list(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Close the list of participants: the numbers are definitive [C.04.2/2026 2.5]; with ``reopen`` open it again."""
    reopens = "reopen" in request.POST
    act = list_reopen if reopens else list_close
    return do(
        request,
        lambda: act(tournament_id=tournament.pk, actor=arbiter(request), now=timezone.now()),
        done=_("The list of participants is open again: the numbers are provisional.")
        if reopens
        else _("The list of participants is closed: the numbers are definitive."),
        to=reverse("numbers", args=[tournament.slug]),
        refused=lambda problem: _numbers_page(request, tournament, problem),
    )


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def initial_colour(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the initial colour by lot, or type in what was drawn at the venue [C.04.3/2026 5.1]."""
    form = InitialColourForm()
    problem = None
    if request.method == "POST":
        drawn = _drawn(request)
        if drawn is None:
            form = InitialColourForm(request.POST)
            return _colour_page(request, tournament, form, None, status=422)
        colour, method = drawn
        try:
            initial_colour_set(
                tournament_id=tournament.pk,
                actor=arbiter(request),
                now=timezone.now(),
                colour=colour,
                method=method,
                reason=request.POST.get("reason", "")[:1000],
            )
        except ServiceError as error:
            problem = Problem.of(error)
        else:
            said = _("White") if colour == "w" else _("Black")
            messages.success(request, _("The initial colour is %(colour)s.") % {"colour": said})
            return redirect("desk", tournament.slug)
    return _colour_page(request, tournament, form, problem, status=problem.status if problem else 200)


def _drawn(request: HtmxHttpRequest) -> tuple[str, str] | None:
    """The colour and how it came about; None where the form says neither."""
    if "draw" in request.POST:
        return secrets.choice(["w", "b"]), InitialColourMethod.DRAWN
    form = InitialColourForm(request.POST)
    return (form.cleaned_data["colour"], InitialColourMethod.DRAWN_OUTSIDE) if form.is_valid() else None


def _colour_page(
    request: HtmxHttpRequest, tournament: Tournament, form: InitialColourForm, problem: Problem | None, *, status: int
) -> HttpResponse:
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "problem": problem,
        "may_draw": not tournament.initial_colour or may_decide(request.user, tournament),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "tournaments/initial_colour.html", context, status=status)
