"""Draw lots between players who are equal in everything at the end."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rounds.facts import round_facts
from pairing.rules.draws import commitment
from pairing.rules.regulations import may_draw_lots
from pairing.rules.verdict import Refused
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.standings.lots import equals_rank, lots_draw, minutes_left
from tournaments.standings.standings import standings
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.witness_form import WitnessForm


def _order(data: QueryDict) -> list[int]:
    """Return the entries with a place in the form, ``place-RANK-ENTRY``, in order;
    [] if a group has a place twice.
    """
    places: dict[tuple[int, int], int] = {}
    for name, text in data.items():
        if not name.startswith("place-") or not str(text).strip():
            continue
        fields = [
            whole_number(part)
            for part in (*name.removeprefix("place-").split("-"), str(text).strip())
        ]
        if len(fields) != 3 or None in fields:
            return []
        rank, entry, place = (field or 0 for field in fields)
        if (rank, place) in places:
            return []
        places[rank, place] = entry
    return [places[key] for key in sorted(places)]


@page(write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def lots(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show players equal in everything; POST draws lots, or ranks by decision (``rank``)."""
    form = WitnessForm(request.POST if request.method == "POST" else None)
    problem = None
    if request.method == "POST" and "rank" in request.POST:
        form = WitnessForm()
        try:
            equals_rank(
                tournament_id=tournament.pk,
                **who_and_when(request),
                order=_order(request.POST),
                reason=request.POST.get("reason", ""),
                seen_version=seen_version(request.POST),
            )
        except ServiceError as error:
            problem = Problem.from_error(error, request)
            tournament.refresh_from_db()
        else:
            messages.success(request, _("The order of the tied players is saved."))
            return redirect("standings", tournament.slug)
    elif request.method == "POST" and form.is_valid():
        try:
            lots_draw(
                tournament_id=tournament.pk,
                **who_and_when(request),
                seen_version=seen_version(request.POST),
                **form.cleaned_data,
            )
        except ServiceError as error:
            problem = Problem.from_error(error, request)
            tournament.refresh_from_db()
        else:
            messages.success(request, _("Lots are drawn."))
            return redirect("standings", tournament.slug)
    frame = tournament_frame(tournament, runs=True)
    table = standings(frame, after_round=frame.latest_results)
    tied = len(table.equal)
    drawn, left = bool(tournament.lots_seed), minutes_left(tournament, timezone.now())
    verdict = may_draw_lots(round_facts(tournament), drawn=drawn, tied=tied, minutes_left=left)
    context = {
        "frame": frame,
        "section": "desk",
        "form": form,
        "problem": problem,
        "page": table,
        "commitment": commitment(tournament.draw_secret),
        "decides": may_decide(request.user, tournament),
        "seen_version": tournament.version,
        "refused": sentence(in_own_edition(tournament, verdict))
        if isinstance(verdict, Refused)
        else "",
    }
    status = problem.status if problem else 422 if form.is_bound and not form.is_valid() else 200
    return render(request, "standings/lots.html", context, status=status)
