"""The two steps of the public form: fill it in, then check it and find oneself."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings as site
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from config.middleware import client_address
from pairing.rules.verdict import Refused
from tournaments.core.actions import require
from tournaments.core.errors import BadInput, RuleRefused, ServiceError
from tournaments.core.request_limits import SEARCH, count_request
from tournaments.events.registration.matching import is_sure, matches
from tournaments.events.registration.opening import may_register, taken
from tournaments.events.registration.visitor import Wish, may_send, registration_check
from tournaments.lists.rating_lists.search import Listed, lists_in_use
from tournaments.models import Event, RegistrationSettings, Section, Tournament
from tournaments.web.access import not_to_be_stored, private
from tournaments.web.action_form import Problem
from tournaments.web.registration.forms import TRAP, VisitorForm, round_names

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")
Send = Callable[[Wish, str], HttpResponse]
"""Does what the form is for, with the token of the form."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a visitor registers: a tournament and, in an event, all its sections.

    ``initial`` fills the form.
    """

    tournament: Tournament
    settings: RegistrationSettings
    event: Event | None = None
    sections: tuple[Section, ...] = ()
    initial: Mapping[str, Any] = field(default_factory=dict)
    is_new: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)
    """What the pages need besides."""

    def form(self, data: Any = None, initial: Any = None) -> VisitorForm:
        """Return the form of this place."""
        return VisitorForm(
            data, tournament=self.tournament, found=self.settings, initial=initial or self.initial
        )


def fill_in(request: HttpRequest, place: Place, send: Send) -> HttpResponse:
    """Show the form; a POST checks it, and with ``step=send`` *send* receives it.

    ``step=matches`` is for htmx.
    """
    if request.method != "POST":
        return _form_page(request, place, place.form())
    step = request.POST.get("step", "")
    if step == "matches":
        return _matches(request, place)
    if step == "edit":
        initial = {name: request.POST[name] for name in request.POST} | {
            "byes": request.POST.getlist("byes")
        }
        return _form_page(request, place, place.form(initial=initial))
    form = place.form(request.POST)
    wish = form.wish()
    try:
        if request.POST.get(TRAP):
            raise BadInput("registration.trap")
        count_request(SEARCH, client_address(request), now=timezone.now())
        checked = registration_check(
            place.tournament, wish, now=timezone.now(), is_new=place.is_new
        )
    except ServiceError as error:
        return _again(request, place, form, error)
    if step != "send":
        return _check_page(request, place, form, checked.hits, None)
    token = request.POST.get("token", "")
    try:
        if not TOKEN.fullmatch(token):
            raise BadInput("form.no_version")
        return not_to_be_stored(send(wish, token))
    except BadInput as error:
        return _again(request, place, form, error)
    except ServiceError as error:
        return _check_page(request, place, form, checked.hits, error)


def secret_of(token: str) -> str:
    """Return the secret of a form with *token*: sent twice, it makes one registration."""
    return salted_hmac(
        "tournaments.events.registration.link", token, algorithm="sha256"
    ).hexdigest()[:40]


def status_of(error: ServiceError) -> int:
    """Return the status of a page with *error*."""
    if error.code == "registration.busy":
        return 429
    return 422 if isinstance(error, BadInput) else error.status


def _matches(request: HttpRequest, place: Place) -> HttpResponse:
    """Return the players of the rating list who can be the visitor, while somebody types."""
    wish = place.form(request.POST).wish()
    found: list[Listed] | None = []
    refused = None
    if wish.values["last_name"].strip() and wish.values["first_name"].strip():
        try:
            require(
                may_send(place.settings, place.tournament, now=timezone.now(), is_new=place.is_new)
            )
            count_request(SEARCH, client_address(request), now=timezone.now())
            found = matches(place.tournament, wish.values)
        except ServiceError as error:
            refused = error
    context = {
        "hits": found,
        "chosen": _chosen(wish, found or []),
        "refused": refused,
        "is_part": True,
    }
    return private(render(request, "registrations/_hits.html", context))


def _chosen(wish: Wish, hits: list[Listed]) -> str | None:
    """Return the key of the chosen hit, else of the one with the typed identifier."""
    if any(hit.key == wish.listed for hit in hits):
        return wish.listed
    return next((hit.key for hit in hits if is_sure(hit, wish.values)), None)


def _again(
    request: HttpRequest, place: Place, form: VisitorForm, error: ServiceError
) -> HttpResponse:
    if isinstance(error, BadInput):
        form.show_error(error)
        return _form_page(request, place, form, status=status_of(error))
    return _form_page(request, place, form, problem=error, status=status_of(error))


def _form_page(
    request: HttpRequest,
    place: Place,
    form: VisitorForm,
    *,
    problem: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    verdict = (
        may_register(place.settings, place.tournament, now=timezone.now()) if place.is_new else None
    )
    closed = RuleRefused(verdict) if isinstance(verdict, Refused) else None
    places = place.settings.most
    free = (
        None
        if places is None or closed or not place.is_new
        else max(places - taken(place.tournament), 0)
    )
    context = {
        **_around(place),
        "form": form,
        "closed": closed,
        "free": free,
        "problem": Problem.from_error(problem) if problem and not closed else None,
        "searches": not closed and bool(lists_in_use(place.tournament)),
        "trap": TRAP,
        "sent": place.is_new and "sent" in request.GET,
        "time_zone": site.TIME_ZONE,
    }
    return private(render(request, "registrations/form.html", context, status=status))


def _check_page(
    request: HttpRequest,
    place: Place,
    form: VisitorForm,
    hits: list[Listed],
    problem: ServiceError | None,
) -> HttpResponse:
    wish = form.wish()
    token = request.POST.get("token", "")
    context = {
        **_around(place),
        "form": form,
        "rows": [
            (bound.label, _shown(bound.name, request))
            for bound in form
            if _shown(bound.name, request) is not None
        ],
        "sent": [(name, text) for name in form.fields for text in request.POST.getlist(name)[:99]],
        "hits": hits,
        "chosen": _chosen(wish, hits),
        "token": token if TOKEN.fullmatch(token) else secrets.token_urlsafe(32),
        "problem": Problem.from_error(problem) if problem else None,
    }
    status = status_of(problem) if problem else 200
    return private(render(request, "registrations/check.html", context, status=status))


def _shown(name: str, request: HttpRequest) -> str | None:
    """Return what was typed in *name* for the summary; None if empty, or the consent."""
    if name in ("initials", "mails"):
        return _("Yes") if name in request.POST else None
    if name == "byes":
        return round_names(request.POST.getlist("byes")[:99]) or None
    return None if name == "agrees" else request.POST.get(name, "").strip() or None


def _around(place: Place) -> dict[str, Any]:
    return {
        "tournament": place.tournament,
        "settings": place.settings,
        "event": place.event,
        "sections": place.sections,
        "is_new": place.is_new,
        **place.more,
    }
