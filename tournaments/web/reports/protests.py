"""The pages of protests: the list, and one protest with its next step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_decide
from tournaments.models import Tournament
from tournaments.reports.protests import (
    MAX_ARTICLE,
    MAX_NAME,
    MAX_TEXT,
    appeal_decide,
    protest_appeal,
    protest_decide,
    protest_lodge,
    protests_of,
    require_step,
)
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, add_service_error
from tournaments.web.form_fields import MomentField, validate_year
from tournaments.web.htmx import HtmxHttpRequest


def _name(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=MAX_NAME)


def _text(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=MAX_TEXT, widget=forms.Textarea(attrs={"rows": 3})
    )


def _article() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Article"),
        max_length=MAX_ARTICLE,
        help_text=gettext_lazy("For example “Laws 11.5”."),
    )


class ProtestForm(forms.Form):
    """A new protest; ``seen`` counts the protests on the page."""

    by = _name(gettext_lazy("Protest made by"))
    at = MomentField(label=gettext_lazy("When"), validators=[validate_year])
    round_number = forms.IntegerField(
        label=gettext_lazy("Round"), min_value=1, max_value=99, required=False
    )
    subject = _text(gettext_lazy("Subject"))
    seen = forms.IntegerField(widget=forms.HiddenInput(attrs={"autocomplete": "off"}))


class RulingForm(forms.Form):
    """The ruling of the Chief Arbiter."""

    ruling = _text(gettext_lazy("Ruling"))
    article = _article()


class AppealForm(forms.Form):
    """An appeal against the ruling."""

    by = _name(gettext_lazy("Appeal made by"))
    at = MomentField(label=gettext_lazy("When"), validators=[validate_year])
    reasons = _text(gettext_lazy("Reasons for the appeal"))


class AppealRulingForm(forms.Form):
    """The decision of the Appeals Committee."""

    decision = _text(gettext_lazy("Decision"))
    by = _name(gettext_lazy("Members of the Appeals Committee"))
    article = _article()


FORMS: Final[Mapping[str, type[forms.Form]]] = {
    "ruling": RulingForm,
    "appeal": AppealForm,
    "decision": AppealRulingForm,
}
"""The form of each step; after the last one there is none."""


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def protests(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the protests with a form for the next; a POST records it."""
    there = protests_of(tournament)
    frame = tournament_frame(tournament, runs=True)
    first = {
        "at": timezone.localtime().replace(microsecond=0),
        "round_number": frame.latest_published,
    }
    form = ProtestForm(request.POST or None, initial={**first, "seen": len(there)})
    problem = None
    if request.method == "POST" and form.is_valid():
        given: dict[str, Any] = {"tournament_id": tournament.pk, **who_and_when(request)}
        problem = _try(request, form, partial(protest_lodge, **given, **form.cleaned_data))
        if problem is None and not form.errors:
            messages.success(request, _("The protest is recorded."))
            return redirect("protests", tournament.slug)
    context = {
        "frame": frame,
        "section": "desk",
        "form": form,
        "problem": problem,
        "protests": there,
    }
    return render(request, "reports/protests.html", context, status=_status(form, problem))


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def protest(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show one protest; POST records its next step: ruling, appeal, or decision."""
    found = next((each for each in protests_of(tournament) if each.number == number), None)
    if found is None:
        raise Http404
    is_stale = request.method == "POST" and request.POST.get("step") != found.next_step
    kind = FORMS.get(found.next_step, forms.Form)
    data = request.POST if request.method == "POST" and not is_stale else None
    form = kind(data, initial={"at": timezone.localtime().replace(microsecond=0)})
    problem = None
    if is_stale:
        problem = _try(request, form, partial(require_step, found, request.POST.get("step", "")))
    elif form.is_bound and form.is_valid():
        service, done = _action(found.next_step)
        given = {"tournament_id": tournament.pk, **who_and_when(request)}
        problem = _try(request, form, partial(service, **given, number=number, **form.cleaned_data))
        if problem is None and not form.errors:
            messages.success(request, done)
            return redirect("protest", tournament.slug, number)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "problem": problem,
        "protest": found,
        "decides": may_decide(request.user, tournament),
    }
    return render(request, "reports/protest.html", context, status=_status(form, problem))


def _action(step: str) -> tuple[Callable[..., object], str]:
    """Return what *step* does, and the message after it."""
    match step:
        case "ruling":
            return protest_decide, _("The ruling is recorded.")
        case "appeal":
            return protest_appeal, _("The appeal is recorded.")
        case _:
            return appeal_decide, _("The decision on the appeal is recorded.")


def _try(
    request: HtmxHttpRequest, form: forms.Form, service: Callable[[], object]
) -> Problem | None:
    """Do the action. A refusal appears in the form; a conflict is returned."""
    try:
        service()
    except Conflict as error:
        return Problem.from_error(error, request)
    except ServiceError as error:
        add_service_error(form, error)
    return None


def _status(form: forms.Form, problem: Problem | None) -> int:
    return problem.status if problem else 422 if form.is_bound and form.errors else 200
