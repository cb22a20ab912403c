"""The page that draws the initial colour."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import InitialColourMethod, Tournament
from tournaments.setup.tournaments import initial_colour_set
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.setup.forms import InitialColourForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def initial_colour(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the initial colour by lot, or enter the colour drawn at the venue [C.04.3/2026 5.1]."""
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
    """Return the colour and the method of the draw; None if the form has neither."""
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
    return render(request, "setup/initial_colour.html", context, status=status)
