"""The pairs of a bracket [C.04.5/2026 3.6].

A pairing is named by the TPNs of its top members in ascending order, then by those of the bottom
members; the text wants the first that complies with [C1] and is best on [C8]. Vertices here are the
players by TPN, from 0.

*Tops.* Of two sets of tops the earlier is the one with the smallest TPN that is in one of them
only. So, each pair costing a power of two for its bottom, the smaller the TPN the more, the pairing
of least cost has the first tops. *Bottoms.* The tops given, each in turn gets the smallest bottom
that leaves the others one. *[C8]* counts the pairs of an upfloater with a resident who floated; it
comes before both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits
from pairing.engine.matching.transposition import first_transposition
from pairing.engine.matching.weighted import minimum_cost_perfect_matching, optimal_face

from .field import MatchField


@dataclass(frozen=True, slots=True)
class BracketGraph:
    """The players of a bracket as vertices: their ``ranks``, by TPN.

    ``rows`` are the players whom each may meet, and ``disliked`` those partners of each that [C8]
    counts.
    """

    ranks: list[int]
    rows: list[int]
    disliked: list[int]

    @classmethod
    def from_players(cls, field: MatchField, residents: int, upfloaters: int) -> BracketGraph:
        """Return the graph of the bracket of *residents* and *upfloaters*, sets of ranks."""
        ranks = sorted(bits(residents | upfloaters), key=lambda rank: field.tpns[rank])
        return cls(ranks, _rows(field, ranks), _disliked(field, ranks, residents, upfloaters))


def pair_bracket(field: MatchField, residents: int, upfloaters: int) -> list[tuple[int, int]]:
    """The pairs of the bracket of *residents* and *upfloaters* (sets of ranks), each top first.

    Cost: one bipartite matching as a rule, else a weighted matching of the bracket and one of tops
    and bottoms.
    """
    graph = BracketGraph.from_players(field, residents, upfloaters)
    return pair_upper_with_lower_half(graph) or pair_by_identifier(graph)


def _rows(field: MatchField, ranks: Sequence[int]) -> list[int]:
    """Return the players whom each player of the bracket may meet."""
    vertices = list(enumerate(ranks))
    return [
        sum(1 << other for other, rank in vertices if field.may_meet[own] >> rank & 1)
        for own in ranks
    ]


def _disliked(
    field: MatchField, ranks: Sequence[int], residents: int, upfloaters: int
) -> list[int]:
    """Return for each player the partners that [C8] counts [C.04.5/2026 2.3.5].

    It counts a resident who floated and an upfloater.
    """
    floaters = residents & field.floated
    if not floaters or not upfloaters:
        return [0] * len(ranks)
    came_up = sum(1 << vertex for vertex, rank in enumerate(ranks) if upfloaters >> rank & 1)
    counted = sum(1 << vertex for vertex, rank in enumerate(ranks) if floaters >> rank & 1)
    rows = []
    for rank in ranks:
        if upfloaters >> rank & 1:
            rows.append(counted)
        else:
            rows.append(came_up if floaters >> rank & 1 else 0)
    return rows


def pair_upper_with_lower_half(graph: BracketGraph) -> list[tuple[int, int]] | None:
    """The pairing with the upper half as tops, with no pair that [C8] counts; else None.

    No set of tops is earlier than the upper half, and [C8] cannot be met better. Among the pairings
    with these tops the first transposition of the bottoms has the first identifier.
    """
    half = len(graph.ranks) // 2
    bottoms = first_transposition(
        [(graph.rows[top] & ~graph.disliked[top]) >> half for top in range(half)]
    )
    if bottoms is None:
        return None
    return [(graph.ranks[top], graph.ranks[half + bottom]) for top, bottom in enumerate(bottoms)]


def pair_by_identifier(graph: BracketGraph) -> list[tuple[int, int]]:
    """The pairing with the first identifier among those best on [C8], by weighted matchings."""
    size = len(graph.ranks)
    costs: list[dict[int, int]] = []
    for vertex, (row, disliked) in enumerate(zip(graph.rows, graph.disliked, strict=True)):
        weights = {}
        for other in bits(row):
            bottom = max(vertex, other)
            weights[other] = (disliked >> other & 1) << size | 1 << (size - 1 - bottom)
        costs.append(weights)
    mate = minimum_cost_perfect_matching(costs)
    if mate is None:
        raise InvariantError(
            "a bracket could not be paired although its upfloaters were chosen for it"
        )
    tops = [vertex for vertex in range(size) if vertex < mate[vertex]]
    bottoms = [vertex for vertex in range(size) if vertex > mate[vertex]]
    pairs = _pair_tops_with_bottoms(graph.rows, graph.disliked, tops, bottoms)
    return [(graph.ranks[top], graph.ranks[bottom]) for top, bottom in pairs]


def _pair_tops_with_bottoms(
    rows: Sequence[int], disliked: Sequence[int], tops: Sequence[int], bottoms: Sequence[int]
) -> list[tuple[int, int]]:
    """The first way to give each of *tops* a larger one of *bottoms*, among those best on [C8].

    The graph is bipartite and has no odd cycle, so the pairs that a matching of least cost may use
    tell all of them: every perfect matching of these pairs costs the least.
    """
    half = len(tops)
    costs: list[dict[int, int]] = [{} for _ in range(2 * half)]
    for i, top in enumerate(tops):
        for j, bottom in enumerate(bottoms):
            if top < bottom and rows[top] >> bottom & 1:
                costs[i][half + j] = costs[half + j][i] = disliked[top] >> bottom & 1
    face = optimal_face(costs)
    if face is None:
        raise InvariantError(
            "the top members of a bracket could not be paired with its bottom members"
        )
    _, best = face
    chosen = first_transposition([sum(1 << (j - half) for j in best[i]) for i in range(half)])
    if chosen is None:
        raise InvariantError("the best pairs of a bracket have no perfect matching")
    return [(top, bottoms[j]) for top, j in zip(tops, chosen, strict=True)]
