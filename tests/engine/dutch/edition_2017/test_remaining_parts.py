"""The last two brackets of 2017, where the rest wants players from above, against the graph of everybody left."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2017.exact_path import first_of, pair_bracket_2017, remaining
from pairing.engine.dutch.edition_2017.fast_path import pair_bracket_quickly_2017, quick_pairing_2017
from pairing.engine.dutch.edition_2017.graphs import completing_graph
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.edition_2017.procedure import completion_2017, pair_dutch_2017
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.edition_2017.remaining_parts import RestParts, rest_parts
from pairing.engine.dutch.field import Field
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.generator import generate
from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from tests.engine.events import late_plan
from tests.engine.positions import random_state


def completes(completion: Completion, downfloaters: int, rest: int) -> bool:
    """Whether *downfloaters* complete the *rest*, no two of them paired with each other."""
    rows = [row & ~downfloaters if downfloaters >> u & 1 else row for u, row in enumerate(completion.rows)]
    return is_perfect(maximum_matching(rows, downfloaters | rest), downfloaters | rest)


def is_matched(completion: Completion, downfloaters: int, rest: RestParts) -> bool:
    """Whether each part has one of *downfloaters* or of the joints, and nobody is left."""
    others = [*bits(downfloaters), *rest.joints]
    rows = [0] * (len(rest.parts) + len(others))
    for part, met in enumerate(rest.met(completion)):
        for vertex, rank in enumerate(others, len(rest.parts)):
            if met >> rank & 1:
                rows[part] |= 1 << vertex
                rows[vertex] |= 1 << part
    return is_perfect(maximum_matching(rows, (1 << len(rows)) - 1), (1 << len(rows)) - 1)


def test_c04_3_2017_c_4_so_many_as_the_rest_wants_complete_it_if_each_part_and_joint_has_one() -> None:
    seen: Counter[tuple[bool, bool]] = Counter()
    for seed in range(3_000):
        field = Field.of(random_state(Random(seed), players=(6, 11)), RULES_2017)
        try:
            completion = completion_2017(field)
        except NoLegalPairingError:
            continue
        cut = Random(seed).randrange(2, 7)
        rest_set = completion.everybody & ~((1 << cut) - 1)
        rest = rest_parts(completion, rest_set)
        for count in range(min(rest.wanting, len(field)) + 1):
            for some in combinations(range(min(cut, len(field))), count):
                downfloaters = sum(1 << rank for rank in some)
                complete = completes(completion, downfloaters, rest_set)
                if count < rest.wanting:
                    assert not complete
                else:
                    assert complete == is_matched(completion, downfloaters, rest)
                    seen[complete, len(rest.joints) > 0] += count > 0
    assert len(seen) == 4
    assert min(seen.values()) > 50, seen


class Comparison:
    """Pairs each bracket as the engine does, and the last two by the graph of everybody as well; counts by the kind of
    bracket and whether the quick path answered."""

    def __init__(self) -> None:
        self.brackets: Counter[str] = Counter()

    def __call__(self, bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
        pairing = pair_bracket_quickly_2017(bracket, completion, place)
        if place is Place.ORDINARY:
            return pairing
        whole = first_of(bracket, completing_graph(bracket, completion))
        assert whole is not None
        assert pair_bracket_2017(bracket, completion, place) == whole
        assert set(pairing.pairs) == set(whole.pairs)
        assert pairing.downfloaters == whole.downfloaters
        self.brackets[self.kind(bracket, completion, place)] += 1
        return pairing

    def kind(self, bracket: Bracket, completion: Completion, place: Place) -> str:
        if place is Place.LAST:
            scores = {player.score for player in bracket.players[len(bracket.mdps) :]}
            return "collapsed" if len(scores) > 1 else "last"
        wanting = rest_parts(completion, remaining(bracket, completion)).wanting
        told = "quickly" if quick_pairing_2017(bracket, completion, place) is not None else "by weights"
        return f"{min(wanting, 2)} {told}"


def compare(seeds: range) -> Counter[str]:
    comparison = Comparison()
    for seed in seeds:
        generate(late_plan(Random(seed)), Random(seed), lambda state: pair_dutch_2017(state, comparison))
    return comparison.brackets


def test_c04_3_2017_a_9_the_last_two_brackets_of_late_rounds_are_paired_as_with_everybody_in_the_graph() -> None:
    brackets = compare(range(40))
    assert len(brackets) == 6, brackets
    assert min(brackets.values()) > 3, brackets


@pytest.mark.slow
@pytest.mark.parametrize("block", range(30))
def test_c04_3_2017_a_9_the_last_two_brackets_at_length(block: int) -> None:
    compare(range(1_000 + 80 * block, 1_080 + 80 * block))
