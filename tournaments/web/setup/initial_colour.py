"""The page that draws the initial colour."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules.draws import commitment
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Tournament
from tournaments.setup.initial_colour import (
    drawn_by_program,
    initial_colour_draw,
    initial_colour_set,
)
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.setup.forms import InitialColourForm
from tournaments.web.witness_form import WitnessForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def initial_colour(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the initial colour by lot, or enter the colour drawn at the venue [C.04.3/2026 5.1]."""
    by_program = "draw" in request.POST
    form = InitialColourForm(request.POST if request.method == "POST" and not by_program else None)
    witness = WitnessForm(request.POST if by_program else None)
    problem = None
    if request.method == "POST":
        used = witness if by_program else form
        if not used.is_valid():
            return _colour_page(request, tournament, form, witness, None, status=422)
        given: dict[str, Any] = {
            "tournament_id": tournament.pk,
            **who_and_when(request),
            "reason": request.POST.get("reason", "")[:1000],
            "seen_version": seen_version(request.POST),
        }
        try:
            drawn = (initial_colour_draw if by_program else initial_colour_set)(
                **given, **used.cleaned_data
            )
        except ServiceError as error:
            problem = Problem.from_error(error)
            tournament.refresh_from_db()
        else:
            message = _("White") if drawn.initial_colour == "w" else _("Black")
            messages.success(request, _("The initial colour is %(colour)s.") % {"colour": message})
            return redirect("desk", tournament.slug)
    return _colour_page(
        request, tournament, form, witness, problem, status=problem.status if problem else 200
    )


def _colour_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: InitialColourForm,
    witness: WitnessForm,
    problem: Problem | None,
    *,
    status: int,
) -> HttpResponse:
    context: dict[str, Any] = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "witness_form": witness,
        "problem": problem,
        "may_draw": not tournament.initial_colour or may_decide(request.user, tournament),
        "drawn_by_program": drawn_by_program(tournament),
        "commitment": commitment(tournament.draw_secret),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "setup/initial_colour.html", context, status=status)
