"""Re-check the whole event: at once, or a large event as a job, whose progress the page shows."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_run
from tournaments.core.request_values import number_of
from tournaments.models import Tournament
from tournaments.reports.long_recheck import is_long, recheck_begin, recheck_cancel, run_page
from tournaments.reports.recheck import event_recheck
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def recheck(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Explain the re-check and show its button; with ``?run=1``, show its findings.

    The button of a large event asks for a job (POST), or cancels it; htmx gets its progress and its
    findings alone.
    """
    if request.method == "POST":
        return _act(request, tournament)
    long = is_long(tournament)
    page = run_page(tournament) if long else None
    answer = (
        page.answer
        if page
        else event_recheck(tournament)
        if not long and "run" in request.GET
        else None
    )
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "is_long": long,
        "page": page,
        "answer": answer,
        "at": page.run.made_at if page and page.run else timezone.now(),
        "may_run": may_run(request.user, tournament),
    }
    return page_or_partial(request, "reports/recheck.html", "recheck", context)


def _act(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    url = reverse("recheck", args=[tournament.slug])
    try:
        if "cancel" in request.POST:
            recheck_cancel(
                job_id=number_of(request.POST, "cancel"),
                tournament=tournament,
                actor=arbiter(request),
            )
            messages.success(request, _("The re-check was cancelled. Nothing was changed."))
        elif is_long(tournament):
            recheck_begin(
                tournament=tournament, actor=arbiter(request), language=get_language() or ""
            )
            messages.success(request, _("The re-check is running. You can leave this page."))
        else:
            return redirect(f"{url}?run=1")
    except ServiceError as error:
        messages.warning(request, str(error))
    return redirect(url)
