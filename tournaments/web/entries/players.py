"""The public list of players."""

from __future__ import annotations

from django.http import HttpResponse

from tournaments.core.frame import Frame
from tournaments.entries.entry_list import entry_list, starting_order
from tournaments.reports.record_page import newest_row
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.parts import asked_part, part_of
from tournaments.web.public_page import visitor_page_with, words


@visitor_page_with(q=words, page=asked_part)
def players(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the participants in the order of their numbers."""
    search = request.GET.get("q", "")
    listed = entry_list(frame.tournament, search=search)
    context = {
        "frame": frame,
        "section": "players",
        "part": part_of(starting_order(listed.lines), asked_part(request.GET.get("page", ""))),
        "total": listed.total,
        "q": search,
        "publication": newest_row(frame),
    }
    return page_or_partial(request, "entries/players.html", "live", context)
