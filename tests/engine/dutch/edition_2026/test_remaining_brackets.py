"""Brackets whose downfloaters the rest needs: where that is asked of the rest, the answer is that of the whole problem.

In late rounds of fields with many draws the last scoregroups have met each other, and need one or several from above.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026 import remaining_brackets
from pairing.engine.dutch.edition_2026.bye import gives_bye, sole_receiver
from pairing.engine.dutch.edition_2026.exact_path import pair_with_everybody_below
from pairing.engine.dutch.edition_2026.fast_path import pair_bracket_quickly
from pairing.engine.dutch.edition_2026.graphs import bracket_graph
from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.dutch.edition_2026.remaining_brackets import Rest, pair_for_the_rest
from pairing.engine.dutch.solver.first_candidate import first_optimum
from pairing.engine.dutch.solver.tight_candidates import pairing_of_tight
from pairing.engine.generator import generate
from tests.engine.events import late_plan


@pytest.fixture(autouse=True)
def several_even_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask about several downfloaters in small fields too, where the whole problem would take no longer."""
    monkeypatch.setattr(remaining_brackets, "FEW_OF", 2)


class Comparison:
    """Pairs each bracket by the whole problem, and by what the rest says of it; counts the answers by their kind."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        whole = pair_with_everybody_below(bracket, completion)
        answer = pair_for_the_rest(bracket, completion)
        self.answers[self.kind(bracket, completion, answer)] += 1
        if answer is not None:
            assert_equal(answer, whole)
        if sole_receiver(bracket, completion) is not None:
            self.answers["the bye is settled"] += 1
            assert_equal(pair_bracket_quickly(bracket, completion), whole)
        return whole

    def kind(self, bracket: Bracket, completion: Completion, answer: BracketPairing | None) -> str:
        if answer is None:
            return "not told"
        size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
        if gives_bye(bracket, completion):
            return "bye"
        near = len(bracket.following_ranks) + bracket.below_set.bit_count() > 2 * size
        return ("near, " if near else "all, ") + ("one" if len(answer.downfloaters) == 1 else "several")


def assert_equal(pairing: BracketPairing, whole: BracketPairing) -> None:
    assert set(pairing.pairs) == set(whole.pairs)
    assert pairing.downfloaters == whole.downfloaters


def compare(seeds: range) -> Counter[str]:
    comparison = Comparison()
    for seed in seeds:
        generate(late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2026(state, comparison))
    return comparison.answers


def test_c04_3_3_8_1_a_bracket_paired_as_the_rest_needs_it_is_paired_as_by_the_whole_problem() -> None:
    answers = compare(range(48))
    assert len(answers) == 7
    assert min(answers.values()) > 10, answers


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_3_8_1_a_bracket_paired_as_the_rest_needs_it_at_length(block: int) -> None:
    assert min(compare(range(1_000 + 80 * block, 1_080 + 80 * block)).values()) > 10


def test_c04_3_2_2_1_who_is_refused_by_the_rest_is_not_the_downfloater(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where costs are left, the rest names more than it is content with; each of those it refuses is asked no more."""
    refused = Counter[bool]()
    is_content = Rest.is_content_with

    def counting(asked: Rest, downfloaters: tuple[int, ...]) -> bool:
        content = is_content(asked, downfloaters)
        refused[content] += 1
        return content

    monkeypatch.setattr(Rest, "is_content_with", counting)
    compare(range(24, 36))
    assert min(refused[True], refused[False]) > 20, refused


def test_c04_3_3_8_1_several_are_found_by_what_joins_bracket_and_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked wherever several float, and not only where the rest refuses the first that come."""
    told = Counter[bool]()
    is_content, together = Rest.is_content_with, Rest.pairing_of_tight_and_rest

    def refuse_several(asked: Rest, downfloaters: tuple[int, ...]) -> bool:
        return len(downfloaters) == 1 and is_content(asked, downfloaters)

    def counting(asked: Rest) -> BracketPairing | None:
        pairing = together(asked)
        told[pairing is not None] += 1
        return pairing

    monkeypatch.setattr(Rest, "is_content_with", refuse_several)
    monkeypatch.setattr(Rest, "pairing_of_tight_and_rest", counting)
    compare(range(60, 84))
    assert min(told[True], told[False]) > 10, told


def test_c04_3_3_8_1_tight_pairs_tell_of_several_downfloaters_what_the_weights_do() -> None:
    """So many residents float as the rest asks for, whoever they are: the closed form against the criteria as costs."""
    told = Counter[bool]()

    def both_ways(bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_bracket_quickly(bracket, completion)
        count = len(pairing.downfloaters)
        if count > 1 and not gives_bye(bracket, completion):
            residents = bracket.resident_set
            tight = pairing_of_tight(bracket, [residents] * count)
            found = bracket_graph(bracket, completion, count, residents).optimal()
            told[tight is not None] += 1
            if tight is not None:
                assert found is not None
                by_weights = first_optimum(bracket, *found, lambda _mate: True)
                assert by_weights is not None
                assert_equal(tight, by_weights)
        return pairing

    for seed in range(40, 70):
        generate(late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2026(state, both_ways))
    assert min(told[True], told[False]) > 30, told
