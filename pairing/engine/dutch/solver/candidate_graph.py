"""The candidates of a bracket as perfect matchings of a graph, with criteria as costs.

Vertices are numbered from 0: first the players of the bracket by rank (vertex + 1 is the BSN), then
the players, or placeholders, that a downfloater can be matched with. A player matched outside the
bracket floats down.
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
    """Hold the costs ``rows[u][v]`` of matching *u* and *v*,
    and the number of players of the bracket (``size``).
    """

    size: int
    rows: list[dict[int, int]]

    def best(
        self,
        order: Callable[[int, int], int],
        order_limit: int,
        start_duals: list[int] | None = None,
    ) -> list[int]:
        """Return each vertex's mate in the matching of least cost and, of equals, least *order*.

        *order* and *order_limit* are as for :meth:`refined`. The graph must have a perfect
        matching.
        """
        mate = minimum_cost_perfect_matching(self.refined(order, order_limit).rows, start_duals)
        if mate is None:
            raise InvariantError("a perfect matching was found once and not again")
        return mate

    def refined(self, order: Callable[[int, int], int], order_limit: int) -> CandidateGraph:
        """Return the same graph with *order* as lower digits of its costs.

        ``order(u, v)`` is for u < v both in the bracket; *v* = -1 is for *u* floating. Its sum over
        a candidate must be at least 0 and below *order_limit*.
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
        """Tell whether all perfect matchings have cost 0."""
        return not any(any(row.values()) for row in self.rows)

    def count_edges(self) -> int:
        """Count the edges."""
        return sum(map(len, self.rows)) // 2

    def cost(self, mate: Sequence[int]) -> int:
        """Return the cost of the matching *mate*."""
        return sum(row[v] for u, (row, v) in enumerate(zip(self.rows, mate, strict=True)) if u < v)

    def bit_rows(self) -> list[int]:
        """Return the neighbours of each vertex as a bit set."""
        bit = [1 << v for v in range(len(self.rows))]
        return [sum(map(bit.__getitem__, row)) for row in self.rows]

    def optimal(self, mdps: int = 0) -> tuple[list[int], CandidateGraph] | None:
        """Return the mates in one optimal candidate, and the graph of all optimal ones;
        None without a perfect matching.

        Costs that remain in that graph differ between its matchings. If the first *mdps* vertices
        are more than half of the bracket, most of them will float, and the search starts with duals
        for which they all do.
        """
        start_duals = None
        if 2 * mdps > self.size:
            most = max(max(row.values(), default=0) for row in self.rows[:mdps])
            start_duals = [0] * len(self.rows)
            start_duals[mdps : self.size] = [-2 * most] * (self.size - mdps)
        found = optimal_face(self.rows, start_duals)
        return None if found is None else (found[0], CandidateGraph(self.size, found[1]))

    def settled(self, opponents: Mapping[int, int], free: Set[int]) -> CandidateGraph:
        """Return the same graph with the pairs of *opponents* fixed.

        The players of *free* can be paired among themselves only, and no other player of the
        bracket can be paired. Everybody may still float.
        """
        nobody: frozenset[int] = frozenset()
        partners = dict.fromkeys(range(self.size), nobody) | dict.fromkeys(free, frozenset(free))
        partners |= {u: frozenset((v,)) for u, v in opponents.items()}
        partners |= {v: frozenset((u,)) for u, v in opponents.items()}
        return self._restricted(partners)

    def across(self, s1: Set[int], s2: Set[int]) -> CandidateGraph:
        """Return the same graph with only the pairs between *s1* and *s2*.

        No edge may join these players to others of the bracket.
        """
        return self._restricted(dict.fromkeys(s1, s2) | dict.fromkeys(s2, s1))

    def _restricted(self, partners: Mapping[int, Set[int]]) -> CandidateGraph:
        """Return the same graph where each player in *partners* keeps edges only to these partners.

        Edges out of the bracket remain. The relation must be symmetric.
        """
        size = self.size
        rows = list(self.rows)
        for u, kept in partners.items():
            rows[u] = {v: cost for v, cost in rows[u].items() if v >= size or v in kept}
        return CandidateGraph(size, rows)


def bracket_rows(bracket: Bracket, costs: CriteriaCosts, extra: int) -> list[dict[int, int]]:
    """Return the pairs that the bracket allows, and *extra* empty rows.

    Two MDPs are never paired [C.04.3/2026 3.3.3] [C.04.3/2017 B.3].
    """
    players = bracket.players
    rows: list[dict[int, int]] = [{} for _ in range(len(players) + extra)]
    for v in range(len(bracket.mdps), len(players)):
        lower = players[v]
        allowed = bracket.field.may_meet[lower.rank]
        for u in range(v):
            if allowed >> players[u].rank & 1:
                rows[u][v] = rows[v][u] = costs.of_pair(players[u], lower)
    return rows
