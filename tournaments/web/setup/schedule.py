"""The start of each round and the publication of its results."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules.rounds import RoundState
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Action, Round, Tournament
from tournaments.setup.schedule import schedule_change
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.changes_since import changes_since
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.newest_data import on_newest_data
from tournaments.web.setup.forms import ScheduleForm
from tournaments.web.setup.new_form import SchedulePatternForm
from tournaments.web.shown_values import shown, up_to_date


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def schedule(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the times of all rounds on one page; save only the rounds that changed."""
    if request.method != "POST":
        return _page(
            request, tournament, _forms(tournament, decides=may_decide(request.user, tournament))
        )
    if "fill" in request.POST:
        return _filled(request, tournament)
    return on_newest_data(request, tournament, lambda now: _save(request, now))


def _save(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Save the times of the rounds that changed, unless somebody else changed the same ones."""
    decides = may_decide(request.user, tournament)
    data, conflict = up_to_date(request.POST, list(_forms(tournament, decides=decides).values()))
    forms = _forms(tournament, data, decides=decides)
    problem = None
    if not conflict and all(form.is_valid() for form in forms.values()):
        try:
            schedule_change(
                tournament_id=tournament.pk,
                **who_and_when(request),
                times={
                    row.pk: form.cleaned_data for row, form in forms.items() if form.has_changed()
                },
                compared=tournament.version,
                reason=request.POST.get("reason", "")[:1000],
            )
        except (BadInput, RuleRefused) as error:
            problem = replace(
                Problem.from_error(error), status=409 if isinstance(error, RuleRefused) else 422
            )
        else:
            messages.success(request, _("The schedule is saved."))
            return redirect("desk", tournament.slug)
    if conflict:
        more = changes_since(request, (Action.ROUND_SCHEDULED,))
        problem = Problem(_("Somebody else changed this in the meantime."), conflict, 409, more)
    return _page(request, tournament, forms, problem, status=409 if conflict else 422)


def _filled(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the page with the times of a pattern in its fields; nothing is saved yet."""
    pattern = SchedulePatternForm(request.POST)
    starts: list[datetime] = []
    if pattern.is_valid():
        try:
            starts = pattern.starts_from(pattern.cleaned_data["first_day"], tournament.total_rounds)
        except BadInput as error:
            pattern.add_error(error.field, str(error))
        else:
            if not starts:
                pattern.add_error("first_times", _("Enter the first day and at least one time."))
    data = request.POST.copy()
    for number, at in enumerate(starts, 1):
        data[f"round-{number}-starts_at"] = timezone.localtime(at).strftime("%Y-%m-%dT%H:%M")
    forms = _forms(tournament, data, decides=may_decide(request.user, tournament))
    return _page(request, tournament, forms, pattern=pattern, status=200 if starts else 422)


def _forms(
    tournament: Tournament, data: QueryDict | None = None, *, decides: bool = True
) -> dict[Round, ScheduleForm]:
    """Return the form of each round; without *decides* those of published rounds are locked."""
    forms = {
        row: ScheduleForm(
            data,
            prefix=f"round-{row.number}",
            initial={"starts_at": row.starts_at, "results_due_at": row.results_due_at},
        )
        for row in Round.objects.filter(tournament=tournament).order_by("number")
    }
    for row, form in forms.items():
        if RoundState(row.state).is_public and not decides:
            form.lock()
    return forms


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    forms: dict[Round, ScheduleForm],
    problem: Problem | None = None,
    *,
    status: int = 200,
    pattern: SchedulePatternForm | None = None,
) -> HttpResponse:
    """Return the page; after a *pattern* was filled in, changes by others
    are still compared with what was shown.
    """
    fresh = shown(list(_forms(tournament).values()))
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "forms": [(row.number, form) for row, form in forms.items()],
        "shown": request.POST.get("shown", fresh) if pattern else fresh,
        "pattern": pattern or SchedulePatternForm(initial={"first_day": tournament.start_date}),
        "is_filled": pattern is not None and pattern.is_valid(),
        "problem": problem,
        "has_published": any(RoundState(row.state).is_public for row in forms),
        "decides": may_decide(request.user, tournament),
        "zone": timezone.get_current_timezone_name(),
    }
    return render(
        request, "setup/schedule.html", context, status=problem.status if problem else status
    )
