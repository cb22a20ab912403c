"""Test last brackets of 2017 that are paired by score levels, with levels far down,
against the whole problem.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017.collapsed_bracket import pair_by_levels
from pairing.engine.dutch.edition_2017.exact_path import pair_exactly_2017
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.edition_2017.procedure import completion_2017, pair_dutch_2017
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.field import Field
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import Pairing, TournamentState
from tests.engine.events import late_plan
from tests.engine.paths import Path2017, Paths2017, by_levels, whole_problem_2017
from tests.examples import Examples


def last_brackets(random: Random, field: Field, completion: Completion) -> list[Bracket]:
    """Return brackets that could be the last one if a bracket above were the penultimate one."""
    brackets = []
    for above, group in pairwise(field.scoregroups):
        odd = (len(field) - group.start - (completion.bye is not None)) % 2
        count = min(random.choice([0, 0, 2]) + odd, len(above))
        mdps = tuple(sorted(random.sample(above, count)))
        bracket = Bracket(field, mdps, range(group.start, len(field)), range(0))
        everybody = bracket.mdp_set | bracket.resident_set
        if count % 2 == odd and (completion.bye is None or completion.receivers & everybody):
            brackets.append(bracket)
    return random.sample(brackets, min(3, len(brackets)))


class Paths(Paths2017):
    """Play on by the engine, and compare in each round brackets that could be the last one."""

    def __init__(self, random: Random, *paths: Path2017) -> None:
        super().__init__(*paths)
        self.random = random

    def pair_round(self, state: TournamentState) -> Pairing:
        field = Field.from_state(state, RULES_2017)
        completion = completion_2017(field)
        for bracket in last_brackets(self.random, field, completion):
            for path in self.paths:
                for name, answer in path(bracket, completion, Place.LAST):
                    whole = (
                        None
                        if answer is None
                        else whole_problem_2017(bracket, completion, Place.LAST)
                    )
                    self.compare(name, answer, whole)
        return pair_dutch_2017(state)


def compare(seeds: range, low: int, stand_ins: int) -> Paths:
    report = Paths(Random(seeds.start), by_levels(low, stand_ins))
    for seed in seeds:
        generate(late_plan(Random(seed)), Random(seed), report.pair_round)
    return report


@pytest.mark.costly
@pytest.mark.parametrize("low, stand_ins", [(1, 2), (3, 2), (8, 12)])
def test_c04_3_2017_a_9_a_last_bracket_by_levels_is_paired_as_with_everybody_in_the_graph(
    low: int, stand_ins: int, examples: Examples
) -> None:
    report = compare(examples(range(100 * low, 100 * low + 10), 5), low, stand_ins)
    report.require(10, "by levels, odd", "by levels, even")
    report.require(0, "by levels", left=10)


def test_c04_3_2017_a_9_a_large_last_bracket_is_paired_by_levels_first() -> None:
    """The exact path of a last bracket begins with the levels, which have all criteria too."""
    state = replace(
        generate(EventPlan(players=150, rounds=9, played=3), Random(1)).state, system="dutch_2017"
    )
    field = Field.from_state(state, RULES_2017)
    completion = completion_2017(field)
    found = 0
    for group in field.scoregroups[:3]:
        if (len(field) - group.start) % 2:
            continue
        bracket = Bracket(field, (), range(group.start, len(field)), range(0))
        levels = pair_by_levels(bracket, completion)
        found += levels is not None
        assert levels is None or pair_exactly_2017(bracket, completion, Place.LAST) == levels
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_2017_a_9_a_last_bracket_by_levels_at_length(block: int) -> None:
    report = compare(
        range(5_000 + 80 * block, 5_080 + 80 * block), 1 + block % 6, 2 + 2 * (block % 2)
    )
    report.require(20, "by levels, odd", "by levels, even")
