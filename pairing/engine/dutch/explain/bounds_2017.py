"""How good one criterion could be alone by the rules of 2017, and which higher one prevents it.

This works as ``bounds`` does for 2026, with the graphs and costs of ``edition_2017``. A candidate
has MaxPairs pairs [C.04.3/2017 B.1.b]. It is legal by [C.1] and [C.3], in the penultimate bracket
also by [C.4], and in the last one by [C.2]. An ordinary bracket ignores the players below it
[C.04.3/2017 A.9].
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.dutch.edition_2017.costs import ChosenCosts2017
from pairing.engine.dutch.edition_2017.criteria import M1, downfloater_difference
from pairing.engine.dutch.edition_2017.graphs import (
    bracket_graph_2017,
    completing_graph,
    following_graph_2017,
)
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.errors import InvariantError
from pairing.engine.matching import minimum_cost_perfect_matching

from .bounds import first_holder
from .explanation import CriterionValue, Value
from .steps import Step
from .values import Candidate, criterion_value
from .values_2017 import ARTICLES_2017, BY_NAME_2017, NAMES_2017, measure_of_2017

FIXED = ("C5", "C6")
"""Criteria that are always at their best: [C.5] by MaxPairs, and [C.6] right after it."""


def bounded_2017(step: Step, values: dict[str, Value]) -> tuple[CriterionValue, ...]:
    """Return every criterion of *step* with its value, its best value alone,
    and the criterion that prevents that value.

    In the last bracket M1 has a place between [C.6] and the other criteria, and can be the
    criterion that prevents it [C.04.3/2017 B.1.c] (docs/rules, R7). Cost: as in 2026.
    """
    candidates = Candidates2017(step)
    above: list[str] = []
    found = []
    for name in NAMES_2017:
        value = values[name]
        best, held_by = value, None
        if name not in FIXED and any(value):
            best = candidates.least([name])
            if best != value:
                held_by = first_holder(candidates.least, name, best, above)
        found.append(
            CriterionValue(name, ARTICLES_2017[name], measure_of_2017(name), value, best, held_by)
        )
        if name != "C5" and value:
            above += [name, *(["M1"] if name == "C6" and step.place is Place.LAST else [])]
    return tuple(found)


class Candidates2017:
    """The legal candidates of one bracket with MaxPairs pairs, with chosen criteria as costs."""

    def __init__(self, step: Step) -> None:
        if step.place is None:
            raise InvariantError("a bracket of 2017 has a place in its round")
        self.place = step.place
        self.bracket = step.bracket
        self.completion = step.completion
        self.floaters = len(step.pairing.downfloaters)

    def least(self, names: Sequence[str]) -> Value:
        """Return the value of the last of *names* in the candidates best by *names* in order."""
        graph = self._graph(names)
        mate = minimum_cost_perfect_matching(graph.rows)
        if mate is None:
            raise InvariantError("a bracket that was paired has no candidate")
        if names[-1] == "C7":
            return self._look_ahead(mate)
        ranks = [player.rank for player in self.bracket.players]
        candidate = Candidate(
            [(ranks[u], ranks[mate[u]]) for u in range(graph.size) if u < mate[u] < graph.size],
            [ranks[u] for u in range(graph.size) if mate[u] >= graph.size],
        )
        return criterion_value(
            M1 if names[-1] == "M1" else BY_NAME_2017[names[-1]], self.bracket, candidate
        )

    def _graph(self, names: Sequence[str]) -> CandidateGraph:
        """Build the graph that *names* need.

        It has nobody below an ordinary bracket, the following scoregroup if *names* include [C.7],
        and everybody below if the round has to be completed.
        """
        costs = ChosenCosts2017(
            self.bracket, [M1 if one == "M1" else BY_NAME_2017.get(one) for one in names]
        )
        if self.place is not Place.ORDINARY:
            return completing_graph(self.bracket, self.completion, costs)
        if "C7" in names:
            return following_graph_2017(self.bracket, self.completion, self.floaters, costs)
        return bracket_graph_2017(self.bracket, self.floaters, costs=costs)

    def _look_ahead(self, mate: Sequence[int]) -> Value:
        """Return [C.7] in a matching of the bracket and the following one.

        It is the number of players left unpaired, then the score differences.
        """
        bracket = self.bracket
        players = (*bracket.players, *bracket.following)
        size, end, score = len(bracket.players), len(players), bracket.following[0].score
        bye = end if self.completion.bye is not None and not bracket.below_set else None
        left = [u for u in range(end) if mate[u] >= end]
        if not bracket.below_set and any(mate[u] != bye for u in left):
            return (len(bracket.field) + 1,)
        differences = [downfloater_difference(players[u], score) for u in left]
        differences += [
            players[u].score - players[mate[u]].score
            for u in range(end)
            if max(u + 1, size) <= mate[u] < end
        ]
        return (len(left), *sorted(filter(None, differences), reverse=True))
