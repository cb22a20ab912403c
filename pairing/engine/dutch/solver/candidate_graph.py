"""The graph whose perfect matchings are the candidates of a bracket, with the criteria as costs.

Vertices are numbered from 0: first the bracket's players by rank (vertex + 1 is the BSN), then whoever a
downfloater may be matched with instead. Being matched outside the bracket is floating down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.errors import InvariantError
from pairing.engine.matching import minimum_cost_perfect_matching, optimal_face

from .criteria_costs import CriteriaCosts


@dataclass(frozen=True)
class CandidateGraph:
    """``rows[u][v]`` is the cost of matching *u* and *v*; ``size`` the number of the bracket's players."""

    size: int
    rows: list[dict[int, int]]

    def best(
        self, order: Callable[[int, int], int], order_limit: int, start_duals: list[int] | None = None
    ) -> list[int]:
        """The mate of each vertex in the matching of least cost and, among those, of least *order*.

        *order* and *order_limit* are as for :meth:`refined`. To be asked only where there is a perfect matching.
        """
        mate = minimum_cost_perfect_matching(self.refined(order, order_limit).rows, start_duals)
        if mate is None:
            raise InvariantError("a perfect matching was found once and not again")
        return mate

    def refined(self, order: Callable[[int, int], int], order_limit: int) -> CandidateGraph:
        """The same graph with *order* as a further row of digits below the least significant one of the costs.

        ``order(u, v)`` is for u < v both in the bracket, or *v* = -1 for *u* floating; its sum over a candidate is at
        least 0 and must stay below *order_limit*.
        """
        size = self.size
        rows: list[dict[int, int]] = [{} for _ in self.rows]
        for u, row in enumerate(self.rows):
            own = rows[u]
            floating = order(u, -1) if u < size and max(row, default=0) >= size else 0
            for v, cost in row.items():
                if u < v:
                    detail = floating if v >= size else order(u, v)
                    own[v] = rows[v][u] = cost * order_limit + detail if cost else detail
        return CandidateGraph(size, rows)

    @cached_property
    def is_plain(self) -> bool:
        """Whether all perfect matchings cost the same: nothing."""
        return not any(any(row.values()) for row in self.rows)

    def count_edges(self) -> int:
        """How many edges it has."""
        return sum(map(len, self.rows)) // 2

    def cost(self, mate: Sequence[int]) -> int:
        """What the matching *mate* costs."""
        return sum(row[v] for u, (row, v) in enumerate(zip(self.rows, mate, strict=True)) if u < v)

    def bit_rows(self) -> list[int]:
        """The neighbours of each vertex as a bit set."""
        bit = [1 << v for v in range(len(self.rows))]
        return [sum(map(bit.__getitem__, row)) for row in self.rows]

    def optimal(self, mdps: int = 0) -> tuple[list[int], CandidateGraph] | None:
        """The mates in one optimal candidate, and the graph of all optimal ones; None: no perfect matching.

        What costs are left in the graph of the optimal ones, they do not all share. Most of the first *mdps* vertices
        will float if they are the more: then the duals begin as if all did, and the others were sought after.
        """
        start_duals = None
        if 2 * mdps > self.size:
            most = max(max(row.values(), default=0) for row in self.rows[:mdps])
            start_duals = [0] * len(self.rows)
            start_duals[mdps : self.size] = [-2 * most] * (self.size - mdps)
        found = optimal_face(self.rows, start_duals)
        return None if found is None else (found[0], CandidateGraph(self.size, found[1]))

    def settled(self, opponents: Mapping[int, int], free: Set[int]) -> CandidateGraph:
        """The same graph where *opponents* (one of each pair as the key) can be paired with each other only, *free*
        among themselves only, and no other of the bracket's players at all; floating is left open to all."""
        nobody: frozenset[int] = frozenset()
        partners = dict.fromkeys(range(self.size), nobody) | dict.fromkeys(free, frozenset(free))
        partners |= {u: frozenset((v,)) for u, v in opponents.items()}
        partners |= {v: frozenset((u,)) for u, v in opponents.items()}
        return self._restricted(partners)

    def across(self, s1: Set[int], s2: Set[int]) -> CandidateGraph:
        """The same graph where pairs of players of *s1* and *s2* are of one and the other; no edge may join them to
        others of the bracket."""
        return self._restricted(dict.fromkeys(s1, s2) | dict.fromkeys(s2, s1))

    def _restricted(self, partners: Mapping[int, Set[int]]) -> CandidateGraph:
        """The same graph, where each of the bracket's players named in *partners* is joined to no others of them but
        these, who name that player too."""
        size = self.size
        rows = list(self.rows)
        for u, kept in partners.items():
            rows[u] = {v: cost for v, cost in rows[u].items() if v >= size or v in kept}
        return CandidateGraph(size, rows)


def bracket_rows(bracket: Bracket, costs: CriteriaCosts, extra: int) -> list[dict[int, int]]:
    """The pairs the bracket itself allows, never two MDPs [C.04.3/2026 3.3.3] [C.04.3/2017 B.3], and *extra* rows."""
    players = bracket.players
    rows: list[dict[int, int]] = [{} for _ in range(len(players) + extra)]
    for v in range(len(bracket.mdps), len(players)):
        lower = players[v]
        allowed = bracket.field.may_meet[lower.rank]
        for u in range(v):
            if allowed >> players[u].rank & 1:
                rows[u][v] = rows[v][u] = costs.of_pair(players[u], lower)
    return rows
