"""Maximum-cardinality matching in a general graph whose rows are bit sets.

Row ``rows[u]`` is a whole number whose bit ``v`` says that ``u`` and ``v`` may be matched; rows are
symmetric. A search step is then an *and* and a *lowest set bit*, so that one Python operation looks
at a whole row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, count

FREE = -1


def bits(mask: int) -> Iterator[int]:
    """The positions of the set bits of *mask*, ascending."""
    if 8 * mask.bit_count() < mask.bit_length():
        return few_bits(mask)
    return compress(count(), bin(mask)[:1:-1].encode().translate(_DIGITS))


_DIGITS = bytes.maketrans(b"01", b"\0\1")


def few_bits(mask: int) -> Iterator[int]:
    """As :func:`bits`, one by one: faster for few bits, several times slower for many."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def neighbours(rows: Sequence[int], vertices: int) -> int:
    """Return all vertices that can be matched with one of *vertices*, both as bit sets."""
    met = 0
    for vertex in bits(vertices):
        met |= rows[vertex]
    return met


def maximum_matching(
    rows: Sequence[int], vertices: int, start: Sequence[int] | None = None
) -> list[int]:
    """Return a matching of as many *vertices* (a bit set) as possible: the mate of each, or -1.

    *start* is a matching to begin with (``mate`` of an earlier call); pairs of it that leave
    *vertices*, or are not edges any more, are dropped. This is Edmonds' algorithm: one search per
    vertex still free, at most O(n) searches of O(n²) steps each. In practice the greedy start
    matches almost all vertices.
    """
    mate = [FREE] * len(rows)
    if start is not None:
        for u in bits(vertices):
            v = start[u]
            if v > u and vertices >> v & 1 and rows[u] >> v & 1:
                mate[u], mate[v] = v, u
    free = 0
    for u in bits(vertices):
        if mate[u] == FREE:
            free |= 1 << u
    for u in bits(free):
        if mate[u] == FREE:
            partners = rows[u] & free
            if partners:
                v = (partners & -partners).bit_length() - 1
                mate[u], mate[v] = v, u
                free &= ~(1 << u | 1 << v)
    for u in bits(free):
        if mate[u] == FREE:
            search = _Search(rows, vertices, mate, u)
            if not search.augment():
                vertices &= search.unseen
    return mate


def is_perfect(mate: Sequence[int], vertices: int) -> bool:
    """Whether every one of *vertices* has a partner in *mate*."""
    return all(mate[v] != FREE for v in bits(vertices))


def missable(rows: Sequence[int], vertices: int, mate: list[int], exposed: int) -> int:
    """The vertices (a bit set) that some maximum matching leaves out; *exposed* alone is free.

    They are the outer vertices of the search tree of *exposed* when no augmenting path exists
    (Gallai-Edmonds): each is reached by an even alternating path, and swapping along it frees it
    instead. *mate* must be maximum and is not changed.
    """
    search = _Search(rows, vertices, mate, exposed)
    if search.find() is not None:
        raise ValueError("the matching given is not maximum")
    return search.outer


def leave_out_lowest(
    rows: Sequence[int], vertices: int, mate: list[int], exposed: int, wanted: int
) -> int | None:
    """Leave out the lowest of *wanted* that can be, instead of *exposed*, the only free vertex;
    None if none can be.

    *mate* must be maximum, and is changed along one even alternating path (``missable`` says why
    that is all).
    """
    search = _Search(rows, vertices, mate, exposed)
    if search.find() is not None:
        raise ValueError("the matching given is not maximum")
    found = search.outer & wanted
    if not found:
        return None
    v = (found & -found).bit_length() - 1
    end, mate[v] = mate[v], FREE
    search.flip(end)
    return v


class _Search:
    """One alternating search from a free vertex; shrinking gives a blossom one base.

    ``outer`` are the vertices reached by an even path, ``parent[v]`` the outer vertex before *v* on
    the odd path that reached it, ``members`` the vertices of the tree by base.
    """

    def __init__(self, rows: Sequence[int], vertices: int, mate: list[int], root: int) -> None:
        self.rows = rows
        self.vertices = vertices
        self.mate = mate
        self.root = root
        self.outer = 1 << root
        self.unseen = vertices & ~self.outer
        self.parent: dict[int, int] = {}
        self.base = {root: root}
        self.members: dict[int, int] = {root: 1 << root}

    def augment(self) -> bool:
        """Match the root too, if a path allows it; whether it did."""
        end = self.find()
        if end is None:
            return False
        self.flip(end)
        return True

    def flip(self, end: int) -> None:
        """Match *end* and all before it by the other edges of its way to the root."""
        mate, parent = self.mate, self.parent
        while end != FREE:
            before = parent[end]
            onward = mate[before]
            mate[end], mate[before] = before, end
            end = onward

    def find(self) -> int | None:
        """A free vertex at the end of an augmenting path (followed back by ``parent``), or None.

        The tree grows as far as it can before the next cycle is shrunk: where vertices have many
        edges, a free one is mostly found without any.
        """
        queue = [self.root]
        grown = 0
        for u in queue:
            while grown < len(queue):
                end = self._grow_from(queue[grown], queue)
                if end is not None:
                    return end
                grown += 1
            touching = self.rows[u] & self.outer & ~self.members[self.base[u]]
            while touching:
                queue.extend(self._shrink(u, (touching & -touching).bit_length() - 1))
                touching &= ~self.members[self.base[u]]
        return None

    def _grow_from(self, u: int, queue: list[int]) -> int | None:
        """Add all unseen vertices that *u* may be matched with; one of them if it is free."""
        reachable = self.rows[u] & self.unseen
        while reachable:
            v = (reachable & -reachable).bit_length() - 1
            end = self._grow(u, v, queue)
            if end is not None:
                return end
            reachable &= self.unseen
        return None

    def _grow(self, u: int, v: int, queue: list[int]) -> int | None:
        """Add the unseen *v* and its mate behind *u*; *v* itself when it is free."""
        self.parent[v] = u
        w = self.mate[v]
        if w == FREE:
            return v
        self.unseen &= ~(1 << v | 1 << w)
        self.outer |= 1 << w
        for x in (v, w):
            self.base[x] = x
            self.members[x] = 1 << x
        queue.append(w)
        return None

    def _shrink(self, u: int, v: int) -> list[int]:
        """Make one blossom of the cycle that *u*-*v* closes; return what becomes outer by it."""
        apex = self._common_base(u, v)
        bases = self._mark(u, apex, v) | self._mark(v, apex, u)
        absorbed = 0
        for base in bases:
            absorbed |= self.members.pop(base)
        self.members[apex] |= absorbed
        for w in bits(absorbed):
            self.base[w] = apex
        fresh = absorbed & ~self.outer
        self.outer |= fresh
        return list(bits(fresh))

    def _common_base(self, u: int, v: int) -> int:
        """The base at which the ways of *u* and *v* to the root meet."""
        passed = set()
        x = self.base[u]
        while True:
            passed.add(x)
            if x == self.base[self.root]:
                break
            x = self.base[self.parent[self.mate[x]]]
        x = self.base[v]
        while x not in passed:
            x = self.base[self.parent[self.mate[x]]]
        return x

    def _mark(self, x: int, apex: int, before: int) -> set[int]:
        """The bases from *x* up to *apex*; each learns the way round through *before*."""
        bases = set()
        while self.base[x] != apex:
            inner = self.mate[x]
            bases.add(self.base[x])
            bases.add(self.base[inner])
            self.parent[x] = before
            before = inner
            x = self.parent[inner]
        bases.discard(apex)
        return bases
