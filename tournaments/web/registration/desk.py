"""The arbiters' pages: the settings of the registration, and the queue."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.request_values import BadValue, number_of, whole_number
from tournaments.events.registration.opening import registration_set, settings_of, taken
from tournaments.events.registration.queue import (
    QueueRow,
    queue,
    registration_accept,
    registration_refuse,
    registrations_accept,
)
from tournaments.models import Registration, RegistrationState, Tournament
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, add_service_error, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.pairing_mail.available import why_no_pairing_mails
from tournaments.web.registration.forms import AcceptForm, SettingsForm
from tournaments.web.registration.mail import mail_is_on
from tournaments.web.templatetags.paper import link_with_code

ROWS_A_PAGE: Final = 50
MOST_DECIDED: Final = 200
for_arbiters = page(read=(Power.RUN,))
"""Contact data are in these pages: nobody opens them who only reads."""


@for_arbiters
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show and save the settings, with the address of the form for posters."""
    found = settings_of(tournament)
    if request.method != "POST":
        return _settings_page(request, tournament, SettingsForm.from_settings(found))
    form = SettingsForm(request.POST)
    if not form.is_valid():
        return _settings_page(request, tournament, form, status=422)
    try:
        saved = registration_set(
            tournament_id=tournament.pk,
            **who_and_when(request),
            wanted=form.wanted(),
            seen_version=seen_version(request.POST),
            all_sections=form.cleaned_data["all_sections"],
        )
    except BadInput as error:
        add_service_error(form, error)
        return _settings_page(request, tournament, form, status=error.status)
    except ServiceError as error:
        return _settings_page(
            request, tournament, form, status=error.status, problem=Problem.from_error(error)
        )
    messages.success(
        request, _("Registration is open.") if saved.is_open else _("Registration is closed.")
    )
    return redirect("registration-settings", tournament.slug)


def _settings_page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    form: SettingsForm,
    *,
    status: int = 200,
    problem: Problem | None = None,
) -> HttpResponse:
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "form": form,
        "is_open": settings_of(tournament).is_open,
        **link_with_code(request, reverse("register", args=[tournament.slug])),
        "mail": mail_is_on(),
        "why_no_mails": why_no_pairing_mails(),
        "problem": problem,
    }
    return render(request, "registrations/settings.html", context, status=status)


@for_arbiters
@require_safe
def registrations(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the queue, 50 registrations on a page, and the latest decisions."""
    return _page(request, tournament)


@for_arbiters
@require_POST
def accept(request: HtmxHttpRequest, tournament: Tournament, registration_id: int) -> HttpResponse:
    """Enter the player of a registration, with the data as they are corrected on the page."""
    form = AcceptForm(Registration(pk=registration_id, fields={}), request.POST)
    try:
        entry = registration_accept(
            **_row(request, tournament, registration_id),
            values=form.texts(),
            with_byes=form.add_prefix("with_byes") in request.POST,
            seen_doubts=frozenset(request.POST.get("doubts", "").split()),
        )
    except ServiceError as error:
        return _page(request, tournament, refused=(registration_id, error))
    messages.success(request, _("%(name)s is entered.") % {"name": entry.real_name})
    return redirect("registrations", tournament.slug)


@for_arbiters
@require_POST
def refuse(request: HtmxHttpRequest, tournament: Tournament, registration_id: int) -> HttpResponse:
    """Refuse a registration with a reason."""
    form = AcceptForm(Registration(pk=registration_id, fields={}), request.POST)
    try:
        row = registration_refuse(
            **_row(request, tournament, registration_id), reason=form.text("reason")
        )
    except ServiceError as error:
        return _page(request, tournament, refused=(registration_id, error))
    messages.success(request, _("The registration of %(name)s is refused.") % {"name": str(row)})
    return redirect("registrations", tournament.slug)


@for_arbiters
@require_POST
def accept_all(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Enter all registrations without doubt as shown (``seen``: ``7:1 9:2``)."""
    seen = _seen(request)
    try:
        entered = registrations_accept(
            tournament_id=tournament.pk, **who_and_when(request), seen=seen
        )
    except ServiceError as error:
        return _page(request, tournament, refused=(0, error))
    count = len(entered)
    message = ngettext("%(count)d player is entered.", "%(count)d players are entered.", count)
    messages.success(request, message % {"count": count})
    return redirect("registrations", tournament.slug)


def _row(request: HtmxHttpRequest, tournament: Tournament, registration_id: int) -> dict[str, Any]:
    return {
        "registration_id": registration_id,
        "tournament_id": tournament.pk,
        **who_and_when(request),
        "seen_version": number_of(request.POST, "seen"),
    }


def _seen(request: HtmxHttpRequest) -> dict[int, int]:
    seen = {}
    for pair in request.POST.get("seen", "").split():
        pk, _colon, version = pair.partition(":")
        numbers = whole_number(pk), whole_number(version)
        if numbers[0] is None or numbers[1] is None:
            raise BadValue("request.choice", field="seen", name="seen")
        seen[numbers[0]] = numbers[1]
    return seen


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    refused: tuple[int, ServiceError] | None = None,
) -> HttpResponse:
    """Show a page of the queue; the form of a *refused* row keeps what was typed."""
    refused_id, error = refused or (0, None)
    rows = queue(tournament, now=timezone.now())
    sure = [row for row in rows if _is_sure(row)]
    place = next(
        (number for number, row in enumerate(rows) if row.registration.pk == refused_id), None
    )
    wanted = request.GET.get("page", "") if place is None else place // ROWS_A_PAGE + 1
    listed = Paginator(rows, ROWS_A_PAGE).get_page(wanted)
    decided = Registration.objects.filter(tournament=tournament).exclude(
        pk__in=[row.registration.pk for row in rows]
    )
    found = settings_of(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "page": listed,
        "rows": [(row, _accept_form(request, row, refused_id)) for row in listed.object_list],
        "sure": len(sure),
        "seen": " ".join(f"{row.registration.pk}:{row.registration.version}" for row in sure),
        "decided": decided.order_by("-pk")[:MOST_DECIDED],
        "settings": found,
        "taken": min(taken(tournament), found.most or 0),
        "waiting": sum(row.waits > 0 for row in rows),
        "problem": Problem.from_error(error) if error else None,
    }
    return render(
        request, "registrations/queue.html", context, status=error.status if error else 200
    )


def _is_sure(row: QueueRow) -> bool:
    return not row.doubts and row.registration.state == RegistrationState.CONFIRMED


def _accept_form(request: HtmxHttpRequest, row: QueueRow, refused_id: int) -> AcceptForm:
    """Return the form of *row*; that of the refused one keeps what was typed,
    to accept the player or to refuse.
    """
    if row.registration.pk != refused_id:
        return AcceptForm(row.registration)
    typed = AcceptForm(row.registration, request.POST)
    if "doubts" in request.POST:
        return typed
    form = AcceptForm(row.registration)
    form.initial["reason"], form.refuses = typed.text("reason"), True
    return form
