"""Compare the candidates of a small bracket one by one, in the order of Article 4.

As in ``tight_edges``, everybody in the bracket is paired, or everybody except one of *floaters*;
[C4] holds and [C6]-[C9] are at their bounds for each of them. Proof: the candidates that are as
good are all perfect matchings of the players (never two MDPs, 3.3.3) and one vertex for floating,
joined to *floaters*. With ``MOST_VERTICES`` vertices there are at most 15, and a table has them in
the order of generation. The first of those that are best on [C10]-[C21] is the candidate of 3.8.1.
If only one is possible, no criterion is needed.

Most brackets of a small tournament are handled here; without the table 20 players take 1.4 to 1.7
times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from pairing.engine.dutch.bracket import Bracket, BracketPairing

from .criteria_costs import CostsOf
from .generation_order import ExchangeOrder, MdpOrder, TranspositionOrder
from .tight_edges import tight_graph

MOST_VERTICES = 6
"""With this many vertices, including that of the floater,
there are at most 5 × 3 perfect matchings.
"""

Candidate = tuple[tuple[int, int], ...]
"""Pairs of vertices, the lower first: the players of the bracket by rank,
then the vertex of the floater.
"""


def small_candidates(bracket: Bracket, floaters: int) -> list[Candidate]:
    """List the candidates of a small bracket in the order of generation [C.04.3/2026 4.2-4.4].

    The bracket has at most ``MOST_VERTICES`` vertices. Everybody is paired except one of *floaters*
    (a bit set of residents' ranks; 0 if nobody floats).
    """
    may_meet, residents, mdps = (
        bracket.field.may_meet,
        bracket.resident_ranks,
        len(bracket.mdp_ranks),
    )
    start, group = residents.start, (1 << len(residents)) - 1
    size = mdps + len(residents)
    present = shift = 0
    for rank in (*bracket.mdp_ranks, *residents):
        row = (may_meet[rank] >> start & group) << mdps
        if floaters >> rank & 1:
            row |= 1 << size
        present |= row << shift
        shift += MOST_VERTICES
    return [
        candidate
        for edges, candidate in _in_order(mdps, size, bool(floaters))
        if not edges & ~present
    ]


def best_of_small(bracket: Bracket, floaters: int, costs_of: CostsOf) -> BracketPairing | None:
    """Return the best candidate of a small bracket, the first of equals [C.04.3/2026 3.8.1];
    None if there is none.
    """
    candidates = small_candidates(bracket, floaters)
    if not candidates:
        return None
    chosen = candidates[0]
    if len(candidates) > 1:
        chosen = first_tight(bracket, floaters, candidates) or first_of_least_cost(
            bracket, candidates, costs_of
        )
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    ranks = (*bracket.mdp_ranks, *bracket.resident_ranks)
    pairs = tuple([(ranks[u], ranks[v]) for u, v in chosen if v != size])
    return BracketPairing(pairs, tuple([ranks[u] for u, v in chosen if v == size]))


def first_tight(
    bracket: Bracket, floaters: int, candidates: Sequence[Candidate]
) -> Candidate | None:
    """Return the first of *candidates* that has tight pairs only.

    If there is one, the candidates of tight pairs are exactly the best ones (``tight_edges``), and
    no criterion is needed.
    """
    tight = tight_graph(bracket, (floaters,) if floaters else ())
    if tight is None:
        return None
    rows = tight.rows
    if floaters:
        size = len(rows)
        rows = [row | (tight.floater_rows[0] >> u & 1) << size for u, row in enumerate(rows)]
    for candidate in candidates:
        if all(rows[u] >> v & 1 for u, v in candidate):
            return candidate
    return None


def first_of_least_cost(
    bracket: Bracket, candidates: Sequence[Candidate], costs_of: CostsOf
) -> Candidate:
    """Return the first of the *candidates* of least cost; [C6] and [C7] are the same for all."""
    costs, players = costs_of(bracket), bracket.players
    size = len(players)

    def cost(candidate: Candidate) -> int:
        return sum(
            costs.of_pair(players[u], players[v]) if v < size else costs.of_downfloater(players[u])
            for u, v in candidate
        )

    return min(candidates, key=cost)


@cache
def _in_order(mdps: int, size: int, floats: bool) -> tuple[tuple[int, Candidate], ...]:
    """List all ways to pair *size* players, the first *mdps* of them MDPs, as generated.

    One resident floats if *floats*. Each way is a set of edges (bit u × ``MOST_VERTICES`` + v) and
    a tuple of pairs.
    """

    def order(candidate: Candidate) -> tuple[int, int, int]:
        mdp_pairs = candidate[:mdps]
        taken = {v for _, v in mdp_pairs}
        remainder = [v for v in range(mdps, size) if v not in taken]
        pairs = [(u, v) for u, v in candidate[mdps:] if v < size]
        by_mdps, by_exchange = MdpOrder(mdps, size), ExchangeOrder(remainder, len(pairs))
        by_transposition = TranspositionOrder(remainder, [u for u, _ in pairs])
        return (
            sum(by_mdps.cost(u, v) for u, v in mdp_pairs) if mdps else 0,
            sum(by_exchange.cost(u, v) for u, v in pairs),
            sum(by_transposition.cost(u, v) for u, v in pairs),
        )

    candidates = sorted(_matchings(tuple(range(size + floats)), mdps), key=order)
    if floats:
        candidates = [
            candidate
            for candidate in candidates
            if all(u >= mdps for u, v in candidate if v == size)
        ]
    return tuple(
        (sum(1 << u * MOST_VERTICES + v for u, v in candidate), candidate)
        for candidate in candidates
    )


def _matchings(vertices: tuple[int, ...], mdps: int) -> Iterator[Candidate]:
    """Yield all perfect matchings of *vertices* without a pair of the first *mdps* numbers."""
    if not vertices:
        yield ()
        return
    first, others = vertices[0], vertices[1:]
    for place, second in enumerate(others):
        if second >= mdps:
            for rest in _matchings((*others[:place], *others[place + 1 :]), mdps):
                yield ((first, second), *rest)
