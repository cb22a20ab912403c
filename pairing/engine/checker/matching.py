"""Maximum matchings of a general graph, for the checker: Edmonds' search with blossoms.

A graph is a list of rows: bit ``w`` of ``rows[v]`` is set when ``v`` and ``w`` are joined. A
matching is a list of mates, :data:`UNMATCHED` for an exposed vertex. Cost: O(n³) at worst, a
fraction of it in practice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

UNMATCHED = -1


def maximum_matching(rows: Sequence[int], start: Sequence[int]) -> list[int]:
    """The mates of a maximum matching, grown from the matching *start* by augmenting paths.

    A vertex from which no augmenting path leads stays exposed to the end (Edmonds), so one pass
    over the exposed vertices suffices.
    """
    mates = list(start)
    for root in range(len(rows)):
        if mates[root] == UNMATCHED:
            search = _Search(rows, mates, root)
            if search.exposed is not None:
                search.augment()
    return mates


def missable(rows: Sequence[int], mates: Sequence[int]) -> int:
    """The vertices (bits) left out by some maximum matching, given *mates* that leaves out one.

    They are those an even alternating path leads to from the exposed vertex: swapping the edges
    along the path gives a matching of the same size that misses its end; and the symmetric
    difference with any maximum matching missing another vertex contains such a path
    (Gallai-Edmonds).
    """
    return _Search(rows, list(mates), list(mates).index(UNMATCHED)).outer


class _Search:
    """One search for an augmenting path from *root*; odd cycles met on the way are contracted.

    ``outer`` are the vertices an even alternating path from the root leads to, ``exposed`` the
    other end of an augmenting path if there is one. ``_parent`` walks an alternating path back to
    the root, ``_base`` is the vertex a contracted blossom hangs on.
    """

    def __init__(self, rows: Sequence[int], mates: list[int], root: int) -> None:
        self._mates = mates
        self._parent = [UNMATCHED] * len(rows)
        self._base = list(range(len(rows)))
        self._queue = [root]
        self._inner = 0
        self.outer = 1 << root
        self.exposed = self._run(rows)

    def _run(self, rows: Sequence[int]) -> int | None:
        for vertex in self._queue:  # grows while it is read
            for other in _bits(rows[vertex] & ~self._inner):
                if self._base[vertex] == self._base[other]:
                    continue
                if self.outer >> other & 1:
                    self._contract(vertex, other)
                elif self._parent[other] == UNMATCHED:
                    self._parent[other] = vertex
                    if self._mates[other] == UNMATCHED:
                        return other
                    self._inner |= 1 << other
                    self._add_outer(self._mates[other])
        return None

    def _add_outer(self, vertex: int) -> None:
        self.outer |= 1 << vertex
        self._inner &= ~(1 << vertex)
        self._queue.append(vertex)

    def _contract(self, one: int, other: int) -> None:
        """Contract the odd cycle that an edge between two outer vertices closes."""
        stem = self._common_base(one, other)
        blossom: set[int] = set()
        self._mark(one, stem, other, blossom)
        self._mark(other, stem, one, blossom)
        for vertex, base in enumerate(self._base):
            if base in blossom:
                self._base[vertex] = stem
                if not self.outer >> vertex & 1:
                    self._add_outer(vertex)

    def _common_base(self, one: int, other: int) -> int:
        """The last base that the two paths back to the root share."""
        on_path = set()
        vertex = self._base[one]
        on_path.add(vertex)
        while self._parent_of_mate(vertex) != UNMATCHED:
            vertex = self._base[self._parent_of_mate(vertex)]
            on_path.add(vertex)
        vertex = self._base[other]
        while vertex not in on_path:
            vertex = self._base[self._parent_of_mate(vertex)]
        return vertex

    def _parent_of_mate(self, vertex: int) -> int:
        mate = self._mates[vertex]
        return UNMATCHED if mate == UNMATCHED else self._parent[mate]

    def _mark(self, vertex: int, stem: int, child: int, blossom: set[int]) -> None:
        """Put the path from *vertex* to *stem* in the blossom; inner vertices learn a way back."""
        while self._base[vertex] != stem:
            mate = self._mates[vertex]
            blossom |= {self._base[vertex], self._base[mate]}
            self._parent[vertex] = child
            child = mate
            vertex = self._parent[mate]

    def augment(self) -> None:
        """Swap the edges along the path found: one more pair."""
        vertex = self.exposed
        while vertex is not None and vertex != UNMATCHED:
            before = self._parent[vertex]
            following = self._mates[before]
            self._mates[vertex], self._mates[before] = before, vertex
            vertex = following


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
