"""Test brackets that are paired by looking at the remaining brackets first,
against the whole problem.

In late rounds of fields with many draws the players of the last scoregroups have met each other,
and need one or several players from above.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.bye import gives_bye
from pairing.engine.dutch.edition_2026.fast_path import pair_fast_or_exact
from pairing.engine.dutch.edition_2026.graphs import bracket_graph
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.dutch.edition_2026.remaining_brackets import RemainingBrackets
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from pairing.engine.dutch.solver.first_candidate import first_optimum
from pairing.engine.dutch.solver.tight_candidates import pairing_of_tight
from pairing.engine.generator import generate
from tests.engine.events import late_plan
from tests.engine.path_report import Report
from tests.engine.paths import Paths2026, for_remaining_brackets, whole_problem
from tests.examples import Examples

pytestmark = pytest.mark.costly

KINDS = (
    "all, one floats",
    "all, several float",
    "following only, one floats",
    "following only, several float",
)
PATHS = tuple(f"remaining brackets, {kind}" for kind in (*KINDS, "with the bye"))


def test_c04_3_3_8_1_a_bracket_paired_as_the_remaining_brackets_need_is_paired_as_by_the_whole_problem(
    examples: Examples,
) -> None:
    report = Paths2026(for_remaining_brackets).play_late(examples(range(36), 12))
    report.require(4, *PATHS)
    report.require(0, "remaining brackets", left=50)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_3_8_1_a_bracket_paired_as_the_remaining_brackets_need_at_length(block: int) -> None:
    Paths2026(for_remaining_brackets).play_late(
        range(1_000 + 80 * block, 1_080 + 80 * block)
    ).require(10, *PATHS)


def test_c04_3_2_2_1_the_downfloater_of_the_whole_problem_is_accepted_if_anybody_is() -> None:
    """An accepted resident reaches the bounds of [C6]-[C8];
    so does the downfloater of the whole problem.
    """
    accepted: Counter[bool] = Counter()

    def pair_one(bracket: Bracket, completion: Completion) -> BracketPairing:
        exact = whole_problem(bracket, completion)
        if (
            bracket.below_set
            and fewest_downfloaters(bracket) == 1
            and not gives_bye(bracket, completion)
        ):
            remaining = RemainingBrackets(bracket, completion, 1, near=False)
            listed = remaining.floaters()[0]
            able = [
                rank
                for rank in bracket.resident_ranks
                if listed >> rank & 1 and remaining.accept([rank])
            ]
            if able:
                assert len(exact.downfloaters) == 1
                assert exact.downfloaters[0] in able
                accepted[True] += len(able)
                accepted[False] += len(bracket.resident_ranks) - len(able)
        return exact

    for seed in range(24, 30):
        generate(
            late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2026(state, pair_one)
        )
    assert min(accepted[True], accepted[False]) > 20, accepted


def test_c04_3_3_8_1_tight_pairs_decide_several_downfloaters_as_the_costs_do(
    examples: Examples,
) -> None:
    """Compare the closed form with the criteria as costs:
    both find how many residents float, whichever they are.
    """
    report = Report()

    def pair_one(bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_fast_or_exact(bracket, completion)
        count = len(pairing.downfloaters)
        if count > 1 and not gives_bye(bracket, completion):
            residents = bracket.resident_set
            found = bracket_graph(bracket, completion, count, residents).optimal()
            by_costs = None if found is None else first_optimum(bracket, *found, lambda _mate: True)
            report.compare("tight pairs", pairing_of_tight(bracket, [residents] * count), by_costs)
        return pairing

    for seed in examples(range(40, 70), 15):
        generate(
            late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2026(state, pair_one)
        )
    report.require(30, "tight pairs", left=30)
