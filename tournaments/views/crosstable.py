"""The crosstable as a page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.htmx import HtmxHttpRequest
from tournaments.selectors import crosstable as selector
from tournaments.selectors.crosstable import CrosstableOrder
from tournaments.selectors.frame import Frame

from .visitors import visitor_page


@visitor_page
def crosstable(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Everybody's rounds, by rank or with ``?order=tpn`` by TPN; visitors see rounds with published results only."""
    order = CrosstableOrder.TPN if request.GET.get("order") == "tpn" else CrosstableOrder.RANK
    table = selector.crosstable(frame, order=order)
    context = {
        "frame": frame,
        "section": "standings",
        "table": table,
        "rounds": range(1, table.after_round + 1),
        "by_tpn": order is CrosstableOrder.TPN,
    }
    return render(request, "tournaments/crosstable.html", context)
