"""The prizes over all sections of an event: for everybody, their definition, and sheets to sign."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.page_store import EVENT
from tournaments.core.permissions import Power, may_run
from tournaments.core.request_values import BadValue
from tournaments.events.event_page import event_key, sections_of
from tournaments.models import Event, Section
from tournaments.standings.event_prizes import (
    MOST_GAMES,
    Compared,
    Criterion,
    EventPlan,
    EventPrizeList,
    described,
    event_prize_list,
    event_prizes_set,
    plan_of_event,
)
from tournaments.standings.prize_payees import payees
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.web.access import not_to_be_stored, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.events.access import event_page, require_runs_all
from tournaments.web.events.navigation import keys_of
from tournaments.web.form_fields import WholeNumberField
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.news import event_digest
from tournaments.web.public_page import stored_for_visitors
from tournaments.web.standings.prize_forms import (
    ROWS_BELOW_SAVED,
    PrizeRows,
    PrizeRulesForm,
    categories_in_order,
    changed_meanwhile,
    fit_the_unit,
    has_rare_rules,
    initial_rows,
    sent_rows,
    typed_rules,
)
from tournaments.web.templatetags.prizes import warning_sentences
from tournaments.web.templatetags.reports import money

SHEETS: Final = {
    "receipts": gettext_lazy("Receipts of the prizes"),
    "signatures": gettext_lazy("List of signatures"),
}


class EventPrizesForm(PrizeRulesForm):
    """The rules for all categories of an event."""

    criterion = forms.ChoiceField(
        label=gettext_lazy("Players of different sections are compared by"),
        choices=[
            (Criterion.SHARE.value, gettext_lazy("their share of the possible points")),
            (Criterion.POINTS.value, gettext_lazy("their points")),
            (Criterion.PERFORMANCE.value, gettext_lazy("their FIDE performance")),
            (Criterion.CHANGE.value, gettext_lazy("the change of their FIDE rating")),
        ],
        help_text=gettext_lazy("FIDE has no rule for this: announce it with the prizes."),
    )
    section_winners = forms.BooleanField(
        label=gettext_lazy("Players with a prize of money in their section can win here too"),
        required=False,
    )
    least_games = WholeNumberField(
        label=gettext_lazy("Games over the board at least"),
        min_value=0,
        max_value=MOST_GAMES,
        required=False,
        help_text=gettext_lazy(
            "For the performance at least half of the rounds: one won game can be the highest."
        ),
    )

    def event_plan(self, categories: tuple[CategoryPlan, ...]) -> EventPlan:
        """Return the plan of a valid form with *categories*."""
        data = self.cleaned_data
        return EventPlan(
            PrizePlan(categories=categories, **self.rules()),
            Criterion(data["criterion"]),
            data["section_winners"],
            data["least_games"] or 0,
        )


@require_safe
def prizes(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Show the prizes of an event; winners once all sections are over, and to arbiters of all
    sections the provisional ones before.
    """
    event = get_object_or_404(Event, slug=slug)
    sections = sections_of(event)
    keys = keys_of(request.user, event, sections) if request.user.is_authenticated else None
    if keys and all(may_run(request.user, section.tournament) for section in sections):
        request.event_keys = keys
        return not_to_be_stored(_page(request, event, sections, runs=True))
    key = event_key(sections, runs=False)
    return stored_for_visitors(
        request,
        f"{EVENT}prizes-{event.pk}",
        key,
        lambda: event_key(sections_of(event), runs=False),
        lambda reader: _page(reader, event, sections, runs=False),
    )


def _page(
    request: HtmxHttpRequest, event: Event, sections: list[Section], *, runs: bool
) -> HttpResponse:
    found = event_prize_list(event, sections, runs=runs)
    _join_tournaments(found, sections)
    context = {
        "event": event,
        "list": found,
        "prizes": found.prizes,
        "runs": runs,
        "warnings": _warnings(found) if runs else [],
        "digest": event_digest(event_key(sections, runs=False)),
        "here": "prizes",
    }
    return render(request, "events/prizes.html", context)


def _join_tournaments(found: EventPrizeList, sections: list[Section]) -> None:
    """Set the tournaments of the entries, so that no entry needs a query for its own."""
    tournaments = {section.tournament_id: section.tournament for section in sections}
    for entry in found.entries.values():
        entry.tournament = tournaments[entry.tournament_id]


def _warnings(found: EventPrizeList) -> list[str]:
    return [
        *warning_sentences(found.prizes),
        *(
            _(
                "%(name)s (%(number)s) wins %(amount)s in the section and would win %(more)s here. "
                "For the more valuable prize enter the number in the prizes of the section, under "
                "players who take money over all sections."
            )
            % _sums(found, compared)
            for compared in found.better_here
        ),
        *(
            _(
                "%(name)s (%(number)s) gave up %(amount)s in the section and wins %(more)s here. "
                "Remove the number from the prizes of the section."
            )
            % _sums(found, compared)
            for compared in found.better_in_section
        ),
    ]


def _sums(found: EventPrizeList, compared: Compared) -> dict[str, str]:
    entry, in_section, here = compared
    number = f"{found.sections[entry.tournament_id]} {entry.tpn}"
    sums = {"amount": money(in_section), "more": money(here)}
    return {"name": entry.name, "number": number} | sums


@event_page(Power.RUN)
@require_http_methods(["GET", "HEAD", "POST"])
def define(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """Edit the categories on one page, as those of a section."""
    require_runs_all(request, sections)
    plan = plan_of_event(event)
    if request.method != "POST":
        return _define_page(request, event, *_forms(plan), _seen(plan))
    seen = request.POST.get("seen_prizes", _seen(plan))
    if "add_rows" in request.POST:
        sent = {name: request.POST.get(name, "") for name in EventPrizesForm.base_fields}
        form = EventPrizesForm(initial=sent)
        rows = PrizeRows(initial=sent_rows(request.POST), prefix="row")
        return _define_page(request, event, form, rows, seen)
    return _save(request, event, plan, seen)


def _save(request: HtmxHttpRequest, event: Event, plan: EventPlan, seen: str) -> HttpResponse:
    form, rows = _forms(plan, request.POST)
    problem = None
    if rows.is_valid() and not all(row.was_sent() for row in rows.initial_forms):
        # A row that was not sent would delete its prizes without a word.
        raise BadValue("request.choice", field="row", name="row")
    if form.is_valid() and rows.is_valid() and fit_the_unit(form, rows):
        try:
            event_prizes_set(
                event_id=event.pk,
                **who_and_when(request),
                plan=form.event_plan(categories_in_order(rows)),
                is_seen=lambda current: _seen(current) == seen,
            )
        except Conflict:
            current = plan_of_event(Event.objects.get(pk=event.pk))
            problem, seen = changed_meanwhile(current.plan), _seen(current)
        except ServiceError as error:
            problem = Problem.from_error(error, request)
        else:
            messages.success(request, _("The prizes are saved."))
            return redirect("event-prizes", event.slug)
    return _define_page(request, event, form, rows, seen, problem)


def _seen(plan: EventPlan) -> str:
    """Return the complete prizes on the page, to detect changes."""
    return hashlib.sha256(json.dumps(described(plan), sort_keys=True).encode()).hexdigest()


def _forms(plan: EventPlan, data: QueryDict | None = None) -> tuple[EventPrizesForm, Any]:
    rows = PrizeRows(data, initial=initial_rows(plan.plan), prefix="row")
    if plan.plan.categories:
        rows.extra = ROWS_BELOW_SAVED
    initial = typed_rules(plan.plan) | {
        "criterion": plan.criterion.value,
        "section_winners": plan.section_winners,
        "least_games": plan.least_games,
    }
    return EventPrizesForm(data, initial=initial), rows


def _define_page(
    request: HtmxHttpRequest,
    event: Event,
    form: EventPrizesForm,
    rows: Any,
    seen: str,
    problem: Problem | None = None,
) -> HttpResponse:
    context = {
        "event": event,
        "form": form,
        "rows": rows,
        "seen": seen,
        "problem": problem,
        "has_more": has_rare_rules(form),
        "here": "prizes",
    }
    status = problem.status if problem else 422 if form.is_bound else 200
    return render(request, "events/prizes_define.html", context, status=status)


@event_page(Power.RUN)
@require_safe
def sheets(
    request: HtmxHttpRequest, event: Event, sections: list[Section], kind: str
) -> HttpResponse:
    """Show the receipts of all winners, or the list to sign; with whole names."""
    require_runs_all(request, sections)
    if kind not in SHEETS:
        raise Http404
    found = event_prize_list(event, sections, runs=True)
    listed = payees(found.prizes, found.sections)
    context = {
        "event": event,
        "kind": kind,
        "label": SHEETS[kind],
        "heading": event.name,
        "prizes": found.prizes,
        "payees": listed,
        "total": sum(payee.amount for payee in listed),
        "printed_at": timezone.now(),
    }
    return render(request, "events/prize_sheets.html", context)
