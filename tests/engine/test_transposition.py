"""The first transposition that fits, against trying them in order."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, strategies as st

from pairing.engine.dutch.transposition import first_transposition


def tried_in_order(rows: list[int], s2: range) -> list[int] | None:
    """What [C.04.3/2026 4.2.2] says: the lexicographically first order of S2 whose first players all fit."""
    for order in permutations(s2, len(rows)):
        if all(row >> v & 1 for row, v in zip(rows, order, strict=True)):
            return list(order)
    return None


@given(st.integers(1, 6), st.data())
def test_c04_3_4_2_2_the_first_transposition_is_found_without_trying(size: int, data: st.DataObject) -> None:
    s2 = range(size)
    rows = data.draw(st.lists(st.integers(0, (1 << size) - 1), min_size=size, max_size=size))
    assert first_transposition(rows) == tried_in_order(rows, s2)


def test_c04_3_4_2_2_a_chain_of_changes_is_followed_to_its_end() -> None:
    """Each may have its own or the next; only the last of S1 is free to go round, so all move by one."""
    size = 40
    rows = [1 << i | 1 << (i + 1) for i in range(size - 1)] + [1 | 1 << (size - 1)]
    assert first_transposition(rows) == list(range(size))
    assert first_transposition([*rows[:-1], 1]) == [*range(1, size), 0]
