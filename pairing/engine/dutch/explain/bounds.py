"""Find how good one criterion could be alone, and which higher criterion prevents it.

The legal candidates of a bracket are the perfect matchings of a graph, as in the engine, but the
costs are those of a few chosen criteria only. A candidate has MaxPairs pairs by definition
[C.04.3/2026 3.1.2, 3.2.2], so their number is fixed, and [C1]-[C5] decide whether it is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pairing.engine.dutch.edition_2026.exact_path import leaves_ideal_rest
from pairing.engine.dutch.solver.criterion import View
from pairing.engine.dutch.solver.mixed_radix import units
from pairing.engine.errors import InvariantError
from pairing.engine.matching import minimum_cost_perfect_matching
from pairing.engine.matching.cardinality import bits

from .explanation import CriterionValue, Value
from .steps import Step
from .values import ARTICLES, BY_NAME, NAMES, Candidate, measure_of, value_of

FIXED = ("C5", "C6", "C7")
"""Criteria that are always at their best: [C5] for the whole round, [C6] by MaxPairs,
and [C7] right after it.
"""
FLOATS = -1
"""The second vertex of a pair if the first player floats."""
Edge = tuple[int, int]


def bounded(step: Step, values: dict[str, Value]) -> tuple[CriterionValue, ...]:
    """Return every criterion of *step* with its value, its best value alone,
    and the criterion that prevents that value.

    Cost: one minimum-cost matching for each criterion that is not 0, and four more if another
    criterion prevents it.
    """
    applying = [name for name in NAMES if values[name]]
    candidates = Candidates(step, values["C8"])
    found = []
    for name in NAMES:
        value = values[name]
        best, held_by = value, None
        if name not in FIXED and any(value):
            best = candidates.least([name])
            if best != value:
                above = [one for one in applying[: applying.index(name)] if one not in ("C5", "C6")]
                held_by = first_holder(candidates.least, name, best, above)
        found.append(CriterionValue(name, ARTICLES[name], measure_of(name), value, best, held_by))
    return tuple(found)


def first_holder(
    least: Callable[[Sequence[str]], Value], name: str, best: Value, order: Sequence[str]
) -> str:
    """Return the first criterion of *order* that prevents *name* from being at its *best*.

    *order* are the criteria above *name* from the top. The more of them are kept, the fewer
    candidates are left and the worse *name* becomes, so bisection finds the criterion. *least*
    returns the value of the last of some criteria when they are optimised in turn.
    """
    low, high = 0, len(order)  # free while the first *low* are kept, held when the first *high* are
    while high - low > 1:
        middle = (low + high) // 2
        if least([*order[:middle], name]) == best:
            low = middle
        else:
            high = middle
    return order[high - 1]


class Costs(NamedTuple):
    """Hold the cost of each edge of the bracket, and of each player who
    floats on from the following bracket, by score.

    The second vertex of an edge is :data:`FLOATS` if the player floats. Missing edges and scores
    cost nothing.
    """

    edges: dict[Edge, int]
    onward: dict[int, int]


class Candidates:
    """The legal candidates of one bracket with MaxPairs pairs, with chosen criteria as costs.

    Vertices are the players of the bracket by BSN less one. *look_ahead* is the value of [C8] that
    was reached.
    """

    def __init__(self, step: Step, look_ahead: Value) -> None:
        bracket = step.bracket
        self.step = step
        self.bracket = bracket
        self.look_ahead = look_ahead
        self.ranks = [*bracket.mdp_ranks, *bracket.resident_ranks]
        self.size = len(self.ranks)
        self.floaters = len(step.pairing.downfloaters)
        self.below = bracket.following_set | bracket.below_set
        if step.completion.bye is not None:
            self.below |= 1 << step.completion.bye
        self.pairs = list(self._allowed_pairs())
        self._terms: dict[str, dict[Edge, int]] = {}

    def least(self, names: Sequence[str]) -> Value:
        """Return the value of the last of *names* in the candidates that are best by *names*,
        in descending priority.

        The bracket alone is tried first; it has every legal candidate and more. If its best
        candidate is legal, and keeps [C8] if *names* include it, it is the best legal one too.
        Otherwise everybody below joins the graph.
        """
        asks_c8 = "C8" in names
        ahead_is_ideal = self._is_ideal(self.look_ahead)
        if names[-1] == "C8" and ahead_is_ideal:
            return self.look_ahead
        if names[-1] != "C8" and (not asks_c8 or ahead_is_ideal or not self.floaters):
            candidate = self._best_alone([name for name in names if name != "C8"], asks_c8)
            if candidate is not None:
                return value_of(names[-1], self.bracket, candidate)
        mate, vertices = self._best_with_all_below(names)
        if names[-1] == "C8":
            return self._look_ahead_of(mate, vertices)
        return value_of(names[-1], self.bracket, self._candidate(mate))

    def _allowed_pairs(self) -> Iterator[Edge]:
        """Yield the pairs that the bracket allows: never two MDPs [C.04.3/2026 3.3.3]."""
        may_meet = self.bracket.field.may_meet
        for v in range(len(self.bracket.mdp_ranks), self.size):
            allowed = may_meet[self.ranks[v]]
            for u in range(v):
                if allowed >> self.ranks[u] & 1:
                    yield u, v

    def _is_ideal(self, ahead: Value) -> bool:
        """Tell whether the look ahead is at its bound.

        Nobody floats on, or one resident of an odd number does.
        """
        following = self.bracket.following
        bound = (
            (1, following[0].score) if following and (self.floaters + len(following)) % 2 else (0,)
        )
        return ahead == bound

    # ------------------------------------------------------------------------------- the bracket
    # alone

    def _best_alone(self, names: Sequence[str], keeps_c8: bool) -> Candidate | None:
        """Return the best candidate by *names* of the bracket alone;
        None if its downfloaters are not legal.

        A single downfloater is restricted to legal players; several are checked afterwards.
        """
        costs = self._costs(names).edges
        rows = self._rows(costs, self.size + self.floaters)
        for u, rank in enumerate(self.ranks):
            if self.floaters > 1 or (self.floaters and self._are_possible([rank], keeps_c8)):
                for v in range(self.size, self.size + self.floaters):
                    rows[u][v] = rows[v][u] = costs.get((u, FLOATS), 0)
        mate = minimum_cost_perfect_matching(rows)
        if mate is None:
            raise InvariantError("a bracket that was paired has no candidate")
        candidate = self._candidate(mate)
        if self.floaters > 1 and not self._are_possible(candidate.downfloaters, keeps_c8):
            return None
        return candidate

    def _are_possible(self, downfloaters: Sequence[int], keeps_c8: bool) -> bool:
        """Tell whether the *downfloaters* meet [C4], and the bound of [C8] if *keeps_c8*."""
        floating = sum(1 << rank for rank in downfloaters)
        if keeps_c8:
            return leaves_ideal_rest(self.bracket, floating, self.step.completion)
        return self.step.completion.completes(floating | self.below)

    # -------------------------------------------------------------------------- with everybody
    # below

    def _best_with_all_below(self, names: Sequence[str]) -> tuple[list[int], list[int]]:
        """Return the best matching by *names* of bracket and all below, and the rank of vertices.

        Every perfect matching is a candidate with its completion [C4]. The number of downfloaters
        is minimised first, because nothing else fixes it here. A downfloater matched beyond the
        following scoregroup floats on from there, and so does a player of that group [C8].
        """
        completion, bracket = self.step.completion, self.bracket
        vertices = self.ranks + list(bits(self.below))
        place = {rank: vertex for vertex, rank in enumerate(vertices)}
        costs = self._costs(["C6", *names])
        rows = self._rows(costs.edges, len(vertices))
        following_end = self.size + len(bracket.following_ranks)
        for u, rank in enumerate(vertices):
            floats = costs.edges.get((u, FLOATS), 0)
            may_go_on = rank != completion.bye and u < following_end != self.size
            onward = costs.onward.get(bracket.field.scores[rank], 0) if may_go_on else 0
            for neighbour in bits(completion.rows[rank] & self.below):
                v = place[neighbour]
                if v > u:
                    rows[u][v] = rows[v][u] = floats + (onward if v >= following_end else 0)
        mate = minimum_cost_perfect_matching(rows)
        if mate is None:
            raise InvariantError("a bracket that was completed has no candidate")
        return mate, vertices

    def _look_ahead_of(self, mate: Sequence[int], vertices: Sequence[int]) -> Value:
        scores = self.bracket.field.scores
        following_end = self.size + len(self.bracket.following_ranks)
        onward = [scores[vertices[u]] for u in range(following_end) if mate[u] >= following_end]
        return (len(onward), *sorted(onward, reverse=True))

    # ------------------------------------------------------------------------------------------
    # costs

    def _candidate(self, mate: Sequence[int]) -> Candidate:
        ranks, size = self.ranks, self.size
        return Candidate(
            [(ranks[u], ranks[mate[u]]) for u in range(size) if u < mate[u] < size],
            [ranks[u] for u in range(size) if mate[u] >= size],
        )

    def _rows(self, costs: dict[Edge, int], vertices: int) -> list[dict[int, int]]:
        rows: list[dict[int, int]] = [{} for _ in range(vertices)]
        for u, v in self.pairs:
            rows[u][v] = rows[v][u] = costs.get((u, v), 0)
        return rows

    def _costs(self, names: Sequence[str]) -> Costs:
        """Return the cost of each pair and each floating player by *names*,
        in mixed radix as in ``criteria_costs``.

        A count has one digit. A list has one digit for each value it may hold, larger values first.
        """
        digits: list[tuple[str, int]] = []
        for name in names:
            digits += [(name, item) for item in self._digits(name)]
        room = 1 + max([self.size + len(self.bracket.following), *self._largest_sums(names)])
        unit = dict(zip(digits, units([room] * len(digits)), strict=True))
        onward = {
            score: unit["C8", FLOATS] + value
            for (name, score), value in unit.items()
            if name == "C8" and score != FLOATS
        }
        cost: dict[Edge, int] = {}
        for name in names:
            is_list = name in BY_NAME and BY_NAME[name].is_list
            for edge, term in self._terms_of(name).items():
                worth = unit[name, term] if is_list else term * unit[name, FLOATS]
                cost[edge] = cost.get(edge, 0) + worth
        return Costs(cost, onward)

    def _digits(self, name: str) -> list[int]:
        """Return a criterion's digits, highest first.

        It is :data:`FLOATS` for a count, or the values of a list.
        """
        if name == "C8":
            scores = {player.score for player in (*self.bracket.players, *self.bracket.following)}
            return [FLOATS, *sorted(scores, reverse=True)]
        if name in BY_NAME and BY_NAME[name].is_list:
            return sorted(set(self._terms_of(name).values()), reverse=True)
        return [FLOATS]

    def _largest_sums(self, names: Sequence[str]) -> list[int]:
        """Return an upper bound for each count: a candidate has at most ``size`` terms of it."""
        return [
            self.size * max(self._terms_of(name).values(), default=0)
            for name in names
            if name not in BY_NAME or not BY_NAME[name].is_list
        ]

    def _terms_of(self, name: str) -> dict[Edge, int]:
        """Return the terms of *name* for each pair and downfloater, without those that are 0."""
        if name not in self._terms:
            self._terms[name] = dict(self._find_terms(name))
        return self._terms[name]

    def _find_terms(self, name: str) -> Iterator[tuple[Edge, int]]:
        if name == "C6":
            yield from (((u, FLOATS), 1) for u in range(self.size))
        if name not in BY_NAME:
            return
        criterion, players = BY_NAME[name], self.bracket.players
        view = View(self.bracket, self.bracket.field.initial_colour)
        for u, v in self.pairs:
            term = criterion.of_pair(view, players[u], players[v])
            if term:
                yield (u, v), term
        for u, player in enumerate(players):
            term = criterion.of_downfloater(view, player)
            if term:
                yield (u, FLOATS), term
