"""The page *Print & share*: every list for paper, for a message and for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from pairing.rounds.table_codes import codes_of
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may
from tournaments.core.request_values import whole_number
from tournaments.models import Tournament
from tournaments.standings.further_columns import COLUMNS
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.chromium import browser
from tournaments.web.printing.columns import columns_of
from tournaments.web.printing.kinds import KINDS, Kind, Source
from tournaments.web.printing.sheets import LONGEST_NOTICE, languages_of, source_of


@dataclass(frozen=True, slots=True)
class Row:
    """A list on the page; ``number`` is its round, None if it belongs to none.

    ``address`` is that of its sheets, empty if it cannot be printed yet.
    """

    kind: Kind
    number: int | None
    address: str
    csv: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen for the lists, for their addresses; nothing if it is as usual."""

    columns: dict[str, Any]
    languages: dict[str, Any]


@arbiter_only
@require_safe
def print_and_share(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the lists with links to print, copy and save them.

    ``round`` chooses the round, else the newest; ``columns`` the columns of standings and
    crosstable; ``language`` the languages of the sheets.
    """
    number = whole_number(request.GET.get("round", ""), least=1, most=999)
    source = source_of(tournament, number)
    kinds = [
        kind
        for kind in KINDS.values()
        if kind.is_listed and may(request.user, tournament, kind.power)
    ]
    names = request.GET.getlist("columns")
    columns = [column for column in COLUMNS if may(request.user, tournament, column.power)]
    languages = languages_of(request.GET)
    chosen = Chosen(
        {"columns": names} if names else {},
        {"language": languages} if "language" in request.GET else {},
    )
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "print",
        "rows": [_row(kind, source, chosen) for kind in kinds],
        "print_round": _round_address(tournament, number, chosen),
        "columns": [(column, column in columns_of(names)) for column in columns],
        "languages": [
            (code, get_language_info(code)["name_local"], code in languages)
            for code, _name in settings.LANGUAGES
        ],
        "rounds": [tab.number for tab in source.frame.published],
        "number": number,
        "newest": source.pairings_of,
        "longest_notice": LONGEST_NOTICE,
        "has_browser": browser() is not None,
        "has_codes": bool(codes_of(tournament).secret),
        "event": tournament.section.event if hasattr(tournament, "section") else None,
    }
    return render(request, "printing/print_and_share.html", context)


def _round_address(tournament: Tournament, number: int | None, chosen: Chosen) -> str:
    """Return the address of the pairings of a round by board and by name, of all sections."""
    query: dict[str, Any] = {"list": ["boards", "names"]} | ({"round": number} if number else {})
    if hasattr(tournament, "section"):
        query["for"] = "event"
    query |= chosen.languages
    return f"{reverse('sheets', args=[tournament.slug])}?{urlencode(query, doseq=True)}"


def _row(kind: Kind, source: Source, chosen: Chosen) -> Row:
    number = kind.round_of(source) if kind.round_of else None
    if not kind.is_there(source):
        return Row(kind, number, "", "")
    query = chosen.languages | (chosen.columns if kind.has_columns else {})
    return Row(kind, number, kind.address(source, query), kind.csv(source) if kind.csv else "")
