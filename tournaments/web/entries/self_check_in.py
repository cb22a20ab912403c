"""The self check-in: the page that switches it on, and those that players see."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from config.middleware import client_address
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.namesakes import disambiguate
from tournaments.core.permissions import Power, may_run
from tournaments.entries.check_in_list import DeskLine, Presence, check_in_list, matches
from tournaments.entries.self_check_in import (
    code_of,
    desk_of,
    is_possible,
    self_check_in,
    self_check_in_close,
    self_check_in_open,
)
from tournaments.models import CheckInDesk, Tournament
from tournaments.web.access import not_to_be_stored, page, private, who_and_when
from tournaments.web.action_form import do
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.shown_once import forget, show_next, shown_once
from tournaments.web.templatetags.paper import link_with_code

SHOWN_ONCE: Final = "self-check-in"
LEAST_LETTERS: Final = 3
MOST_SHOWN: Final = 8
"""A search that finds more players asks for more letters."""


@page(read=(Power.CHECK_IN,))
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the state and the players' codes; POST switches self check-in on (``on``) or off."""
    if request.method != "POST":
        return _settings_page(request, tournament)
    secret, to = (
        secrets.token_urlsafe(24),
        reverse("self-check-in-settings", args=[tournament.slug]),
    )
    given: dict[str, Any] = {"tournament_id": tournament.pk, **who_and_when(request)}

    is_on: list[bool] = []

    def switch() -> None:
        if "on" not in request.POST:
            self_check_in_close(**given)
            return
        codes = secrets.token_hex(32)
        self_check_in_open(
            **given, secret=secret, code_secret=codes, asks_code="asks_code" in request.POST
        )
        is_on.append(True)

    response = do(
        request,
        switch,
        done=_("The self check-in is on. Open the link on the tablet now: it is shown once.")
        if "on" in request.POST
        else _("The self check-in is off."),
        to=to,
        refused=lambda problem: _settings_page(request, tournament),
    )
    if is_on:
        show_next(request, response, SHOWN_ONCE, [tournament.pk, secret], to=to)
    return response


def _settings_page(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    desk = CheckInDesk.objects.filter(tournament=tournament).first()
    is_on = desk is not None and bool(desk.link)
    asks = desk is not None and is_on and desk.asks_code
    lines = check_in_list(tournament).lines if asks else ()
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "entries",
        "is_on": is_on,
        "asks_code": asks,
        "codes": [(line.entry.name_apart, code_of(desk, line.entry.pk)) for line in lines if desk],
        "runs": may_run(request.user, tournament),
        "new": _shown_once(request, tournament) if is_on else None,
    }
    return forget(
        request, render(request, "entries/self_check_in_settings.html", context), SHOWN_ONCE
    )


def _shown_once(request: HtmxHttpRequest, tournament: Tournament) -> dict[str, object] | None:
    """Return the new link with its QR code, once."""
    kept = shown_once(request, SHOWN_ONCE)
    if kept is None or kept[0] != tournament.pk:
        return None
    return link_with_code(request, reverse("self-check-in", args=[kept[1]]))


@require_safe
def arrive(request: HttpRequest, secret: str) -> HttpResponse:
    """Search the own name; 404 for a link that has ended."""
    desk = desk_of(secret)
    if desk is None:
        return _ended(request)
    search = request.GET.get("q", "").strip()[:60]
    letters = sum(map(str.isalpha, search))
    possible = is_possible(desk.tournament)
    found = matches(_everybody(desk), search) if possible and letters >= LEAST_LETTERS else []
    found = [line for line in found if _is_expected(line)]
    context = {
        "tournament": desk.tournament,
        "secret": secret,
        "search": search,
        "is_possible": possible,
        "too_short": bool(search) and letters < LEAST_LETTERS,
        "too_many": len(found) > MOST_SHOWN,
        "found": found if len(found) <= MOST_SHOWN else [],
    }
    return _answer(request, "entries/self_check_in.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, secret: str, entry_id: int) -> HttpResponse:
    """Ask whether this is the player, and for the code; POST checks the player in."""
    desk = desk_of(secret)
    if desk is None:
        return _ended(request)
    lines = _everybody(desk) if is_possible(desk.tournament) else ()
    line = next((each for each in lines if each.entry.pk == entry_id and _is_expected(each)), None)
    if line is None:
        return redirect("self-check-in", secret)
    error, status = "", 200
    if request.method == "POST":
        try:
            code, address = request.POST.get("code", "")[:20], client_address(request)
            self_check_in(
                secret=secret, entry_id=entry_id, code=code, now=timezone.now(), address=address
            )
        except ServiceError as refused:
            error, status = str(refused), 403
        else:
            messages.success(
                request, _("%(name)s is checked in. Good luck!") % {"name": line.entry.name}
            )
            return redirect("self-check-in", secret)
    context = {
        "tournament": desk.tournament,
        "secret": secret,
        "line": line,
        "is_there": line.presence is Presence.THERE,
        "asks_code": desk.asks_code,
        "error": error,
    }
    return _answer(request, "entries/self_check_in_confirm.html", context, status=status)


def _everybody(desk: CheckInDesk) -> Sequence[DeskLine]:
    """Return all players of the check-in, told apart by what everybody may read."""
    lines = check_in_list(desk.tournament).lines
    disambiguate((line.entry for line in lines), is_public=True)
    return lines


def _is_expected(line: DeskLine) -> bool:
    return line.presence.can_arrive or line.presence is Presence.THERE


def _ended(request: HttpRequest) -> HttpResponse:
    return not_to_be_stored(render(request, "people/link_ended.html", status=404))


def _answer(
    request: HttpRequest, template: str, context: dict[str, object], *, status: int = 200
) -> HttpResponse:
    return private(render(request, template, context, status=status))
