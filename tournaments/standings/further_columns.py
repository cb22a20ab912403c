"""The columns an arbiter chooses for paper; files of standings and crosstable have all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.engine.model import TPN
from tournaments.core.frame import Frame
from tournaments.core.permissions import Power
from tournaments.standings.player import performance
from tournaments.standings.prize_conditions import admits, heading_of
from tournaments.standings.prize_plan import plan_of
from tournaments.standings.ranked_field import figures_for, players_for

WORDS: Final = "words"
"""The style of a column with words: it needs more width than a number."""
Values = Mapping[TPN, object]
"""What a column has for each player, a rating change as a decimal number; nothing for a player
without a value.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name`` in addresses and files, its ``head`` on paper, the style of its cells.

    ``label`` is its name on the page *Print & share*. Only readers with the ``power`` can choose
    it. ``values`` get the frame and the round after which the list is printed. ``is_usual``: on
    paper if nothing is chosen; the files have it in the list itself.
    """

    name: str
    label: Promise
    head: Promise
    style: str
    values: Callable[[Frame, int], Values]
    is_usual: bool = False
    power: Power = Power.READ


def _federations(frame: Frame, after: int) -> Values:
    return {tpn: entry.federation for tpn, entry in players_for(frame, after)[1].items()}


def _clubs(frame: Frame, after: int) -> Values:
    return {tpn: entry.club for tpn, entry in players_for(frame, after)[1].items()}


def _categories(frame: Frame, after: int) -> Values:
    """Return the prize categories with conditions that are open to each player."""
    tournament = frame.tournament
    plans = [plan for plan in plan_of(tournament).categories if plan.conditions]
    return {
        tpn: ", ".join(
            heading_of(plan) for plan in plans if admits(plan, entry, tournament.start_date)
        )
        for tpn, entry in players_for(frame, after)[1].items()
    }


def _ratings(frame: Frame, after: int) -> Values:
    return {tpn: entry.rating or "–" for tpn, entry in players_for(frame, after)[1].items()}


def _performances(frame: Frame, after: int) -> Values:
    players, entries = players_for(frame, after)
    ratings = {tpn: entry.rating for tpn, entry in entries.items()}
    found = {
        tpn: performance(player.rounds, ratings[tpn], ratings) for tpn, player in players.items()
    }
    return {tpn: made.rating for tpn, made in found.items() if made}


def _fide_performances(frame: Frame, after: int) -> Values:
    return {tpn: each.performance.rating for tpn, each in figures_for(frame, after).items()}


def _changes(frame: Frame, after: int) -> Values:
    return {
        tpn: Decimal(each.change.change).scaleb(-2)
        for tpn, each in figures_for(frame, after).items()
        if each.change
    }


COLUMNS: Final = (
    Column("federation", _("Federation"), _("Fed."), "federation", _federations, is_usual=True),
    Column("club", _("Club"), _("Club"), WORDS, _clubs),
    Column("category", _("Category of prizes"), _("Category"), WORDS, _categories, power=Power.RUN),
    Column("rating", _("Rating"), _("Rating"), "rating", _ratings, is_usual=True),
    Column("performance", _("Performance"), _("Perf."), "rating", _performances),
    Column(
        "fide_performance", _("FIDE performance"), _("FIDE perf."), "rating", _fide_performances
    ),
    Column("change", _("FIDE rating change"), _("Change"), "rating", _changes),
)
"""In the order of the sheets."""
USUAL: Final = tuple(column for column in COLUMNS if column.is_usual)
"""The columns of a sheet for which none were chosen."""


def file_cells(frame: Frame, after: int, *, runs: bool) -> Callable[[int], dict[str, object]]:
    """Return a function for what the columns add to the row of a player in a file, by name.

    *runs*: the reader runs the tournament. Two queries, one more then; none again for the same
    frame.
    """
    found = {
        column.name: column.values(frame, after)
        for column in COLUMNS
        if not column.is_usual and (runs or column.power is Power.READ)
    }
    return lambda tpn: {name: _plain(values.get(TPN(tpn))) for name, values in found.items()}


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Decimal) else value
