"""The public standings, and the tie-breaks of one player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from tournaments.core.frame import Frame
from tournaments.reports.publications import left_fide_mode_by, record_for
from tournaments.standings.adjust_points import adjustments, other_changes
from tournaments.standings.standings import (
    Amount,
    StandingLine,
    opened_standing,
    standings as read_standings,
)
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.not_found import not_found
from tournaments.web.parts import PART, part_of, requested_page
from tournaments.web.public_page import visitor_page, visitor_page_with, words
from tournaments.web.standings.groups import group_of
from tournaments.web.templatetags.numbers import points

MOST_COLUMNS: Final = 4
"""The most tie-breaks in a row of a long list, whose pages would be too large with more;
the points lead to all.
"""

PART_WITH_FIGURES: Final = 140
"""A list with the figures of FIDE has four elements more in each line: its parts have fewer."""


@visitor_page_with(q=words, only=words, page=requested_page)
def standings(request: HtmxHttpRequest, frame: Frame, number: int | None = None) -> HttpResponse:
    """Show the standings after round *number*, or after the newest round with published results.

    ``q`` is a search; ``only`` is a group of players, with their ranks among all.
    """
    latest = frame.latest_results
    after = latest if number is None else number
    if after > latest:
        raise Http404
    everybody = read_standings(frame, after_round=after)
    found = everybody.searched(request.GET.get("q", ""))
    if (group := group_of(request, frame)) is not None:
        found = tuple(line for line in found if line.entry_id in group.entries)
    request.finds = bool(found)
    table = replace(everybody, lines=found)
    requested = requested_page(request.GET.get("page", ""))
    size = PART_WITH_FIGURES if everybody.has_figures else PART
    part = part_of(found, requested, size=size, whole=size, label=_score, anchor=_row)
    columns = table.columns[:MOST_COLUMNS] if part.number else table.columns
    listed = adjustments(frame.tournament, after_round=after) if table.by_decision else ()
    context = {
        "frame": frame,
        "section": "standings",
        "standings": table,
        "part": part,
        "columns": columns,
        "has_figures": everybody.has_figures,
        "width": 6 + len(columns) + (2 if everybody.has_figures else 0),
        "shown_columns": f":{MOST_COLUMNS}" if part.number else ":",
        "decided": deciding_amounts(everybody.lines, {line.entry_id for line in part.lines}),
        "adjustments": listed,
        "other_changes": other_changes(table.by_decision, listed),
        "after": after,
        "rounds_done": range(1, latest + 1),
        "is_final": after == len(frame.rounds),
        "record": SimpleLazyObject(partial(record_for, frame, after)),
        "left_fide_mode_by": left_fide_mode_by(frame),
        "q": request.GET.get("q", ""),
        "not_found": not_found(found, request.GET.get("q", "")),
        "only": request.GET.get("only", ""),
        "group": group,
    }
    return page_or_partial(request, "standings/standings.html", "live", context)


@visitor_page
def standing(request: HtmxHttpRequest, frame: Frame, number: int, entry_id: int) -> HttpResponse:
    """Show one player's rank after round *number* with the parts of every tie-break."""
    if number > frame.latest_results:
        raise Http404
    opened = opened_standing(frame, after_round=number, entry_id=entry_id)
    if opened is None:
        raise Http404
    context = {
        "frame": frame,
        "section": "standings",
        "opened": opened,
        "after": number,
        "adjustments": adjustments(frame.tournament, after_round=number, tpn=opened.line.tpn),
    }
    return page_or_partial(request, "standings/standing.html", "live", context)


@require_safe
def standing_by_number(request: HttpRequest, slug: str, number: int, tpn: int) -> HttpResponse:
    """Redirect an old address to the standings: numbers may belong to others now."""
    return redirect("standings-after", slug, number, permanent=True)


def deciding_amounts(
    lines: Sequence[StandingLine], shown: Set[int]
) -> dict[int, tuple[Amount, ...]]:
    """Return the tie-breaks that rank neighbours apart who look equal on a phone, which shows
    points and the first tie-break only; by entry. One of two neighbours is *shown*.
    """
    found: defaultdict[int, dict[int, Amount]] = defaultdict(dict)
    for above, below in pairwise(lines):
        if above.rank == below.rank or above.points != below.points:
            continue
        if shown.isdisjoint((above.entry_id, below.entry_id)):
            continue
        place = next(
            (
                place
                for place, (one, other) in enumerate(zip(above.amounts, below.amounts, strict=True))
                if one != other
            ),
            0,
        )
        if place:
            for line in (above, below):
                found[line.entry_id][place] = line.value(place)
    return {entry: tuple(amounts.values()) for entry, amounts in found.items()}


def _score(line: StandingLine) -> str:
    return points(line.points)


def _row(line: StandingLine) -> str:
    return f"entry-{line.entry_id}"
