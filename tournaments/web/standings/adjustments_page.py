"""The page of point adjustments: the effect, then save; withdraw while possible."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing.rounds.facts import round_facts
from pairing.rules import point_adjustments as policy
from pairing.rules.verdict import Refused
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import may_decide, require_may_decide
from tournaments.core.request_values import MOST, number_of
from tournaments.models import Entry, Tournament
from tournaments.standings.adjust_points import (
    PointsEffect,
    adjustments,
    points_adjust,
    points_effect,
    points_withdraw,
)
from tournaments.web.access import arbiter, arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error, do
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.standings.forms import PointsForm
from tournaments.web.templatetags.numbers import points as points_label


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def points(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: show the effect, save nothing.

    Second POST (``confirmed``: the effect shown): save the adjustment.
    """
    form = _form(request, tournament)
    effect: PointsEffect | None = None
    problem = None
    if request.method == "POST":
        require_may_decide(arbiter(request), tournament)
    if form.is_bound and form.is_valid():
        try:
            effect = _effect(tournament, form)
            if request.POST.get("confirmed") == _shown(effect):
                points_adjust(
                    tournament_id=tournament.pk,
                    entry_id=effect.entry.pk,
                    points=effect.points,
                    round_number=effect.round_number,
                    article=form.cleaned_data["article"],
                    reason=form.cleaned_data["reason"],
                    seen=effect.seen,
                    **who_and_when(request),
                )
                messages.success(
                    request,
                    _("The point adjustment is saved. Its reason is shown with the standings."),
                )
                return redirect("points", tournament.slug)
            if _is_outdated(request.POST.get("confirmed", ""), effect):
                problem = Problem.from_error(Conflict("points.moved_meanwhile"), request)
        except ServiceError as error:
            add_service_error(form, error)
            effect = None
    return _page(request, tournament, form=form, effect=effect, problem=problem)


@arbiter_only
@require_POST
def withdraw(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Withdraw a point adjustment of the newest round."""
    entry = get_object_or_404(Entry, pk=number_of(request.POST, "player"), tournament=tournament)
    return do(
        request,
        partial(
            points_withdraw,
            tournament_id=tournament.pk,
            entry_id=entry.pk,
            points=number_of(request.POST, "points", least=-MOST),
            round_number=number_of(request.POST, "round"),
            reason=request.POST.get("reason", ""),
            decision=number_of(request.POST, "decision"),
            **who_and_when(request),
        ),
        done=_("The point adjustment is withdrawn."),
        to=reverse("points", args=[tournament.slug]),
        refused=lambda problem: _page(
            request, tournament, form=_form(request, tournament), problem=problem
        ),
    )


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    *,
    form: PointsForm,
    effect: PointsEffect | None = None,
    problem: Problem | None = None,
) -> HttpResponse:
    rounds = round_facts(tournament)
    newest = policy.counts_from(rounds)
    verdict = policy.may_adjust(
        rounds, newest or 0, system=point_system(tournament), lots_drawn=bool(tournament.lots_seed)
    )
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "effect": effect,
        "confirmed": _shown(effect) if effect else "",
        "problem": problem,
        "newest": newest,
        "refused": sentence(verdict) if isinstance(verdict, Refused) else "",
        "decides": may_decide(request.user, tournament),
        "adjustments": adjustments(tournament, after_round=tournament.total_rounds),
    }
    status = problem.status if problem else 422 if form.is_bound and effect is None else 200
    return render(request, "standings/points.html", context, status=status)


def _form(request: HtmxHttpRequest, tournament: Tournament) -> PointsForm:
    """Return the submitted form; else an empty one, for the player in the address."""
    entries = Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")
    withdraws = "points" in request.POST
    return PointsForm(
        request.POST if request.method == "POST" and not withdraws else None,
        initial={"player": request.GET.get("player")},
        players=[
            (pk, f"{tpn} {name}") for pk, tpn, name in entries.values_list("pk", "tpn", "name")
        ],
        amounts=[
            (amount, points_label(amount)) for amount in policy.amounts(point_system(tournament))
        ],
    )


def _effect(tournament: Tournament, form: PointsForm) -> PointsEffect:
    return points_effect(
        tournament,
        entry_id=form.cleaned_data["player"],
        points=form.points,
        round_number=policy.counts_from(round_facts(tournament)) or 0,
    )


def _is_outdated(confirmed: str, effect: PointsEffect) -> bool:
    """Return whether the *confirmed* effect is another one because the event has moved on,
    not because of new input.
    """
    shown, now = confirmed.split(" "), _shown(effect).split(" ")
    return confirmed != "" and (shown[0], shown[-1]) != (now[0], now[-1])


def _shown(effect: PointsEffect) -> str:
    """Return the effect on the page as text, so that the button confirms exactly this effect."""
    return f"{effect.seen} {effect.entry.pk} {effect.points} {effect.round_number}"
