"""Test the smaller graphs that are tried before the whole problem:
when they decide, they give its pairing.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026 import exact_path
from pairing.engine.dutch.edition_2026.exact_path import (
    can_accept,
    pair_alone_with,
    pair_exactly,
    pair_with_following,
)
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from tests.engine.events import play_events
from tests.engine.paths import Paths2026, alone, in_two_steps, whole_problem, with_following
from tests.examples import Examples


def compare(seeds: range) -> None:
    report = Paths2026(in_two_steps, alone, with_following).play(seeds)
    report.require(250, "in two steps")
    report.require(15, "bracket alone", "with the following scoregroup", left=15)


@pytest.mark.costly
def test_c04_3_3_8_1_a_relaxation_that_decides_gives_the_pairing_of_the_whole_problem(
    examples: Examples,
) -> None:
    compare(examples(range(3_000, 3_040), 20))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(24))
def test_c04_3_3_8_1_a_relaxation_gives_the_pairing_of_the_whole_problem_at_length(
    block: int,
) -> None:
    compare(range(30_000 + 100 * block, 30_100 + 100 * block))


def large_bracket() -> tuple[Bracket, Completion]:
    """Return the first bracket of a round of 120 players, with a following scoregroup."""
    field = Field.from_state(
        generate(EventPlan(players=120, rounds=9, played=1), Random(1)).state, RULES_2026
    )
    top, following, *_ = field.scoregroups
    return Bracket(field, (), top, following), Completion(field)


def test_c04_3_3_8_1_a_graph_without_candidates_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bracket, completion = large_bracket()
    assert pair_with_following(bracket, completion) is not None
    nobody_meets = CandidateGraph(
        len(bracket.players), [{} for _ in range(2 * len(bracket.players))]
    )
    monkeypatch.setattr(exact_path, "following_graph", lambda *_: nobody_meets)
    assert pair_with_following(bracket, completion) is None
    # The exact path goes on with everybody below.
    assert pair_exactly(bracket, completion) == whole_problem(bracket, completion)


def test_c04_3_3_8_1_where_many_float_on_the_whole_problem_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An optimum that uses every vertex for floating on could be better with more,
    so it is not believed.
    """
    bracket, completion = large_bracket()
    tried: list[int] = []

    def all_used(
        _bracket: Bracket, _completion: Completion, graph: CandidateGraph, **_: bool
    ) -> object:
        tried.append(len(graph.rows))
        return [0] * len(graph.rows), graph

    monkeypatch.setattr(exact_path, "optimal_candidates", all_used)
    assert pair_with_following(bracket, completion) is None
    assert tried == sorted(set(tried))
    assert len(tried) == 3


@pytest.mark.costly
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
