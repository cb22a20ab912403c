"""What the public pages of one version share, computed once in this process: the ranked field, and a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN, Player
from pairing.rounds.points import changes, ranked
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rounds.snapshot import players_after
from pairing.standings.ranking import Standings
from tournaments.core.frame import Frame, state_key
from tournaments.models import Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class Field:
    """The players after a round with their rounds, entries, ranks and point adjustments."""

    players: Mapping[TPN, Player]
    entries: Mapping[TPN, Entry]
    table: Standings
    changes: Mapping[TPN, PointChanges]

    @property
    def ranks(self) -> dict[TPN, int]:
        """The rank of each player; an expelled one has none."""
        return {line.tpn: line.rank for line in self.table.lines}


def field_now(tournament: Tournament, after: int) -> Field:
    """Return the field of *tournament* after round *after*. Two queries, more as for :func:`ranked`."""
    players, entries = players_after(tournament, after)
    return Field(
        players={player.tpn: player for player in players},
        entries=entries,
        table=ranked(tournament, players),
        changes=changes(tournament, players),
    )


@lru_cache(maxsize=16)
def field_after(tournament: Tournament, state: str, after: int) -> Field:
    """Return :func:`field_now`, kept until the *state* of *tournament* changes.

    When a round is published all players open their own pages; without it, each page would read and rank the whole
    field, and so would each part of a long list.
    """
    return field_now(tournament, after)


def field_for(frame: Frame, after: int) -> Field:
    """Return the field for the reader of *frame*: the kept one for a visitor, for an arbiter that of this moment."""
    if frame.runs:
        return field_now(frame.tournament, after)
    return field_after(frame.tournament, state_key(frame.tournament, runs=False), after)


@lru_cache(maxsize=4)
def _kept_round(frame: Frame, row: Round, state: str) -> RoundPage:
    return round_page(frame, row)


def round_for(frame: Frame, row: Round) -> RoundPage:
    """Return the round *row* for the reader of *frame*, kept for visitors like the field."""
    if frame.runs:
        return round_page(frame, row)
    return _kept_round(frame, row, state_key(frame.tournament, runs=False))


def forget() -> None:
    """Forget everything, for tests: the tournaments of the next one have the same keys."""
    field_after.cache_clear()
    _kept_round.cache_clear()
