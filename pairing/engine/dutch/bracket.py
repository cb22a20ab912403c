"""A pairing bracket and what comes out of it [C.04.3/2026 1.3, 3.1]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pairing.engine.model import Points

from .field import RankedPlayer


@dataclass(frozen=True)
class Bracket:
    """Players to be paired together, and who is left for later.

    ``mdps`` are those who came down from the bracket before, ``residents`` the scoregroup, ``following``
    the scoregroup after it, ``below`` all the groups after that; each by rank, the last two empty at the end.
    """

    mdps: tuple[RankedPlayer, ...]
    residents: tuple[RankedPlayer, ...]
    following: tuple[RankedPlayer, ...]
    below: tuple[RankedPlayer, ...]

    @cached_property
    def players(self) -> tuple[RankedPlayer, ...]:
        """MDPs and residents by rank: the position from 1 is the BSN [C.04.3/2026 4.1.1]."""
        return self.mdps + self.residents

    @cached_property
    def later(self) -> tuple[RankedPlayer, ...]:
        """All who are not in this bracket and not yet paired."""
        return self.following + self.below

    @cached_property
    def resident_score(self) -> Points:
        return self.residents[0].score

    def is_mdp(self, player: RankedPlayer) -> bool:
        return player.score != self.resident_score


@dataclass(frozen=True, slots=True)
class BracketPairing:
    """The pairs of a bracket, the higher ranked player first, and its downfloaters by rank."""

    pairs: tuple[tuple[RankedPlayer, RankedPlayer], ...]
    downfloaters: tuple[RankedPlayer, ...]
