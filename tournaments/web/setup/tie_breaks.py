"""Change the list of tie-breaks after the start, in two steps."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules.rounds import RoundState
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Tournament
from tournaments.setup.tie_breaks import TieBreaksEffect, tie_breaks_change, tie_breaks_effect
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error
from tournaments.web.htmx import HtmxHttpRequest, wants_part
from tournaments.web.setup.forms import TieBreakForm
from tournaments.web.setup.tie_break_steps import is_step, picker_part, typed


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def tie_breaks(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: show the effect, save nothing.

    Second POST (``confirmed``: version and list shown): save the list.
    """
    frame = tournament_frame(tournament, runs=True)
    if request.method != "POST" and frame.rounds[0].state == RoundState.PLANNED:
        messages.info(
            request, _("Round 1 is not paired yet: change the tie-breaks in the settings.")
        )
        return redirect("settings-tie-breaks", tournament.slug)
    form = TieBreakForm(request.POST or None, instance=tournament)
    effect: TieBreaksEffect | None = None
    problem: Problem | None = None
    if is_step(request.POST):
        form = TieBreakForm(instance=tournament, initial=typed(request.POST))
        if wants_part(request):
            return picker_part(request, form)
    elif request.method == "POST" and form.is_valid():
        given = {
            "tie_breaks": form.cleaned_data["tie_breaks"],
            "edition": form.cleaned_data["tie_break_edition"],
        }
        try:
            effect = tie_breaks_effect(tournament, after_round=frame.latest_results, **given)
            if request.POST.get("confirmed") == f"{tournament.version} {effect.after}":
                tie_breaks_change(
                    tournament_id=tournament.pk,
                    **who_and_when(request),
                    reason=form.cleaned_data["reason"],
                    version=tournament.version,
                    **given,
                )
                messages.success(request, _("The tie-breaks are changed."))
                return redirect("desk", tournament.slug)
            if request.POST.get("confirmed", str(tournament.version)).split(" ")[0] != str(
                tournament.version
            ):
                problem = Problem.from_error(Conflict("tie_break.moved_meanwhile"), request)
        except ServiceError as error:
            add_service_error(form, error)
            effect = None
    context = {
        "frame": frame,
        "section": "desk",
        "form": form,
        "effect": effect,
        "problem": problem,
    }
    context["decides"] = may_decide(request.user, tournament)
    status = problem.status if problem else 422 if form.is_bound and effect is None else 200
    return render(request, "setup/tie_breaks.html", context, status=status)
