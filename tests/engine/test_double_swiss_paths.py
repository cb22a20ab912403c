"""Test that the fast paths of the Double-Swiss engine pair as the exact ones,
and that all of them are used.
"""

from __future__ import annotations

import pytest

from tests.engine.paths_double_swiss import FEW, PathsDoubleSwiss

pytestmark = pytest.mark.costly

ONE_UPFLOATER = [
    f"one upfloater, {rest} rest, {floated}"
    for rest in ("even", "odd")
    for floated in ("floater", "no floater")
]


def test_c04_5_the_fast_paths_pair_small_fields_as_the_exact_ones() -> None:
    report = PathsDoubleSwiss().play(range(800))
    report.require(600, "round")
    report.require(300, "bye", left=300)
    report.require(30, "no legal pairing")
    report.require(350, "no upfloater", left=25)
    report.require(50, *ONE_UPFLOATER, left=10)
    report.require(10, f"from the nearest {FEW}, several", left=50)
    report.require(200, f"from the nearest {FEW}, one", left=300)
    report.require(800, "upper with lower half", left=15)
    report.require(8, "upper with lower half, with [C8]", left=400)
    report.require(150, "completes by number", left=1_000)


def test_c04_5_the_fast_paths_pair_large_fields_as_the_exact_ones() -> None:
    report = PathsDoubleSwiss().play(range(40), players=(30, 80))
    report.require(35, "round")
    report.require(15, "bye", left=15)
    report.require(150, "no upfloater")
    report.require(30, *ONE_UPFLOATER)
    report.require(100, "from the nearest, one", left=100)
    report.require(5, "from the nearest, several", left=5)
    report.require(200, "upper with lower half")
    report.require(20, "upper with lower half, with [C8]", left=100)
    report.require(150, "completes by number", left=200)


def test_c04_5_the_fast_paths_pair_late_rounds_as_the_exact_ones() -> None:
    report = PathsDoubleSwiss().play_late(range(6))
    report.require(80, "round")
    report.require(20, *ONE_UPFLOATER, left=15)
    report.require(50, "from the nearest, one", left=300)
    report.require(15, "from the nearest, several", left=80)
    report.require(200, "upper with lower half", left=20)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_c04_5_the_fast_paths_pair_as_the_exact_ones_at_length(block: int) -> None:
    report = PathsDoubleSwiss().play(range(1_000 * block, 1_000 * (block + 1)))
    report.play(range(10_000 + 50 * block, 10_050 + 50 * block), players=(20, 100))
    report.play_late(range(100 + 5 * block, 105 + 5 * block)).require(500, "round")
