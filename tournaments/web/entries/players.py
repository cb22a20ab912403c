"""The public list of players."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpResponse

from pairing.rules.names import fold
from tournaments.core.frame import Frame
from tournaments.entries.entry_list import EntryLine, entry_list, find_entries, starting_order
from tournaments.reports.publications import left_fide_mode_by
from tournaments.reports.record_page import newest_row
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.not_found import not_found
from tournaments.web.parts import first_letter, part_of, requested_page
from tournaments.web.public_page import one_of, visitor_page_with, words


@visitor_page_with(q=words, order=one_of("name"), page=requested_page)
def players(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the participants in the order of their numbers, or by name.

    A long list has an index by letter, which leads to the list by name.
    """
    listed = entry_list(frame.tournament)
    named = sorted(listed.lines, key=lambda line: (fold(line.name), line.tpn or 0, line.entry_id))
    by_name = request.GET.get("order") == "name"
    ordered = named if by_name else starting_order(listed.lines)
    found = find_entries(ordered, request.GET.get("q", ""))
    request.finds = bool(found)
    requested = requested_page(request.GET.get("page", ""))
    part = part_of(
        found, requested, label=lambda line: first_letter(line.name) if by_name else "", anchor=_row
    )
    if not by_name:
        by_letter = find_entries(named, request.GET.get("q", "")) if part.is_long else ()
        index = part_of(
            by_letter, "", label=lambda line: first_letter(line.name), anchor=_row
        ).index
        part = replace(part, index=index)
    context = {
        "frame": frame,
        "section": "players",
        "left_fide_mode_by": left_fide_mode_by(frame),
        "part": part,
        "by_name": by_name,
        "index_by_name": not by_name,
        "total": listed.total,
        "q": request.GET.get("q", ""),
        "not_found": not_found(found, request.GET.get("q", "")),
        "publication": newest_row(frame),
    }
    return page_or_partial(request, "entries/players.html", "live", context)


def _row(line: EntryLine) -> str:
    return f"entry-{line.entry_id}"
