"""Minimum-cost perfect matching in a general graph with whole-number costs of any size.

The primal-dual method of Edmonds, one search tree at a time. Costs are doubled inside, so that every dual
value stays a whole number: the vertices of one tree are joined by tight edges, hence their duals have the same
parity, and half the slack of an edge between two of them is whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

FREE = -1


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


def optimal_face(costs: Sequence[Mapping[int, int]]) -> tuple[list[int], list[dict[int, int]]] | None:
    """A perfect matching of least cost, and the edges that such matchings may use; None if none is perfect.

    The edges come as ``costs`` do, with 0 for every cost where *all* perfect matchings of these edges cost the least;
    otherwise with costs of at least 0 by which perfect matchings compare as by those they had.
    Cost: as :func:`minimum_cost_perfect_matching`, and one look at every edge.

    Proof: by complementary slackness a matching of least cost uses tight edges only, and meets the boundary of every
    blossom with a positive dual exactly once. Without such a blossom nothing else is asked of it. With one, let each
    vertex give up the duals of the blossoms that hold it: an edge then costs the dual of every blossom that holds one
    end of it, and 0 where there is none. That is its cost less a number for each vertex, and every perfect matching
    takes all of these numbers.
    """
    solver = _solve(costs, None)
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
        self.rows = [[(v, 2 * cost) for v, cost in row.items()] for row in costs]
        self.mate = [FREE] * n
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
        holding: list[dict[int, int]] = [{} for _ in range(self.n)]
        for blossom, dual in self.blossom_dual.items():
            if dual:
                for vertex in self.vertices[blossom]:
                    holding[vertex][blossom] = dual
        given_up = [sum(duals.values()) for duals in holding]
        rows: list[dict[int, int]] = []
        for u, row in enumerate(self.rows):
            own, dual_u, given_up_u = holding[u], self.dual[u], given_up[u]
            tight = {}
            for v, cost in row:
                excess = cost - dual_u - self.dual[v]
                if excess <= 0:
                    theirs = holding[v]
                    if excess + 2 * sum([dual for blossom, dual in own.items() if blossom in theirs]) == 0:
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


class _Tree:
    """One search: an alternating tree of outermost items from a free vertex, grown until it can be matched.

    ``outer`` items are at even depth, ``inner`` ones at odd depth; ``entry[item]`` is the edge (from, to)
    by which the tree reached it, ``best[v]`` for a vertex that is not outer the cheapest edge to an outer
    vertex so far.
    """

    def __init__(self, solver: _Solver, root: int) -> None:
        self.solver = solver
        self.root = solver.top[root]
        self.outer: set[int] = set()
        self.inner: set[int] = set()
        self.entry: dict[int, tuple[int, int]] = {}
        self.best: dict[int, tuple[int, int]] = {}  # vertex: (outer vertex, doubled cost)
        self.best_outer: dict[int, tuple[int, int]] = {}  # outer vertex: the same towards another outer item
        self.queue: list[int] = []

    def grow(self) -> bool:
        """Grow until an augmenting path is found and used; False if there is none."""
        self._make_outer(self.root)
        while True:
            while self.queue:
                if self._scan(self.queue.pop()):
                    self._expand_empty_outer_blossoms()
                    return True
            if not self._shift_duals():
                return False

    def _make_outer(self, item: int) -> None:
        self.outer.add(item)
        self.queue.extend(self.solver.vertices[item])

    def _scan(self, u: int) -> bool:
        """Look along every edge of the outer vertex *u*; whether a path was found and used."""
        solver = self.solver
        top, dual, outer, inner, best = solver.top, solver.dual, self.outer, self.inner, self.best
        dual_u = dual[u]
        nearest_slack: int | None = None
        nearest = (FREE, 0)
        for v, cost in solver.rows[u]:
            item = top[v]
            if item in outer:
                if item == top[u]:
                    continue
                slack = cost - dual_u - dual[v]
                if slack == 0:
                    self._shrink(u, v)
                elif nearest_slack is None or slack < nearest_slack:
                    nearest_slack, nearest = slack, (v, cost)
                continue
            slack = cost - dual_u - dual[v]
            if slack == 0 and item not in inner:
                if self._reach(u, v, item):
                    return True
                continue
            held = best.get(v)
            if held is None or slack < held[1] - dual[held[0]] - dual[v]:
                best[v] = (u, cost)
        if nearest_slack is not None:
            self.best_outer[u] = nearest
        return False

    def _reach(self, u: int, v: int, item: int) -> bool:
        """The tight edge *u*-*v* reaches the new *item*: match if it is free, else grow by it and its mate."""
        solver = self.solver
        self.entry[item] = (u, v)
        base = solver.base[item]
        mate = solver.mate[base]
        if mate == FREE:
            self._augment(item)
            return True
        self.inner.add(item)
        following = solver.top[mate]
        self.entry[following] = (base, mate)
        self._make_outer(following)
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
        solver.blossom_dual[blossom] = 0
        if apex == self.root:
            self.root = blossom
        else:
            self.entry[blossom] = self.entry[apex]
        for child in children:
            vertices = solver.vertices[child]
            for vertex in vertices:
                solver.top[vertex] = blossom
            if child in self.inner:
                self.inner.discard(child)
                self.queue.extend(vertices)
            self.outer.discard(child)
        self.outer.add(blossom)

    def _shift_duals(self) -> bool:
        """Change the duals of the tree as far as feasible and do what that makes possible; False if nothing."""
        solver = self.solver
        top, dual = solver.top, solver.dual
        delta: int | None = None
        for v, (u, cost) in self.best.items():
            item = top[v]
            if item not in self.outer and item not in self.inner:
                slack = cost - dual[u] - dual[v]
                if delta is None or slack < delta:
                    delta = slack
        for u, (v, cost) in list(self.best_outer.items()):
            half = (cost - dual[u] - dual[v]) // 2
            if delta is None or half < delta:
                # An edge that became internal still bounds the others of its vertex: only then look for the next.
                if top[u] == top[v]:
                    edge = self._renew_best_outer(u)
                    if edge is None:
                        continue
                    v, cost = edge
                    half = (cost - dual[u] - dual[v]) // 2
                    if delta is not None and half >= delta:
                        continue
                delta = half
        for item in self.inner:
            if item >= solver.n and (delta is None or solver.blossom_dual[item] < delta):
                delta = solver.blossom_dual[item]
        if delta is None:
            return False
        if delta:
            self._apply(delta)
        self._use_tight()
        return True

    def _renew_best_outer(self, u: int) -> tuple[int, int] | None:
        """*u*'s cheapest edge to another outer item, its former one having become internal; None if there is none."""
        solver = self.solver
        top, dual, outer = solver.top, solver.dual, self.outer
        own = top[u]
        nearest: int | None = None
        for v, cost in solver.rows[u]:
            item = top[v]
            if item != own and item in outer:
                slack = cost - dual[v]
                if nearest is None or slack < nearest:
                    nearest, edge = slack, (v, cost)
        if nearest is None:
            del self.best_outer[u]
            return None
        self.best_outer[u] = edge
        return edge

    def _apply(self, delta: int) -> None:
        solver = self.solver
        dual = solver.dual
        for item in self.outer:
            for v in solver.vertices[item]:
                dual[v] += delta
            if item >= solver.n:
                solver.blossom_dual[item] += delta
        for item in self.inner:
            for v in solver.vertices[item]:
                dual[v] -= delta
            if item >= solver.n:
                solver.blossom_dual[item] -= delta

    def _use_tight(self) -> None:
        """Queue again the outer vertices with an edge that became tight, and open inner blossoms at dual 0."""
        solver = self.solver
        top, dual = solver.top, solver.dual
        again = set()
        for v, (u, cost) in self.best.items():
            item = top[v]
            if item not in self.outer and item not in self.inner and cost == dual[u] + dual[v]:
                again.add(u)
        for u, (v, cost) in self.best_outer.items():
            if cost == dual[u] + dual[v] and top[u] != top[v]:
                again.add(u)
        for item in [item for item in self.inner if item >= solver.n and solver.blossom_dual[item] == 0]:
            self._open_inner(item)
        self.queue.extend(again)

    def _open_inner(self, blossom: int) -> None:
        """Replace an inner blossom by those of its children that lie on the even way from entry to base."""
        solver = self.solver
        u, v = self.entry.pop(blossom)
        index = solver.child_holding(blossom, v)
        links = solver.links[blossom]
        children = solver.dissolve(blossom)
        self.inner.discard(blossom)
        size = len(children)
        self.entry[children[index]] = (u, v)
        self.inner.add(children[index])
        i = index
        while i % size:
            if index % 2 == 1:
                first, second = (i + 1) % size, (i + 2) % size
                step, onward = links[i], links[first]
            else:
                first, second = i - 1, i - 2
                step, onward = links[first][::-1], links[second][::-1]
            self.entry[children[first]] = step
            self._make_outer(children[first])
            self.entry[children[second]] = onward
            self.inner.add(children[second])
            i = second
        # The children not on that way have left the tree; edges to them that are tight must be looked at again.
        for child in children:
            if child not in self.inner and child not in self.outer:
                for vertex in solver.vertices[child]:
                    held = self.best.get(vertex)
                    if held is not None and held[1] == solver.dual[held[0]] + solver.dual[vertex]:
                        self.queue.append(held[0])

    def _expand_empty_outer_blossoms(self) -> None:
        """After a search, take apart the outer blossoms whose dual is 0."""
        solver = self.solver
        pending = [item for item in self.outer if item >= solver.n]
        while pending:
            item = pending.pop()
            if item >= solver.n and solver.blossom_dual[item] == 0:
                pending.extend(child for child in solver.dissolve(item) if child >= solver.n)
