"""The crosstable as a page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.reports.publications import StandingsRecord, left_fide_mode_by, record_for
from tournaments.standings import crosstable as selector
from tournaments.standings.crosstable import (
    Crosstable,
    CrosstableLine,
    CrosstableOrder,
    CrosstablePicture,
)
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.parts import ELEMENTS, PART, Part, requested_page, rows_of
from tournaments.web.public_page import one_of, page_with_more_for_arbiters
from tournaments.web.standings.player import SVG, as_download

MOST_DRAWN = 100
"""The most players drawn on the page; pictures of more can only be downloaded."""


@page_with_more_for_arbiters(order=one_of("tpn"), page=requested_page)
def crosstable(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show each player's rounds by rank, or ``?order=tpn``; visitors see published results only."""
    table, part = _part(request, frame)
    shown = {"order": "tpn"} if table.order is CrosstableOrder.TPN else {}
    if part.requested:
        shown["page"] = part.requested
    # A round in play has no publication yet.
    publications = StandingsRecord() if table.in_play else record_for(frame, table.after_round)
    context = {
        "frame": frame,
        "section": "standings",
        "table": table,
        "part": part,
        "rounds": range(1, table.after_round + 1),
        "publication": publications.publication,
        "corrected": publications.corrected,
        "left_fide_mode_by": left_fide_mode_by(frame),
        "by_tpn": table.order is CrosstableOrder.TPN,
        "picture_query": f"?{urlencode(shown)}" if part.is_long and shown else "",
        "picture": _picture(frame, table) if part.count <= MOST_DRAWN else None,
    }
    return render(request, "standings/crosstable.html", context)


@page_with_more_for_arbiters(order=one_of("tpn"), page=requested_page)
def crosstable_picture(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the crosstable as a picture, with colours and results, as on the page.

    A long one comes in the parts of the page; ``?page=all`` is the whole one.
    """
    table, part = _part(request, frame)
    context = {"frame": frame, "table": table, "picture": _picture(frame, table), "alone": True}
    response = render(request, "standings/_crosstable_picture.html", context, content_type=SVG)
    number = f"-{part.number}" if part.is_long and part.number else ""
    return as_download(response, f"{frame.tournament.slug}-crosstable{number}.svg")


def _part(request: HtmxHttpRequest, frame: Frame) -> tuple[Crosstable, Part[CrosstableLine]]:
    """Return the lines of ``?page=`` in the order of ``?order=``, and their place in all."""
    order = CrosstableOrder.TPN if request.GET.get("order") == "tpn" else CrosstableOrder.RANK
    page = requested_page(request.GET.get("page", ""))
    count = frame.tournament.entries.filter(tpn__isnull=False).count()
    # A row has a name, a rating and so on, and for each round a cell of four elements.
    size = min(PART, max(10, ELEMENTS // (8 + 4 * len(frame.rounds)) // 10 * 10))
    table = selector.crosstable(frame, order=order, rows=rows_of(count, page, size=size))
    return table, Part(table.lines, count, size, page)


def _picture(frame: Frame, table: Crosstable) -> CrosstablePicture:
    values = point_system(frame.tournament)
    return selector.picture(table, win=values.win * values.games)
