"""The public pairings of a round."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from typing import Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.functional import SimpleLazyObject

from pairing.rounds.announce import announced_names
from pairing.rounds.round_page import BoardLine, NameLine, RoundPage, round_page
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.frame import Frame
from tournaments.core.public_address import printed_address
from tournaments.models import Round
from tournaments.reports.publications import left_fide_mode_by, publications_of
from tournaments.reports.round_codes import code_lines
from tournaments.standings.ranked_field import round_for
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.not_found import not_found
from tournaments.web.parts import Part, first_letter, part_of, requested_page
from tournaments.web.public_page import one_of, visitor_page_with, words
from tournaments.web.standings.groups import group_of
from tournaments.web.templatetags.numbers import points

MY_BOARDS: Final = 3
"""So many of the players who are found have their board in large letters."""
BOARDS: Final = 150
"""The boards on a page of a round with more than 200: each has two players."""


@visitor_page_with(q=words, only=words, order=one_of("name"), page=requested_page)
def pairings(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show the pairings of a published round, by board or by name; 404 for a draft.

    ``q`` is a search, ``only`` a group of players: their boards.
    """
    row = get_object_or_404(Round, tournament=frame.tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    search = request.GET.get("q", "")
    page = round_page(frame, row, search) if search else round_for(frame, row)
    by_name = request.GET.get("order") == "name"
    requested = requested_page(request.GET.get("page", ""))
    shown = page.searched(search) if search else page
    names = shown.by_name(search) if by_name or search else ()
    if (group := group_of(request, frame)) is not None:
        names = tuple(line for line in names if line.player.entry_id in group.entries)
        shown = of_players(shown, group.entries)
    request.finds = bool(names or shown.boards or shown.byes)
    part: Part[NameLine] | Part[BoardLine]
    if by_name:
        part = part_of(
            names, requested, label=lambda line: first_letter(line.player.name), anchor=_row
        )
    else:
        part = part_of(
            shown.boards,
            requested,
            size=BOARDS,
            label=_score,
            anchor=lambda line: f"board-{line.board}",
        )
        shown = replace(shown, boards=tuple(part.lines), byes=shown.byes if part.is_last else ())
    context = {
        "frame": frame,
        "section": "pairings",
        "page": shown,
        "many_boards": any(line.board >= 100 for line in page.boards),
        "names": part.lines if by_name else names,
        "found": names[:MY_BOARDS] if search else (),
        "part": part,
        "by_name": by_name,
        "q": search,
        "not_found": not_found([line.player for line in names], search) if search else "",
        "only": request.GET.get("only", ""),
        "group": group,
        "publications": SimpleLazyObject(partial(publications_of, frame.tournament, number)),
        "is_accelerated": page.is_accelerated,
        "has_open_games": page.has_open_games,
        "codes": code_lines(page) if not search and printed_address("/") else (),
        "announced": SimpleLazyObject(partial(announced_names, frame.tournament, number + 1))
        if number == frame.latest_published
        else (),
        "left_fide_mode_by": left_fide_mode_by(frame),
    }
    return page_or_partial(request, "rounds/pairings.html", "live", context)


def of_players(page: RoundPage, entries: Collection[int]) -> RoundPage:
    """Return the same round with only the boards and byes of the players with these *entries*."""
    boards = (
        line
        for line in page.boards
        if line.white.entry_id in entries or line.black.entry_id in entries
    )
    byes = (bye for bye in page.byes if bye.player.entry_id in entries)
    return replace(page, boards=tuple(boards), byes=tuple(byes))


def _score(line: BoardLine) -> str:
    return points(max(line.white.pairing_score, line.black.pairing_score))


def _row(line: NameLine) -> str:
    return f"entry-{line.player.entry_id}"
