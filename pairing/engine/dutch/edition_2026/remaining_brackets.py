"""The pairing of a bracket whose downfloaters those below need, who cannot be completed, or not well, without them.

In late rounds the last scoregroups have met each other, so that brackets above have to let more float than they would
themselves, or just those who have somebody to meet at the bottom. Then the question is put to the rest first, without
the bracket: how many must float, and how good can [C8] be? One vertex stands for each downfloater, joined to all whom
residents of the bracket may meet. The bracket is then paired by itself, with so many of those residents floating.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import residents_left_out
from pairing.engine.dutch.solver.first_candidate import first_optimum
from pairing.engine.dutch.solver.tight_candidates import pairing_with
from pairing.engine.dutch.solver.tight_edges import tight_graph
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable, neighbours

from .bye import bye_is_near, gives_bye
from .costs import BracketCosts
from .graphs import bracket_graph, rest_graph

TRIES = 8
"""So many downfloaters may be refused before another way is taken: a question of time only."""

FEW_OF = 8
"""Several are asked about where they are at most one in so many; where more float, it is seldom for the sake of the
rest."""

ROOM = 4
"""So many may float on beyond the following scoregroup, where nobody further down is looked at."""


def pair_for_the_rest(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of *bracket* with the downfloaters that the rest needs; None where this does not tell.

    Proof. Fewer than so many cannot float: they are left over by every matching of the bracket, or of the rest. If they
    are residents, [C7] is at its bound; and no candidate is better by [C8] than the rest is with downfloaters who may
    each meet whomever any of the residents may. So the candidates with so many residents floating are all that can be
    as good, and some more, [C4] and [C8] left open. Who floats in one as good meets somebody as in an optimum of the
    rest. If the first optimum of these candidates [C10]-[C21] leaves the rest a completion with that value of [C8], it
    is the first optimum of the whole. If not, and one alone floats, this one is none of those looked for, and another
    is asked; but not where only those near are looked at, of whose optima one alone was tried.
    """
    if not bracket.below_set:
        return None
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    near = len(bracket.following_ranks) + bracket.below_set.bit_count() > 2 * size
    count = _count_needed(bracket, completion, near=near)
    if not count or (count > 1 and FEW_OF * count > size):
        return None
    rest = Rest(bracket, completion, count, near=near)
    floaters = rest.floaters()
    for _ in range(1 if near else TRIES):
        if not all(floaters):
            break
        pairing = pairing_with(bracket, floaters, BracketCosts) or _pairing_by_weights(bracket, completion, floaters)
        if pairing is None or rest.is_content_with(pairing.downfloaters):
            return pairing
        if count > 1:
            return rest.pairing_of_tight_and_rest()
        floaters = [floaters[0] & ~(1 << pairing.downfloaters[0])]
    return None


def _pairing_by_weights(bracket: Bracket, completion: Completion, floaters: Sequence[int]) -> BracketPairing | None:
    """The same where no tight pairs tell; of several *floaters* it is left open who they are."""
    who = floaters[0] if len(floaters) == 1 else None
    found = bracket_graph(bracket, completion, len(floaters), who).optimal(len(bracket.mdp_ranks))
    return None if found is None else first_optimum(bracket, *found, lambda _mate: True)


def _count_needed(bracket: Bracket, completion: Completion, *, near: bool) -> int:
    """How many of *bracket* must float at least: for its own sake, for one to have the bye, or, unless only those
    *near* are looked at, for the rest. 0 where one alone floats to have the bye, whom [C9] has a say in."""
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


class Rest:
    """Everybody after a bracket, and *count* downfloaters who may each meet whomever residents of it may; where the
    bye must go to one of them, the last may have that only.

    *near*: only the following scoregroup, with room for a few who float on from there, to whoever. That leaves more
    open; so it is asked for those who do float whether all below can be completed.
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
        return rest_graph(self.bracket, self.completion, self.ranks, joined, self.onward)

    @property
    def _first_onward(self) -> int:
        return len(self.ranks) + self.count

    def floaters(self) -> list[int]:
        """For each downfloater the residents (a bit set of ranks) who may meet somebody as in an optimum of the rest,
        or have the bye; empty sets where it is not known what is one."""
        takers, rows = self._takers(), self.completion.rows
        able = self.able
        if takers is not None:
            able = sum(1 << rank for rank in bits(able) if rows[rank] & takers)
        floaters = [able] * self.count
        if self.bye_receivers:
            floaters[-1] = self.bye_receivers
        return floaters

    def _takers(self) -> int | None:
        """Whom (by rank) the first downfloater may be matched with in an optimum of the rest, and perhaps some more;
        what holds of the first holds of all but one who has the bye. None: anybody, for he may float on.

        Where the optimum leaves two vertices for floating on to each other, it is none for want of room: the least cost
        is convex in the number who float on (``exact_path.pair_with_following``). Of a single downfloater the takers
        are known if no costs are left: just those whom a matching of the others can leave out.
        """
        if self.optimum is None:
            return 0
        mate, graph = self.optimum
        floater, first_onward = len(self.ranks), self._first_onward
        if self.onward and max(mate[first_onward:]) < first_onward:
            return 0
        taken: Iterable[int] = graph.rows[floater]
        if self._is_told_of_one:
            rows, mate, met = graph.bit_rows(), list(mate), mate[floater]
            mate[met] = FREE
            taken = bits(missable(rows, (1 << floater) - 1, mate, met) & rows[floater])
        elif max(taken) >= first_onward:
            return None
        return sum(1 << self.ranks[v] for v in taken)

    @property
    def _is_told_of_one(self) -> bool:
        return self.count == 1 and not self.onward and self.optimum is not None and self.optimum[1].is_plain

    def pairing_of_tight_and_rest(self) -> BracketPairing | None:
        """The pairing by the tight pairs of the bracket, those of an optimum of the rest, and who may meet across,
        where several float and not any of them will do; None where this does not tell.

        Proof. If no costs are left of the rest, a perfect matching of these with *count* across is as good as the rest
        alone and the bracket alone can be: to the rest downfloaters are all alike, so that each may have what one may.
        So if there is one, these are just the optimal candidates with their completions. None has fewer across, so
        they are the matchings of least cost where each pair across costs 1.
        """
        tight = tight_graph(self.bracket, self.floaters())
        if tight is None or self.optimum is None or not self.optimum[1].is_plain or self.onward or self.bye_receivers:
            return None
        size, below = len(tight.rows), len(self.ranks)
        rows: list[dict[int, int]] = [{} for _ in range(size + below)]
        for u, row in enumerate(tight.rows):
            for v in bits(row):
                rows[u][v] = rows[v][u] = 0
        for u, joined in enumerate(self.optimum[1].rows[:below]):
            rows[size + u] |= {size + v: 0 for v in joined if v < below}
        takers = self.optimum[1].rows[below]
        for u in bits(tight.floater_rows[0]):
            met = self.completion.rows[self.bracket.resident_ranks[u - tight.mdps]]
            for v in takers:
                if met >> self.ranks[v] & 1:
                    rows[u][size + v] = rows[size + v][u] = 1
        graph = CandidateGraph(size, rows)
        found = graph.optimal()
        if found is None or graph.cost(found[0]) != self.count:
            return None
        return first_optimum(self.bracket, *found, lambda _mate: True)

    def is_content_with(self, downfloaters: Sequence[int]) -> bool:
        """Whether *downfloaters* are residents, and the rest is completed with just these as well as it can be."""
        if self.optimum is None or any(rank < self.bracket.resident_ranks.start for rank in downfloaters):
            return False
        if self._is_told_of_one:
            return True
        graph = self._graph([self.completion.rows[rank] for rank in downfloaters])
        found = graph.optimal()
        if found is None or graph.cost(found[0]) != self.graph.cost(self.optimum[0]):
            return False
        players, partners = [*self.ranks, *downfloaters], found[0][: self._first_onward]
        floating_on = [rank for rank, v in zip(players, partners, strict=True) if v >= self._first_onward]
        return not self.below or self.completion.completes(sum(1 << rank for rank in floating_on) | self.below)
