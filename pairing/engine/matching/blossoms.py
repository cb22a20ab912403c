"""The state of the search for a minimum-cost perfect matching between its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pairing.engine.errors import InvariantError

FREE = -1


class Blossoms:
    """Duals, matching and blossoms; they outlive a search.

    Costs are doubled, and all duals begin even.

    Ids below ``n`` are vertices, others blossoms; ``top[v]`` is the outermost id that holds vertex
    ``v``. A blossom's ``children`` go round an odd cycle beginning at its base; ``links[i]`` is the
    edge from ``children[i]`` to the next one, written in that direction.
    """

    def __init__(
        self, costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None
    ) -> None:
        n = len(costs)
        self.n = n
        self.mate = [FREE] * n
        self.rows = [{v: 2 * cost for v, cost in row.items()} for row in costs]
        self.dual = [dual & ~1 for dual in start_duals] if start_duals is not None else [0] * n
        self.top = list(range(n))
        self.children: dict[int, list[int]] = {}
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.base: dict[int, int] = {v: v for v in range(n)}
        self.vertices: dict[int, list[int]] = {v: [v] for v in range(n)}
        self.blossom_dual: dict[int, int] = {}
        self.next_id = n
        self._make_feasible()
        self._match_tight()

    def _make_feasible(self) -> None:
        """Set each dual in turn to the largest value its row allows.

        The later of two neighbours is set against the final value of the earlier, so every edge
        ends with slack of at least 0, and every vertex with a tight edge.
        """
        dual = self.dual
        for u, row in enumerate(self.rows):
            if row:
                dual[u] = min([cost - dual[v] for v, cost in row.items()])

    def _match_tight(self) -> None:
        dual, mate = self.dual, self.mate
        for u, row in enumerate(self.rows):
            if mate[u] == FREE:
                for v, cost in row.items():
                    if mate[v] == FREE and cost == dual[u] + dual[v]:
                        mate[u], mate[v] = v, u
                        break

    def tight_rows_with_blossoms(self) -> list[dict[int, int]]:
        """The tight edges with their cost (doubled) beyond the duals of blossoms given up."""
        holding: list[tuple[int, ...]] = [()] * self.n
        for blossom, dual in self.blossom_dual.items():
            if dual:
                for vertex in self.vertices[blossom]:
                    holding[vertex] += (blossom,)
        duals = self.blossom_dual
        given_up = [sum([duals[blossom] for blossom in held]) for held in holding]
        kinds = set(holding)
        shared = {
            own: {
                held: 2 * sum([duals[blossom] for blossom in own if blossom in held])
                for held in kinds
            }
            for own in kinds
        }
        vertex_duals = self.dual
        rows: list[dict[int, int]] = []
        for u, row in enumerate(self.rows):
            dual_u, given_up_u, inside = vertex_duals[u], given_up[u], shared[holding[u]]
            rows.append(
                {
                    v: excess + given_up_u + given_up[v]
                    for v, cost in row.items()
                    if (excess := cost - dual_u - vertex_duals[v]) <= 0
                    and excess + inside[holding[v]] == 0
                }
            )
        return rows

    def child_holding(self, blossom: int, vertex: int) -> int:
        """The index of the child of *blossom* that holds *vertex*."""
        for index, child in enumerate(self.children[blossom]):
            if vertex in self.vertices[child]:
                return index
        raise InvariantError(f"vertex {vertex} is not in blossom {blossom}")

    def rebase(self, item: int, vertex: int) -> None:
        """Make *vertex* the base of *item*, rematching along its cycle by the even way."""
        if item < self.n:
            return
        children, links = self.children[item], self.links[item]
        index = self.child_holding(item, vertex)
        self.rebase(children[index], vertex)
        size = len(children)
        # Walk from the new base to the old one (index 0) by an even number of links, flipping
        # pairs.
        forward = index % 2 == 1
        i = index
        while i % size:
            if forward:
                a, b = links[i + 1] if i + 1 < size else links[0]
                first, second = (i + 1) % size, (i + 2) % size
            else:
                b, a = links[i - 2]
                first, second = i - 1, i - 2
            self.rebase(children[first], a)
            self.rebase(children[second], b)
            self.mate[a], self.mate[b] = b, a
            i = second
        self.children[item] = children[index:] + children[:index]
        self.links[item] = links[index:] + links[:index]
        self.base[item] = vertex

    def join(self, children: list[int], links: list[tuple[int, int]]) -> int:
        """Make an outermost blossom of *children*, a cycle, with the base of the first.

        Its dual is still to be set.
        """
        blossom = self.next_id
        self.next_id += 1
        self.children[blossom] = children
        self.links[blossom] = links
        self.base[blossom] = self.base[children[0]]
        self.vertices[blossom] = vertices = [
            vertex for child in children for vertex in self.vertices[child]
        ]
        for vertex in vertices:
            self.top[vertex] = blossom
        return blossom

    def dissolve(self, blossom: int) -> list[int]:
        """Take the outermost *blossom* apart; its children become outermost."""
        children = self.children.pop(blossom)
        del (
            self.links[blossom],
            self.base[blossom],
            self.vertices[blossom],
            self.blossom_dual[blossom],
        )
        for child in children:
            for v in self.vertices[child]:
                self.top[v] = child
        return children

    def dissolve_empty(self, blossom: int) -> None:
        """Take the outermost *blossom* apart if its dual is 0, and then those in it."""
        pending = [blossom]
        while pending:
            item = pending.pop()
            if item >= self.n and self.blossom_dual[item] == 0:
                pending.extend(self.dissolve(item))
