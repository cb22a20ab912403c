"""The matching layer against brute force: it decides every pairing, so all of it is tested."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from pairing.engine.matching.blossoms import Blossoms
from pairing.engine.matching.cardinality import (
    FREE,
    bits,
    few_bits,
    is_perfect,
    leave_out_lowest,
    maximum_matching,
    missable,
)
from pairing.engine.matching.forest import Forest
from pairing.engine.matching.weighted import minimum_cost_perfect_matching, optimal_face
from tests.examples import first

Edges = dict[tuple[int, int], int]


@st.composite
def graphs(draw: st.DrawFn, sizes: st.SearchStrategy[int]) -> tuple[int, Edges]:
    """A graph of few vertices with whole-number costs; small costs so that many matchings tie."""
    n = draw(sizes)
    pairs = list(combinations(range(n), 2))
    costs = draw(st.sampled_from([st.integers(0, 3), st.integers(-5, 40), st.integers(0, 10**40)]))
    kept = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    return n, {pair: draw(costs) for pair, keep in zip(pairs, kept, strict=True) if keep}


def rows_of(n: int, edges: Edges) -> list[int]:
    rows = [0] * n
    for u, v in edges:
        rows[u] |= 1 << v
        rows[v] |= 1 << u
    return rows


def costs_of(n: int, edges: Edges) -> list[dict[int, int]]:
    costs: list[dict[int, int]] = [{} for _ in range(n)]
    for (u, v), cost in edges.items():
        costs[u][v] = costs[v][u] = cost
    return costs


def brute_force_size(vertices: frozenset[int], edges: Edges) -> int:
    if not vertices:
        return 0
    u = min(vertices)
    best = brute_force_size(vertices - {u}, edges)
    for v in vertices:
        if (u, v) in edges:
            best = max(best, 1 + brute_force_size(vertices - {u, v}, edges))
    return best


def brute_force_cost(vertices: frozenset[int], edges: Edges) -> int | None:
    if not vertices:
        return 0
    u = min(vertices)
    found = []
    for v in vertices:
        if (u, v) in edges:
            rest = brute_force_cost(vertices - {u, v}, edges)
            if rest is not None:
                found.append(edges[u, v] + rest)
    return min(found, default=None)


@given(st.sets(st.integers(0, 300), max_size=60) | st.sets(st.integers(0, 60)))
def test_the_bits_of_a_set_are_its_places_ascending(places: set[int]) -> None:
    mask = sum(1 << place for place in places)
    assert list(bits(mask)) == list(few_bits(mask)) == sorted(places)


@given(graphs(st.integers(0, 9)))
def test_maximum_matching_is_as_large_as_any(graph: tuple[int, Edges]) -> None:
    n, edges = graph
    mate = maximum_matching(rows_of(n, edges), (1 << n) - 1)

    matched = [(u, v) for u, v in enumerate(mate) if u < v]
    assert all(mate[v] == u and (u, v) in edges for u, v in matched)
    assert len(matched) == brute_force_size(frozenset(range(n)), edges)


@given(graphs(st.integers(1, 9)), st.integers(0, 511))
def test_maximum_matching_of_a_part_begins_from_the_whole(
    graph: tuple[int, Edges], part: int
) -> None:
    n, edges = graph
    rows = rows_of(n, edges)
    part &= (1 << n) - 1
    mate = maximum_matching(rows, part, start=maximum_matching(rows, (1 << n) - 1))

    assert all(part >> u & 1 for u, v in enumerate(mate) if v != FREE)
    size = sum(v != FREE for v in mate) // 2
    assert size == brute_force_size(frozenset(bits(part)), edges)


@given(graphs(st.sampled_from([3, 5, 7, 9])))
def test_missable_vertices_are_those_without_which_the_rest_is_perfect(
    graph: tuple[int, Edges],
) -> None:
    n, edges = graph
    rows = rows_of(n, edges)
    everything = (1 << n) - 1
    mate = maximum_matching(rows, everything)
    exposed = [v for v in range(n) if mate[v] == FREE]
    assume(len(exposed) == 1)
    expected = 0
    for v in range(n):
        rest = everything & ~(1 << v)
        if is_perfect(maximum_matching(rows, rest), rest):
            expected |= 1 << v
    assert missable(rows, everything, mate, exposed[0]) == expected


def test_a_matching_that_is_not_maximum_is_refused() -> None:
    """What can be left out is asked of a maximum matching; of another the answer would be wrong."""
    path = rows_of(3, {(0, 1), (1, 2)})
    nobody = [FREE] * 3
    with pytest.raises(ValueError, match="not maximum"):
        missable(path, 0b111, nobody, 0)
    with pytest.raises(ValueError, match="not maximum"):
        leave_out_lowest(path, 0b111, nobody, 0, 0b111)
    assert missable(path, 0b111, [1, 0, FREE], 2) == 0b101
    mate = [1, 0, FREE]
    assert (leave_out_lowest(path, 0b111, mate, 2, 0b111), mate) == (0, [FREE, 2, 1])


@given(
    graphs(st.sampled_from([0, 2, 4, 6, 8, 10])),
    st.lists(st.integers(-50, 50), min_size=10, max_size=10),
)
def test_minimum_cost_perfect_matching_costs_as_little_as_any(
    graph: tuple[int, Edges], guess: list[int]
) -> None:
    n, edges = graph
    expected = brute_force_cost(frozenset(range(n)), edges)
    for duals in (None, guess[:n]):
        mate = minimum_cost_perfect_matching(costs_of(n, edges), duals)
        if expected is None:
            assert mate is None
        else:
            assert mate is not None
            assert all(mate[v] == u for u, v in enumerate(mate))
            assert sum(edges[u, v] for u, v in enumerate(mate) if u < v) == expected


def perfect_matchings(vertices: frozenset[int], edges: Edges) -> list[frozenset[tuple[int, int]]]:
    if not vertices:
        return [frozenset()]
    u = min(vertices)
    return [
        rest | {(u, v)}
        for v in vertices
        if (u, v) in edges
        for rest in perfect_matchings(vertices - {u, v}, edges)
    ]


@given(graphs(st.sampled_from([2, 4, 6, 8])))
def test_optimal_face_holds_every_matching_of_least_cost(graph: tuple[int, Edges]) -> None:
    """If it leaves no cost, it holds no other matching."""
    n, edges = graph
    found = optimal_face(costs_of(n, edges))
    everybody = frozenset(range(n))
    least = brute_force_cost(everybody, edges)
    assert (found is None) == (least is None)
    if found is None:
        return
    rows = found[1]
    kept = {(u, v): cost for u, row in enumerate(rows) for v, cost in row.items() if u < v}
    optimal = {
        m for m in perfect_matchings(everybody, edges) if sum(edges[pair] for pair in m) == least
    }
    held = perfect_matchings(everybody, kept)
    assert {m for m in held if sum(edges[pair] for pair in m) == least} == optimal
    if not any(kept.values()):
        assert set(held) == optimal


def test_a_field_of_odd_size_has_no_perfect_matching() -> None:
    assert minimum_cost_perfect_matching([{1: 0, 2: 0}, {0: 0, 2: 0}, {0: 0, 1: 0}]) is None


def test_blossoms_inside_blossoms_are_opened_again() -> None:
    """Two joined triangles and a pentagon, in which the cheap edges make nested odd cycles."""
    cheap = [
        (0, 1),
        (1, 2),
        (0, 2),
        (2, 3),
        (3, 4),
        (4, 5),
        (3, 5),
        (5, 6),
        (6, 7),
        (7, 8),
        (8, 9),
        (6, 9),
    ]
    edges = dict.fromkeys(combinations(range(10), 2), 50)
    edges.update({pair: 1 + index % 3 for index, pair in enumerate(cheap)})
    mate = minimum_cost_perfect_matching(costs_of(10, edges))

    assert mate is not None
    cost = sum(edges[u, v] for u, v in enumerate(mate) if u < v)
    assert cost == brute_force_cost(frozenset(range(10)), edges)


def grown(
    costs: list[dict[int, int]], duals: list[int] | None, *, together: bool
) -> Blossoms | None:
    """Return the outcome of a search with all trees at once, or with one after another."""
    solver = Blossoms(costs, duals)
    free = [v for v, mate in enumerate(solver.mate) if mate == FREE]
    for roots in [free] if together else [[v] for v in free]:
        if any(solver.mate[root] == FREE for root in roots) and not Forest(solver, roots).grow():
            return None
    return solver


def is_least(solver: Blossoms, costs: list[dict[int, int]]) -> bool:
    """Return whether the duals prove the least cost:
    they are feasible and add up to the cost (doubled).
    """
    inside = [
        (frozenset(solver.vertices[blossom]), dual)
        for blossom, dual in solver.blossom_dual.items()
        if dual
    ]
    feasible = all(dual > 0 for _, dual in inside) and all(
        2 * cost
        - solver.dual[u]
        - solver.dual[v]
        + 2 * sum(dual for held, dual in inside if {u, v} <= held)
        >= 0
        for u, row in enumerate(costs)
        for v, cost in row.items()
    )
    bound = sum(solver.dual) - sum((len(held) - 1) * dual for held, dual in inside)
    return feasible and bound == sum(2 * costs[u][v] for u, v in enumerate(solver.mate) if u < v)


@pytest.mark.parametrize("seed", first(range(400), 50, pytest.mark.costly))
def test_trees_grown_at_once_or_one_after_another_prove_their_matching(seed: int) -> None:
    """In graphs too large for brute force, sparse and dense, with many ties or none,
    with and without a guess.
    """
    random = Random(seed)
    n = random.choice([12, 20, 34, 50])
    density, most = random.choice([0.08, 0.15, 0.3, 0.8]), random.choice([0, 1, 3, 30, 10**30])
    edges = {
        pair: random.randint(-most, most)
        for pair in combinations(range(n), 2)
        if random.random() < density
    }
    costs = costs_of(n, edges)
    duals = [random.randint(-most, most) for _ in range(n)] if random.random() < 0.3 else None
    rows = rows_of(n, edges)
    possible = is_perfect(maximum_matching(rows, (1 << n) - 1), (1 << n) - 1)
    for together in (True, False):
        solver = grown(costs, duals, together=together)
        assert (solver is not None) == possible
        if solver is not None:
            assert all(solver.mate[v] == u and v in costs[u] for u, v in enumerate(solver.mate))
            assert is_least(solver, costs)
