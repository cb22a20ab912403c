"""Test each article of the Double-Swiss System on positions that it decides:
without it, the text pairs differently.

[C5] to [C8], Articles 2.3.2 to 2.3.5, have their positions in
``tests/golden/double_swiss_decisive.json``.
"""

import pytest

from pairing.engine.checker import check
from pairing.engine.systems import pair

from .decisive import Decisive, named
from .decisive_matches import DOUBLE_SWISS
from .double_swiss_without import WITHOUT, pair_without
from .literal_double_swiss import pair_literally

EACH = named(DOUBLE_SWISS)


def test_c04_5_there_are_positions_for_every_article_with_a_choice() -> None:
    criteria = {"2.1.1", "2.1.2", "2.2.1", "2.3.1"}
    bye, order = {"3.4.1", "3.4.2", "3.4.3", "3.4.4"}, {"3.5.4", "3.6.3"}
    colours = {"4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.3.5"}
    assert (
        {case.article for case in DOUBLE_SWISS} == set(WITHOUT) == criteria | bye | order | colours
    )


@pytest.mark.parametrize("case", EACH)
def test_c04_5_the_engine_follows_article(case: Decisive) -> None:
    assert pair(case.state) == case.expected
    assert check(case.state, case.expected) == ()


@pytest.mark.parametrize("case", EACH)
def test_c04_5_the_text_pairs_differently_without_article(case: Decisive) -> None:
    assert pair_literally(case.state) == case.expected
    without = pair_without(case.article, case.state)
    assert without == case.without
    assert without != case.expected
