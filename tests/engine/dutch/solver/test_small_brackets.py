"""Test that comparing the candidates of a small bracket one by one
gives the pairing of the whole problem.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.costs import BracketCosts
from pairing.engine.dutch.edition_2026.exact_path import pair_exactly
from pairing.engine.dutch.edition_2026.floaters import possible_floaters
from pairing.engine.dutch.solver.small_brackets import (
    MOST_VERTICES,
    Candidate,
    best_of_small,
    first_of_least_cost,
    first_tight,
    small_candidates,
)
from tests.engine.events import play_events
from tests.engine.paths import Answer, Paths2026, whole_problem
from tests.examples import Examples

pytestmark = pytest.mark.costly


def one_by_one(bracket: Bracket, completion: Completion) -> Iterator[Answer]:
    """Compare the candidates of a small bracket in which everybody is paired,
    or everybody except one resident.
    """
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    floaters = possible_floaters(bracket, completion) if size % 2 else 0
    everybody_below = bracket.following_set | bracket.below_set
    if completion.bye is not None:
        everybody_below |= 1 << completion.bye
    applies = floaters if size % 2 else completion.completes(everybody_below)
    if size + size % 2 > MOST_VERTICES or not applies:
        return
    best = best_of_small(bracket, floaters, BracketCosts)
    if best is None:
        exact = whole_problem(bracket, completion)
        assert len(exact.downfloaters) > 1 or not floaters >> exact.downfloaters[0] & 1
        yield "no candidate", None
        return
    candidates = small_candidates(bracket, floaters)
    yield "the only candidate" if len(candidates) == 1 else "best candidate", best
    yield "least cost", as_pairing(bracket, first_of_least_cost(bracket, candidates, BracketCosts))
    tight = first_tight(bracket, floaters, candidates)
    yield "tight pairs", None if tight is None else as_pairing(bracket, tight)


def as_pairing(bracket: Bracket, candidate: Candidate) -> BracketPairing:
    ranks = (*bracket.mdp_ranks, *bracket.resident_ranks)
    size = len(ranks)
    return BracketPairing(
        tuple((ranks[u], ranks[v]) for u, v in candidate if v < size),
        tuple(ranks[u] for u, v in candidate if v == size),
    )


def test_c04_3_3_8_1_small_brackets_one_by_one_give_the_best_candidate_generated_first(
    examples: Examples,
) -> None:
    report = Paths2026(one_by_one).play(examples(range(2_000, 2_120), 60))
    report.require(0, "no candidate", left=40)
    report.require(40, "the only candidate", "best candidate", "least cost")
    report.require(40, "tight pairs", left=40)


def test_c04_3_4_2_4_3_six_players_have_fifteen_candidates_at_most() -> None:
    """The first is S1 against S2 [C.04.3/2026 4.2, 4.3]."""
    sizes: set[int] = set()

    def pair_one(bracket: Bracket, completion: Completion) -> BracketPairing:
        if not bracket.mdp_ranks and len(bracket.resident_ranks) == MOST_VERTICES:
            candidates = small_candidates(bracket, 0)
            sizes.add(len(candidates))
            if len(candidates) == 15:
                assert candidates[0] == ((0, 3), (1, 4), (2, 5))
        return pair_exactly(bracket, completion)

    play_events(range(4_000, 4_040), pair_one)
    assert max(sizes) == 15
