"""The first transposition that fits, against trying them in order."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, strategies as st

from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from pairing.engine.matching.transposition import first_transposition
from tests.examples import first


def tried_in_order(rows: list[int], s2: range) -> list[int] | None:
    """Return the lexicographically first order of S2 whose first
    players all fit [C.04.3/2026 4.2.2].
    """
    for order in permutations(s2, len(rows)):
        if all(row >> v & 1 for row, v in zip(rows, order, strict=True)):
            return list(order)
    return None


@given(st.integers(1, 6), st.data())
def test_c04_3_4_2_2_the_first_transposition_is_found_without_trying(
    size: int, data: st.DataObject
) -> None:
    s2 = range(size)
    rows = data.draw(st.lists(st.integers(0, (1 << size) - 1), min_size=size, max_size=size))
    assert first_transposition(rows) == tried_in_order(rows, s2)


def taken_one_by_one(rows: list[int]) -> list[int] | None:
    """Give each player in turn the lowest partner that leaves all later ones a partner,
    with a matching each time.
    """
    size = len(rows)
    both = [row << size for row in rows] + [
        sum(1 << i for i in range(size) if rows[i] >> v & 1) for v in range(size)
    ]
    left = (1 << 2 * size) - 1
    partners = []
    for i in range(size):
        for v in bits(both[i] & left):
            rest = left & ~(1 << i | 1 << v)
            if is_perfect(maximum_matching(both, rest), rest):
                partners.append(v - size)
                left = rest
                break
        else:
            return None
    return partners


@pytest.mark.parametrize("seed", first(range(400), 50, pytest.mark.costly))
def test_c04_3_4_2_2_the_first_transposition_of_many_players(seed: int) -> None:
    """Sparse rows around an existing matching: long chains,
    and players who cannot have their first choice.
    """
    random = Random(seed)
    size = random.randint(7, 24)
    one = random.sample(range(size), size)
    share = random.choice((0.05, 0.1, 0.2, 0.5))
    rows = [
        1 << one[i] | sum(1 << v for v in range(size) if random.random() < share)
        for i in range(size)
    ]
    expected = taken_one_by_one(rows)
    assert expected is not None
    assert first_transposition(rows) == expected


def test_c04_3_4_2_2_a_chain_of_changes_is_followed_to_its_end() -> None:
    """Each player may have the first partner or the next;
    only the last of S1 has a choice, so all move by one.
    """
    size = 40
    rows = [1 << i | 1 << (i + 1) for i in range(size - 1)] + [1 | 1 << (size - 1)]
    assert first_transposition(rows) == list(range(size))
    assert first_transposition([*rows[:-1], 1]) == [*range(1, size), 0]
