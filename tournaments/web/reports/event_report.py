"""The arbiter's report, to read, print and submit."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.core.errors import RuleRefused
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.permissions import may
from tournaments.models import Tournament
from tournaments.reports.arbiters_norms import arbiters_by_role
from tournaments.reports.event_figures import event_figures
from tournaments.reports.event_report import event_report
from tournaments.reports.lists import LISTS
from tournaments.reports.publications import left_fide_mode_by
from tournaments.reports.rating_report import rating_report
from tournaments.reports.trf_export import trf_for_programs
from tournaments.web.access import arbiter_only
from tournaments.web.action_form import Problem, render_with_problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.chromium import browser, png_of
from tournaments.web.reports.charts import charts
from tournaments.web.standings.player import SVG, as_download


@arbiter_only
@require_safe
def report(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show players, games, charts, schedule, decisions, forfeits and corrections."""
    return _report_page(request, tournament)


@arbiter_only
@require_safe
def report_chart(
    request: HtmxHttpRequest, tournament: Tournament, chart: str, extension: str
) -> HttpResponse:
    """Return *chart* as an SVG or PNG file to download.

    The PNG file is made by the browser of this computer; without it, or if it fails, the report
    says so.
    """
    frame = tournament_frame(tournament, runs=True)
    found = next((each for each in charts(event_figures(frame)) if each.name == chart), None)
    if found is None:
        raise Http404
    context = {"chart": found, "frame": frame, "alone": True}
    svg = render_to_string("reports/_chart_picture.html", context)
    filename = f"{tournament.slug}-{chart}.{extension}"
    if extension == "svg":
        return as_download(HttpResponse(svg, content_type=SVG), filename)
    made = png_of(svg, found.width, found.height)
    if made is None:
        return _report_page(request, tournament, _no_picture())
    return as_download(HttpResponse(made, content_type="image/png"), filename)


def _no_picture() -> Problem:
    return Problem(
        _("The browser of the server did not make the file."),
        _("Download the SVG file, or try again."),
        503,
    )


def report_context(frame: Frame) -> dict[str, Any]:
    """Return what the templates of the report need, on the page and on paper.

    Eleven queries, and those of the left FIDE mode.
    """
    figures = event_figures(frame)
    return {
        "report": event_report(frame),
        "figures": figures,
        "charts": charts(figures),
        "arbiters": arbiters_by_role(frame.tournament),
        "left_fide_mode_by": left_fide_mode_by(frame),
    }


def _report_page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "section": "desk",
        "zone": timezone.get_current_timezone_name(),
        "at": timezone.now(),
        "problem": problem,
        "has_browser": browser() is not None,
        "lists": [
            each
            for each in LISTS.values()
            if each.power is None or may(request.user, tournament, each.power)
        ],
        **report_context(frame),
    }
    return render_with_problem(request, "reports/event_report.html", context)


@arbiter_only
@require_safe
def rating(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the rating officer's TRF file, with late corrections, or why there is none."""
    try:
        text = rating_report(tournament)
    except RuleRefused as error:
        return _report_page(request, tournament, Problem.from_error(error))
    return _file(text, f"{tournament.slug}-rating.trf")


@arbiter_only
@require_safe
def for_programs(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the TRF for programs that know the Dutch System of 2026 only by its plain name."""
    return _file(trf_for_programs(tournament), f"{tournament.slug}-programs.trf")


def _file(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
