"""The checker's maximum matching against trying everything."""

from functools import cache
from random import Random

import pytest

from pairing.engine.checker.matching import UNMATCHED, maximum_matching, missable


def random_graph(rng: Random) -> list[int]:
    """Return the rows of a graph of up to eleven vertices, sparse or dense."""
    size, density = rng.randint(1, 11), rng.uniform(0.05, 0.7)
    rows = [0] * size
    for one in range(size):
        for other in range(one):
            if rng.random() < density:
                rows[one] |= 1 << other
                rows[other] |= 1 << one
    return rows


def most_pairs(rows: list[int], vertices: frozenset[int]) -> int:
    """Return the size of a maximum matching among *vertices*, by trying every matching."""

    @cache
    def most(left: frozenset[int]) -> int:
        if not left:
            return 0
        first = min(left)
        rest = left - {first}
        return max(
            [most(rest)] + [1 + most(rest - {other}) for other in rest if rows[first] >> other & 1]
        )

    return most(vertices)


@pytest.mark.parametrize("seed", range(10))
def test_the_matching_is_maximum_and_the_missable_vertices_are_those_it_can_miss(seed: int) -> None:
    rng = Random(seed)
    one_left = 0
    for _ in range(150):
        rows = random_graph(rng)
        everybody = frozenset(range(len(rows)))
        mates = maximum_matching(rows, [UNMATCHED] * len(rows))
        matched = [vertex for vertex in everybody if mates[vertex] != UNMATCHED]
        assert all(
            mates[mates[vertex]] == vertex and rows[vertex] >> mates[vertex] & 1
            for vertex in matched
        )
        size = most_pairs(rows, everybody)
        assert len(matched) == 2 * size
        if mates.count(UNMATCHED) == 1:
            one_left += 1
            misses = sum(
                1 << vertex
                for vertex in everybody
                if most_pairs(rows, everybody - {vertex}) == size
            )
            assert missable(rows, mates) == misses
    assert one_left > 0
