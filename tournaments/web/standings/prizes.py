"""The prize list for everybody, and its definition for arbiters."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.request_values import BadValue
from tournaments.models import Action, Tournament
from tournaments.reports.publications import StandingsRecord, left_fide_mode_by, standings_record
from tournaments.standings.prize_plan import described, plan_of
from tournaments.standings.prizes import prize_list, prizes_set
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.changes_since import changes_since
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.newest_data import on_newest_data
from tournaments.web.public_page import page_with_more_for_arbiters
from tournaments.web.standings.prize_forms import (
    ROWS_BELOW_SAVED,
    PrizePlanForm,
    PrizeRows,
    categories_in_order,
    changed_meanwhile,
    fit_the_unit,
    has_rare_rules,
    initial_rows,
    sent_rows,
)
from tournaments.web.templatetags.prizes import warning_sentences


@page_with_more_for_arbiters()
def prizes(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the prizes; after the last round with their winners."""
    shown = prize_list(frame)
    awarded = (
        standings_record(frame.tournament, shown.after_round)
        if shown.is_handed_out
        else StandingsRecord()
    )
    context = {
        "frame": frame,
        "section": "standings",
        "prizes": shown,
        "warnings": warning_sentences(shown) if frame.runs else [],
        "publication": awarded.publication,
        "corrected": awarded.corrected,
        "left_fide_mode_by": left_fide_mode_by(frame),
    }
    return render(request, "standings/prizes.html", context)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def define(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Edit the categories on one page; empty rows are ignored, and more rows need no saving."""
    if request.method != "POST":
        return _define_page(request, tournament, *_forms(tournament))
    if "add_rows" in request.POST:
        return _with_more_rows(request, tournament)
    return on_newest_data(request, tournament, lambda now: _save(request, now))


def _with_more_rows(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form as it was sent, with more empty rows; nothing is saved or refused."""
    plan = plan_of(tournament)
    sent = {name: request.POST.get(name, "") for name in PrizePlanForm.base_fields}
    form = PrizePlanForm(tournament=tournament, plan=plan, typed=sent)
    rows = PrizeRows(initial=sent_rows(request.POST), prefix="row")
    return _define_page(request, tournament, form, rows, seen=request.POST.get("seen_prizes"))


def _save(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Save the prizes that were sent, unless somebody else changed them."""
    form, rows = _forms(tournament, request.POST)
    stale = request.POST.get("seen_prizes", _seen(tournament)) != _seen(tournament)
    if not stale and rows.is_valid() and not all(row.was_sent() for row in rows.initial_forms):
        # A row that was not sent would delete its prizes without a word.
        raise BadValue("request.choice", field="row", name="row")
    if not stale and form.is_valid() and rows.is_valid() and fit_the_unit(form, rows):
        prizes_set(
            tournament_id=tournament.pk,
            **who_and_when(request),
            plan=form.plan(categories_in_order(rows)),
            compared=tournament.version,
        )
        messages.success(request, _("The prizes are saved."))
        return redirect("prizes", tournament.slug)
    return _define_page(request, tournament, form, rows, stale=stale)


def _seen(tournament: Tournament) -> str:
    """Return the complete prizes on the page, to detect changes."""
    return hashlib.sha256(
        json.dumps(described(plan_of(tournament)), sort_keys=True).encode()
    ).hexdigest()


def _forms(tournament: Tournament, data: QueryDict | None = None) -> tuple[PrizePlanForm, Any]:
    plan = plan_of(tournament)
    rows = PrizeRows(data, initial=initial_rows(plan), prefix="row")
    if plan.categories:
        rows.extra = ROWS_BELOW_SAVED
    return PrizePlanForm(data, tournament=tournament, plan=plan), rows


def _define_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: PrizePlanForm,
    rows: Any,
    *,
    stale: bool = False,
    seen: str | None = None,
) -> HttpResponse:
    problem = (
        changed_meanwhile(plan_of(tournament), changes_since(request, (Action.PRIZES_SET,)))
        if stale
        else None
    )
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "standings",
        "form": form,
        "rows": rows,
        "has_more": has_rare_rules(form),
        "seen": seen or _seen(tournament),
        "problem": problem,
    }
    status = 409 if stale else 422 if form.is_bound else 200
    return render(request, "standings/prizes_define.html", context, status=status)
