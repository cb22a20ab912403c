"""Test the last two brackets of 2017, where the remaining players need downfloaters,
against the whole problem.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017.procedure import completion_2017
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.edition_2017.remaining_parts import RemainingParts, remaining_parts
from pairing.engine.dutch.field import Field
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from tests.engine.paths import Paths2017, by_exact_path_2017, by_fast_path_2017
from tests.engine.positions import random_state
from tests.examples import Examples

pytestmark = pytest.mark.costly


def completes(completion: Completion, downfloaters: int, rest: int) -> bool:
    """Tell whether *downfloaters* complete the *rest*, no two of them paired with each other."""
    rows = [
        row & ~downfloaters if downfloaters >> u & 1 else row
        for u, row in enumerate(completion.rows)
    ]
    return is_perfect(maximum_matching(rows, downfloaters | rest), downfloaters | rest)


def is_matched(completion: Completion, downfloaters: int, rest: RemainingParts) -> bool:
    """Tell whether each part can have one of *downfloaters* or of the joints, with nobody left."""
    others = [*bits(downfloaters), *rest.joints]
    rows = [0] * (len(rest.parts) + len(others))
    for part, met in enumerate(rest.met(completion)):
        for vertex, rank in enumerate(others, len(rest.parts)):
            if met >> rank & 1:
                rows[part] |= 1 << vertex
                rows[vertex] |= 1 << part
    return is_perfect(maximum_matching(rows, (1 << len(rows)) - 1), (1 << len(rows)) - 1)


def test_c04_3_2017_c_4_the_fewest_downfloaters_complete_the_round_if_each_part_and_joint_has_one() -> (
    None
):
    counts: Counter[tuple[bool, bool]] = Counter()
    for seed in range(3_000):
        field = Field.from_state(random_state(Random(seed), players=(6, 11)), RULES_2017)
        try:
            completion = completion_2017(field)
        except NoLegalPairingError:
            continue
        cut = Random(seed).randrange(2, 7)
        rest_set = completion.everybody & ~((1 << cut) - 1)
        rest = remaining_parts(completion, rest_set)
        for count in range(min(rest.wanting, len(field)) + 1):
            for some in combinations(range(min(cut, len(field))), count):
                downfloaters = sum(1 << rank for rank in some)
                complete = completes(completion, downfloaters, rest_set)
                if count < rest.wanting:
                    assert not complete
                else:
                    assert complete == is_matched(completion, downfloaters, rest)
                    counts[complete, len(rest.joints) > 0] += count > 0
    assert len(counts) == 4
    assert min(counts.values()) > 50, counts


def test_c04_3_2017_a_9_the_last_two_brackets_of_late_rounds_are_paired_as_by_the_whole_problem(
    examples: Examples,
) -> None:
    report = Paths2017(by_exact_path_2017, by_fast_path_2017).play_late(examples(range(40), 20))
    report.require(2, "fast path, penultimate, several wanted", left=2)
    report.require(0, "fast path, penultimate, one wanted", left=2)
    report.require(10, *[f"exact path, {kind}" for kind in ("last", "collapsed", "penultimate")])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_2017_a_9_the_last_two_brackets_at_length(block: int) -> None:
    seeds = range(1_000 + 80 * block, 1_080 + 80 * block)
    Paths2017(by_exact_path_2017, by_fast_path_2017).play_late(seeds).require(
        1, *[f"fast path, penultimate, {kind} wanted" for kind in ("one", "several")]
    )
