"""The last bracket by levels (2017), with levels far down as in large fields, against the graph of everybody."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017 import collapsed_bracket
from pairing.engine.dutch.edition_2017.collapsed_bracket import pair_by_levels
from pairing.engine.dutch.edition_2017.exact_path import first_of
from pairing.engine.dutch.edition_2017.graphs import completing_graph
from pairing.engine.dutch.edition_2017.procedure import completion_2017, pair_dutch_2017
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.field import Field
from pairing.engine.generator import generate
from pairing.engine.model import Pairing, TournamentState
from tests.engine.events import late_plan


def last_brackets(random: Random, field: Field, completion: Completion) -> list[Bracket]:
    """Brackets as if the penultimate one had been here or there, and had let a few float."""
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


class Comparison:
    """Plays on, and pairs brackets of each round by levels and by the graph of everybody; counts the answers by whether
    there is a bye."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.answers: Counter[str] = Counter()

    def __call__(self, state: TournamentState) -> Pairing:
        field = Field.of(state, RULES_2017)
        completion = completion_2017(field)
        for bracket in last_brackets(self.random, field, completion):
            answer = pair_by_levels(bracket, completion)
            if answer is None:
                self.answers["not told"] += 1
            else:
                assert answer == first_of(bracket, completing_graph(bracket, completion))
                self.answers["odd" if answer.downfloaters else "even"] += 1
        return pair_dutch_2017(state)


def compare(seeds: range) -> Counter[str]:
    answers: Counter[str] = Counter()
    for seed in seeds:
        comparison = Comparison(Random(seed))
        generate(late_plan(Random(seed)), Random(seed), comparison)
        answers += comparison.answers
    return answers


@pytest.mark.parametrize("low, stand_ins", [(1, 2), (3, 2), (8, 12)])
def test_c04_3_2017_a_9_a_last_bracket_by_levels_is_paired_as_with_everybody_in_the_graph(
    low: int, stand_ins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collapsed_bracket, "LOW", low)
    monkeypatch.setattr(collapsed_bracket, "STAND_INS", stand_ins)
    answers = compare(range(100 * low, 100 * low + 10))
    assert min(answers["odd"], answers["even"], answers["not told"]) > 20, answers


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_2017_a_9_a_last_bracket_by_levels_at_length(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collapsed_bracket, "LOW", 1 + block % 6)
    monkeypatch.setattr(collapsed_bracket, "STAND_INS", 2 + 2 * (block % 2))
    compare(range(5_000 + 80 * block, 5_080 + 80 * block))
