"""The search of the weighted matching: alternating trees that grow until
two of them can be matched with each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Any

from .blossoms import FREE, Blossoms

INFINITE: Any = float("inf")
"""More than any whole number, however large."""

AWAY, OUTER, INNER = range(3)
"""Where a vertex is: in no tree, in an item at even depth, in one at odd depth."""


class Forest:
    """Grow alternating trees from all *roots*, which are free vertices, until each root is matched.

    When a path is found, the two trees that it joins, or the tree that it leaves, are removed; all
    others remain.

    ``side[v]`` is the side of a vertex, ``entry[item]`` the edge (from, to) by which a tree reached
    an item, ``tree[item]`` the root of its tree, ``items[root]`` the content of that tree.
    ``shift`` is the total change of the duals since the beginning for items that have always been
    outer. The duals within trees are stored without it: *dual* + shift is the dual of an outer
    vertex or blossom, *dual* - shift that of an inner one. So a shift changes no stored value, and
    the shift at which an edge becomes tight is known as soon as the edge is found: ``coming`` is a
    heap of these.

    The edges of each outer vertex are scanned once. For a *v* that is not outer, ``best[v]`` is the
    least of cost less dual over its edges to outer vertices, and ``best_from[v]`` the other end of
    that edge. When that end is not outer any more, ``best[v]`` may be too small, and is computed
    again at its time. ``due[u]`` is the shift at which the outer *u* will touch another outer item,
    as far as it can be foreseen.

    Duals remain whole numbers. All begin even, costs are even, a root has been outer since the
    beginning, and the vertices of a tree are joined to its root by tight edges. So the duals of all
    trees have the parity of the shift, and the slack of an edge between two of them is even.
    """

    def __init__(self, solver: Blossoms, roots: Iterable[int]) -> None:
        self.solver = solver
        self.shift = 0
        self.side = [AWAY] * solver.n
        self.items: dict[int, set[int]] = {}
        self.tree: dict[int, int] = {}
        self.entry: dict[int, tuple[int, int]] = {}
        self.best: list[int] = [INFINITE] * solver.n
        self.best_from = [FREE] * solver.n
        self.due = [FREE] * solver.n
        self.queue: list[int] = []
        self.coming: list[tuple[int, int, int]] = []
        """(shift, vertex, FREE): a vertex that is away can be reached; (shift, u, v): two outer
        items touch; (shift, blossom, FREE): the dual of an inner blossom is 0."""
        for root in roots:
            self.items[root] = set()
            self._make_outer(root, root, 0)

    def grow(self) -> bool:
        """Grow until every root is matched; False if that cannot be."""
        while self.items:
            if self.queue:
                self._scan(self.queue.pop())
            elif self.coming:
                self._next(*heappop(self.coming))
            else:
                return False
        return True

    def _make_outer(self, item: int, tree: int, less: int) -> None:
        """Mark *item* as outer in *tree*, and subtract *less* from its stored duals."""
        solver, dual, side = self.solver, self.solver.dual, self.side
        self.tree[item] = tree
        self.items[tree].add(item)
        vertices = solver.vertices[item]
        for v in vertices:
            dual[v] -= less
            side[v] = OUTER
        self.queue.extend(vertices)
        if item >= solver.n:
            solver.blossom_dual[item] -= self.shift

    def _make_inner(self, item: int, tree: int) -> None:
        solver, dual, side = self.solver, self.solver.dual, self.side
        for v in solver.vertices[item]:
            dual[v] += self.shift
            side[v] = INNER
        self._await_empty(item, tree)

    def _await_empty(self, item: int, tree: int) -> None:
        """Count *item* as inner in *tree*; if it is a blossom, note when its dual will be 0."""
        self.tree[item] = tree
        self.items[tree].add(item)
        if item >= self.solver.n:
            dual = self.solver.blossom_dual
            dual[item] += self.shift
            heappush(self.coming, (dual[item], item, FREE))

    def _scan(self, u: int) -> None:
        """Look along every edge of the new outer vertex *u*, or until a path is found and used."""
        solver = self.solver
        top, dual, side, best, best_from = (
            solver.top,
            solver.dual,
            self.side,
            self.best,
            self.best_from,
        )
        coming, shift = self.coming, self.shift
        dual_u, own = dual[u], top[u]
        nearest, nearest_to = INFINITE, FREE
        for v, cost in solver.rows[u].items():
            value = cost - dual_u
            where = side[v]
            if where == OUTER:
                if top[v] != own:
                    value -= dual[v]
                    if value == 2 * shift:
                        if self._touch(u, v):
                            return
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
                        return
        self._foresee(u, nearest, nearest_to)

    def _foresee(self, u: int, slack: int, v: int) -> None:
        """Note when the outer *u* will touch *v*, the nearest outer vertex outside its item."""
        if v == FREE:
            self.due[u] = FREE
        else:
            self.due[u] = slack // 2
            heappush(self.coming, (slack // 2, u, v))

    def _next(self, at: int, u: int, v: int) -> None:
        """Do what was foreseen for the shift *at*, if it still holds."""
        if v != FREE:
            if self.side[u] == OUTER and self.due[u] == at and not self._touch_at(at, u, v):
                self._renew_nearest(u)
        elif u >= self.solver.n:
            if (
                u in self.tree
                and self.side[self.solver.base[u]] == INNER
                and self.solver.blossom_dual[u] == at
            ):
                self.shift = at
                self._open_inner(u)
        elif (
            self.side[u] == AWAY
            and self.best_from[u] != FREE
            and self.best[u] - self.solver.dual[u] == at
        ):
            self._reach_at(at, u)

    def _reach_at(self, at: int, u: int) -> None:
        """Reach *u* at the shift *at* if it still can be; else seek when it can be."""
        solver, v = self.solver, self.best_from[u]
        if self.side[v] == OUTER and solver.rows[u][v] - solver.dual[v] == self.best[u]:
            self.shift = at
            self._reach(v, u)
        else:
            self._renew_best(u)

    def _touch_at(self, at: int, u: int, v: int) -> bool:
        """Let the outer *u* and *v* touch at shift *at*, if they do; tell if a path was used."""
        solver = self.solver
        if self.side[v] != OUTER or solver.top[u] == solver.top[v]:
            return False
        if solver.rows[u][v] - solver.dual[u] - solver.dual[v] != 2 * at:
            return False
        self.shift = at
        return self._touch(u, v)

    def _touch(self, u: int, v: int) -> bool:
        """A tight edge joins the outer *u* and *v*, which are in two items: match two trees by it,
        else shrink a cycle; whether two were matched."""
        tree, top = self.tree, self.solver.top
        trees = (tree[top[u]], tree[top[v]])
        if trees[0] == trees[1]:
            self._shrink(u, v)
            return False
        self._match_to_root(u)
        self._match_to_root(v)
        self.solver.mate[u], self.solver.mate[v] = v, u
        self._take_down(trees)
        return True

    def _renew_nearest(self, u: int) -> None:
        """Foresee when *u* will touch another outer item, its former one being internal or gone.

        Until then the former bounded all others: of two outer vertices the later one saw the edge,
        or did so here.
        """
        solver = self.solver
        top, dual, side = solver.top, solver.dual, self.side
        own, dual_u = top[u], dual[u]
        nearest, nearest_to = INFINITE, FREE
        for v, cost in solver.rows[u].items():
            if side[v] == OUTER and top[v] != own:
                value = cost - dual[v]
                if value < nearest:
                    nearest, nearest_to = value, v
        self._foresee(u, nearest - dual_u if nearest_to != FREE else 0, nearest_to)

    def _renew_best(self, v: int) -> None:
        """Foresee when *v*, which is away, can be reached: by all edges to outer vertices."""
        dual, side = self.solver.dual, self.side
        nearest, nearest_to = INFINITE, FREE
        for u, cost in self.solver.rows[v].items():
            if side[u] == OUTER:
                value = cost - dual[u]
                if value < nearest:
                    nearest, nearest_to = value, u
        self.best[v], self.best_from[v] = nearest, nearest_to
        if nearest_to != FREE:
            heappush(self.coming, (nearest - dual[v], v, FREE))

    def _reach(self, u: int, v: int) -> bool:
        """The tight edge *u*-*v* reaches a new item: match if it is free, else grow by it and its
        mate; whether they were matched."""
        solver = self.solver
        item, tree = solver.top[v], self.tree[solver.top[u]]
        base = solver.base[item]
        mate = solver.mate[base]
        if mate == FREE:
            self._match_to_root(u)
            solver.mate[u], solver.mate[v] = v, u
            self._take_down((tree,))
            return True
        self.entry[item] = (u, v)
        self._make_inner(item, tree)
        following = solver.top[mate]
        self.entry[following] = (base, mate)
        self._make_outer(following, tree, self.shift)
        return False

    def _match_to_root(self, vertex: int) -> None:
        """Match along the way from the outer *vertex*, which gets another mate, to its root."""
        solver, new = self.solver, FREE
        while True:
            item = solver.top[vertex]
            entry = self.entry.get(item)
            solver.rebase(item, vertex)
            if new != FREE:
                solver.mate[vertex], solver.mate[new] = new, vertex
            if entry is None:
                return
            inner = solver.top[entry[0]]
            vertex, new = self.entry[inner]
            solver.rebase(inner, new)

    def _take_down(self, trees: Iterable[int]) -> None:
        """Store the present duals of all *trees*, dissolve their outer blossoms with dual 0, and
        foresee when others reach them.

        A former inner item knows its time (``best``); a former outer item has to scan its edges.
        """
        solver, side, dual = self.solver, self.side, self.solver.dual
        left: dict[int, list[int]] = {OUTER: [], INNER: []}
        for tree in trees:
            for item in self.items.pop(tree):
                vertices = solver.vertices[item]
                where = side[vertices[0]]
                shift = self.shift if where == OUTER else -self.shift
                for v in vertices:
                    dual[v] += shift
                    side[v] = AWAY
                left[where] += vertices
                del self.tree[item]
                if item >= solver.n:
                    solver.blossom_dual[item] += shift
                    if where == OUTER:
                        solver.dissolve_empty(item)
        self.queue = [v for v in self.queue if side[v] == OUTER]
        if self.items:
            for v in left[INNER]:
                if self.best_from[v] != FREE:
                    heappush(self.coming, (self.best[v] - dual[v], v, FREE))
            for v in left[OUTER]:
                self._renew_best(v)

    def _way_to_root(self, item: int) -> list[int]:
        way = [item]
        while (entry := self.entry.get(item)) is not None:
            item = self.solver.top[entry[0]]
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
        links += [
            (inside, outside) for outside, inside in (self.entry[child] for child in right[:-1])
        ]
        tree = self.tree[apex]
        blossom = solver.join(children, links)
        solver.blossom_dual[blossom] = -self.shift
        if apex in self.entry:
            self.entry[blossom] = self.entry[apex]
        for child in children:
            self._absorb(child)
        self.tree[blossom] = tree
        self.items[tree].add(blossom)

    def _absorb(self, child: int) -> None:
        """Count *child* no longer as an item of its tree, but its vertices as outer ones there."""
        solver = self.solver
        self.items[self.tree.pop(child)].discard(child)
        vertices = solver.vertices[child]
        was_inner = self.side[vertices[0]] == INNER
        if child >= solver.n:
            solver.blossom_dual[child] += -self.shift if was_inner else self.shift
        if was_inner:
            for vertex in vertices:
                solver.dual[vertex] -= 2 * self.shift
                self.side[vertex] = OUTER
            self.queue.extend(vertices)

    def _open_inner(self, blossom: int) -> None:
        """Replace an inner blossom by its children on the even way from entry to base."""
        solver = self.solver
        u, v = self.entry.pop(blossom)
        index = solver.child_holding(blossom, v)
        links = solver.links[blossom]
        tree = self.tree.pop(blossom)
        self.items[tree].discard(blossom)
        children = solver.dissolve(blossom)
        size = len(children)
        self.entry[children[index]] = (u, v)
        self._await_empty(children[index], tree)
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
            self._make_outer(children[first], tree, 2 * self.shift)
            self.entry[children[second]] = onward
            self._await_empty(children[second], tree)
            on_the_way |= {children[first], children[second]}
            i = second
        for child in children:
            if child not in on_the_way:
                self._leave(child)

    def _leave(self, item: int) -> None:
        """Let *item*, which was inner, leave its tree, and foresee when it can be reached again."""
        dual = self.solver.dual
        for v in self.solver.vertices[item]:
            dual[v] -= self.shift
            self.side[v] = AWAY
            if self.best_from[v] != FREE:
                heappush(self.coming, (self.best[v] - dual[v], v, FREE))
