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
from .weights import BracketCosts, CriteriaCosts


@dataclass(frozen=True)
class CandidateGraph:
    """``rows[u][v]`` is the cost of matching *u* and *v*; ``size`` the number of the bracket's players."""

    size: int
    rows: list[dict[int, int]]

    def best(
        self, order: Callable[[int, int], int], order_limit: int, start_duals: list[int] | None = None
    ) -> list[int]:
        """The mate of each vertex in the matching of least cost and, among those, of least *order*.

        ``order(u, v)`` for u < v both in the bracket, or *v* = -1 for *u* floating, is added below the least
        significant digit of the costs; its sum over a candidate must stay below *order_limit*. To be asked only
        where a perfect matching is known to exist.
        """
        rows: list[dict[int, int]] = [{} for _ in self.rows]
        for u, row in enumerate(self.rows):
            for v, cost in row.items():
                if u < v:
                    detail = 0 if u >= self.size else order(u, v if v < self.size else -1)
                    rows[u][v] = rows[v][u] = cost * order_limit + detail
        mate = minimum_cost_perfect_matching(rows, start_duals)
        if mate is None:
            raise InvariantError("a perfect matching was found once and not again")
        return mate

    @cached_property
    def is_plain(self) -> bool:
        """Whether all perfect matchings cost the same: nothing."""
        return not any(any(row.values()) for row in self.rows)

    def cost(self, mate: Sequence[int]) -> int:
        """What the matching *mate* costs."""
        return sum(row[v] for u, (row, v) in enumerate(zip(self.rows, mate, strict=True)) if u < v)

    def bit_rows(self) -> list[int]:
        """The neighbours of each vertex as a bit set."""
        return [sum(1 << v for v in row) for row in self.rows]

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


def bracket_graph(bracket: Bracket, completion: Completion, floaters: int) -> CandidateGraph:
    """The bracket alone, where exactly *floaters* players float and whatever is below is left open.

    One vertex per downfloater is joined to everybody in the bracket; to those only who may receive the PAB
    where the one downfloater has to be its assignee, because nobody below has the score [C5] asks for.
    """
    players = bracket.players
    is_bye = floaters == 1 and gives_bye(bracket, completion)
    costs = BracketCosts(bracket, counts_bye=is_bye)
    rows = bracket_rows(bracket, costs, floaters)
    floating = range(len(players), len(players) + floaters)
    for u, player in enumerate(players):
        if is_bye and not completion.receivers >> player.rank & 1:
            continue
        cost = costs.of_downfloater(player)
        for v in floating:
            rows[u][v] = rows[v][u] = cost
    return CandidateGraph(len(players), rows)


def following_graph(bracket: Bracket, completion: Completion, onward: int, *, counts_bye: bool) -> CandidateGraph:
    """The bracket and the following scoregroup, where up to *onward* players float beyond both, to whoever.

    As the whole graph, but for one vertex in place of everybody below for each who may float on; two of those that
    nobody needs are matched with each other. The bye is among the vertices where it must go to one of these players.
    """
    players = (*bracket.players, *bracket.following)
    bye = [completion.bye] if completion.bye is not None and bye_is_near(bracket, completion) else []
    rows = _rows_to(bracket, completion, [player.rank for player in players] + bye, onward, counts_bye=counts_bye)
    first = len(players) + len(bye)
    costs = BracketCosts(bracket, counts_bye=counts_bye)
    for u, player in enumerate(players):
        cost = costs.of_following_downfloater(player.score)
        if u < len(bracket.players):
            cost += costs.of_downfloater(player)
        for v in range(first, first + onward):
            rows[u][v] = rows[v][u] = cost
    for u in range(first, first + onward):
        for v in range(first, first + onward):
            if u != v:
                rows[u][v] = 0
    return CandidateGraph(len(bracket.players), rows)


def whole_graph(bracket: Bracket, completion: Completion, *, counts_bye: bool) -> CandidateGraph:
    """The bracket and everybody below: each perfect matching is a candidate that can be completed [C4], with
    its look ahead into the following bracket [C8] in the costs.

    Two downfloaters are not matched with each other, which no best candidate needs (docs/rules.md, R13).
    """
    ranks = [player.rank for player in (*bracket.players, *bracket.later)]
    if completion.bye is not None:
        ranks.append(completion.bye)
    return CandidateGraph(len(bracket.players), _rows_to(bracket, completion, ranks, 0, counts_bye=counts_bye))


def _rows_to(
    bracket: Bracket, completion: Completion, ranks: Sequence[int], extra: int, *, counts_bye: bool
) -> list[dict[int, int]]:
    """The costs among *ranks*, which begin with the bracket and go on below it, the bye last; *extra* empty rows.

    A downfloater matched beyond the following scoregroup, or one of that group, floats on from there [C8].
    """
    size = len(bracket.players)
    costs = BracketCosts(bracket, counts_bye=counts_bye)
    rows = bracket_rows(bracket, costs, len(ranks) - size + extra)
    vertex_of = {rank: vertex for vertex, rank in enumerate(ranks)}
    below = sum(1 << rank for rank in ranks[size:])
    players = bracket.field.players
    following_end = size + len(bracket.following_ranks)
    for u, rank in enumerate(ranks):
        if rank == completion.bye:
            continue
        player = players[rank]
        floats = costs.of_downfloater(player) if u < size else 0
        onward = floats + costs.of_following_downfloater(player.score) if u < following_end != size else floats
        for neighbour in bits(completion.rows[rank] & below):
            v = vertex_of[neighbour]
            if v > u:
                rows[u][v] = rows[v][u] = floats if v < following_end else onward
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
