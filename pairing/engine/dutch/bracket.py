"""Define a pairing bracket and its pairing [C.04.3/2026 1.3, 3.1]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pairing.engine.model import Points

from .field import Field, RankedPlayer


@dataclass(frozen=True)
class Bracket:
    """Hold the players to be paired together, and the players left for later brackets, all by rank.

    ``mdp_ranks`` are the players moved down from the previous bracket, ``resident_ranks`` the
    scoregroup, and ``following_ranks`` the next scoregroup (empty after the last). Later
    scoregroups follow in rank order.
    """

    field: Field
    mdp_ranks: tuple[int, ...]
    resident_ranks: range
    following_ranks: range

    @cached_property
    def mdps(self) -> tuple[RankedPlayer, ...]:
        """List the moved-down players."""
        return tuple(self.field.players[rank] for rank in self.mdp_ranks)

    @cached_property
    def players(self) -> tuple[RankedPlayer, ...]:
        """List the MDPs and residents by rank: the order of the BSN [C.04.3/2026 4.1.1]."""
        residents = self.field.players[self.resident_ranks.start : self.resident_ranks.stop]
        return self.mdps + residents

    @cached_property
    def following(self) -> tuple[RankedPlayer, ...]:
        """List the players of the following scoregroup."""
        return self.field.players[self.following_ranks.start : self.following_ranks.stop]

    @cached_property
    def later(self) -> tuple[RankedPlayer, ...]:
        """List the players after this bracket."""
        return self.field.players[self.resident_ranks.stop :]

    @property
    def has_later(self) -> bool:
        return self.resident_ranks.stop < len(self.field)

    @property
    def resident_score(self) -> Points:
        return self.field.scores[self.resident_ranks.start]

    @property
    def mdp_set(self) -> int:
        return sum(1 << rank for rank in self.mdp_ranks)

    @property
    def resident_set(self) -> int:
        return _span(self.resident_ranks.start, self.resident_ranks.stop)

    @property
    def following_set(self) -> int:
        return _span(self.following_ranks.start, self.following_ranks.stop)

    @property
    def below_set(self) -> int:
        """Give the players after the following scoregroup as a bit set."""
        return _span(max(self.following_ranks.stop, self.resident_ranks.stop), len(self.field))

    @cached_property
    def rows_without_pairs_of_mdps(self) -> list[int]:
        """List who may meet whom in the field, without pairs of two MDPs [C.04.3/2026 3.3.3]."""
        return rows_without_pairs_inside(self.field, self.mdp_set)

    def is_mdp(self, player: RankedPlayer) -> bool:
        return player.score != self.resident_score


def rows_without_pairs_inside(field: Field, group: int) -> list[int]:
    """List who may meet whom, without the pairs inside *group*."""
    if not group:
        return field.may_meet
    return [row & ~group if group >> rank & 1 else row for rank, row in enumerate(field.may_meet)]


def _span(start: int, stop: int) -> int:
    return (1 << stop) - (1 << start) if stop > start else 0


class BracketPairing(NamedTuple):
    """Hold the pairs of a bracket, the higher ranked first, and its downfloaters, all by rank."""

    pairs: tuple[tuple[int, int], ...]
    downfloaters: tuple[int, ...]
