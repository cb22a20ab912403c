"""The best value of a criterion alone, in brackets too large to enumerate,
by an independent matching.

The literal text gives what each pair and each downfloater adds; networkx finds the matching of
least weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import networkx
import pytest

from pairing.engine.dutch.explain import BracketExplanation, explain_round
from pairing.engine.dutch.explain.explanation import Value
from tests.engine.dutch.explain.explanation_reference import Reference
from tests.engine.dutch.explain.test_explanation import SAMPLE, rounds_of
from tests.engine.literal_dutch import Bracket, Candidate

MOST_PLAYERS = 200
BYE = -1
Edge = tuple[int, int]


def added(reference: Reference, bracket: Bracket, name: str) -> Iterator[tuple[Edge, Value]]:
    """Return what each pair of the bracket adds to the criterion, and (player,
    player) for each floater.
    """
    literal = reference.literal
    for u, v in combinations(bracket.players, 2):
        if literal.allowed(u, v) and not (u in bracket.mdps and v in bracket.mdps):
            is_mdp = u in bracket.mdps
            candidate = Candidate(((u, v),) if is_mdp else (), () if is_mdp else ((u, v),), ())
            yield (u, v), reference.quality(bracket, candidate)[name]
    for u in bracket.players:
        yield (u, u), reference.quality(bracket, Candidate((), (), (u,)))[name]


def least(reference: Reference, bracket: Bracket, name: str) -> Value:
    """Return the best value of *name* over the candidates with
    most pairs that leave the rest complete.
    """
    adds = dict(added(reference, bracket, name))
    items = sorted({item for value in adds.values() for item in value if item}, reverse=True)
    is_list = int(name[1:]) >= 18
    room = 2 * len(bracket.players) + 1
    digit = {
        item: room ** (len(items) - place - 1) if is_list else item
        for place, item in enumerate(items)
    }
    floats = room ** (len(items) + 1) * (max(items, default=0) + 1)
    weight = {edge: sum(digit[item] for item in value if item) for edge, value in adds.items()}
    graph = networkx.Graph()
    graph.add_weighted_edges_from((u, v, weight[u, v]) for u, v in adds if u != v)
    outside = [*bracket.not_reached, *([] if reference.explained.pairing.bye is None else [BYE])]
    for u in bracket.players:
        for v in outside:
            if may_follow(reference, u, v):
                graph.add_edge(u, v, weight=weight[u, u] + floats)
    graph.add_weighted_edges_from(
        (u, v, 0) for u, v in combinations(outside, 2) if may_follow(reference, u, v)
    )
    matched = {frozenset(edge) for edge in networkx.min_weight_matching(graph)}
    assert 2 * len(matched) == len(bracket.players) + len(outside)
    found = [adds[edge] for edge in adds if edge[0] != edge[1] and frozenset(edge) in matched]
    found += [
        adds[u, u] for u in bracket.players if any(frozenset({u, v}) in matched for v in outside)
    ]
    if is_list:
        return tuple(sorted((item for value in found for item in value), reverse=True))
    return (sum(item for value in found for item in value),)


def may_follow(reference: Reference, one: int, other: int) -> bool:
    """Return whether the two may be paired below the bracket;
    BYE pairs with the players allowed by [C2] and [C5].
    """
    first, second = sorted((one, other))
    if first != BYE:
        return reference.literal.allowed(first, second)
    bye = reference.explained.pairing.bye
    assert bye is not None
    scores = reference.literal.scores
    return (
        not reference.literal.records[second].pab_barred
        and scores[second] == scores[reference.rank[bye]]
    )


def assert_best_alone(reference: Reference, one: BracketExplanation, bracket: Bracket) -> int:
    requested = [criterion for criterion in one.criteria[5:] if any(criterion.value)]
    found = {criterion.name: criterion.best_alone for criterion in requested}
    assert found == {
        criterion.name: least(reference, bracket, criterion.name) for criterion in requested
    }
    return len(requested)


def compared_in(files: Sequence[Path]) -> int:
    """Count the criteria not at zero that were compared in the rounds of *files*."""
    count = 0
    for path in files:
        for state in rounds_of(path):
            if len(state.players) <= MOST_PLAYERS:
                reference = Reference(state, explain_round(state))
                count += sum(
                    assert_best_alone(reference, one, bracket)
                    for one, bracket, _ in reference.brackets()
                )
    return count


@pytest.mark.costly
def test_c04_3_2_4_the_best_a_criterion_could_be_alone(shared: Path) -> None:
    files = sorted((shared / "corpus" / "2026").glob("*.trf"))
    assert compared_in(files[::SAMPLE]) > 50


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SAMPLE))
def test_c04_3_2_4_the_best_a_criterion_could_be_alone_in_the_whole_corpus(
    shared: Path, part: int
) -> None:
    files = sorted((shared / "corpus" / "2026").glob("*.trf"))
    assert compared_in(files[part::SAMPLE]) > 50
