"""Announce certain boards of the next round, and withdraw the announcement."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from pairing.rounds.announce import announcement_withdraw, boards_announce
from tournaments.core.request_values import MOST, BadValue, whole_number
from tournaments.models import Tournament
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, do
from tournaments.web.htmx import HtmxHttpRequest


@arbiter_only
@require_POST
def announce(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Announce the boards of the form, each as ``White-Black`` by entry id."""
    boards = [_pair(text) for text in request.POST.getlist("board")]
    return do(
        request,
        lambda: boards_announce(
            tournament_id=tournament.pk, number=number, boards=boards, **who_and_when(request)
        ),
        done=_("The certain boards of round %(n)d are announced.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _refused(request, problem),
    )


@arbiter_only
@require_POST
def withdraw(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Withdraw the announced boards of the form (``White-Black`` ids), with a reason."""
    seen = [_pair(text) for text in request.POST.getlist("board")]
    return do(
        request,
        lambda: announcement_withdraw(
            tournament_id=tournament.pk,
            number=number,
            reason=request.POST.get("reason", ""),
            **who_and_when(request),
            seen=seen,
        ),
        done=_("The announced boards of round %(n)d are withdrawn.") % {"n": number},
        to=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _refused(request, problem),
    )


def _pair(text: str) -> tuple[int, int]:
    white, _dash, black = text.partition("-")
    pair = whole_number(white), whole_number(black)
    if pair[0] is None or pair[1] is None:
        raise BadValue("request.number", field="board", name="board", least=0, most=MOST)
    return pair[0], pair[1]


def _refused(request: HtmxHttpRequest, problem: Problem) -> HttpResponse:
    return render(request, "shared/bad_value.html", {"problem": problem}, status=problem.status)
