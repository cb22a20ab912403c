"""The pages on which a player reports a wrong result, and what an arbiter does with the report.

Without scripts, and for nobody's account: at *My board* or with the code of the table.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from config.middleware import client_address
from pairing.rounds.mistakes import (
    Reportable,
    ReportedGame,
    mistake_report,
    mistake_settle,
    report_of,
    reportable,
)
from pairing.rounds.table_codes import codes_of, is_code
from pairing.rules.verdict import Allowed, Refused
from tournaments.core import request_limits as counting
from tournaments.core.actions import in_own_edition
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.names_of_people import name_of
from tournaments.core.request_values import whole_number
from tournaments.models import Entry, Tournament
from tournaments.models.mistake_report import ANSWERS, COLOURS
from tournaments.web.access import arbiter, arbiter_only, not_to_be_stored, private
from tournaments.web.action_form import Problem, do
from tournaments.web.htmx import HtmxHttpRequest


@require_http_methods(["GET", "HEAD", "POST"])
def mistake(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show the newest result of a player, and take the report that it is wrong.

    Like *My board* it is open to everybody: the arbiters read that nobody proved who it was.
    """
    tournament = get_object_or_404(Tournament, slug=slug)
    entry = get_object_or_404(Entry, tournament=tournament, pk=entry_id, tpn__isnull=False)
    now = timezone.now()
    found = reportable(tournament, now, entry=entry.pk)
    back = reverse("player-page", args=[slug, entry.pk])
    return _answer(request, tournament, found, now, entry=entry, whose=f"{entry.pk}", back=back)


@require_http_methods(["GET", "HEAD", "POST"])
def mistake_at_table(request: HttpRequest, slug: str, number: int, code: str) -> HttpResponse:
    """The same for both players at a table, with its code; 404 for a code that has ended."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not is_code(codes_of(tournament), number, code):
        return not_to_be_stored(render(request, "reporting/ended.html", status=404))
    now = timezone.now()
    found = reportable(tournament, now, table=number)
    back = reverse("table-report", args=[slug, number, code])
    whose = f"{tournament.pk} table {number}"
    return _answer(request, tournament, found, now, entry=None, whose=whose, back=back)


def _answer(
    request: HttpRequest,
    tournament: Tournament,
    found: Reportable,
    now: datetime,
    *,
    entry: Entry | None,
    whose: str,
    back: str,
) -> HttpResponse:
    error: ServiceError | None = None
    if isinstance(found.verdict, Refused):
        error = RuleRefused(in_own_edition(tournament, found.verdict))
    if request.method == "POST":
        try:
            _save(request, tournament, found, now, entry=entry, whose=whose)
        except ServiceError as refused:
            error = refused
        else:
            return redirect(request.path)
    context: dict[str, Any] = {
        "tournament": tournament,
        "found": found,
        "games": [_shown(each, entry) for each in found.games],
        "is_open": isinstance(found.verdict, Allowed),
        "entry": entry,
        "error": error,
        "back": back,
        "results": [right for right in ANSWERS if right != COLOURS],
    }
    status = error.status if error and request.method == "POST" else 200
    return private(render(request, "reporting/mistake.html", context, status=status))


def _shown(each: ReportedGame, entry: Entry | None) -> dict[str, Any]:
    """Return a game for the page of *entry*, or of both players at the table.

    ``own`` is the report that waits already, so that the form only changes it; ``is_proven``: it
    was sent with the code of the table, and is not changed without.
    """
    own = report_of(each.reports, entry.pk) if entry is not None else None
    return {
        "game": each.game,
        "entries": each.entries,
        "reports": each.reports,
        "own": own,
        "is_folded": own is not None or len(each.reports) == len(each.entries),
        "is_proven": own is not None and own.at_table,
    }


def _save(
    request: HttpRequest,
    tournament: Tournament,
    found: Reportable,
    now: datetime,
    *,
    entry: Entry | None,
    whose: str,
) -> None:
    """Save the report in the form, if it is about a game of this page."""
    for kind, of in ((counting.MISTAKE, whose), (counting.MISTAKES, client_address(request))):
        counting.count_request(kind, of, now=now, busy=counting.TOO_MANY_REPORTS)
    game = whole_number(request.POST.get("game", "")) or 0
    side = request.POST.get("side", "")
    here = {each.game.game_id: each.entries for each in found.games}
    is_ours = game in here and entry is not None and here[game].get(side) == entry.pk
    version = whole_number(request.POST.get("version", ""))
    with transaction.atomic():
        mistake_report(
            tournament_id=tournament.pk,
            game_id=game if game in here and (entry is None or is_ours) else 0,
            side=side,
            right=request.POST.get("right", ""),
            now=now,
            seen_version=-1 if version is None else version,
            at_table=entry is None,
        )


@arbiter_only
@require_POST
def settle(request: HtmxHttpRequest, tournament: Tournament, report_id: int) -> HttpResponse:
    """Save that an arbiter has dealt with a report; nothing else changes."""

    def save() -> None:
        with transaction.atomic():
            mistake_settle(
                tournament_id=tournament.pk,
                report_id=report_id,
                by=name_of(arbiter(request)),
                now=timezone.now(),
            )

    def refused(problem: Problem) -> HttpResponse:
        return render(request, "shared/bad_value.html", {"problem": problem}, status=problem.status)

    back = reverse("corrections", args=[tournament.slug])
    return do(request, save, done=_("The report is settled."), to=back, refused=refused)
