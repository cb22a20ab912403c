"""Minimum-cost perfect matching in a general graph with whole-number costs of any size.

The primal-dual method of Edmonds. ``blossoms`` holds what it knows, ``forest`` its search. All
search trees grow at once, or one after another. Where there are many edges, a free vertex mostly
has far to go, and the trees of all go that way once, together; where there are few, it finds
another one near, and a tree of its own is over before it has grown. Which is done is a question of
time only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .blossoms import FREE, Blossoms
from .forest import Forest

MANY = 10
"""With so many edges for each vertex or more, all trees grow at once."""


def minimum_cost_perfect_matching(
    costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None = None
) -> list[int] | None:
    """Return the partner of every vertex in a perfect matching of least total cost;
    None if there is no perfect matching.

    ``costs[u][v]`` is the cost of matching ``u`` and ``v`` (symmetric; a missing key means that
    they cannot be matched). *start_duals*, one whole number per vertex, is a guess of the
    contribution of each vertex to the cost (times two). Any guess is made feasible first; it
    changes the time, never the cost. Which of several matchings of least cost is returned is not
    defined. Cost: at most n/2 searches of O(n²) steps on rows of n; the better the guess, the fewer
    searches.

    Proof of optimality: the duals are always feasible (every edge has a slack of at least 0, every
    blossom a dual of at least 0), matched edges are tight, and blossoms with a positive dual are
    full; complementary slackness.
    """
    solver = _solve(costs, start_duals)
    return None if solver is None else solver.mate


def optimal_face(
    costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None = None
) -> tuple[list[int], list[dict[int, int]]] | None:
    """Return a perfect matching of least cost, and the edges that such matchings may use;
    None without a perfect matching.

    *costs* and *start_duals* are as for :func:`minimum_cost_perfect_matching`. The edges have the
    form of ``costs``. Every cost is 0 if *all* perfect matchings of these edges cost the least.
    Otherwise the costs are at least 0, and perfect matchings compare by them as by the original
    ones. Cost: as for that function, and one pass over the edges.

    Proof: by complementary slackness a matching of least cost uses tight edges only, and crosses
    the boundary of every blossom with a positive dual exactly once. Without such a blossom there is
    no other condition. With one, let each vertex give up the duals of the blossoms that contain it.
    An edge then costs the dual of every blossom that contains exactly one of its ends, and 0 if
    there is none. That is its cost less a number for each vertex, and every perfect matching
    contains all of these numbers.
    """
    solver = _solve(costs, start_duals)
    if solver is None:
        return None
    dual = solver.dual
    rows: list[dict[int, int]]
    if not any(solver.blossom_dual.values()):
        rows = [
            {v: 0 for v, cost in row.items() if cost == dual[u] + dual[v]}
            for u, row in enumerate(solver.rows)
        ]
    else:
        rows = solver.tight_rows_with_blossoms()
    return solver.mate, rows


def _solve(
    costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None
) -> Blossoms | None:
    solver = Blossoms(costs, start_duals)
    free = [vertex for vertex, mate in enumerate(solver.mate) if mate == FREE]
    if sum(map(len, costs)) >= 2 * MANY * len(costs):
        return solver if Forest(solver, free).grow() else None
    for vertex in free:
        if solver.mate[vertex] == FREE and not Forest(solver, [vertex]).grow():
            return None
    return solver
