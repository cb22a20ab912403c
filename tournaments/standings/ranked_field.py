"""The ranked field after a round, and a round, computed once for a request or a publication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN, Player
from pairing.rounds.computed_standings import changes, ranked
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rounds.snapshot import players_after, records_after
from pairing.standings.ranking import Standings
from tournaments.core.frame import Frame
from tournaments.models import Entry, Round
from tournaments.standings.rating_change import FideFigures, fide_figures


@dataclass(frozen=True, slots=True)
class RankedField:
    """The players after a round with their rounds, entries, ranks and point adjustments."""

    players: Mapping[TPN, Player]
    entries: Mapping[TPN, Entry]
    table: Standings
    changes: Mapping[TPN, PointChanges]

    @property
    def ranks(self) -> dict[TPN, int]:
        """The rank of each player; an expelled one has none."""
        return {line.tpn: line.rank for line in self.table.lines}


def players_for(frame: Frame, after: int) -> tuple[Mapping[TPN, Player], Mapping[TPN, Entry]]:
    """Return the players after round *after* and their entries.

    Two queries; none again for the same frame.
    """
    if ("players", after) not in frame.computed:
        players, entries = players_after(frame.tournament, after)
        frame.computed["players", after] = {player.tpn: player for player in players}, entries
    found: tuple[Mapping[TPN, Player], Mapping[TPN, Entry]] = frame.computed["players", after]
    return found


def figures_for(frame: Frame, after: int) -> Mapping[TPN, FideFigures]:
    """Return FIDE performance and rating change of the players after round *after*.

    Queries as for :func:`players_for`; computed once for the same frame.
    """
    if ("figures", after) not in frame.computed:
        players, entries = players_for(frame, after)
        frame.computed["figures", after] = fide_figures(frame.tournament, players, entries)
    found: Mapping[TPN, FideFigures] = frame.computed["figures", after]
    return found


def field_for(frame: Frame, after: int) -> RankedField:
    """Return the field after round *after*.

    Two queries, more as for :func:`ranked`; none again for the same frame.
    """
    found: RankedField | None = frame.computed.get(("field", after))
    if found is None:
        players, entries = players_for(frame, after)
        in_order = tuple(players.values())
        found = RankedField(
            players=players,
            entries=entries,
            table=ranked(frame.tournament, in_order),
            changes=changes(frame.tournament, in_order),
        )
        frame.computed["field", after] = found
    return found


def table_for(frame: Frame, after: int) -> Standings:
    """Return the ranking of :func:`field_for` without reading the entries. As many queries."""
    field: RankedField | None = frame.computed.get(("field", after))
    if field is not None:
        return field.table
    return ranked(frame.tournament, records_after(frame.tournament, after))


def round_for(frame: Frame, row: Round) -> RoundPage:
    """Return the round *row* for the reader of *frame*; no query again for the same frame."""
    found: RoundPage | None = frame.computed.get(("round", row.number))
    if found is None:
        found = frame.computed["round", row.number] = round_page(frame, row)
    return found
