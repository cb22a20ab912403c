"""The best value of a criterion of 2017 alone, in brackets too large to enumerate,
by an independent matching.

As ``test_explanation_witness`` for 2026: the literal text gives what each pair and each downfloater
adds; networkx finds the matching of least weight. The legal candidates depend on the place of the
bracket [C.04.3/2017 A.9].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx
import pytest

from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.explain import BracketExplanation, explain_round
from pairing.engine.dutch.explain.explanation import Value
from pairing.engine.dutch.explain.steps import final_steps, recorded_round
from tests.engine.dutch.explain.test_explanation import SAMPLE, rounds_of
from tests.engine.dutch.explain.test_explanation_2017 import Reference2017
from tests.engine.literal_dutch import Bracket, Candidate

MOST_PLAYERS = 120
BYE = -1
Edge = tuple[int, int]


def added(reference: Reference2017, bracket: Bracket, name: str) -> Iterator[tuple[Edge, Value]]:
    """Return what each pair of the bracket adds to the criterion, and (player,
    player) for each floater.
    """
    for u, v in combinations(bracket.players, 2):
        if reference.literal.allowed(u, v) and not (u in bracket.mdps and v in bracket.mdps):
            is_mdp = u in bracket.mdps
            candidate = Candidate(((u, v),) if is_mdp else (), () if is_mdp else ((u, v),), ())
            yield (u, v), reference.own_values(bracket, candidate)[name]
    for u in bracket.players:
        yield (u, u), reference.own_values(bracket, Candidate((), (), (u,)))[name]


def outside(
    reference: Reference2017, one: BracketExplanation, bracket: Bracket, place: Place
) -> list[Edge]:
    """Return the edges of vertices outside the bracket, to its players and among themselves.

    In an ordinary bracket, one vertex for each downfloater, joined to every player; otherwise the
    players below and the bye, as C.1-C.3 allow [C.4].
    """
    if place is Place.ORDINARY:
        floating = range(-2 - len(one.downfloaters), -2)
        return [(v, u) for v in floating for u in bracket.players]
    literal = reference.literal
    below = [rank for group in bracket.following for rank in group]
    edges = [
        (v, u) for u in (*bracket.players, *below) for v in below if u < v and literal.allowed(u, v)
    ]
    if reference.explained.pairing.bye is not None:
        edges += [(BYE, u) for u in (*bracket.players, *below) if literal.may_have_the_bye_c2(u)]
    return edges


def least(
    reference: Reference2017, one: BracketExplanation, bracket: Bracket, place: Place, name: str
) -> Value:
    """Return the best value of *name* over the legal candidates with most pairs."""
    adds = dict(added(reference, bracket, name))
    items = sorted({item for value in adds.values() for item in value if item}, reverse=True)
    is_list = int(name[1:]) >= 16
    room = 2 * len(bracket.players) + 1
    digit = {
        item: room ** (len(items) - place - 1) if is_list else item
        for place, item in enumerate(items)
    }
    floats = room ** (len(items) + 1) * (max(items, default=0) + 1)
    weight = {edge: sum(digit[item] for item in value if item) for edge, value in adds.items()}
    graph = networkx.Graph()
    graph.add_weighted_edges_from((u, v, weight[u, v]) for u, v in adds if u != v)
    for v, u in outside(reference, one, bracket, place):
        graph.add_edge(u, v, weight=weight[u, u] + floats if u in bracket.players else 0)
    matched = {frozenset(edge) for edge in networkx.min_weight_matching(graph)}
    assert 2 * len(matched) == len(graph)
    found = [adds[edge] for edge in adds if edge[0] != edge[1] and frozenset(edge) in matched]
    paired = {rank for u, v in adds if u != v and frozenset((u, v)) in matched for rank in (u, v)}
    found += [adds[u, u] for u in bracket.players if u not in paired]
    if is_list:
        return tuple(sorted((item for value in found for item in value), reverse=True))
    return (sum(item for value in found for item in value),)


def compared_in(files: Sequence[Path]) -> int:
    """Count the criteria not at zero that were compared in the rounds of *files*."""
    count = 0
    for path in files:
        for found in rounds_of(path):
            state = replace(found, system="dutch_2017")
            if len(state.players) > MOST_PLAYERS:
                continue
            reference = Reference2017(state, explain_round(state))
            places = [step.place for step in final_steps(recorded_round(state)[1])]
            for (one, bracket, _), place in zip(reference.brackets(), places, strict=True):
                assert place is not None
                values = {c.name: c.best_alone for c in one.criteria[3:] if any(c.value)}
                assert values == {
                    name: least(reference, one, bracket, place, name) for name in values
                }
                count += len(values)
    return count


@pytest.mark.costly
def test_c04_3_2017_c_the_best_a_criterion_could_be_alone(shared: Path) -> None:
    files = sorted((shared / "corpus" / "2017").glob("*.trf"))
    assert compared_in(files[::SAMPLE]) > 50


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SAMPLE))
def test_c04_3_2017_c_the_best_a_criterion_could_be_alone_in_the_whole_corpus(
    shared: Path, part: int
) -> None:
    files = sorted((shared / "corpus" / "2017").glob("*.trf"))
    assert compared_in(files[part::SAMPLE]) > 50
