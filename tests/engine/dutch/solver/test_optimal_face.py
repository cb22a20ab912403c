"""Find the order of Article 4 among the optimal candidates by searches,
and compare it with the order as a cost.
"""

from __future__ import annotations

from random import Random

import pytest

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.fast_path import pair_fast_or_exact
from pairing.engine.dutch.edition_2026.graphs import bracket_graph, whole_graph, with_pairs_compared
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.first_candidate import first_by_cost, first_of_face
from pairing.engine.dutch.solver.generation_order import ExchangeOrder, MdpOrder, TranspositionOrder
from pairing.engine.dutch.solver.optimal_face import Face
from pairing.engine.matching.cardinality import (
    FREE,
    bits,
    is_perfect,
    leave_out_lowest,
    maximum_matching,
)
from tests.engine.events import play_events
from tests.examples import Examples, first


def by_order_alone(bracket: Bracket, mate: list[int], graph: CandidateGraph) -> list[int]:
    """Return the partners in the first candidate, with all of
    Article 4 as costs below those of *graph*.

    One matching for the MDP-pairing, one for S1, one for the transposition.
    """
    mdps, size = len(bracket.mdps), graph.size
    pairs = sum(v < size for v in mate[:size]) // 2
    opponents: dict[int, int] = {}
    if mdps:
        order = MdpOrder(mdps, size)
        mate = graph.best(order.cost, order.limit)
        opponents = {u: mate[u] for u in range(mdps) if mate[u] < size}
        graph = graph.settled(
            opponents, frozenset(range(mdps, size)).difference(opponents.values())
        )
    if pairs > len(opponents):
        remainder = [u for u in range(mdps, size) if u not in opponents.values()]
        exchange = ExchangeOrder(remainder, pairs - len(opponents))
        mate = graph.best(exchange.cost, exchange.limit)
        s1 = {u for u in remainder if u < mate[u] < size}
        graph = graph.across(s1, frozenset(remainder) - s1)
        transposition = TranspositionOrder(remainder, s1)
        mate = graph.best(transposition.cost, transposition.limit)
    return mate


class Comparison:
    """Pairs brackets as usual, and for each compares the order by searches with the order as costs.

    ``plain`` counts brackets whose optimal candidates are all perfect matchings of some edges,
    ``costly`` the others, of which ``costs_left_aside`` are still answered by searches;
    ``with_mdps`` and ``exchanged`` count what was compared.
    """

    def __init__(self) -> None:
        self.plain = self.costly = self.costs_left_aside = self.with_mdps = self.exchanged = 0

    def __call__(self, bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_fast_or_exact(bracket, completion)
        self.compare(
            bracket,
            with_pairs_compared(whole_graph(bracket, completion), bracket, counts_bye=False),
        )
        self.compare(bracket, bracket_graph(bracket, completion, len(pairing.downfloaters)))
        return pairing

    def compare(self, bracket: Bracket, graph: CandidateGraph) -> None:
        found = graph.optimal()
        assert found is not None
        mate, optimal = found
        size, mdps = optimal.size, len(bracket.mdps)
        first = by_order_alone(bracket, mate, optimal)
        ways = [first_by_cost(bracket, mate, optimal, lambda _mate: True)]
        searched = first_of_face(bracket, mate, optimal, lambda _mate: True)
        if optimal.is_plain:
            ways.append(searched)
            self.plain += 1
        else:
            self.costly += 1
            if searched is not None and optimal.cost(searched) == optimal.cost(mate):
                ways.append(searched)
                self.costs_left_aside += 1
        for way in ways:
            assert way is not None
            assert [min(v, size) for v in way[:size]] == [min(v, size) for v in first[:size]]
        self.with_mdps += bool(mdps)
        tops = [u for u in range(mdps, size) if u < first[u] < size]
        remainder = [v for v in range(mdps, size) if first[v] >= mdps]
        self.exchanged += tops != remainder[: len(tops)]


@pytest.mark.costly
def test_c04_3_article_4_is_answered_by_searches_as_by_costs(examples: Examples) -> None:
    compare = Comparison()
    play_events(examples(range(2_000, 2_060), 30), compare)
    assert min(compare.plain, compare.with_mdps) > 500
    assert min(compare.costly, compare.costs_left_aside, compare.exchanged) > 50


@pytest.mark.costly
def test_a_candidate_that_is_not_accepted_is_not_given() -> None:
    """*accept* says whether a matching of a relaxation is one of the whole problem;
    each search asks it.
    """
    refused = {
        (search, once): 0 for search in (first_of_face, first_by_cost) for once in (True, False)
    }

    def refusing(bracket: Bracket, completion: Completion) -> BracketPairing:
        pairing = pair_fast_or_exact(bracket, completion)
        found = bracket_graph(bracket, completion, len(pairing.downfloaters)).optimal()
        assert found is not None
        for search, once in refused:
            # The opponents of the moved-down players may be accepted, and the others not.
            requested: list[bool] = []

            def accept(_mate: object, requested: list[bool] = requested, once: bool = once) -> bool:
                requested.append(once and not requested)
                return requested[-1]

            answer = search(bracket, *found, accept)
            assert (answer is None) is (False in requested)
            refused[search, once] += answer is None
        return pairing

    play_events(range(2_000, 2_006), refusing)
    assert min(refused.values()) > 5


def test_c04_3_4_3_more_pairs_than_there_can_be_are_refused() -> None:
    """Of four players only 0 and 1 may meet, and nobody may float."""
    rows, mate = [0b10, 0b1, 0, 0], [1, 0, FREE, FREE]
    assert not Face(rows, mate, 4, 0).pair_remainder([0, 1, 2, 3], 2)
    both = [0b10, 0b1, 0b1000, 0b100]
    assert Face(both, [1, 0, 3, 2], 4, 0).pair_remainder([0, 1, 2, 3], 2)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(12))
def test_c04_3_article_4_is_answered_by_searches_as_by_costs_at_length(block: int) -> None:
    compare = Comparison()
    play_events(range(20_000 + 100 * block, 20_100 + 100 * block), compare)
    assert min(compare.plain, compare.with_mdps) > 1_000
    assert min(compare.costly, compare.costs_left_aside, compare.exchanged) > 100


@pytest.mark.parametrize("seed", first(range(300), 50, pytest.mark.costly))
def test_the_lowest_vertex_that_can_be_left_out_is_found(seed: int) -> None:
    """In sparse graphs of odd size with one free vertex:
    long paths, odd cycles inside odd cycles.
    """
    random = Random(seed)
    size = random.choice((5, 9, 15, 25))
    share = random.choice((0.1, 0.2, 0.4))
    rows = [0] * size
    for u in range(size):
        for v in range(u):
            if random.random() < share:
                rows[u] |= 1 << v
                rows[v] |= 1 << u
    everybody = (1 << size) - 1
    mate = maximum_matching(rows, everybody)
    exposed = [v for v in range(size) if mate[v] == FREE]
    if len(exposed) != 1:
        assert len(exposed) > 1
        return
    wanted = random.getrandbits(size)
    possible = [
        v
        for v in bits(wanted)
        if is_perfect(maximum_matching(rows, everybody ^ 1 << v), everybody ^ 1 << v)
    ]
    before = list(mate)
    found = leave_out_lowest(rows, everybody, mate, exposed[0], wanted)
    assert found == (possible[0] if possible else None)
    if found is None:
        assert mate == before
    else:
        assert mate[found] == FREE
        assert all(mate[mate[v]] == v and rows[v] >> mate[v] & 1 for v in range(size) if v != found)
