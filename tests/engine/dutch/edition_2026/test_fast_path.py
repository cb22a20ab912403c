"""Test that the fast path of 2026 gives the pairing of the whole problem, bracket by bracket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.exact_path import pair_exactly
from pairing.engine.dutch.edition_2026.fast_path import fast_pairing
from tests.engine.paths import (
    Answer,
    Paths2026,
    by_exact_path,
    by_fast_path,
    with_sole_receiver,
    with_stranded,
)
from tests.examples import Examples

pytestmark = pytest.mark.costly


def without_large_sets(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Use both paths with a search for every set of players,
    however large (Dirac's theorem is not used).
    """
    field = replace(bracket.field, most_barred=len(bracket.field) * len(bracket.field))
    searched = replace(bracket, field=field)
    yield "fast path, always searching", fast_pairing(searched, Completion(field))
    yield "exact path, always searching", pair_exactly(searched, Completion(field))


def test_c04_3_2_2_1_sets_large_by_number_complete_as_a_search_says(examples: Examples) -> None:
    """The shortcut by Dirac's theorem, in completion and in the choice of the floater,
    changes no pairing.
    """
    report = Paths2026(without_large_sets).play(examples(range(900, 960), 24))
    report.require(120, "fast path, always searching", left=120)
    report.require(240, "exact path, always searching")


def test_the_fast_and_the_exact_path_pair_as_the_whole_problem(examples: Examples) -> None:
    report = Paths2026(by_fast_path, by_exact_path).play(examples(range(120), 48))
    report.require(400, "fast path", left=320)
    report.require(720, "exact path")


def test_c04_3_2_2_1_players_who_can_meet_nobody_in_the_bracket_float_as_in_the_whole_problem(
    examples: Examples,
) -> None:
    report = Paths2026(with_stranded).play(examples(range(3_000, 3_060), 30))
    report.require(25, "stranded everybody")
    report.require(10, "stranded MDPs", left=10)


def test_c04_3_2_3_1_the_only_receiver_of_the_bye_can_be_set_aside(examples: Examples) -> None:
    Paths2026(with_sole_receiver).play_late(examples(range(24), 12)).require(
        25, "sole receiver of the bye"
    )


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_the_fast_and_the_exact_path_pair_as_the_whole_problem_at_length(block: int) -> None:
    report = Paths2026(by_fast_path, by_exact_path).play(
        range(10_000 + 500 * block, 10_500 + 500 * block)
    )
    report.require(1000, "fast path", left=1000)
