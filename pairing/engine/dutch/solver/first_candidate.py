"""Find the optimal candidate that the text generates first [C.04.3/2026 3.8.1].

In the graph of the optimal candidates it fixes the MDP-pairing, then S1, then the partners of S1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.errors import InvariantError
from pairing.engine.model import Points

from .candidate_graph import CandidateGraph
from .generation_order import ExchangeOrder, MdpOrder, TranspositionOrder
from .optimal_face import Face

Accept = Callable[[Sequence[int]], bool]
"""Tell whether a matching (the mate of each vertex) found in a
relaxation is one of the whole problem.
"""


def first_optimum(
    bracket: Bracket,
    mate: list[int],
    graph: CandidateGraph,
    accept: Accept,
    *,
    costs_decide: bool = False,
) -> BracketPairing | None:
    """Return the optimal candidate generated first; *graph* has all of them, *mate* is one.

    The result is None if *accept* refuses it. Every matching found on the way is checked, to save
    the rest of the work.

    If *graph* still has costs, its perfect matchings are the optimal candidates and some more. If
    the first of all these is optimal, no other one comes before it, so the costs are ignored at
    first, unless *costs_decide*.
    """
    if not accept(mate):
        return None
    if graph.is_plain:
        found = first_of_face(bracket, mate, graph, accept)
    elif costs_decide:
        found = first_by_cost(bracket, mate, graph, accept)
    else:
        found = first_of_face(bracket, mate, graph, lambda _mate: True)
        if found is None or graph.cost(found) > graph.cost(mate):
            found = first_by_cost(bracket, mate, graph, accept)
        elif not accept(found):
            found = None
    if found is None:
        return None
    size, ranks = graph.size, [*bracket.mdp_ranks, *bracket.resident_ranks]
    return BracketPairing(
        pairs=tuple((ranks[u], ranks[found[u]]) for u in range(size) if u < found[u] < size),
        downfloaters=tuple(ranks[u] for u in downfloaters_in(found, size)),
    )


def first_of_face(
    bracket: Bracket, mate: list[int], graph: CandidateGraph, accept: Accept
) -> list[int] | None:
    """Return the mates in the first candidate if all perfect matchings of *graph* are optimal."""
    mdps, size = len(bracket.mdp_ranks), graph.size
    pairs = (size - len(downfloaters_in(mate, size))) // 2
    face = Face(graph.bit_rows(), list(mate), size, mdps)
    opponents = face.pair_mdps()
    if not accept(face.mate):
        return None
    if pairs > len(opponents):
        taken = frozenset(opponents)
        remainder = [u for u in range(mdps, size) if u not in taken]
        if not face.pair_remainder(remainder, pairs - len(opponents)) or not accept(face.mate):
            return None
    return face.mate


def first_by_cost(
    bracket: Bracket, mate: list[int], graph: CandidateGraph, accept: Accept
) -> list[int] | None:
    """Return the mates in the first candidate of a *graph* that still has costs.

    The order becomes the lower digits of its costs.
    """
    mdps, size = len(bracket.mdp_ranks), graph.size
    pairs = (size - len(downfloaters_in(mate, size))) // 2
    opponents: dict[int, int] = {}
    if mdps:
        order = MdpOrder(mdps, size)
        mate = graph.best(order.cost, order.limit)
        if not accept(mate):
            return None
        opponents = {u: mate[u] for u in range(mdps) if mate[u] < size}
        free = frozenset(range(mdps, size)) - frozenset(opponents.values())
        graph = graph.settled(opponents, free)
    if pairs > len(opponents):
        remainder = [u for u in range(mdps, size) if u not in opponents.values()]
        scores = {u: bracket.players[u].score for u in remainder}
        mate = _pair_remainder(graph, mate, scores, pairs - len(opponents))
        if not accept(mate):
            return None
    return mate


def _pair_remainder(
    graph: CandidateGraph, mate: list[int], scores: Mapping[int, Points], pairs: int
) -> list[int]:
    """Return the mates after pairing the remainder (or homogeneous bracket) in *pairs* pairs.

    The rest of *graph* is fixed and *mate* is one of its matchings of least cost. *scores* are
    those of the remainder, by rank. There is no exchange if the matchings with the original S1 cost
    no more; otherwise one matching with the order of the exchanges gives S1. Searches then find the
    partners of S1 if no costs are left, or else the order of the transpositions as a cost.
    """
    remainder = [*scores]
    s1: Sequence[int] = remainder[:pairs]
    found = _with_s1(graph, remainder, s1).optimal()
    if found is None or graph.cost(found[0]) > graph.cost(mate):
        exchange = ExchangeOrder(remainder, pairs)
        groups = [[*group] for _, group in groupby(remainder, scores.__getitem__)]
        mate = graph.best(
            exchange.cost, exchange.limit, exchange.start_duals(len(graph.rows), groups)
        )
        s1 = [u for u in remainder if u < mate[u] < graph.size]
        found = _with_s1(graph, remainder, s1).optimal()
        if found is None:
            raise InvariantError("an S1 was found and does not fit")
    mate, optimal = found
    if optimal.is_plain:
        face = Face(optimal.bit_rows(), mate, graph.size, 0)
        face.pair_in_turn(s1)
        return face.mate
    transposition = TranspositionOrder(remainder, s1)
    return optimal.best(transposition.cost, transposition.limit)


def _with_s1(graph: CandidateGraph, remainder: Sequence[int], s1: Sequence[int]) -> CandidateGraph:
    """Return *graph* with pairs of the *remainder* only if one of the two is in *s1*."""
    return graph.across(frozenset(s1), frozenset(remainder).difference(s1))


def downfloaters_in(mate: Sequence[int], size: int) -> list[int]:
    """List the players of the bracket (vertices below *size*) whose mate is outside it."""
    return [u for u in range(size) if mate[u] >= size]
