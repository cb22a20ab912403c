"""The public pairings of a round."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from pairing.rounds.announce import announced_names
from pairing.rounds.round_page import BoardLine, NameLine
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.frame import Frame
from tournaments.core.public_address import printed_address
from tournaments.models import Round
from tournaments.reports.publications import left_fide_mode_by, publications_of
from tournaments.reports.round_codes import code_lines
from tournaments.standings.kept import round_for
from tournaments.templatetags.numbers import points
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.parts import Part, asked_part, first_letter, part_of
from tournaments.web.public_page import one_of, visitor_page_with, words
from tournaments.web.searches import Found, found_by

MY_BOARDS: Final = 3
"""So many of the players who are found have their board in large letters."""
BOARDS: Final = 150
"""The boards on a page of a round with more than 200: each has two players."""


@visitor_page_with(q=words, order=one_of("name"), page=asked_part)
def pairings(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show the pairings of a published round, by board or by name; 404 for a draft."""
    row = get_object_or_404(Round, tournament=frame.tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    page = round_for(frame, row)
    search = request.GET.get("q", "")
    by_name = request.GET.get("order") == "name"
    asked = asked_part(request.GET.get("page", ""))

    def find(words: str) -> Found:
        some = page.searched(words) if words else page
        names = some.by_name(words) if by_name or words else ()
        return {"boards": some.boards, "byes": some.byes, "names": names, "found": names[:MY_BOARDS] if words else ()}

    found = found_by(request, find)
    names = found["names"]
    shown = replace(page, boards=tuple(found["boards"]), byes=tuple(found["byes"]))
    part: Part[NameLine] | Part[BoardLine]
    if by_name:
        part = part_of(names, asked, label=lambda line: first_letter(line.player.name), anchor=_row)
    else:
        part = part_of(shown.boards, asked, size=BOARDS, label=_score, anchor=lambda line: f"board-{line.board}")
        shown = replace(shown, boards=tuple(part.lines), byes=shown.byes if part.is_last else ())
    publications = publications_of(frame.tournament, number)
    context = {
        "frame": frame,
        "section": "pairings",
        "page": shown,
        "many_boards": len(page.boards) >= 100,  # of the round: numbers with three digits
        "names": part.lines if by_name else names,
        "found": found["found"],
        "part": part,
        "by_name": by_name,
        "q": search,
        "publication": publications[-1] if publications else None,
        "changes": publications[1:],
        "is_accelerated": page.is_accelerated,
        "has_open_games": page.has_open_games,
        "codes": code_lines(page) if not search and printed_address("/") else (),
        "announced": announced_names(frame.tournament, number + 1) if number == frame.latest_published else (),
        "left_fide_mode_by": left_fide_mode_by(frame),
    }
    return page_or_partial(request, "rounds/pairings.html", "live", context)


def _score(line: BoardLine) -> str:
    return points(max(line.white.pairing_score, line.black.pairing_score))


def _row(line: NameLine) -> str:
    return f"entry-{line.player.entry_id}"
