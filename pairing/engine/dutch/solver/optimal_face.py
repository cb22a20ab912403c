"""Find the candidate generated first [C.04.3/2026 Article 4] among optimal matchings.

If the optimal candidates are exactly the perfect matchings of some edges (the *face*, a bit set of
neighbours for each vertex), Article 4 needs no costs except those of the exchanges. Each of its
choices takes one alternating search that starts from a known perfect matching.

Proof. To find the partners that a vertex can have, take the vertex out. Its mate alone becomes
free, and the vertices that can be free instead are the possible partners (``leave_out_lowest``).
Article 4 compares lexicographically: the MDP-pairing by the MDPs that are paired (4.4.2) and then
by their opponents in turn (4.2.2), the transposition by the partners of S1 in turn (4.2.2). So each
player in turn takes the first partner that leaves a perfect matching. There is no exchange if and
only if the face has a perfect matching in which every S1 player is paired in S2 and no other two
players of the remainder are paired. Otherwise the order of the exchanges is a cost
(``generation_order``), and one matching gives S1.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching.cardinality import (
    FREE,
    bits,
    is_perfect,
    leave_out_lowest,
    maximum_matching,
)

from .candidate_graph import CandidateGraph
from .generation_order import ExchangeOrder


class Face:
    """Hold a graph with only optimal perfect matchings, and one of them, which methods change.

    Vertices below *size* are the players of the bracket by rank, the first *mdps* of them the MDPs.
    Other vertices represent the mates of downfloaters. ``left`` are the vertices whose mates can
    still change.
    """

    def __init__(self, rows: list[int], mate: list[int], size: int, mdps: int) -> None:
        self.rows = rows
        self.mate = mate
        self.size = size
        self.mdps = mdps
        self.left = (1 << len(rows)) - 1

    def pair_mdps(self) -> list[int]:
        """Fix the opponents of MDPs that get one, and return these [C.04.3/2026 4.4.2, 4.2.2]."""
        residents = (1 << self.size) - (1 << self.mdps)
        paired = []
        for u in range(self.mdps):
            if self._take_lowest(u, residents):
                self._confine(1 << u, residents)
                paired.append(u)
            else:
                self._confine(1 << u, ~residents)
        opponents = []
        for u in paired:
            self._take_lowest(u, residents)
            opponents.append(self.mate[u])
            self.left &= ~(1 << u | 1 << self.mate[u])
        return opponents

    def pair_remainder(self, remainder: Sequence[int], pairs: int) -> bool:
        """Fix *pairs* pairs of the *remainder*, or homogeneous bracket [C.04.3/2026 4.3.2, 4.2.2].

        Return False if that many pairs are not possible.
        """
        s1: Sequence[int] = remainder[:pairs]
        if not self._confine_to_transpositions(remainder, s1):
            others = [v for v in bits(self.left) if v not in frozenset(remainder)]
            exchanged = first_exchange(self.rows, remainder, others, pairs)
            if exchanged is None or not self._confine_to_transpositions(remainder, exchanged):
                return False
            s1 = exchanged
        self.pair_in_turn(s1)
        return True

    def pair_in_turn(self, s1: Sequence[int]) -> None:
        """Fix the partners of *s1*, each in turn the lowest possible [C.04.3/2026 4.2.2]."""
        for u in s1:
            self._take_lowest(u, self.rows[u])
            self.left &= ~(1 << u | 1 << self.mate[u])

    def _confine_to_transpositions(self, remainder: Sequence[int], s1: Sequence[int]) -> bool:
        """Keep only pairs between *s1* and the others of the *remainder*.

        If no perfect matching is left, change nothing and return False.
        """
        above = sum(1 << u for u in s1)
        below = sum(1 << u for u in remainder) & ~above
        before = list(self.rows)
        self._confine(above, below)
        self._confine(below, ~below)
        mate = maximum_matching(self.rows, self.left, self.mate)
        if not is_perfect(mate, self.left):
            self.rows = before
            return False
        for v in bits(self.left):
            self.mate[v] = mate[v]
        return True

    def _confine(self, vertices: int, partners: int) -> None:
        """Keep of the edges of *vertices* only those to *partners*, a disjoint set."""
        rows = self.rows
        dropped = 0
        for u in bits(vertices):
            dropped |= rows[u] & ~partners
            rows[u] &= partners
        for v in bits(dropped & ~vertices):
            rows[v] &= ~vertices

    def _take_lowest(self, u: int, wanted: int) -> bool:
        """Match *u* with the lowest of *wanted* that leaves a perfect matching;
        without one, change nothing and return False.
        """
        mate = self.mate
        wanted &= self.rows[u] & self.left
        if not wanted:
            return False
        own = mate[u]
        lowest = (wanted & -wanted).bit_length() - 1
        if lowest == own:
            return True
        theirs = mate[lowest]
        if self.rows[theirs] >> own & 1:
            mate[theirs], mate[own] = own, theirs
            mate[u], mate[lowest] = lowest, u
            return True
        mate[own] = FREE
        found = leave_out_lowest(self.rows, self.left & ~(1 << u), mate, own, wanted)
        if found is None:
            mate[own] = u
            return False
        mate[u], mate[found] = found, u
        return True


def first_exchange(
    rows: Sequence[int], remainder: Sequence[int], others: Sequence[int], pairs: int
) -> list[int] | None:
    """Return S1 of the first exchange [C.04.3/2026 4.3.2] that lets *remainder* and *others* match.

    None if they have no perfect matching at all. ``rows`` are bit sets of neighbours. Only edges
    between two players of the *remainder* are pairs.
    """
    vertices = [*remainder, *others]
    everybody = sum(1 << v for v in vertices)
    if not is_perfect(maximum_matching(rows, everybody), everybody):
        return None
    place = {v: index for index, v in enumerate(vertices)}
    costs = [dict.fromkeys((place[v] for v in bits(rows[u] & everybody)), 0) for u in vertices]
    order = ExchangeOrder(range(len(remainder)), pairs)
    mate = CandidateGraph(len(remainder), costs).best(
        order.cost, order.limit, order.start_duals(len(costs))
    )
    return [u for index, u in enumerate(remainder) if index < mate[index] < len(remainder)]
