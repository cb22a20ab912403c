"""Tables of the boards when some players cannot change table [C.04.2/2026 3.6]."""

from __future__ import annotations

import pytest

from pairing.rules.tables import tables


@pytest.mark.parametrize(
    "fixed, kept, expected",
    [
        ({1: [], 2: [], 3: []}, {}, {1: 1, 2: 2, 3: 3}),
        ({1: [3], 2: [], 3: []}, {}, {1: 3, 2: 1, 3: 2}),
        ({1: [], 2: [], 3: [1]}, {}, {1: 2, 2: 3, 3: 1}),
        ({1: [50], 2: [], 3: []}, {}, {1: 50, 2: 1, 3: 2}),
        ({1: [2], 2: [2], 3: []}, {}, {1: 2, 2: 1, 3: 3}),
        ({1: [9, 4], 2: [4], 3: []}, {}, {1: 4, 2: 1, 3: 2}),
        ({1: [5], 2: [], 3: []}, {1: 2}, {1: 2, 2: 1, 3: 3}),
        ({1: [4], 2: [4, 9], 3: []}, {}, {1: 4, 2: 9, 3: 1}),
        ({1: [], 2: [1], 3: []}, {1: 1, 3: 3}, {1: 1, 2: 2, 3: 3}),
        ({1: [], 2: [7], 3: []}, {1: 1, 3: 3, 9: 9}, {1: 1, 2: 7, 3: 3}),
        ({}, {}, {}),
    ],
)
def test_c04_2_3_6_fixed_tables_first_and_the_others_close_up(
    fixed: dict[int, list[int]], kept: dict[int, int], expected: dict[int, int]
) -> None:
    assert tables(fixed, kept) == expected


def test_no_two_boards_share_a_table() -> None:
    fixed = {board: [7, 3] if board % 4 == 0 else [] for board in range(1, 101)}
    found = tables(fixed)
    assert list(found) == list(range(1, 101))
    assert len(set(found.values())) == 100
