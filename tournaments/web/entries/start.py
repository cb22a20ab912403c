"""One page on the way to round 1: pairing numbers, initial colour, and the end of the list of participants."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules.draws import commitment
from pairing.rules.rounds import RoundState
from tournaments.core.actions import in_own_edition, require_seen
from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.entries.entries import numbers_assign
from tournaments.entries.number_preview import number_preview
from tournaments.models import ListState, Tournament
from tournaments.setup.initial_colour import initial_colour_draw, initial_colour_set
from tournaments.setup.tournaments import list_close
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.witness_form import WitnessForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what is left to confirm before round 1; POST does it, all or nothing, each as an action of its own.

    These are the numbers [C.04.2/2026 2.2], the initial colour [C.04.3/2026 5.1] and, with ``close``, the end of the
    list of participants [C.04.2/2026 2.5].
    """
    witness = WitnessForm(request.POST or None)
    if request.method != "POST":
        return _page(request, tournament, witness)
    if not witness.is_valid():
        return _page(request, tournament, witness, status=422)
    try:
        with transaction.atomic():
            _confirm(request, tournament, witness)
    except ServiceError as error:
        return _page(request, Tournament.objects.get(pk=tournament.pk), witness, Problem.of(error, request))
    messages.success(request, _("Numbers and initial colour are confirmed. Round 1 can be paired."))
    return redirect("desk", tournament.slug)


def _confirm(request: HtmxHttpRequest, tournament: Tournament, witness: WitnessForm) -> None:
    """Do the actions that are left, in the order of the rules. Nothing is done if the page is out of date."""
    given: dict[str, Any] = {"tournament_id": tournament.pk, "actor": arbiter(request), "now": timezone.now()}
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    require_seen(seen_version(request.POST), locked.version, "numbers.moved_meanwhile")
    numbers_assign(**given)
    if not locked.initial_colour:
        match request.POST.get("colour", ""):
            case "draw":
                initial_colour_draw(**given, **witness.cleaned_data)
            case "w" | "b" as drawn:
                initial_colour_set(**given, colour=drawn, witness=witness.cleaned_data["witness"])
            case other:
                raise BadInput("colour.unknown", field="colour", value=other)
    if "close" in request.POST and locked.list_state != ListState.DEFINITIVE:
        list_close(**given)


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    witness: WitnessForm,
    problem: Problem | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    preview, frame = number_preview(tournament), tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "section": "desk",
        "preview": preview,
        "refusal": sentence(in_own_edition(tournament, preview.refused)) if preview.refused else "",
        "is_planned": frame.rounds[0].state == RoundState.PLANNED,
        "witness_form": witness,
        "commitment": commitment(tournament.draw_secret),
        "chosen": request.POST.get("colour", "draw"),
        "closes": request.method != "POST" or "close" in request.POST,
        "seen_version": tournament.version,
        "problem": problem,
    }
    return render(request, "entries/start.html", context, status=problem.status if problem else status)
