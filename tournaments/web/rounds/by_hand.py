"""Pair a round from scratch by hand because it has no legal pairing [C.04.3/2026 1.9.3]."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.engine.model import TPN
from pairing.rounds.arrange import named, pairings_of
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.change_page import caution_lines
from pairing.rounds.pair import RoundPlan, no_legal_pairing, round_plan
from pairing.rules.manual import may_pair_by_hand
from pairing.rules.published import Arrangement
from pairing.rules.verdict import Refused
from tournaments.core.actions import citing, in_own_edition
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import may_decide
from tournaments.models import ByeKind, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only, who_and_when
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.change_form import Row, seat_typed


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def by_hand(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show players and empty boards; POST shows broken rules, ``save`` makes the draft."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": number,
        "decides": may_decide(request.user, tournament),
    }
    try:
        with citing(tournament):
            plan = round_plan(row.pk, arbiter(request))
            article = no_legal_pairing(plan)
            if not article:
                raise RuleRefused(Refused("manual.legal_pairing_exists", "C.04.2 1.5"))
    except RuleRefused as error:
        problem = Problem.from_error(error)
        status = problem.status if request.method == "POST" else 200
        return render(
            request, "rounds/by_hand.html", {**context, "problem": problem}, status=status
        )
    context |= {
        "no_legal_pairing": article,
        "pool": [plan.entries[tpn] for tpn in sorted(plan.present)],
        "rows": _rows(request, plan),
        "bye": seat_typed(request, "bye", _pks(plan)),
        "reason": request.POST.get("reason", ""),
    }
    if request.method != "POST":
        return render(request, "rounds/by_hand.html", context)
    return _answer(request, row, plan, context)


def _answer(
    request: HtmxHttpRequest, row: Round, plan: RoundPlan, context: dict[str, Any]
) -> HttpResponse:
    """Show the broken rules and whether the boards are possible, or save them as a draft."""
    after = _arranged(plan, context["rows"], context["bye"])
    if "save" in request.POST:
        try:
            round_pair_by_hand(
                round_id=row.pk,
                pairings=pairings_of(after, plan.entries),
                reason=context["reason"],
                **who_and_when(request),
                seen_version=seen_version(request.POST, "version"),
            )
        except ServiceError as error:
            context["problem"] = Problem.from_error(error, request)
        else:
            messages.success(
                request, _("The pairing is now a draft. Review it, then publish the pairings.")
            )
            return redirect("round", row.tournament.slug, row.number)
    context["outlook"] = _outlook(row.tournament, plan, after, context["no_legal_pairing"])
    problem: Problem | None = context.get("problem")
    return render(
        request, "rounds/by_hand.html", context, status=problem.status if problem else 200
    )


def _pks(plan: RoundPlan) -> dict[int, TPN]:
    return {plan.entries[tpn].pk: tpn for tpn in plan.present}


def _rows(request: HtmxHttpRequest, plan: RoundPlan) -> list[Row]:
    """Return the boards of the round with the players in the form."""
    there = _pks(plan)
    return [
        Row(n, seat_typed(request, f"w-{n}", there), seat_typed(request, f"b-{n}", there))
        for n in range(1, len(plan.present) // 2 + 1)
    ]


def _arranged(plan: RoundPlan, rows: list[Row], bye: int | None) -> Arrangement:
    """Return the round in the form.

    A board needs two players; a player without board or bye has no game.
    """
    tpn_of = _pks(plan)
    boards = {
        row.board: (tpn_of[row.white], tpn_of[row.black])
        for row in rows
        if row.white is not None and row.black is not None
    }
    placed = {tpn for pair in boards.values() for tpn in pair}
    byes = dict.fromkeys(sorted(plan.present - placed), ByeKind.ZERO_POINT.value)
    if bye is not None:
        byes[tpn_of[bye]] = ByeKind.PAIRING_ALLOCATED.value
    return Arrangement(boards, byes)


def _outlook(
    tournament: Tournament, plan: RoundPlan, after: Arrangement, article: str
) -> dict[str, Any]:
    """Return the data that the page shows before it saves."""
    verdict = may_pair_by_hand(plan.present, after, no_legal_pairing=article)
    refusal = ""
    if isinstance(verdict, Refused):
        refusal = sentence(
            in_own_edition(tournament, named(verdict, lambda tpn: plan.entries[TPN(tpn)].real_name))
        )
    return {
        "no_legal_pairing": article,
        "refusal": refusal,
        "cautions": caution_lines(plan.state, plan.entries, Arrangement({}), after)
        if not refusal
        else (),
        "differs": None,
        "without_game": [
            plan.entries[tpn] for tpn, letter in after.byes.items() if letter == ByeKind.ZERO_POINT
        ],
    }
