"""Test the smaller graphs that are tried before the whole problem: when they decide, they give its pairing."""

from __future__ import annotations

from collections import Counter

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.exact_path import can_accept, pair_alone_with
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from tests.engine.events import play_events
from tests.engine.paths import Paths2026, alone, in_two_steps, whole_problem, with_following
from tests.examples import Examples


def compare(seeds: range) -> None:
    report = Paths2026(in_two_steps, alone, with_following).play(seeds)
    report.require(250, "in two steps")
    report.require(15, "bracket alone", "with the following scoregroup", left=15)


def test_c04_3_3_8_1_a_relaxation_that_decides_gives_the_pairing_of_the_whole_problem(examples: Examples) -> None:
    compare(examples(range(3_000, 3_040), 20))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(24))
def test_c04_3_3_8_1_a_relaxation_gives_the_pairing_of_the_whole_problem_at_length(block: int) -> None:
    compare(range(30_000 + 100 * block, 30_100 + 100 * block))


def test_c04_3_3_8_1_the_bracket_alone_is_skipped_only_where_it_cannot_decide() -> None:
    tried: Counter[bool] = Counter()

    def pair_one(bracket: Bracket, completion: Completion) -> BracketPairing:
        if bracket.has_later:
            fewest = fewest_downfloaters(bracket)
            accepted = can_accept(fewest, bracket, completion)
            tried[accepted] += 1
            assert accepted or pair_alone_with(fewest, bracket, completion) is None
        return whole_problem(bracket, completion)

    play_events(range(3_000, 3_020), pair_one)
    assert min(tried[True], tried[False]) > 30, tried
