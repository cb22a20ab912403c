"""Minimum-cost perfect matching in a general graph with whole-number costs of any size.

The primal-dual method of Edmonds, one search tree at a time. Costs are doubled inside, so that every dual
value stays a whole number: the vertices of one tree are joined by tight edges, hence their duals have the same
parity, and half the slack of an edge between two of them is whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

FREE = -1
INFINITE: Any = float("inf")
"""More than any whole number, however large."""


def minimum_cost_perfect_matching(
    costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None = None
) -> list[int] | None:
    """The partner of every vertex in a perfect matching of least total cost; None if none is perfect.

    ``costs[u][v]`` is the cost of matching ``u`` and ``v`` (symmetric; an absent key: not allowed).
    *start_duals*, one whole number per vertex, is a guess of what each vertex contributes to the cost
    (times two); any guess is made feasible first and can change the time only, never the cost. Which of
    several matchings of least cost is given is not defined.

    Cost: at most n/2 searches of O(n²) steps on rows of n, fewer the better the guess.

    Proof of optimality: the duals are always feasible (no edge has negative slack, no blossom a negative
    dual), matched edges are tight, blossoms with a positive dual are full; complementary slackness.
    """
    solver = _solve(costs, start_duals)
    return None if solver is None else solver.mate


def optimal_face(
    costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None = None
) -> tuple[list[int], list[dict[int, int]]] | None:
    """A perfect matching of least cost, and the edges that such matchings may use; None if none is perfect.

    *costs* and *start_duals* are as for :func:`minimum_cost_perfect_matching`. The edges come as ``costs`` do, with 0
    for every cost where *all* perfect matchings of these edges cost the least; otherwise with costs of at least 0 by
    which perfect matchings compare as by those they had.
    Cost: as that one, and one look at every edge.

    Proof: by complementary slackness a matching of least cost uses tight edges only, and meets the boundary of every
    blossom with a positive dual exactly once. Without such a blossom nothing else is asked of it. With one, let each
    vertex give up the duals of the blossoms that hold it: an edge then costs the dual of every blossom that holds one
    end of it, and 0 where there is none. That is its cost less a number for each vertex, and every perfect matching
    takes all of these numbers.
    """
    solver = _solve(costs, start_duals)
    if solver is None:
        return None
    dual = solver.dual
    rows: list[dict[int, int]]
    if not any(solver.blossom_dual.values()):
        rows = [{v: 0 for v, cost in row if cost == dual[u] + dual[v]} for u, row in enumerate(solver.rows)]
    else:
        rows = solver.tight_rows_with_blossoms()
    return solver.mate, rows


def _solve(costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None) -> _Solver | None:
    solver = _Solver(costs, start_duals)
    for vertex in range(len(costs)):
        if solver.mate[vertex] == FREE and not _Tree(solver, vertex).grow():
            return None
    return solver


class _Solver:
    """Duals, matching and blossoms; they outlive a search.

    Ids below ``n`` are vertices, others blossoms; ``top[v]`` is the outermost id that holds vertex ``v``.
    A blossom's ``children`` go round an odd cycle beginning at its base; ``links[i]`` is the edge from
    ``children[i]`` to the next one, written in that direction.
    """

    def __init__(self, costs: Sequence[Mapping[int, int]], start_duals: Sequence[int] | None) -> None:
        n = len(costs)
        self.n = n
        self.mate = [FREE] * n
        self.rows = [[(v, 2 * cost) for v, cost in row.items()] for row in costs]
        self.dual = list(start_duals) if start_duals is not None else [0] * n
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

        The later of two neighbours is set against the final value of the earlier, so every edge ends
        with slack of at least 0, and every vertex with a tight edge.
        """
        dual = self.dual
        for u, row in enumerate(self.rows):
            if row:
                dual[u] = min([cost - dual[v] for v, cost in row])

    def _match_tight(self) -> None:
        dual, mate = self.dual, self.mate
        for u, row in enumerate(self.rows):
            if mate[u] == FREE:
                for v, cost in row:
                    if mate[v] == FREE and cost == dual[u] + dual[v]:
                        mate[u], mate[v] = v, u
                        break

    def tight_rows_with_blossoms(self) -> list[dict[int, int]]:
        """The tight edges with what they cost (doubled) beyond the duals, those of the blossoms given up."""
        holding: list[tuple[int, ...]] = [()] * self.n
        for blossom, dual in self.blossom_dual.items():
            if dual:
                for vertex in self.vertices[blossom]:
                    holding[vertex] += (blossom,)
        duals = self.blossom_dual
        given_up = [sum([duals[blossom] for blossom in held]) for held in holding]
        kinds = set(holding)
        shared = {
            own: {held: 2 * sum([duals[blossom] for blossom in own if blossom in held]) for held in kinds}
            for own in kinds
        }
        rows: list[dict[int, int]] = []
        for u, row in enumerate(self.rows):
            dual_u, given_up_u, inside = self.dual[u], given_up[u], shared[holding[u]]
            tight = {}
            for v, cost in row:
                excess = cost - dual_u - self.dual[v]
                if excess <= 0 and excess + inside[holding[v]] == 0:
                    tight[v] = excess + given_up_u + given_up[v]
            rows.append(tight)
        return rows

    def child_holding(self, blossom: int, vertex: int) -> int:
        """The index of the child of *blossom* that holds *vertex*."""
        for index, child in enumerate(self.children[blossom]):
            if vertex in self.vertices[child]:
                return index
        raise ValueError(f"vertex {vertex} is not in blossom {blossom}")

    def rebase(self, item: int, vertex: int) -> None:
        """Make *vertex* the base of *item*, rematching along its cycle by the even way."""
        if item < self.n:
            return
        children, links = self.children[item], self.links[item]
        index = self.child_holding(item, vertex)
        self.rebase(children[index], vertex)
        size = len(children)
        # Walk from the new base to the old one (index 0) by an even number of links, flipping pairs.
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

    def dissolve(self, blossom: int) -> list[int]:
        """Take the outermost *blossom* apart; its children become outermost."""
        children = self.children.pop(blossom)
        del self.links[blossom], self.base[blossom], self.vertices[blossom], self.blossom_dual[blossom]
        for child in children:
            for v in self.vertices[child]:
                self.top[v] = child
        return children


AWAY, OUTER, INNER = range(3)
"""Where a vertex is: not in the tree, in an item at even depth, in one at odd depth."""


class _Tree:
    """One search: an alternating tree of outermost items from a free vertex, grown until it can be matched.

    ``side[v]`` is where the vertex is, ``entry[item]`` the edge (from, to) by which the tree reached an item.

    ``shift`` is by how much the duals of the tree have changed so far. Within the tree the solver's duals are kept
    without it: *dual* + shift is that of an outer vertex or blossom, *dual* - shift that of an inner one. So a shift
    changes nothing that is stored, and at which shift an edge will be tight is known when it is seen: ``coming`` is a
    heap of these. Each outer vertex is looked at once: ``best[v]`` is the least of cost less dual over the edges of
    *v*, not outer itself, to outer vertices, ``best_from[v]`` the other end.
    """

    def __init__(self, solver: _Solver, root: int) -> None:
        self.solver = solver
        self.root = solver.top[root]
        self.shift = 0
        self.side = [AWAY] * solver.n
        self.outer_items: set[int] = set()
        self.inner_items: set[int] = set()
        self.entry: dict[int, tuple[int, int]] = {}
        self.best: list[int] = [INFINITE] * solver.n
        self.best_from = [FREE] * solver.n
        self.queue: list[int] = []
        self.coming: list[tuple[int, int, int]] = []
        """(shift, vertex, FREE): a vertex that is away can be reached; (shift, u, v): two outer items touch;
        (shift, blossom, FREE): the dual of an inner blossom is 0."""

    def grow(self) -> bool:
        """Grow until an augmenting path is found and used; False if there is none."""
        self._make_outer(self.root, 0)
        while True:
            while self.queue:
                if self._scan(self.queue.pop()):
                    return True
            if not self.coming:
                return False
            if self._next(*heappop(self.coming)):
                return True

    def _make_outer(self, item: int, less: int) -> None:
        """Count *item* as outer; what is stored of its duals becomes *less* by so much."""
        solver, dual, side = self.solver, self.solver.dual, self.side
        self.outer_items.add(item)
        vertices = solver.vertices[item]
        for v in vertices:
            dual[v] -= less
            side[v] = OUTER
        self.queue.extend(vertices)
        if item >= solver.n:
            solver.blossom_dual[item] -= self.shift

    def _make_inner(self, item: int) -> None:
        solver, dual, side = self.solver, self.solver.dual, self.side
        for v in solver.vertices[item]:
            dual[v] += self.shift
            side[v] = INNER
        self._await_empty(item)

    def _await_empty(self, item: int) -> None:
        """Count *item* as inner; if it is a blossom, note when its dual will be 0."""
        self.inner_items.add(item)
        if item >= self.solver.n:
            dual = self.solver.blossom_dual
            dual[item] += self.shift
            heappush(self.coming, (dual[item], item, FREE))

    def _scan(self, u: int) -> bool:
        """Look along every edge of the new outer vertex *u*; whether a path was found and used."""
        solver = self.solver
        top, dual, side, best, best_from = solver.top, solver.dual, self.side, self.best, self.best_from
        coming, shift = self.coming, self.shift
        dual_u, own = dual[u], top[u]
        nearest, nearest_to = INFINITE, FREE
        for v, cost in solver.rows[u]:
            value = cost - dual_u
            where = side[v]
            if where == OUTER:
                if top[v] != own:
                    value -= dual[v]
                    if value == 2 * shift:
                        self._shrink(u, v)
                        own = top[u]
                    elif value < nearest:
                        nearest, nearest_to = value, v
            elif value < best[v]:
                best[v], best_from[v] = value, u
                if where == AWAY:
                    value -= dual[v]
                    if value != shift:
                        heappush(coming, (value, v, FREE))
                    elif self._reach(u, v):
                        return True
        if nearest_to != FREE:
            heappush(coming, (nearest // 2, u, nearest_to))
        return False

    def _next(self, at: int, u: int, v: int) -> bool:
        """Do what was foreseen for the shift *at*, if it still holds; whether a path was found and used."""
        solver = self.solver
        if v != FREE:
            if solver.top[u] != solver.top[v]:
                self.shift = at
                self._shrink(u, v)
            self._renew_nearest(u)
        elif u >= solver.n:
            if u in self.inner_items and solver.blossom_dual[u] == at:
                self.shift = at
                self._open_inner(u)
        elif self.side[u] == AWAY and self.best[u] - solver.dual[u] == at:
            self.shift = at
            return self._reach(self.best_from[u], u)
        return False

    def _renew_nearest(self, u: int) -> None:
        """Foresee when *u* will touch another outer item again, its former one having become internal.

        Until then the former bounded all others: of two outer vertices the later one saw the edge, or did so here.
        """
        solver = self.solver
        top, dual, side = solver.top, solver.dual, self.side
        own, dual_u = top[u], dual[u]
        nearest, nearest_to = INFINITE, FREE
        for v, cost in solver.rows[u]:
            if side[v] == OUTER and top[v] != own:
                value = cost - dual[v]
                if value < nearest:
                    nearest, nearest_to = value, v
        if nearest_to != FREE:
            heappush(self.coming, ((nearest - dual_u) // 2, u, nearest_to))

    def _reach(self, u: int, v: int) -> bool:
        """The tight edge *u*-*v* reaches a new item: match if it is free, else grow by it and its mate."""
        solver = self.solver
        item = solver.top[v]
        self.entry[item] = (u, v)
        base = solver.base[item]
        mate = solver.mate[base]
        if mate == FREE:
            self._finish(item)
            return True
        self._make_inner(item)
        following = solver.top[mate]
        self.entry[following] = (base, mate)
        self._make_outer(following, self.shift)
        return False

    def _augment(self, item: int) -> None:
        """Match along the way from the free *item* back to the root."""
        solver = self.solver
        while True:
            u, v = self.entry[item]
            solver.rebase(item, v)
            previous = solver.top[u]
            solver.rebase(previous, u)
            solver.mate[u], solver.mate[v] = v, u
            if previous == self.root:
                return
            item = solver.top[self.entry[previous][0]]

    def _way_to_root(self, item: int) -> list[int]:
        way = [item]
        while item != self.root:
            item = self.solver.top[self.entry[item][0]]
            way.append(item)
        return way

    def _shrink(self, u: int, v: int) -> None:
        """Make one outer blossom of the cycle that the tight edge *u*-*v* closes."""
        solver = self.solver
        left, right = self._way_to_root(solver.top[u]), self._way_to_root(solver.top[v])
        while len(left) > 1 and len(right) > 1 and left[-2] == right[-2]:
            left.pop()
            right.pop()
        apex = left[-1]
        # apex … u's item, then v's item … back to apex.
        children = left[::-1] + right[:-1]
        links = [self.entry[child] for child in left[-2::-1]] + [(u, v)]
        links += [(inside, outside) for outside, inside in (self.entry[child] for child in right[:-1])]
        blossom = solver.next_id
        solver.next_id += 1
        solver.children[blossom] = children
        solver.links[blossom] = links
        solver.base[blossom] = solver.base[apex]
        solver.vertices[blossom] = [vertex for child in children for vertex in solver.vertices[child]]
        solver.blossom_dual[blossom] = -self.shift
        if apex == self.root:
            self.root = blossom
        else:
            self.entry[blossom] = self.entry[apex]
        for child in children:
            was_inner = child in self.inner_items
            self._settle(child)
            vertices = solver.vertices[child]
            for vertex in vertices:
                solver.top[vertex] = blossom
            if was_inner:
                for vertex in vertices:
                    solver.dual[vertex] -= 2 * self.shift
                    self.side[vertex] = OUTER
                self.queue.extend(vertices)
        self.outer_items.add(blossom)

    def _settle(self, item: int) -> None:
        """Count an item of the tree no longer; if it is a blossom, give it the dual it has by now."""
        shift = -self.shift
        if item in self.outer_items:
            shift = self.shift
        self.outer_items.discard(item)
        self.inner_items.discard(item)
        if item >= self.solver.n:
            self.solver.blossom_dual[item] += shift

    def _open_inner(self, blossom: int) -> None:
        """Replace an inner blossom by those of its children that lie on the even way from entry to base."""
        solver = self.solver
        u, v = self.entry.pop(blossom)
        index = solver.child_holding(blossom, v)
        links = solver.links[blossom]
        self.inner_items.discard(blossom)
        children = solver.dissolve(blossom)
        size = len(children)
        self.entry[children[index]] = (u, v)
        self._await_empty(children[index])
        on_the_way = {children[index]}
        i = index
        while i % size:
            if index % 2 == 1:
                first, second = (i + 1) % size, (i + 2) % size
                step, onward = links[i], links[first]
            else:
                first, second = i - 1, i - 2
                step, onward = links[first][::-1], links[second][::-1]
            self.entry[children[first]] = step
            self._make_outer(children[first], 2 * self.shift)
            self.entry[children[second]] = onward
            self._await_empty(children[second])
            on_the_way |= {children[first], children[second]}
            i = second
        for child in children:
            if child not in on_the_way:
                self._leave(child)

    def _leave(self, item: int) -> None:
        """Let *item*, which was inner, leave the tree, and foresee when it can be reached again."""
        dual = self.solver.dual
        for v in self.solver.vertices[item]:
            dual[v] -= self.shift
            self.side[v] = AWAY
            if self.best_from[v] != FREE:
                heappush(self.coming, (self.best[v] - dual[v], v, FREE))

    def _finish(self, end: int) -> None:
        """Give all of the tree the duals they have by now, match along the way from the free *end* to the root, and
        take apart the outer blossoms whose dual is 0."""
        solver, shift = self.solver, self.shift
        if shift:
            dual = solver.dual
            for v, where in enumerate(self.side):
                if where == OUTER:
                    dual[v] += shift
                elif where == INNER:
                    dual[v] -= shift
        pending = [item for item in self.outer_items if item >= solver.n]
        for item in (*self.outer_items, *self.inner_items):
            self._settle(item)
        self._augment(end)
        while pending:
            item = pending.pop()
            if item >= solver.n and solver.blossom_dual[item] == 0:
                pending.extend(child for child in solver.dissolve(item) if child >= solver.n)
