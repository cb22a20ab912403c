"""Change the number of rounds after the start, in two steps."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Tournament
from tournaments.setup.number_of_rounds import (
    RoundsEffect,
    number_of_rounds_change,
    number_of_rounds_effect,
)
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.setup.forms import NumberOfRoundsForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def number_of_rounds(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """First POST: show the effect, save nothing.

    Second POST (``confirmed``: version and number shown): save.
    """
    form = NumberOfRoundsForm(
        request.POST or None, initial={"total_rounds": tournament.total_rounds}
    )
    effect: RoundsEffect | None = None
    problem: Problem | None = None
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data["total_rounds"]
        try:
            if request.POST.get("confirmed") == f"{tournament.version} {wanted}":
                number_of_rounds_change(
                    tournament_id=tournament.pk,
                    **who_and_when(request),
                    total_rounds=wanted,
                    reason=form.cleaned_data["reason"],
                    version=tournament.version,
                )
                done = ngettext(
                    "The tournament now has %(n)d round. The reason is in the record.",
                    "The tournament now has %(n)d rounds. The reason is in the record.",
                    wanted,
                )
                messages.success(request, done % {"n": wanted})
                return redirect("desk", tournament.slug)
            effect = number_of_rounds_effect(tournament, total_rounds=wanted)
            if request.POST.get("confirmed", str(tournament.version)).split(" ")[0] != str(
                tournament.version
            ):
                problem = Problem.from_error(Conflict("rounds.moved_meanwhile"), request)
        except ServiceError as error:
            add_service_error(form, error)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "effect": effect,
        "problem": problem,
        "decides": may_decide(request.user, tournament),
    }
    status = problem.status if problem else 422 if form.is_bound and effect is None else 200
    return render(request, "setup/number_of_rounds.html", context, status=status)
