"""Which exchanges of one player of S1 with one of S2 can help, in the order in which the text makes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pairing.engine.matching.cardinality import FREE, bits, maximum_matching


def single_exchanges(
    rows: Sequence[int], remainder: Sequence[int], pairs: int, floating: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """The exchanges of one of S1 and one of S2 that may let S1 and S2 be paired, in the order of generation: least
    difference first, then the higher BSN of S1 [C.04.3/2026 4.3.2].

    ``rows`` are the neighbours of each vertex, *remainder* the vertices of which the first *pairs* are S1, *floating*
    others that take one of S2 each; as they are, they cannot all be matched.

    Proof that no other helps. One exchange lets two more be matched on each side at best; where more are left out,
    there are none. Let *X* be those on the side of S1 whom alternating paths reach from somebody whom a maximum
    matching leaves out there. They have fewer neighbours in S2 than they are (König). If the one who leaves S1 is
    neither of *X* nor a neighbour of *X*, all of *X* are still there, and have no neighbour more. So for S2.

    Cost: one matching, and a look at each difference.
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
    """Those of *side* whom alternating paths reach from somebody there without mate, and the neighbours of these."""
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
