"""The crosstable as a page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.reports.publications import StandingsRecord, left_fide_mode_by, standings_record
from tournaments.standings import crosstable as selector
from tournaments.standings.crosstable import Crosstable, CrosstableOrder, CrosstablePicture
from tournaments.standings.kept import field_for
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.parts import ELEMENTS, PART, Part, asked_part, rows_of
from tournaments.web.public_page import one_of, page_with_more_for_arbiters
from tournaments.web.standings.player import SVG, to_be_kept

MOST_DRAWN = 100
"""The most players drawn on the page; a larger picture can only be downloaded."""


@page_with_more_for_arbiters(order=one_of("tpn"), page=asked_part)
def crosstable(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show each player's rounds, by rank or with ``?order=tpn`` by TPN; visitors see only published results."""
    order = CrosstableOrder.TPN if request.GET.get("order") == "tpn" else CrosstableOrder.RANK
    asked = asked_part(request.GET.get("page", ""))
    field = None if frame.runs else field_for(frame, frame.latest_results)
    count = len(field.players) if field else frame.tournament.entries.filter(tpn__isnull=False).count()
    # A row has a name, a rating and so on, and for each round a cell of four elements.
    size = min(PART, max(10, ELEMENTS // (8 + 4 * len(frame.rounds)) // 10 * 10))
    rows = rows_of(count, asked, size=size)
    table = selector.crosstable(frame, order=order, field=field, rows=rows)
    # A round in play has no publication yet.
    publications = StandingsRecord() if table.in_play else standings_record(frame.tournament, table.after_round)
    context = {
        "frame": frame,
        "section": "standings",
        "table": table,
        "part": Part(table.lines, count, size, asked),
        "rounds": range(1, table.after_round + 1),
        "publication": publications.publication,
        "corrected": publications.corrected,
        "left_fide_mode_by": left_fide_mode_by(frame),
        "by_tpn": order is CrosstableOrder.TPN,
        "picture": _picture(frame, table) if count <= MOST_DRAWN else None,
    }
    return render(request, "standings/crosstable.html", context)


@page_with_more_for_arbiters()
def crosstable_picture(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the crosstable by rank as a picture to download, with colours and results, for any number of players."""
    table = selector.crosstable(frame)
    context = {"frame": frame, "table": table, "picture": _picture(frame, table), "alone": True}
    response = render(request, "standings/_crosstable_picture.html", context, content_type=SVG)
    return to_be_kept(response, f"{frame.tournament.slug}-crosstable.svg")


def _picture(frame: Frame, table: Crosstable) -> CrosstablePicture:
    values = point_system(frame.tournament)
    return selector.picture(table, win=values.win * values.games)
