"""Test the first criteria of the Dutch System on positions that they decide:
without them, the text pairs differently.

The criteria from [C8] of 2026 and [C.6] of 2017 have their positions in ``tests/golden/``.
"""

import pytest

from pairing.engine.checker import check
from pairing.engine.systems import pair

from .decisive import Decisive, named
from .decisive_dutch import DUTCH
from .dutch_without import WITHOUT, pair_without
from .literal_dutch import pair_literally
from .literal_dutch_2017 import pair_literally_2017

EACH = named(DUTCH)


def test_c04_3_there_are_positions_for_the_first_criteria() -> None:
    of_2026, of_2017 = (
        {f"2026 C{number}" for number in range(1, 6)},
        {f"2017 C.{number}" for number in range(1, 5)},
    )
    assert {case.article for case in DUTCH} == set(WITHOUT) == of_2026 | of_2017


@pytest.mark.parametrize("case", EACH)
def test_c04_3_the_engine_follows_criterion(case: Decisive) -> None:
    assert pair(case.state) == case.expected
    assert check(case.state, case.expected) == ()


@pytest.mark.parametrize("case", EACH)
def test_c04_3_the_text_pairs_differently_without_criterion(case: Decisive) -> None:
    literally = pair_literally if case.state.system == "dutch_2026" else pair_literally_2017
    assert literally(case.state) == case.expected
    without = pair_without(case.article, case.state)
    assert without == case.without
    assert without != case.expected
