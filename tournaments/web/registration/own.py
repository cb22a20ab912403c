"""The pages behind a registration's link: its state, confirm, correct, withdraw."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from pairing.rules.verdict import Refused
from tournaments.core.errors import Conflict, RuleRefused, ServiceError
from tournaments.core.qr_codes import qr_path
from tournaments.core.request_values import optional_number_of
from tournaments.events.registration.opening import may_still_enter
from tournaments.events.registration.queue import waiting_number
from tournaments.events.registration.visitor import (
    UNDECIDED,
    Wish,
    registration_confirm,
    registration_correct,
    registration_of,
    registration_withdraw,
)
from tournaments.models import PairingMail, Registration, RegistrationState
from tournaments.web.access import private
from tournaments.web.action_form import Problem
from tournaments.web.pairing_mail.links import end_path
from tournaments.web.registration.filling import Place, fill_in, status_of
from tournaments.web.registration.forms import round_names, typed_of
from tournaments.web.templatetags.paper import public_address


@require_http_methods(["GET", "HEAD", "POST"])
def registered(request: HttpRequest, secret: str) -> HttpResponse:
    """Show a registration; POST confirms it (``confirm``) or withdraws it (``withdraw``)."""
    registration = registration_of(secret, now=timezone.now())
    if registration is None:
        return _ended(request)
    if request.method != "POST":
        return _page(request, secret, registration)
    try:
        if "withdraw" in request.POST:
            registration_withdraw(secret=secret, now=timezone.now())
            messages.success(
                request, _("Your registration is withdrawn. Your data have been deleted.")
            )
        else:
            registration_confirm(secret=secret, now=timezone.now())
            messages.success(request, _("Your registration is confirmed."))
    except ServiceError as error:
        registration = registration_of(secret, now=timezone.now())
        return (
            _ended(request) if registration is None else _page(request, secret, registration, error)
        )
    return private(redirect("registered", secret))


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, secret: str) -> HttpResponse:
    """Correct a registration that nobody has decided about, in the two steps of the form."""
    registration = registration_of(secret, now=timezone.now())
    if registration is None:
        return _ended(request)
    if registration.state not in UNDECIDED:
        return _page(request, secret, registration, Conflict("registration.decided"))
    seen = (
        optional_number_of(request.POST, "seen")
        if request.method == "POST"
        else registration.version
    )

    def send(wish: Wish, token: str) -> HttpResponse:
        registration_correct(
            secret=secret, wish=wish, now=timezone.now(), seen_version=-1 if seen is None else seen
        )
        messages.success(request, _("Your registration is corrected."))
        return redirect("registered", secret)

    tournament = registration.tournament
    place = Place(
        tournament,
        tournament.registration_settings,
        initial=typed_of(registration),
        is_new=False,
        more={"seen": seen, "back": reverse("registered", args=[secret])},
    )
    return fill_in(request, place, send)


def _page(
    request: HttpRequest, secret: str, registration: Registration, error: ServiceError | None = None
) -> HttpResponse:
    path = reverse("registered", args=[secret])
    address = public_address(request, path) or request.build_absolute_uri(path)
    modules, drawn = qr_path(address)
    ended = may_still_enter(registration.tournament)
    is_undecided = registration.state in UNDECIDED
    context = {
        "registration": registration,
        "tournament": registration.tournament,
        "states": RegistrationState,
        "byes": round_names(registration.byes),
        **_mails(registration),
        "waits": waiting_number(registration),
        "ended": RuleRefused(ended) if is_undecided and isinstance(ended, Refused) else None,
        "is_undecided": is_undecided,
        "secret": secret,
        "address": address,
        "modules": modules,
        "path": drawn,
        "problem": Problem.from_error(error) if error else None,
    }
    status = status_of(error) if error else 200
    return private(render(request, "registrations/own.html", context, status=status))


def _mails(registration: Registration) -> dict[str, str]:
    """Return the address to which the pairings go or will go, and the path that ends it.

    One query for an accepted registration.
    """
    if registration.state != RegistrationState.ACCEPTED:
        return {"mails": registration.email if registration.mails else ""}
    mail = PairingMail.objects.filter(entry=registration.entry_id).first()
    return {"mails": mail.email, "mails_end": end_path(mail)} if mail is not None else {}


def _ended(request: HttpRequest) -> HttpResponse:
    return private(render(request, "registrations/ended.html", status=404))
