"""The page *Print & share*: every list for paper, for a message and for other programs."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from pairing.rounds.table_codes import codes_of
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may
from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.kinds import KINDS, Kind, Source
from tournaments.web.printing.pdf import browser
from tournaments.web.printing.sheets import LONGEST_NOTICE, source_of


@dataclass(frozen=True, slots=True)
class Row:
    """A list on the page; ``number`` is its round, None if it belongs to none.

    ``address`` is that of its sheets, empty if it cannot be printed yet.
    """

    kind: Kind
    number: int | None
    address: str
    csv: str


@arbiter_only
@require_safe
def print_and_share(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the lists with links to print, copy and save them; ``?round=`` chooses the round, else the newest."""
    number = whole_number(request.GET.get("round", ""), least=1, most=999)
    source = source_of(tournament, number)
    kinds = [
        kind
        for kind in KINDS.values()
        if kind.is_listed and may(request.user, tournament, kind.power)
    ]
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "print",
        "rows": [_row(kind, source) for kind in kinds],
        "rounds": [tab.number for tab in source.frame.published],
        "number": number,
        "newest": source.pairings_of,
        "longest_notice": LONGEST_NOTICE,
        "has_browser": browser() is not None,
        "has_codes": bool(codes_of(tournament).secret),
        "event": tournament.section.event if hasattr(tournament, "section") else None,
    }
    return render(request, "printing/print_and_share.html", context)


def _row(kind: Kind, source: Source) -> Row:
    number = kind.round_of(source) if kind.round_of else None
    if not kind.is_there(source):
        return Row(kind, number, "", "")
    query = urlencode({"list": kind.name} | ({"round": number} if number else {}))
    address = f"{reverse('sheets', args=[source.tournament.slug])}?{query}"
    return Row(kind, number, address, kind.csv(source) if kind.csv else "")
