"""The re-check of the whole event, asked for by a button: a GET, because it changes nothing."""

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
    """What the re-check does and its button; with ``?run=1`` what it found."""
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "answer": event_recheck(tournament) if request.GET.get("run") else None,
        "at": timezone.now(),
    }
    response = render(request, "reports/recheck.html", context)
    response.headers["Cache-Control"] = "private, no-store"
    return response
