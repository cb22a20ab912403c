"""The pairing of a bracket that the text reaches first [C.04.3/pre2017 C4-C9, D1-D3].

At the reading of the odometer (``requirements``) at which the text stops it looks at the pairings
in a fixed order: which of those moved down are in S1 (D3), which residents they meet (D1.2), the
exchange between the halves of the remainder, or of a homogeneous bracket (D2), the transposition of
its S2 (D1.1). The numbers by which D2 and D1 order are the places in the bracket, in the remainder
counted anew from 1 (docs/rules, P4). This is the order in which the later editions generate
candidates (C.04.3/2017 D, C.04.3/2026 Article 4): of all sets of pairs of least cost the first is
found by further matchings (``dutch.solver.generation_order``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.generation_order import ExchangeOrder, MdpOrder, TranspositionOrder
from pairing.engine.matching.cardinality import is_perfect, maximum_matching

from .bracket import Bracket, bit_set
from .requirements import Costs, requirements_of


@dataclass(frozen=True, slots=True)
class BracketPairing:
    """Hold the pairs of *bracket* (the higher ranked first) and the players left over, all by rank.

    ``downfloaters`` are all players that the bracket moves down, including those of C1
    (``incompatible``); in the lowest bracket it is the player with the bye. ``moved_down_paired``
    is M1: zero if the bracket was treated as homogeneous (A3, C14.b2).
    """

    bracket: Bracket
    pairs: tuple[tuple[int, int], ...]
    downfloaters: tuple[int, ...]
    incompatible: tuple[int, ...] = ()
    moved_down_paired: int = 0


@dataclass(frozen=True, slots=True)
class OutsideVertex:
    """Something a player left over may be matched with instead of an opponent in the bracket.

    ``joins`` is the bit set of the ranks that may be; ``cost`` what it costs on top of leaving the
    player over.
    """

    joins: int
    cost: int = 0


@dataclass(frozen=True)
class Outside:
    """The vertices outside the bracket, and the cost of matching two of them, by their places."""

    vertices: Sequence[OutsideVertex]
    pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)


def candidate_graph(bracket: Bracket, costs: Costs, outside: Outside) -> CandidateGraph:
    """The graph whose perfect matchings are the ways to pair the bracket.

    Vertices are the bracket's players in the order of their numbers, then those of *outside*.
    """
    players = bracket.players
    size = len(players)
    rows: list[dict[int, int]] = [{} for _ in range(size + len(outside.vertices))]
    for v, lower in enumerate(players):
        for u in range(v):
            if bracket.field.may_meet[lower.rank] >> players[u].rank & 1:
                rows[u][v] = rows[v][u] = costs.of_pair(players[u], lower)
        cost = costs.of_downfloater(lower)
        for other, vertex in enumerate(outside.vertices, size):
            if vertex.joins >> lower.rank & 1:
                rows[v][other] = rows[other][v] = cost + vertex.cost
    for (one, two), cost in outside.pairs.items():
        rows[size + one][size + two] = rows[size + two][size + one] = cost
    return CandidateGraph(size, rows)


@dataclass(frozen=True)
class Best:
    """The pairings of least cost of a bracket: ``mate`` is one of them, ``graph`` has them all."""

    bracket: Bracket
    is_heterogeneous: bool
    mate: list[int]
    graph: CandidateGraph

    @property
    def pairs(self) -> int:
        """P1."""
        return sum(u < v < self.graph.size for u, v in enumerate(self.mate))

    @property
    def moved_down_paired(self) -> int:
        """M1; zero where the bracket is treated as homogeneous."""
        m0 = self.bracket.m0 if self.is_heterogeneous else 0
        return sum(m0 <= v < self.graph.size for v in self.mate[:m0])

    def first(self, incompatible: tuple[int, ...] = ()) -> BracketPairing:
        """The one the text reaches first."""
        mate = self._mates_of_first()
        ranks, size = self.bracket.ranks, self.graph.size
        floating = [ranks[u] for u in range(size) if mate[u] >= size]
        return BracketPairing(
            bracket=self.bracket,
            pairs=tuple((ranks[u], ranks[mate[u]]) for u in range(size) if u < mate[u] < size),
            downfloaters=tuple(sorted((*floating, *incompatible))),
            incompatible=incompatible,
            moved_down_paired=self.moved_down_paired,
        )

    def _mates_of_first(self) -> list[int]:
        graph, mate, size = self.graph, self.mate, self.graph.size
        m0 = self.bracket.m0 if self.is_heterogeneous else 0
        opponents: dict[int, int] = {}
        if m0:
            order = MdpOrder(m0, size)

            def moved_down_order(u: int, v: int) -> int:
                return order.cost(u, -1) + order.cost(v, -1) if 0 <= v < m0 else order.cost(u, v)

            mate = graph.best(moved_down_order, order.limit)
            opponents = {u: mate[u] for u in range(m0) if m0 <= mate[u] < size}
        remainder = [u for u in range(size) if u not in opponents and u not in opponents.values()]
        if m0:
            graph = graph.settled(opponents, frozenset(remainder))
        pairs = self.pairs - len(opponents)
        return _first_of_homogeneous(graph, remainder, pairs) if pairs else mate


def _first_of_homogeneous(graph: CandidateGraph, remainder: Sequence[int], pairs: int) -> list[int]:
    """Exchanges (C8, D2), then transpositions (C7, D1.1), of the bracket or its *remainder*."""
    exchange = ExchangeOrder(remainder, pairs)
    mate = graph.best(exchange.cost, exchange.limit, exchange.start_duals(len(graph.rows)))
    s1 = frozenset(u for u in remainder if u < mate[u] < graph.size)
    graph = graph.across(s1, frozenset(remainder) - s1)
    transposition = TranspositionOrder(remainder, s1)
    return graph.best(transposition.cost, transposition.limit)


def best(bracket: Bracket, costs: Costs, outside: Outside) -> Best | None:
    """All pairings of least cost with everybody of the bracket and *outside*; None: no pairing."""
    graph = candidate_graph(bracket, costs, outside)
    everybody = (1 << len(graph.rows)) - 1
    if not is_perfect(
        maximum_matching([bit_set(list(row)) for row in graph.rows], everybody), everybody
    ):
        return None  # as the next line would find with much more work
    found = graph.optimal()
    return None if found is None else Best(bracket, costs.as_heterogeneous, *found)


def very_first(bracket: Bracket) -> BracketPairing | None:
    """Return the first pairing of C6 if it meets the extreme requirement of A11; otherwise None.

    It has P0 pairs including all players moved down, X1 pairs (and Z1) without all colour
    preferences, and gives up no other requirement. No pairing is generated before it, and X1 and Z1
    are bounds (``requirements``), so the rest of the procedure would find the same. The B3 factor
    is the same for all pairings of one score. If the lowest bracket has several scores, the result
    is None [C.04.3/pre2017 A11, C6, D4].
    """
    players, p0 = bracket.players, bracket.p0
    m0 = 0 if bracket.is_homogeneous else bracket.m0
    if not players or (bracket.is_lowest and players[0].score != players[-1].score):
        return None
    residents = players[m0:]
    rest = residents[m0:]
    pairs = [*zip(players[:m0], residents, strict=False)]
    pairs += zip(rest[: p0 - m0], rest[p0 - m0 : 2 * (p0 - m0)], strict=True)
    leftover = rest[2 * (p0 - m0) :]
    if any(not bracket.field.may_meet[higher.rank] >> lower.rank & 1 for higher, lower in pairs):
        return None
    if bracket.is_lowest and not all(player.may_have_bye for player in leftover):
        return None
    allowed = {"B4 (X)": bracket.x1, "A7.e (Z)": bracket.z1}
    for requirement in requirements_of(bracket):
        number = 0
        if requirement.of_pair is not None:
            number += sum(requirement.of_pair(*pair) for pair in pairs)
        if requirement.of_upfloat is not None:
            number += sum(requirement.of_upfloat(*pair) for pair in pairs[:m0])
        if requirement.of_downfloater is not None:
            number += sum(requirement.of_downfloater(player) for player in leftover)
        if number > allowed.get(requirement.article, 0):
            return None
    ranked = tuple((higher.rank, lower.rank) for higher, lower in pairs)
    return BracketPairing(
        bracket, ranked, tuple(player.rank for player in leftover), moved_down_paired=m0
    )
