"""The graph whose perfect matchings are the candidates of a bracket, with the criteria as costs.

Vertices are numbered from 0: first the bracket's players by rank (vertex + 1 is the BSN), then whoever a
downfloater may be matched with instead. Being matched outside the bracket is floating down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from pairing.engine.errors import InvariantError
from pairing.engine.matching import minimum_cost_perfect_matching, optimal_face
from pairing.engine.matching.cardinality import bits

from .bracket import Bracket
from .completion import Completion
from .weights import BracketCosts, CriteriaCosts, DownfloatCosts


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


def bracket_graph(bracket: Bracket, completion: Completion, floaters: int, who: int | None = None) -> CandidateGraph:
    """The bracket alone, where exactly *floaters* players float and whatever is below is left open: [C6]-[C21].

    One vertex per downfloater is joined to everybody in the bracket, or to those of *who* only (a bit set of ranks); to
    those who may receive the PAB where the one downfloater has to be its assignee, because nobody below has the score
    [C5] asks for.
    """
    players = bracket.players
    is_bye = floaters == 1 and gives_bye(bracket, completion)
    if is_bye:
        who = completion.receivers
    costs, floats = BracketCosts(bracket, counts_bye=is_bye), DownfloatCosts(bracket)
    rows = bracket_rows(bracket, costs, floaters)
    floating = range(len(players), len(players) + floaters)
    for u, player in enumerate(players):
        if who is not None and not who >> player.rank & 1:
            continue
        cost = floats.of_downfloater(player) * costs.limit + costs.of_downfloater(player)
        for v in floating:
            rows[u][v] = rows[v][u] = cost
    return CandidateGraph(len(players), rows)


def following_graph(bracket: Bracket, completion: Completion, onward: int) -> CandidateGraph:
    """The bracket and the following scoregroup, where up to *onward* players float beyond both, to whoever; [C6]-[C8]
    as costs.

    As the whole graph, but for one vertex in place of everybody below for each who may float on; two of those that
    nobody needs are matched with each other. The bye is among the vertices where it must go to one of these players.
    """
    players = (*bracket.players, *bracket.following)
    bye = [completion.bye] if completion.bye is not None and bye_is_near(bracket, completion) else []
    costs = DownfloatCosts(bracket)
    rows = _rows_to(bracket, completion, costs, [player.rank for player in players] + bye, onward)
    first = len(players) + len(bye)
    for u, player in enumerate(players):
        cost = costs.of_following_downfloater(player.score)
        if u < len(bracket.players):
            cost += costs.of_downfloater(player)
        for v in range(first, first + onward):
            rows[u][v] = rows[v][u] = cost
    _join_spare(rows, first)
    return CandidateGraph(len(bracket.players), rows)


def whole_graph(bracket: Bracket, completion: Completion) -> CandidateGraph:
    """The bracket and everybody below, [C6]-[C8] as costs: each perfect matching is a candidate that can be completed
    [C4], with its look ahead into the following bracket [C8].

    Two downfloaters are not matched with each other, which no best candidate needs (docs/rules, R13).
    """
    ranks = [player.rank for player in (*bracket.players, *bracket.later)]
    if completion.bye is not None:
        ranks.append(completion.bye)
    return CandidateGraph(len(bracket.players), _rows_to(bracket, completion, DownfloatCosts(bracket), ranks, 0))


def rest_graph(
    bracket: Bracket, completion: Completion, ranks: Sequence[int], floaters: Sequence[int], onward: int
) -> CandidateGraph:
    """Those after the bracket, by *ranks*, the following scoregroup first and the bye last; one vertex for each of
    *floaters*, residents who may be matched with that set of ranks; and *onward* more, for who floats on beyond them.
    With [C8] as costs: each perfect matching completes the round [C4], as far as it is seen here."""
    costs, players = DownfloatCosts(bracket), bracket.field.players
    count, following_end = len(ranks), len(bracket.following_ranks)
    first_onward = count + len(floaters)
    rows: list[dict[int, int]] = [{} for _ in range(first_onward + onward)]
    for u in (*range(count, first_onward), *range(count)):
        cost = 0
        if u >= count or u < following_end:
            cost = costs.of_following_downfloater(bracket.resident_score if u >= count else players[ranks[u]].score)
            for v in range(first_onward, len(rows)):
                rows[u][v] = rows[v][u] = cost
        joined = floaters[u - count] if u >= count else completion.rows[ranks[u]]
        for v in range(0 if u >= count else u + 1, count):
            if joined >> ranks[v] & 1:
                rows[u][v] = rows[v][u] = 0 if v < following_end else cost
    _join_spare(rows, first_onward)
    return CandidateGraph(0, rows)


def _join_spare(rows: list[dict[int, int]], first: int) -> None:
    """Let vertices from *first* on be matched with each other, where nobody needs them."""
    for u in range(first, len(rows)):
        for v in range(first, u):
            rows[u][v] = rows[v][u] = 0


def with_pairs_compared(graph: CandidateGraph, bracket: Bracket, *, counts_bye: bool) -> CandidateGraph:
    """*graph* with [C9]-[C21] as a further row of digits below its costs."""
    costs, players = BracketCosts(bracket, counts_bye=counts_bye), bracket.players

    def cost(u: int, v: int) -> int:
        return costs.of_downfloater(players[u]) if v < 0 else costs.of_pair(players[u], players[v])

    return graph.refined(cost, costs.limit)


def _rows_to(
    bracket: Bracket, completion: Completion, costs: DownfloatCosts, ranks: Sequence[int], extra: int
) -> list[dict[int, int]]:
    """The costs among *ranks*, which begin with the bracket and go on below it, the bye last; *extra* empty rows.

    A downfloater matched beyond the following scoregroup, or one of that group, floats on from there [C8].
    """
    mdps, size = len(bracket.mdp_ranks), len(bracket.players)
    vertex_of = {rank: vertex for vertex, rank in enumerate(ranks)}
    rows: list[dict[int, int]] = [{} for _ in range(len(ranks) + extra)]
    inside, below = bracket.mdp_set | bracket.resident_set, sum(1 << rank for rank in ranks[size:])
    players = bracket.field.players
    following_end = size + len(bracket.following_ranks)
    for u, rank in enumerate(ranks):
        if rank == completion.bye:
            continue
        player = players[rank]
        floats = costs.of_downfloater(player) if u < size else 0
        onward = floats + costs.of_following_downfloater(player.score) if u < following_end != size else floats
        row, reached = rows[u], completion.rows[rank] & ~((2 << rank) - 1)
        for neighbour in bits(reached & below):
            v = vertex_of[neighbour]
            row[v] = rows[v][u] = floats if v < following_end else onward
        if u < size:
            for neighbour in bits(reached & (inside if u >= mdps else bracket.resident_set)):
                v = vertex_of[neighbour]
                row[v] = rows[v][u] = 0
    return rows


def bye_is_near(bracket: Bracket, completion: Completion) -> bool:
    """Whether the bye must go to this bracket or the following scoregroup."""
    if completion.bye_score is None:
        return False
    end = max(bracket.following_ranks.stop, bracket.resident_ranks.stop)
    return end >= len(bracket.field) or bracket.field.scores[end] < completion.bye_score


def gives_bye(bracket: Bracket, completion: Completion) -> bool:
    """Whether the bye must go to somebody in this bracket: nobody below has the score [C5] asks for."""
    if completion.bye_score is None:
        return False
    return not bracket.has_later or bracket.field.scores[bracket.resident_ranks.stop] < completion.bye_score
