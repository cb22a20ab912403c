"""The arbiter's report, to read, print and submit."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.reports.event_report import event_report
from tournaments.reports.publications import left_fide_mode_by
from tournaments.reports.rating_report import rating_report
from tournaments.reports.trf_export import trf_for_programs
from tournaments.web.access import arbiter_only
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest


@arbiter_only
@require_safe
def report(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show system, schedule, decisions by article, withdrawals, forfeits, corrections."""
    return _report_page(request, tournament)


def _report_page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "section": "desk",
        "report": event_report(frame),
        "zone": timezone.get_current_timezone_name(),
        "at": timezone.now(),
        "problem": problem,
        "left_fide_mode_by": left_fide_mode_by(frame),
    }
    return render(
        request, "reports/event_report.html", context, status=problem.status if problem else 200
    )


@arbiter_only
@require_safe
def rating(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the TRF file for the rating officer, with the late corrections,
    or the reason why there is none.
    """
    try:
        text = rating_report(tournament)
    except RuleRefused as error:
        return _report_page(request, tournament, Problem.from_error(error))
    return _file(text, f"{tournament.slug}-rating.trf")


@arbiter_only
@require_safe
def for_programs(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the TRF file for pairing programs that know the Dutch
    System of 2026 only by its plain name.
    """
    return _file(trf_for_programs(tournament), f"{tournament.slug}-programs.trf")


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
