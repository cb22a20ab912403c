"""Compare the exchanges of one player that the solver tries with
all of them in the order of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from pairing.engine.dutch.solver.optimal_face import first_exchange
from pairing.engine.dutch.solver.single_exchange import single_exchanges
from pairing.engine.matching.cardinality import is_perfect, maximum_matching


def random_rows(random: Random, vertices: int, players: int, density: float) -> list[int]:
    """Return a random graph in which vertices from *players* on are not joined to each other."""
    rows = [0] * vertices
    for v in range(vertices):
        for u in range(min(v, players)):
            if random.random() < density:
                rows[u] |= 1 << v
                rows[v] |= 1 << u
    return rows


def all_single_exchanges(players: int, pairs: int) -> list[tuple[int, int]]:
    """Return every exchange, the least difference first, then the highest
    player leaving S1 [C.04.3/2026 4.3.2].
    """
    every = [(leaving, entering) for leaving in range(pairs) for entering in range(pairs, players)]
    return sorted(every, key=lambda two: (two[1] - two[0], -two[0]))


def fits(rows: list[int], s1: set[int], others: range) -> bool:
    """Return whether *s1* and *others* can all be matched with the rest of the players."""
    upper = sum(1 << u for u in (*s1, *others))
    lower = ((1 << len(rows)) - 1) & ~upper
    across = [row & (lower if upper >> u & 1 else upper) for u, row in enumerate(rows)]
    return is_perfect(maximum_matching(across, upper | lower), upper | lower)


def cases(seeds: range) -> Iterator[tuple[list[int], int, int, range]]:
    """Return graphs that the original S1 does not fit:
    rows, players, pairs, and the vertices for floating.
    """
    for seed in seeds:
        random = Random(seed)
        pairs, floaters = random.randint(1, 5), random.choice([0, 0, 1, 2])
        players = 2 * pairs + floaters
        others = range(players, players + floaters)
        rows = random_rows(random, players + floaters, players, random.choice([0.3, 0.5, 0.8]))
        if not fits(rows, set(range(pairs)), others):
            yield rows, players, pairs, others


def compare(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for rows, players, pairs, others in cases(seeds):
        tried = list(single_exchanges(rows, range(players), pairs, others))
        every = all_single_exchanges(players, pairs)
        s1 = {two: set(range(pairs)) - {two[0]} | {two[1]} for two in every}
        good = [two for two in every if fits(rows, s1[two], others)]
        assert tried == [two for two in every if two in tried]
        assert set(good) <= set(tried)
        seen["fits" if good else "none fits"] += 1
        seen["spared"] += len(tried) < len(every)
        if good:
            assert first_exchange(rows, range(players), others, pairs) == sorted(s1[good[0]])
    return seen


@pytest.mark.costly
def test_c04_3_4_3_2_the_first_exchange_of_one_player_is_among_those_tried_and_in_its_place() -> (
    None
):
    seen = compare(range(3_000))
    assert min(seen.values()) > 300, seen


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_c04_3_4_3_2_the_exchanges_tried_at_length(block: int) -> None:
    assert compare(range(100_000 + 10_000 * block, 110_000 + 10_000 * block))["fits"] > 1_000
