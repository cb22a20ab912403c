"""Set up the sections of an event."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import number_of
from tournaments.events.event_page import sections_of
from tournaments.events.sections import event_create, section_add, section_update
from tournaments.models import Event, Section, Tournament
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, add_service_error, confirms_leaving, seen_version
from tournaments.web.events.access import event_page
from tournaments.web.events.forms import EventForm, SectionForm
from tournaments.web.htmx import HtmxHttpRequest


@page(read=(Power.DECIDE,), write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def make_event(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Make a tournament the first section of an event."""
    section = Section.objects.filter(tournament=tournament).select_related("event").first()
    if section is not None:
        return redirect("event-sections", section.event.slug)
    form = EventForm(request.POST or None, initial={"name": tournament.name, "label": "A"})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                event = event_create(
                    tournament_id=tournament.pk, **who_and_when(request), **form.cleaned_data
                )
                return redirect("event-sections", event.slug)
            except ServiceError as error:
                add_service_error(form, error)
                status = error.status
    context = {"frame": tournament_frame(tournament, runs=True), "section": "desk", "form": form}
    return render(request, "events/make_event.html", context, status=status)


@event_page(Power.DECIDE)
@require_http_methods(["GET", "HEAD", "POST"])
def sections(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    """List the sections with limits; POST adds one, or changes that of ``section``."""
    if request.method != "POST":
        return _page(request, event, sections)
    if "section" in request.POST:
        return _change(request, event, sections)
    form = SectionForm(request.POST)
    return _save(
        request,
        event,
        form,
        lambda: section_add(
            event_id=event.pk,
            like_id=number_of(request.POST, "like"),
            label=form.cleaned_data["label"],
            limits=form.limits(),
            **who_and_when(request),
            leave_fide_mode=confirms_leaving(request.POST),
        ),
        lambda problem: _page(request, event, sections, new=form, problem=problem),
    )


def _change(request: HtmxHttpRequest, event: Event, sections: list[Section]) -> HttpResponse:
    chosen = next(
        (each for each in sections if each.pk == number_of(request.POST, "section")), None
    )
    if chosen is None:
        return redirect("event-sections", event.slug)
    request.tournament = chosen.tournament
    form = SectionForm(request.POST, prefix=str(chosen.pk))
    return _save(
        request,
        event,
        form,
        lambda: section_update(
            tournament_id=chosen.tournament_id,
            label=form.cleaned_data["label"],
            limits=form.limits(),
            position=form.cleaned_data["position"],
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        lambda problem: _page(
            request, event, sections_of(event), changed={chosen.pk: form}, problem=problem
        ),
    )


def _save(
    request: HtmxHttpRequest,
    event: Event,
    form: SectionForm,
    action: Callable[[], object],
    again: Callable[[Problem | None], HttpResponse],
) -> HttpResponse:
    if not form.is_valid():
        return again(None)
    try:
        action()
    except ServiceError as error:
        if not isinstance(error, Conflict):
            add_service_error(form, error)
        # Only the form of a section says what it saw.
        return again(Problem.from_error(error, request if "section" in request.POST else None))
    return redirect(reverse("event-sections", args=[event.slug]))


def _page(
    request: HtmxHttpRequest,
    event: Event,
    sections: list[Section],
    *,
    new: SectionForm | None = None,
    changed: dict[int, SectionForm] | None = None,
    problem: Problem | None = None,
) -> HttpResponse:
    own = [section for section in sections if may_decide(request.user, section.tournament)]
    forms = {section.pk: SectionForm.from_section(section) for section in own} | (changed or {})
    context = {
        "event": event,
        "sections": [{"section": section, "form": forms.get(section.pk)} for section in sections],
        "own": own,
        "new": new or SectionForm(),
        "problem": problem,
        "here": "sections",
    }
    failed = new is not None or changed is not None
    status = problem.status if problem else 422 if failed else 200
    return render(request, "events/sections.html", context, status=status)
