"""The graph whose perfect matchings are the candidates of a bracket, with the criteria as costs.

Vertices are numbered from 0: first the bracket's players by rank (vertex + 1 is the BSN), then whoever a
downfloater may be matched with instead. Being matched outside the bracket is floating down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pairing.engine.matching import minimum_cost_perfect_matching

from .bracket import Bracket
from .completion import Completion
from .weights import BracketCosts


@dataclass(frozen=True)
class CandidateGraph:
    """``rows[u][v]`` is the cost of matching *u* and *v*; ``size`` the number of the bracket's players."""

    size: int
    rows: list[dict[int, int]]

    def best(
        self,
        order: Callable[[int, int], int] = lambda _u, _v: 0,
        order_limit: int = 1,
        start_duals: list[int] | None = None,
    ) -> list[int] | None:
        """The mate of each vertex in the matching of least cost and, among those, of least *order*.

        ``order(u, v)`` for u < v both in the bracket, or *v* = -1 for *u* floating, is added below the least
        significant digit of the costs; its sum over a candidate must stay below *order_limit*. None: no
        perfect matching.
        """
        rows: list[dict[int, int]] = [{} for _ in self.rows]
        for u, row in enumerate(self.rows):
            for v, cost in row.items():
                if u < v:
                    detail = 0 if u >= self.size else order(u, v if v < self.size else -1)
                    rows[u][v] = rows[v][u] = cost * order_limit + detail
        return minimum_cost_perfect_matching(rows, start_duals)

    def restricted(self, keep: Callable[[int, int], bool]) -> CandidateGraph:
        """The same graph with only those edges between two of the bracket's players that *keep* wants."""
        return CandidateGraph(
            self.size,
            [
                {v: cost for v, cost in row.items() if max(u, v) >= self.size or keep(min(u, v), max(u, v))}
                for u, row in enumerate(self.rows)
            ],
        )


def _bracket_rows(bracket: Bracket, costs: BracketCosts, extra: int) -> list[dict[int, int]]:
    """The pairs the bracket itself allows: never two MDPs [C.04.3/2026 3.3.3]."""
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
    rows = _bracket_rows(bracket, costs, floaters)
    floating = range(len(players), len(players) + floaters)
    for u, player in enumerate(players):
        if is_bye and not completion.receivers >> player.rank & 1:
            continue
        cost = costs.of_downfloater(player)
        for v in floating:
            rows[u][v] = rows[v][u] = cost
    return CandidateGraph(len(players), rows)


def whole_graph(bracket: Bracket, completion: Completion, *, counts_bye: bool) -> CandidateGraph:
    """The bracket and everybody below: each perfect matching is a candidate that can be completed [C4], with
    its look ahead into the following bracket [C8] in the costs.

    Two downfloaters are not matched with each other, which no best candidate needs (docs/rules.md, R13).
    """
    players, following = bracket.players, bracket.following
    later = bracket.later
    costs = BracketCosts(bracket, counts_bye=counts_bye)
    bye = completion.bye
    size = len(players)
    rows = _bracket_rows(bracket, costs, len(later) + (bye is not None))
    vertex_of = {player.rank: size + index for index, player in enumerate(later)}
    if bye is not None:
        vertex_of[bye] = size + len(later)
    unpaired_next = {player.score: costs.of_following_downfloater(player.score) for player in (*players, *following)}
    following_end = size + len(following)
    for u, player in enumerate((*players, *later)):
        floats = costs.of_downfloater(player) if u < size else 0
        for neighbour in completion.joined(player.rank):
            v = vertex_of.get(neighbour, -1)
            if v > max(u, size - 1):
                beyond = v >= following_end and u < following_end
                rows[u][v] = rows[v][u] = floats + (unpaired_next[player.score] if beyond and following else 0)
    return CandidateGraph(size, rows)


def gives_bye(bracket: Bracket, completion: Completion) -> bool:
    """Whether the bye must go to somebody in this bracket: nobody below has the score [C5] asks for."""
    if completion.bye_score is None:
        return False
    return not bracket.has_later or bracket.field.scores[bracket.resident_ranks.stop] < completion.bye_score
