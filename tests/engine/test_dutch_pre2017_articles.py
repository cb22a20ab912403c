"""Test more rules of the text before July 2017 on positions that they decide:
without them, the text pairs differently.

The requirements and the steps back have their positions in
``tests/golden/dutch_pre2017_decisive.json``.
"""

import pytest

from pairing.engine.checker import check
from pairing.engine.systems import pair

from .decisive import Decisive, named
from .decisive_pre2017 import PRE2017
from .dutch_pre2017_without import WITHOUT, pair_without
from .literal_dutch_pre2017 import pair_literally

EACH = named(PRE2017)


def test_c04_3_pre2017_there_are_positions_for_every_rule() -> None:
    absolute, steps = {"A10", "B1.a", "B1.b", "B2"}, {"C13, joined", "C14.b2"}
    orders, colours = {"D1.1", "D2", "D3"}, {"E1", "E2", "E3", "E4", "E5"}
    assert {case.article for case in PRE2017} == set(WITHOUT) == absolute | steps | orders | colours


@pytest.mark.parametrize("case", EACH)
def test_c04_3_pre2017_the_engine_follows_rule(case: Decisive) -> None:
    assert pair(case.state) == case.expected
    assert check(case.state, case.expected) == ()


@pytest.mark.parametrize("case", EACH)
def test_c04_3_pre2017_the_text_pairs_differently_without_rule(case: Decisive) -> None:
    assert pair_literally(case.state) == case.expected
    without = pair_without(case.article, case.state)
    assert without == case.without
    assert without != case.expected
