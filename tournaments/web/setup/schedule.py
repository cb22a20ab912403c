"""When each round begins and when its results are announced."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.frame import tournament_frame
from tournaments.models import Round, Tournament
from tournaments.setup.tournaments import round_schedule
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.setup.forms import ScheduleForm


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """The times of all rounds on one page; only the rounds that changed are written."""
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    forms = [
        ScheduleForm(
            request.POST or None,
            prefix=f"round-{row.number}",
            initial={"starts_at": row.starts_at, "results_due_at": row.results_due_at},
        )
        for row in rounds
    ]
    if request.method == "POST" and all(form.is_valid() for form in forms):
        for row, form in zip(rounds, forms, strict=True):
            if form.has_changed():
                round_schedule(round_id=row.pk, actor=arbiter(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("The schedule is saved."))
        return redirect("desk", tournament.slug)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "forms": [(row.number, form) for row, form in zip(rounds, forms, strict=True)],
        "zone": timezone.get_current_timezone_name(),
    }
    return render(request, "setup/schedule.html", context, status=422 if request.method == "POST" else 200)
