"""The smaller problems that are tried before the whole one: where they answer, they answer as it does."""

from __future__ import annotations

from collections import Counter

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.exact_path import (
    can_accept,
    pair_alone,
    pair_alone_with,
    pair_with_everybody_below,
    pair_with_following,
)
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from tests.engine.events import play_events

ALL_AT_ONCE = 1_000_000
"""More edges than there are: all criteria are asked in one step."""


class Comparison:
    """Pairs each bracket by the whole problem in one step, by that in two, by smaller ones; counts their answers."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, bool]] = Counter()

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        whole = pair_with_everybody_below(bracket, completion, ALL_AT_ONCE)
        self.compare("in two steps", pair_with_everybody_below(bracket, completion, 0), whole)
        if bracket.has_later:
            self.compare("alone", pair_alone(bracket, completion), whole)
            self.expect_in_vain(bracket, completion)
        if bracket.below_set:
            self.compare("with following", pair_with_following(bracket, completion), whole)
        return whole

    def expect_in_vain(self, bracket: Bracket, completion: Completion) -> None:
        """Where the bracket alone is not tried, it is in vain."""
        fewest = fewest_downfloaters(bracket)
        promising = can_accept(fewest, bracket, completion)
        self.answers["promising", promising] += 1
        assert promising or pair_alone_with(fewest, bracket, completion) is None

    def compare(self, relaxation: str, pairing: BracketPairing | None, whole: BracketPairing) -> None:
        self.answers[relaxation, pairing is not None] += 1
        if pairing is not None:
            assert set(pairing.pairs) == set(whole.pairs)
            assert pairing.downfloaters == whole.downfloaters


def assert_equal_on(seeds: range) -> None:
    compare = Comparison()
    play_events(seeds, compare)
    assert compare.answers.pop(("in two steps", True)) > 500
    assert len(compare.answers) == 6
    assert min(compare.answers.values()) > 30, compare.answers


def test_c04_3_3_8_1_a_relaxation_that_answers_answers_as_the_whole_problem() -> None:
    assert_equal_on(range(3_000, 3_040))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(24))
def test_c04_3_3_8_1_a_relaxation_answers_as_the_whole_problem_at_length(block: int) -> None:
    assert_equal_on(range(30_000 + 100 * block, 30_100 + 100 * block))
