"""The reports to the rating officer: the next one, and the list of those that were sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing.rules.sent_games import ReportedGame
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Entry, Tournament
from tournaments.reports.report_restore import reports_restore
from tournaments.reports.sent_reports import ledger, next_report, report_mark_sent, report_withdraw
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, render_with_problem
from tournaments.web.form_fields import validate_year
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.results import result_short


class UntilForm(forms.Form):
    """The last day of the games in the report."""

    until = forms.DateField(
        label=gettext_lazy("Games played until"),
        required=False,
        validators=[validate_year],
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        help_text=gettext_lazy(
            "The last day of the rating period. Empty: all games that are over."
        ),
    )


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def reports(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the next report and those that were sent; a POST confirms that the next one was sent."""
    if request.method != "POST":
        return _page(request, tournament)
    form = UntilForm(request.POST)
    until = form.cleaned_data["until"] if form.is_valid() else None
    return _do(
        request,
        tournament,
        lambda: report_mark_sent(
            tournament_id=tournament.pk,
            sha256=request.POST.get("sha256", ""),
            until=until,
            **who_and_when(request),
        ),
        _("The report is in the list of reports sent."),
    )


@arbiter_only
@require_safe
def next_file(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the file of the next report."""
    report = next_report(tournament, _until(request))
    response = HttpResponse(report.text.encode(), content_type="text/plain; charset=utf-8")
    name = f"{tournament.slug}-rating-{report.number}.trf"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@arbiter_only
@require_POST
def withdraw(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Record that the newest report was not sent after all."""
    return _do(
        request,
        tournament,
        lambda: report_withdraw(
            tournament_id=tournament.pk,
            number=number,
            reason=request.POST.get("reason", "")[:1000],
            **who_and_when(request),
        ),
        _("Report %(n)d is no longer in the list. Its games are in the next report.")
        % {"n": number},
    )


@arbiter_only
@require_POST
def restore(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Take over the reports of a record file that this record does not know."""
    upload = request.FILES.get("file")
    return _do(
        request,
        tournament,
        lambda: reports_restore(
            tournament_id=tournament.pk,
            file=upload.read() if upload else b"",
            **who_and_when(request),
        ),
        _("The reports of the file are in the list of reports sent."),
    )


def _do(
    request: HtmxHttpRequest, tournament: Tournament, action: Callable[[], object], done: str
) -> HttpResponse:
    try:
        action()
    except Conflict as error:
        return _page(request, tournament, Problem.from_error(error, request))
    except ServiceError as error:
        return _page(request, tournament, Problem.from_error(error))
    messages.success(request, done)
    return redirect("rating-reports", tournament.slug)


def _until(request: HtmxHttpRequest) -> date | None:
    """Return the day in the address, or in the form; None if there is none that can be read."""
    form = UntilForm(request.POST or request.GET)
    day: date | None = form.cleaned_data["until"] if form.is_valid() else None
    return day


def _page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    until = _until(request)
    names = {entry.pk: entry.real_name for entry in Entry.objects.filter(tournament=tournament)}
    report = next_report(tournament, until)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": UntilForm({"until": until} if until else request.GET or None),
        "until": until,
        "next": report,
        "corrected": [
            (
                one.after,
                one.report,
                names[one.after.white],
                names[one.after.black],
                _described(one.before),
                _described(one.after),
            )
            for one in report.selection.corrected
        ],
        "sent": ledger(tournament).reports,
        "decides": may_decide(request.user, tournament),
        "problem": problem,
    }
    return render_with_problem(request, "reports/sent_reports.html", context)


def _described(game: ReportedGame) -> str:
    return ", ".join(map(result_short, game.results))
