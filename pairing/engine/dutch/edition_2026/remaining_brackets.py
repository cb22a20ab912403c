"""Pair a bracket whose downfloaters complete the round, looking at later brackets first.

In late rounds the players of the last scoregroups have already met. Then a bracket above them must
float more players than it would by itself, or particular players who can still be paired at the
bottom. This module matches the players after the bracket first: it adds one vertex per downfloater
and joins it to everyone whom a resident of the bracket may meet. The result shows how many
residents must float, which ones can, and the best possible value of [C8]. The bracket is then
paired by itself with that many of these residents floating.

Without this module the round needs a graph of all players left: 485 players in round 38 of 99 take
0.34 s instead of 0.04 s, 978 players in round 19 of 60 take 0.9 s instead of 0.05 s, and the limit
is 0.3 s (docs/developer/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import residents_left_out
from pairing.engine.dutch.solver.first_candidate import first_optimum
from pairing.engine.dutch.solver.tight_candidates import pairing_with
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable, neighbours

from .bye import bye_is_near, gives_bye
from .costs import BracketCosts
from .graphs import bracket_graph, remaining_graph

TRIES = 8
"""The number of single downfloaters to try before another method takes over.

It affects the time only.
"""

ONE_IN = 8
"""Several downfloaters are handled here only if they are at most one player in eight. With more,
the bracket itself usually decides who floats."""

ROOM = 4
"""The number of players who may float on beyond the following scoregroup
when only that scoregroup is matched.
"""


def pair_for_remaining_brackets(
    bracket: Bracket, completion: Completion, one_in: int = ONE_IN
) -> BracketPairing | None:
    """Pair *bracket* with the downfloaters that later brackets need; None if undecided here.

    Several downfloaters are handled only where they are at most one player in *one_in*.

    Proof. At least ``count`` players float, because every matching of the bracket, or of the
    remaining players, leaves that many over. If all of them are residents, [C7] is at its bound. No
    candidate has a better [C8] than the remaining players reach with downfloaters who may each meet
    everyone that any resident may meet. So every candidate that reaches both bounds is among the
    candidates with ``count`` residents floating, and each of its downfloaters is matched as in an
    optimum of the remaining players. If the first optimum of those candidates by [C10]-[C21] can be
    completed with that value of [C8], it is the first optimum of the whole problem. If it cannot,
    and one player floats, that player is ruled out and the next one is tried. When only the
    following scoregroup is matched, just one of its optima is known, so there is no second try.
    """
    if not bracket.below_set:
        return None
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    near = len(bracket.following_ranks) + bracket.below_set.bit_count() > 2 * size
    count = _count_needed(bracket, completion, near=near)
    if not count or (count > 1 and one_in * count > size):
        return None
    remaining = RemainingBrackets(bracket, completion, count, near=near)
    floaters = remaining.floaters()
    for _ in range(1 if near or count > 1 else TRIES):
        if not all(floaters):
            break
        pairing = pairing_with(bracket, floaters, BracketCosts) or _pairing_by_weights(
            bracket, completion, floaters
        )
        if pairing is None or remaining.accept(pairing.downfloaters):
            return pairing
        floaters = [floaters[0] & ~(1 << pairing.downfloaters[0])]
    return None


def _pairing_by_weights(
    bracket: Bracket, completion: Completion, floaters: Sequence[int]
) -> BracketPairing | None:
    """Pair the bracket by costs, for when the tight pairs have no perfect matching.

    A single floater is one of *floaters*; several may be any players of the bracket.
    """
    who = floaters[0] if len(floaters) == 1 else None
    found = bracket_graph(bracket, completion, len(floaters), who).optimal(len(bracket.mdp_ranks))
    return None if found is None else first_optimum(bracket, *found, lambda _mate: True)


def _count_needed(bracket: Bracket, completion: Completion, *, near: bool) -> int:
    """Count the downfloaters that the bracket, the bye and the remaining players need at least.

    With *near* the remaining players are not counted. The result is 0 if a single downfloater
    receives the bye: then [C9] takes part in the choice, and this module does not handle it.
    """
    everybody = bracket.mdp_set | bracket.resident_set
    mate = maximum_matching(bracket.rows_without_pairs_of_mdps, everybody)
    count = sum(mate[rank] == FREE for rank in bits(everybody))
    if not near:
        rest = bracket.following_set | bracket.below_set
        if completion.bye is not None:
            rest |= 1 << completion.bye
        below = maximum_matching(completion.rows, rest)
        count = max(count, sum(below[rank] == FREE for rank in bits(rest)))
    if gives_bye(bracket, completion):
        return 0 if count == 1 else max(count, 2)
    return count


class RemainingBrackets:
    """Match the players after a bracket with *count* downfloaters who
    may meet everyone that a resident may meet.

    If the bye must go to this bracket, the last downfloater is joined to the bye only.

    With *near* the graph holds only the following scoregroup, and a few vertices for players who
    float on from there. :meth:`accept` then also tests whether those players and everybody below
    can be completed.
    """

    def __init__(self, bracket: Bracket, completion: Completion, count: int, *, near: bool) -> None:
        self.bracket = bracket
        self.completion = completion
        self.count = count
        self.able = residents_left_out(bracket) if count == 1 else bracket.resident_set
        self.ranks = [*bits(bracket.following_set | (0 if near else bracket.below_set))]
        self.below = bracket.below_set if near else 0
        self.bye_receivers = 0
        met = neighbours(completion.rows, self.able)
        joined = [met] * count
        if completion.bye is not None:
            bye = 1 << completion.bye
            if near and not bye_is_near(bracket, completion):
                self.below |= bye
            else:
                self.ranks.append(completion.bye)
            if gives_bye(bracket, completion):
                joined = [*[met & ~bye] * (count - 1), bye]
                self.bye_receivers = completion.receivers & self.able
        self.onward = (len(self.ranks) + count) % 2 + ROOM if near else 0
        self.graph = self._graph(joined)
        self.optimum = self.graph.optimal()

    def _graph(self, joined: Sequence[int]) -> CandidateGraph:
        return remaining_graph(self.bracket, self.completion, self.ranks, joined, self.onward)

    @property
    def _first_onward(self) -> int:
        return len(self.ranks) + self.count

    def floaters(self) -> list[int]:
        """List for each downfloater the residents who can take that place in an optimum.

        Each item is a bit set of ranks. The sets are empty if there is no optimum, or if it has no
        room left for players who float on.
        """
        partners, rows = self._partners(), self.completion.rows
        able = self.able
        if partners is not None:
            able = sum(1 << rank for rank in bits(able) if rows[rank] & partners)
        floaters = [able] * self.count
        if self.bye_receivers:
            floaters[-1] = self.bye_receivers
        return floaters

    def _partners(self) -> int | None:
        """Find the players (a set of ranks) whom an optimum can match with the first downfloater.

        The set may hold a few more. It is valid for every downfloater except one that receives the
        bye. None means that the downfloater may float on, so that any resident will do.

        The least cost is convex in the number of players who float on
        (``exact_path.pair_with_following``). So if two vertices for floating on are matched with
        each other, more of them would not help. For a single downfloater whose graph has no costs
        left, the partners are exactly the players that a matching of the others can leave out.
        """
        if self.optimum is None:
            return 0
        mate, graph = self.optimum
        floater, first_onward = len(self.ranks), self._first_onward
        if self.onward and max(mate[first_onward:]) < first_onward:
            return 0
        taken: Iterable[int] = graph.rows[floater]
        if self._is_exact:
            rows, mate, met = graph.bit_rows(), list(mate), mate[floater]
            mate[met] = FREE
            taken = bits(missable(rows, (1 << floater) - 1, mate, met) & rows[floater])
        elif max(taken) >= first_onward:
            return None
        return sum(1 << self.ranks[v] for v in taken)

    @property
    def _is_exact(self) -> bool:
        return (
            self.count == 1
            and not self.onward
            and self.optimum is not None
            and self.optimum[1].is_plain
        )

    def accept(self, downfloaters: Sequence[int]) -> bool:
        """Tell whether *downfloaters* are residents that let the others reach their optimum."""
        if self.optimum is None or any(
            rank < self.bracket.resident_ranks.start for rank in downfloaters
        ):
            return False
        if self._is_exact:
            return True
        graph = self._graph([self.completion.rows[rank] for rank in downfloaters])
        found = graph.optimal()
        if found is None or graph.cost(found[0]) != self.graph.cost(self.optimum[0]):
            return False
        players, partners = [*self.ranks, *downfloaters], found[0][: self._first_onward]
        floating_on = [
            rank for rank, v in zip(players, partners, strict=True) if v >= self._first_onward
        ]
        return not self.below or self.completion.completes(
            sum(1 << rank for rank in floating_on) | self.below
        )
