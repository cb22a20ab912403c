"""Re-check the whole event. It is a GET with a button, because it changes nothing."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest


@arbiter_only
@require_safe
def recheck(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Explain the re-check and show its button; with ``?run=1``, show its findings."""
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "answer": event_recheck(tournament) if request.GET.get("run") else None,
        "at": timezone.now(),
    }
    response = render(request, "reports/recheck.html", context)
    response.headers["Cache-Control"] = "private, no-store"
    return response
