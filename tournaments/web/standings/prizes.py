"""The prize list for everybody, and its definition for arbiters."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.standings.prizes import Division
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Tournament
from tournaments.standings.prize_plan import PrizePlan, plan_of
from tournaments.standings.prizes import prize_list, prizes_set
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import visitor_page
from tournaments.web.standings.prize_forms import PrizePlanForm, PrizeRows, initial_rows


@visitor_page
def prizes(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """What is to be won; after the last round who has won it."""
    context = {"frame": frame, "section": "standings", "prizes": prize_list(frame)}
    return render(request, "standings/prizes.html", context)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def define(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """The categories on one page; an empty row is no category, and saving gives new empty rows."""
    plan = plan_of(tournament.prizes)
    initial = {"currency": plan.currency, "division": plan.division.value, "one_each": plan.one_each}
    form = PrizePlanForm(request.POST or None, initial=initial)
    rows = PrizeRows(request.POST or None, initial=initial_rows(plan), prefix="row")
    if request.method == "POST" and form.is_valid() and rows.is_valid():
        categories = [row.category() for row in rows]
        new = PrizePlan(
            currency=form.cleaned_data["currency"],
            division=Division(form.cleaned_data["division"]),
            one_each=form.cleaned_data["one_each"],
            categories=tuple(category for category in categories if category is not None),
        )
        prizes_set(tournament_id=tournament.pk, actor=arbiter(request), now=timezone.now(), plan=new)
        messages.success(request, _("The prizes are saved."))
        return redirect("prizes", tournament.slug)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "standings",
        "form": form,
        "rows": rows,
    }
    return render(request, "standings/prizes_define.html", context, status=422 if request.method == "POST" else 200)
