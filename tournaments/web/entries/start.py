"""One page before round 1: pairing numbers, initial colour, end of the list."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules.draws import commitment
from pairing.rules.rounds import RoundState
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.desk.start import start_confirm
from tournaments.entries.number_preview import number_preview
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.models import Tournament
from tournaments.setup.usable_tie_breaks import ratings_needed
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.witness_form import WitnessForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the last points to confirm before round 1;
    POST does them, all or none, each as an action of its own.

    They are the numbers [C.04.2/2026 2.2], the initial colour [C.04.3/2026 5.1] and, with
    ``close``, the end of the list of participants [C.04.2/2026 2.5].
    """
    witness = WitnessForm(request.POST or None)
    if request.method != "POST":
        return _page(request, tournament, witness)
    if not witness.is_valid():
        return _page(request, tournament, witness, status=422)
    try:
        start_confirm(
            tournament_id=tournament.pk,
            **who_and_when(request),
            colour=request.POST.get("colour", ""),
            closes="close" in request.POST,
            seen_version=seen_version(request.POST),
            **witness.cleaned_data,
        )
    except ServiceError as error:
        return _page(
            request,
            Tournament.objects.get(pk=tournament.pk),
            witness,
            Problem.from_error(error, request),
        )
    messages.success(request, _("Numbers and initial colour are confirmed. Round 1 can be paired."))
    return redirect("desk", tournament.slug)


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    witness: WitnessForm,
    problem: Problem | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    preview, frame = number_preview(tournament), tournament_frame(tournament, runs=True)
    waiting = waiting_rows(tournament).count()
    context = {
        "frame": frame,
        "section": "desk",
        "preview": preview,
        "waiting_count": waiting,
        "ratings_needed": ratings_needed(tournament),
        "refusal": sentence(in_own_edition(tournament, preview.refused)) if preview.refused else "",
        "is_planned": frame.rounds[0].state == RoundState.PLANNED,
        "witness_form": witness,
        "commitment": commitment(tournament.draw_secret),
        "chosen": request.POST.get("colour", "draw"),
        "closes": "close" in request.POST if request.method == "POST" else not waiting,
        "seen_version": tournament.version,
        "problem": problem,
    }
    return render(
        request, "entries/start.html", context, status=problem.status if problem else status
    )
