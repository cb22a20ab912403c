"""List the exchanges of one player of S1 with one of S2 that can help, in the order of the text.

They spare the matching that orders all exchanges: a bracket of 600 players whose only possible
downfloater is in S1 takes 0.01 s instead of 0.3 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.matching.cardinality import FREE, bits, maximum_matching


def single_exchanges(
    rows: Sequence[int], remainder: Sequence[int], pairs: int, floating: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the exchanges of one of S1 and one of S2 that may let S1 and S2 be paired,
    in the order of generation.

    The smallest difference comes first, then the higher BSN of S1 [C.04.3/2026 4.3.2].

    ``rows`` are the neighbours of each vertex. The first *pairs* of *remainder* are S1. Each vertex
    of *floating* takes one player of S2. Without an exchange they cannot all be matched.

    Proof that no other exchange helps. One exchange lets at most two more players be matched on
    each side; if more are left out, nothing is yielded. Let *X* be the vertices on the side of S1
    that alternating paths reach from a vertex that a maximum matching leaves out there. *X* has
    fewer neighbours in S2 than members (König). If the player who leaves S1 is neither in *X* nor a
    neighbour of *X*, then *X* stays complete and gains no neighbour. The same holds for S2.

    Cost: one matching, and a few operations for each difference.
    """
    s1, s2 = _mask(remainder[:pairs]), _mask(remainder[pairs:])
    upper = s1 | _mask(floating)
    across = [row & (s2 if upper >> u & 1 else upper) for u, row in enumerate(rows)]
    mate = maximum_matching(across, upper | s2)
    if sum(mate[u] == FREE for u in bits(s2)) > 2:
        return
    place = {v: index for index, v in enumerate(remainder)}
    leaving = _mask([place[u] for u in bits(_concerned(rows, across, mate, upper) & s1)])
    entering = _mask([place[v] for v in bits(_concerned(rows, across, mate, s2) & s2)])
    for difference in range(1, len(remainder)):
        for index in reversed([*bits(entering >> difference & leaving)]):
            yield remainder[index], remainder[index + difference]


def _concerned(rows: Sequence[int], across: Sequence[int], mate: Sequence[int], side: int) -> int:
    """Return the vertices of *side* on alternating paths from an unmatched one, and neighbours."""
    reached = waiting = _mask([u for u in bits(side) if mate[u] == FREE])
    near = 0
    while waiting:
        u = waiting.bit_length() - 1
        waiting ^= 1 << u
        near |= rows[u]
        mates = _mask([mate[v] for v in bits(across[u])]) & ~reached
        reached |= mates
        waiting |= mates
    return reached | near


def _mask(vertices: Sequence[int]) -> int:
    mask = 0
    for vertex in vertices:
        mask |= 1 << vertex
    return mask
