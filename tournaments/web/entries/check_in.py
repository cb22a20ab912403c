"""The check-in before a round [C.04.2/2026 4.1]."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from pairing.rounds.attendance import attendance, check_in_of
from pairing.rules.check_in import Consequence
from tournaments.core import permissions
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.request_values import numbers_of
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.models import Tournament
from tournaments.web.access import arbiter, arbiter_only, page
from tournaments.web.action_form import Problem, do, seen_version
from tournaments.web.htmx import HtmxHttpRequest


@page(read=(Power.READ, Power.CHECK_IN))
@require_safe
def check_in(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the missing players, and the decisions about them."""
    return _page(request, tournament)


@arbiter_only
@require_POST
def turn(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Open the check-in (``open=yes``), or close it."""
    opens = request.POST.get("open") == "yes"
    change = check_in_open if opens else check_in_close
    return do(
        request,
        lambda: change(
            tournament_id=tournament.pk,
            actor=arbiter(request),
            now=timezone.now(),
            seen_version=seen_version(request.POST),
        ),
        done=_("The check-in is open.") if opens else _("The check-in is closed."),
        to=reverse("check-in", args=[tournament.slug]),
        refused=lambda problem: _page(request, tournament, problem),
    )


@arbiter_only
@require_POST
def settle(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Exclude all missing players, or give them a bye; if they are many the page asks for confirmation."""
    missing = numbers_of(request.POST, "missing")
    asked = False

    def settle_them() -> None:
        nonlocal asked
        try:
            check_in_settle(
                tournament_id=tournament.pk,
                actor=arbiter(request),
                now=timezone.now(),
                consequence=request.POST.get("consequence", ""),
                seen=missing,
                confirmed=request.POST.get("confirmed") == "yes",
                reason=request.POST.get("reason", ""),
            )
        except RuleRefused as refused:
            asked = refused.code == "check_in.ask_again"
            raise

    return do(
        request,
        settle_them,
        done=_("The missing players will be paired.")
        if request.POST.get("consequence") == Consequence.PAIRED.value
        else _("The missing players will not be paired."),
        to=reverse("check-in", args=[tournament.slug]),
        refused=lambda problem: _page(request, tournament, problem, asked=asked),
    )


def _page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None, *, asked: bool = False
) -> HttpResponse:
    """Show the page. With *asked* it repeats the submitted values, and the problem asks for confirmation."""
    if problem is not None:
        tournament.refresh_from_db()
    seen = attendance(tournament)
    state = check_in_of(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "seen": seen,
        "is_open": state.is_open and state.round_number == seen.round_number,
        "is_closed": state.is_closed and state.round_number == seen.round_number,
        "consequences": _consequences(),
        "reserved": _reserved(seen.round_number) if not permissions.may_decide(arbiter(request), tournament) else (),
        "chosen": request.POST.get("consequence", Consequence.EXCLUDED.value),
        "reason": request.POST.get("reason", ""),
        "asked": asked,
        "problem": None if asked else problem,
        "question": problem.sentence if asked and problem else "",
    }
    return render(request, "entries/check_in.html", context, status=problem.status if problem else 200)


def _reserved(round_number: int | None) -> tuple[str, ...]:
    """Return the decisions that only the Chief Arbiter can take."""
    return tuple(
        each.value
        for each in Consequence
        if each is Consequence.PAIRED or (round_number == 1 and each is not Consequence.EXCLUDED)
    )


def _consequences() -> list[tuple[str, str]]:
    return [
        (
            Consequence.EXCLUDED.value,
            _("Exclude them: they are no longer paired, unless they are brought back one by one"),
        ),
        (Consequence.ZERO_POINT.value, _("Leave them out of this round, without points")),
        (Consequence.HALF_POINT.value, _("Leave them out of this round, with a half-point bye")),
        (Consequence.PAIRED.value, _("Pair them although they have not checked in: decision of the Chief Arbiter")),
    ]
