"""The codes of the tables: make and print them, and switch the players' reports on and off."""

from __future__ import annotations

import secrets
from typing import Any, Final

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pairing.rounds.table_codes import (
    KIOSK,
    code_of,
    codes_of,
    name_of,
    number_of_tables,
    players_reports_close,
    players_reports_open,
    table_codes_make,
)
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.paper import link_with_code

MOST_TABLES: Final = 300
"""So many codes are printed at once."""


@page(read=(Power.RUN,))
@require_http_methods(["GET", "HEAD", "POST"])
def codes(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the codes and the kiosk's link; POST makes ``codes``, or reports ``on``/``off``."""
    if request.method != "POST":
        return _page(request, tournament)
    given: dict[str, Any] = {"tournament_id": tournament.pk, **who_and_when(request)}
    secret = secrets.token_hex(32)

    def change() -> None:
        if "on" in request.POST:
            players_reports_open(**given, secret=secret)
        elif "off" in request.POST:
            players_reports_close(**given)
        else:
            table_codes_make(**given, secret=secret, seen=request.POST.get("codes", "-"))

    if "on" in request.POST:
        done = _("Players can now report results.")
    elif "off" in request.POST:
        done = _("Players can no longer report results.")
    else:
        done = _("The codes of the tables are made. Print them now.")
    here = reverse("table-codes", args=[tournament.slug])
    return do(
        request,
        change,
        done=done,
        to=here,
        refused=lambda problem: _page(request, tournament, problem),
    )


@page(read=(Power.RUN,))
@require_safe
def sheet(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the QR codes of tables ``from`` … ``to`` to print; none before codes are made."""
    found = codes_of(tournament)
    numbers = (
        requested_tables(request.GET, number_of_tables(tournament)) if found.secret else range(0)
    )
    links = [
        link_with_code(
            request, reverse("table-report", args=[tournament.slug, number, code_of(found, number)])
        )
        for number in numbers
    ]
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "tables": list(zip(numbers, links, strict=True)),
        "takes_reports": found.takes_reports,
        "is_only_here": any(link["is_only_here"] for link in links),
    }
    return render(request, "reporting/sheet.html", context)


def requested_tables(query: QueryDict, tables: int) -> range:
    """Return tables ``from`` … ``to``, at most :data:`MOST_TABLES`; without them all *tables*."""
    first = whole_number(query.get("from", ""), least=1, most=9_999) or 1
    last = whole_number(query.get("to", ""), least=1, most=9_999) or tables
    return range(first, min(max(first, last), first + MOST_TABLES - 1) + 1)


def _page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    found = codes_of(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "codes": found,
        "name": name_of(found),
        "tables": number_of_tables(tournament),
        "kiosk": link_with_code(
            request, reverse("kiosk", args=[tournament.slug, code_of(found, KIOSK)])
        )
        if found.secret
        else None,
        "problem": problem,
    }
    return render_with_problem(request, "reporting/codes.html", context)
