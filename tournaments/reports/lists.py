"""The lists that exist as files for spreadsheets only: one row each in :data:`LISTS`.

A file has every row of its list. What the program could not find out is a row of its own, such as a
norm that was not searched completely.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.ratings.direct_titles import TitleClaim
from pairing.rules.powers import Power
from tournaments.core.frame import Frame
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.fide_sheets import title_lines
from tournaments.reports.norms import NormRow, norms_page
from tournaments.standings.adjust_points import adjustments
from tournaments.standings.prize_payees import payees
from tournaments.standings.prizes import prize_list
from tournaments.standings.ranked_field import players_for, table_for

Row = dict[str, Any]
"""The cells of a row by the names of its columns, which are the same in each row."""
PLAYER: Final = ("id", "tpn", "name", "fide_id")


@dataclass(frozen=True, slots=True)
class Listing:
    """A list: its ``name`` in addresses, its label, its columns, and its rows for a reader.

    A row can have more columns than ``columns``, such as one for each round. Without ``power`` the
    list is for everybody. ``unrecorded`` returns what the rows depend on and the record does not
    have.
    """

    name: str
    label: Promise
    columns: tuple[str, ...]
    rows: Callable[[Frame], Iterator[Row]]
    power: Power | None = Power.READ
    unrecorded: Callable[[Tournament], str] | None = None


def _schedule(frame: Frame) -> Iterator[Row]:
    for row in Round.objects.filter(tournament=frame.tournament).order_by("number"):
        yield {
            "round": row.number,
            "state": frame.state_of(row.number).value,
            "starts_at": row.starts_at,
            "results_due_at": row.results_due_at,
            "published_at": row.published_at,
            "results_published_at": row.results_published_at,
        }


def _progress(frame: Frame) -> Iterator[Row]:
    """Yield the rank and the points of each player after each round, the first rank first.

    An expelled player has no rank and comes last. Two to four queries for each round.
    """
    after = frame.latest_results
    _players, entries = players_for(frame, after)
    tables = [
        {line.tpn: line for line in table_for(frame, number).lines}
        for number in range(1, after + 1)
    ]
    last = {tpn: line.rank for tpn, line in tables[-1].items()} if tables else {}
    for tpn in sorted(entries, key=lambda each: (last.get(each, len(entries) + 1), each)):
        entry = entries[tpn]
        row: Row = {}
        for number, lines in enumerate(tables, start=1):
            line = lines.get(tpn)
            row[f"rank_after_{number}"] = line.rank if line else None
            row[f"points_after_{number}"] = _tenths(line.points) if line else None
        yield {
            "rank": last.get(tpn),
            **player_cells(entry, is_public=not frame.runs),
            "federation": entry.federation,
            **row,
        }


def _norms(frame: Frame) -> Iterator[Row]:
    """Yield the norms of which no condition failed, those that were not searched completely, and
    those that are still possible, with a row for each score that is enough.
    """
    page, empty = norms_page(frame), dict.fromkeys(NORM)
    for each in page.met:
        yield _norm(each) | {"state": each.norm.state.value}
    for each in page.not_searched:
        yield _norm(each) | {"state": "not_searched"}
    for forecast in page.forecasts:
        found = forecast.forecast
        row = (
            empty | player_cells(forecast.entry) | {"norm": found.title.value, "state": "possible"}
        )
        row["rounds_missing"] = found.rounds
        if found.already:
            yield row | {"needs": "0"}
        for chance in () if found.already else found.chances:
            needed = chance.opponents
            yield row | {
                "needs": _tenths(5 * chance.halves),
                "opponents_rating": needed and needed.rating,
                "opponents_titles": needed and " ".join(sorted(needed.titles)),
                "opponents_foreign": needed and needed.is_foreign,
            }
        if found.by_forfeit and not found.already:
            yield row | {"state": "possible_by_forfeit"}


def _norm(row: NormRow) -> Row:
    figures = row.norm.figures
    return dict.fromkeys(NORM) | {
        **player_cells(row.entry),
        "norm": row.norm.title.title.value,
        "points": figures and _tenths(5 * figures.halves),
        "games": figures and figures.games,
        "average": figures and figures.average,
        "norm_performance": figures and figures.performance,
    }


def _rating_changes(frame: Frame) -> Iterator[Row]:
    """Yield the change of each player with a rated game, or the first rating."""
    for row in norms_page(frame).changes:
        change, initial = row.change, row.initial
        yield {
            **player_cells(row.entry),
            "rating": change and change.rating,
            "games": len(change.games if change else initial.games if initial else ()),
            "points": hundredths(change.made)
            if change
            else initial and _tenths(5 * initial.halves),
            "expected": change and hundredths(change.expected),
            "k_factor": change and change.k.value,
            "k_assumed": change and not change.k.is_listed,
            "change": change and hundredths(change.change),
            "first_rating": (initial and not initial.reason and initial.rating) or None,
        }


def _titles(frame: Frame) -> Iterator[Row]:
    """Yield the players with a claimed title, before there is one the candidates."""
    section = getattr(frame.tournament, "section", None)
    for row in title_lines(frame, frame.latest_results):
        claimed = row.claimed or TitleClaim("")
        yield {
            "rank": row.line.rank,
            **player_cells(row.entry),
            "title": row.entry.title,
            "women_title": row.entry.women_title,
            "federation": row.entry.federation,
            "rating": row.entry.fide_rating,
            "group": claimed.group or (section.label if section else ""),
            "points": _tenths(row.line.points),
            "percent": row.percent,
            "medal": row.medal or None,
            "claimed": claimed.title,
            "claimed_for": claimed.result,
            "remarks": claimed.remarks,
            "rating_needed": row.rating_needed,
        }


def _adjustments(frame: Frame) -> Iterator[Row]:
    tournament = frame.tournament
    after = tournament.total_rounds if frame.runs else frame.latest_results
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
    for line in adjustments(tournament, after_round=after):
        entry, decision = entries[line.entry_id], line.decision
        yield {
            **player_cells(entry, is_public=not frame.runs),
            "round": line.round_number,
            "points": _tenths(line.points),
            "article": decision.article if decision else "",
            "reason": decision.reason if decision else "",
            "at": decision and decision.at,
            "from_file": decision is None,
        }


def _payees(frame: Frame) -> Iterator[Row]:
    found = prize_list(frame)
    for payee in payees(found):
        yield {
            "name": payee.name,
            "categories": ", ".join(payee.categories),
            "amount": hundredths(payee.amount),
            "currency": found.plan.currency,
            "thing": payee.thing,
            "is_provisional": found.is_provisional,
        }


def player_cells(entry: Entry, *, is_public: bool = False) -> Row:
    """Return what identifies a player: to visitors as the player allows."""
    return {
        "id": entry.pk,
        "tpn": entry.tpn,
        "name": entry.name if is_public else entry.real_name,
        "fide_id": entry.public_fide_id if is_public else entry.fide_id,
    }


def _tenths(points: int) -> str:
    return str(Decimal(points).scaleb(-1))


def hundredths(value: int) -> str:
    return str(Decimal(value).scaleb(-2))


NORM: Final = (
    *PLAYER, "norm", "state", "points", "games", "average", "norm_performance",
    "rounds_missing", "needs", "opponents_rating", "opponents_titles", "opponents_foreign",
)  # fmt: skip
LISTS: Final[Mapping[str, Listing]] = {
    each.name: each
    for each in (
        Listing(
            "schedule", _("Schedule"),
            ("round", "state", "starts_at", "results_due_at", "published_at",
             "results_published_at"),
            _schedule, power=None,
        ),
        Listing("progress", _("Rank after each round"), ("rank", *PLAYER, "federation"), _progress,
                power=None),
        Listing(
            "adjustments", _("Point adjustments"),
            (*PLAYER, "round", "points", "article", "reason", "at", "from_file"),
            _adjustments, power=None,
        ),
        Listing("norms", _("Norms"), NORM, _norms),
        Listing(
            "rating-changes", _("FIDE rating changes"),
            (*PLAYER, "rating", "games", "points", "expected", "k_factor", "k_assumed", "change",
             "first_rating"),
            _rating_changes,
        ),
        Listing(
            "titles", _("List of titles (IT4)"),
            ("rank", *PLAYER, "title", "women_title", "federation", "rating", "group", "points",
             "percent", "medal", "claimed", "claimed_for", "remarks", "rating_needed"),
            _titles, unrecorded=lambda tournament: json.dumps(tournament.title_claims),
        ),
        Listing(
            "signatures", _("List of signatures"),
            ("name", "categories", "amount", "currency", "thing", "is_provisional"),
            _payees, power=Power.RUN,
        ),
    )
}  # fmt: skip
"""By name, in the order of the report."""
