"""The quick path gives what the exact path gives, bracket by bracket."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.exact_path import pair_bracket, pair_with_everybody_below
from pairing.engine.dutch.edition_2026.fast_path import quick_pairing
from pairing.engine.dutch.edition_2026.procedure import PairBracket
from tests.engine.events import play_events


class Comparison:
    """Pairs each bracket both ways, counts how often the quick path answers, and remembers where they differ."""

    def __init__(self, reference: PairBracket = pair_bracket) -> None:
        self.answers: Counter[bool] = Counter()
        self.reference = reference

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        quick = quick_pairing(bracket, completion)
        exact = self.reference(bracket, completion)
        self.answers[quick is not None] += 1
        if quick is not None:
            assert set(quick.pairs) == set(exact.pairs)
            assert quick.downfloaters == exact.downfloaters
        return exact


def compare_events(seeds: range, reference: PairBracket) -> Counter[bool]:
    compare = Comparison(reference)
    play_events(seeds, compare)
    return compare.answers


def without_large_sets(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The exact path where no set is large enough to complete without a search (Dirac switched off)."""
    field = replace(bracket.field, most_barred=len(bracket.field) * len(bracket.field))
    searched = replace(bracket, field=field)
    exact = pair_bracket(searched, Completion(field))
    quick = quick_pairing(searched, Completion(field))
    assert quick is None or set(quick.pairs) == set(exact.pairs)
    return exact


def test_c04_3_2_2_1_sets_large_by_number_complete_as_a_search_says() -> None:
    """The shortcut by Dirac's theorem, in completion and in the choice of the floater, changes no pairing."""
    answers = compare_events(range(900, 1_000), without_large_sets)
    assert min(answers[True], answers[False]) > 500


def test_the_quick_path_answers_as_the_exact_one() -> None:
    answers = compare_events(range(150), pair_bracket)
    assert answers[True] > 1000
    assert answers[False] > 1000


def test_the_quick_path_answers_as_the_whole_problem() -> None:
    answers = compare_events(range(500, 560), pair_with_everybody_below)
    assert answers[True] > 1000
    assert answers[False] > 800


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_the_quick_path_answers_as_the_exact_one_at_length(block: int) -> None:
    answers = compare_events(range(10_000 + 500 * block, 10_500 + 500 * block), pair_bracket)
    assert min(answers[True], answers[False]) > 1000
