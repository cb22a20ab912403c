"""Make the standings final, and reopen them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rounds.publish import deadline_end
from pairing.rules.final_standings import may_make_final
from pairing.rules.verdict import Refused
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import Power, may_decide
from tournaments.models import Tournament
from tournaments.people.people import people_with_links
from tournaments.reports.protests import protests_of
from tournaments.standings.final import end_facts, standings_make_final, standings_reopen
from tournaments.standings.standings import standings
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest


@page(write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def final(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what is open before the standings are final; POST makes them so, or reopens.

    While mistakes can be reported, the Chief Arbiter can end that time here, in the same step.
    """
    problem = None
    if request.method == "POST":
        try:
            done = _do(request, tournament)
        except ServiceError as error:
            problem = Problem.from_error(error, request)
            tournament.refresh_from_db()
        else:
            messages.success(request, done)
            is_final = Tournament.objects.filter(pk=tournament.pk, final_at__isnull=False).exists()
            return redirect("desk" if is_final else "final-standings", tournament.slug)
    now = timezone.now()
    frame = tournament_frame(tournament, runs=True, now=now)
    facts = end_facts(tournament)
    verdict = may_make_final(facts, now, ties_stay=True)
    decides = may_decide(request.user, tournament)
    table = standings(frame, after_round=frame.latest_results)
    context = {
        "frame": frame,
        "section": "standings",
        "problem": problem,
        "refused": sentence(in_own_edition(tournament, verdict))
        if isinstance(verdict, Refused)
        else "",
        "facts": facts,
        "ends_reports": decides
        and isinstance(verdict, Refused)
        and verdict.code == "final.reports_open",
        "equal": [line for line in table.equal if not line.lot],
        "first": table.lines[:3],
        "links": people_with_links(tournament),
        "protests": [protest for protest in protests_of(tournament) if protest.is_open],
        "decides": decides,
        "seen_version": tournament.version,
    }
    return render_with_problem(request, "standings/final.html", context)


def _do(request: HtmxHttpRequest, tournament: Tournament) -> str:
    """Do what the form asks for; return the message."""
    seen = seen_version(request.POST)
    if "reopen" in request.POST:
        standings_reopen(
            tournament_id=tournament.pk,
            **who_and_when(request),
            reason=request.POST.get("reason", ""),
            seen_version=seen,
        )
        return _("The standings are open again.")
    if "end_reports" in request.POST:
        ended = deadline_end(
            tournament_id=tournament.pk,
            **who_and_when(request),
            reason=request.POST.get("reason", ""),
            seen_version=seen,
        )
        over = _("The time to report mistakes is over.")
        if request.POST["end_reports"] != "final":
            return over
        messages.success(request, over)
        seen = ended.version
    standings_make_final(
        tournament_id=tournament.pk,
        **who_and_when(request),
        ties_stay="ties_stay" in request.POST,
        seen_version=seen,
    )
    return _("The standings are final.")
