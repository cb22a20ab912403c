"""Pair a last bracket whose residents have many scores, by score levels.

A collapsed last bracket (A.9) can contain most of the field. Its upper scoregroups are large, and
the best candidates pair them within themselves. A boundary between two neighbouring scores is *odd*
if an odd number of players is above it; one pair crosses an odd boundary and none crosses the
others. This fails only at the bottom, where most players have met. So one score is chosen as the
*level*: the players with lower scores are *low*, the others *high*.

Without this module such a round of 800 players takes four to five times as long, 1.0 s instead of
0.2 s, which is more than the limit of 0.6 s in docs/developer/benchmarks.md. An ordinary tournament
hardly ever needs it.

Proof. Give each score difference a weight so much larger than the next smaller one that no number
of smaller ones adds up to it. Comparing sums is then comparing lists. A pair across several
boundaries weighs more than one pair across each of them would. So the parts of all pairs above the
level weigh at least as much as one pair across each odd boundary there. The parts below the level
weigh at least as much as the best matching of the low players in which any number of them may meet
a stand-in with the score of the level. The weight of a pair across the level is at least the sum of
both parts, and is equal only if the higher player has the score of the level. So a candidate that
reaches both bounds is best by [C.6]. The equally good candidates have, among the high players,
pairs of one score and one pair across each odd boundary; across the level, pairs of players with
its score; and among the low players, and across, the pairs of a best matching.

No two MDPs may be paired, so each MDP except a receiver of the bye is paired with a resident, and a
part of that pair reaches down to the highest resident. Beyond that part an MDP counts as if it had
the score of the highest resident.

The bye goes to the lowest score that may receive it, unless a pair has as large a score difference,
because the lists are compared from the largest item.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.criterion import ONE_POINT
from pairing.engine.dutch.solver.first_candidate import first_optimum
from pairing.engine.dutch.solver.mixed_radix import units
from pairing.engine.matching import minimum_cost_perfect_matching, optimal_face
from pairing.engine.matching.cardinality import bits
from pairing.engine.model import Points

from .costs import CollapsedCosts

LOW = 64
"""The number of low players, apart from more with the same score. It affects the time only."""

STAND_INS = 12
"""The number of low players that may be paired upwards."""


def pair_by_levels(
    bracket: Bracket, completion: Completion, *, low: int = LOW, stand_ins: int = STAND_INS
) -> BracketPairing | None:
    """Pair a last *bracket*; None if there is no level, or no candidate reaches both bounds.

    *low* and *stand_ins* are :data:`LOW` and :data:`STAND_INS`; other values are for tests with few
    players.
    """
    scores = Scores.from_bracket(bracket, completion)
    level = scores.level(low)
    lowest = None if level is None else Low.from_bracket(level, scores, bracket, stand_ins)
    if level is None or lowest is None:
        return None
    odd = scores.odd_boundaries(level)
    differences = [
        *scores.of_mdps,
        *[higher - lower for higher, lower in odd.items()],
        *lowest.differences,
    ]
    of_the_bye = []
    if scores.bye_score is not None:
        of_the_bye = [scores.bye_score - bracket.players[-1].score + ONE_POINT]
        if of_the_bye[0] <= max(differences, default=0):
            return None
    costs = CollapsedCosts(bracket, [*of_the_bye, *differences], lowest.differences)
    found = _graph(bracket, scores, odd, lowest, costs).optimal()
    if found is None or _differences(bracket, found[0]) != Counter(differences):
        return None
    return first_optimum(bracket, *found, lambda _mate: True, costs_decide=True)


@dataclass(frozen=True, slots=True)
class Scores:
    """Group the players of a last bracket by score, as sets of ranks, the highest first.

    MDPs are grouped with the highest residents. A group whose only member receives the bye is left
    out. ``receivers`` are the players of the lowest score allowed by [C.2]: one of them has the
    bye. The set is empty in an even field. ``of_mdps`` are the score differences of the other MDPs
    to the highest residents.
    """

    groups: dict[Points, int]
    receivers: int
    bye_score: Points | None
    of_mdps: list[int]

    @classmethod
    def from_bracket(cls, bracket: Bracket, completion: Completion) -> Scores:
        """Group the players of *bracket*."""
        highest = bracket.resident_score
        groups: dict[Points, int] = {}
        for player in bracket.players:
            score = min(player.score, highest)
            groups[score] = groups.get(score, 0) | 1 << player.rank
        of_mdps = [player.score - highest for player in bracket.mdps]
        if completion.bye is None:
            return cls(groups, 0, None, of_mdps)
        able = [player for player in bracket.players if completion.receivers >> player.rank & 1]
        bye_score = able[-1].score
        receivers = sum(1 << player.rank for player in able if player.score == bye_score)
        if bye_score > highest:
            of_mdps.remove(bye_score - highest)
        elif groups[bye_score].bit_count() == 1:
            del groups[bye_score]
        return cls(groups, receivers, bye_score, of_mdps)

    def level(self, low: int) -> Points | None:
        """Return the lowest score below which there are at least *low* players, if any."""
        below = 0
        for score, group in reversed(self.groups.items()):
            if below >= low:
                return score
            below += group.bit_count()
        return None

    def below(self, level: Points) -> list[int]:
        """List the low players, by rank."""
        return [
            rank for score, group in self.groups.items() if score < level for rank in bits(group)
        ]

    def from_above_to(self, level: Points) -> int:
        """Return the high players."""
        return sum(group for score, group in self.groups.items() if score >= level)

    def odd_boundaries(self, level: Points) -> dict[Points, Points]:
        """Return each score above the *level* with an odd boundary below it, and the next score."""
        odd: dict[Points, Points] = {}
        above = 0
        for (score, group), (following, _) in pairwise(self.groups.items()):
            above += (group & ~self.receivers).bit_count() + max(
                (group & self.receivers).bit_count() - 1, 0
            )
            if score > level and above % 2:
                odd[score] = following
        return odd


@dataclass(frozen=True, slots=True)
class Low:
    """Hold the low players and the pairs that their best matchings can have.

    ``rows`` has the possible partners among them by rank (sets of ranks), ``upwards`` the players
    who may meet a stand-in of the *level*, and ``differences`` the score differences greater than
    0.
    """

    level: Points
    rows: dict[int, int]
    upwards: int
    differences: list[int]

    @classmethod
    def from_bracket(
        cls, level: Points, scores: Scores, bracket: Bracket, stand_ins: int
    ) -> Low | None:
        """Match the low players; None without a matching, or if stand-ins might be too few.

        The least weight of a matching is convex in the number of players paired upwards. So if no
        best matching uses all stand-ins, more of them would not help, and no best matching pairs
        more players upwards.
        """
        ranks, high = scores.below(level), scores.from_above_to(level)
        score_of = [bracket.field.scores[rank] for rank in ranks]
        bye = [len(ranks)] if scores.receivers & sum(1 << rank for rank in ranks) else []
        first = len(ranks) + len(bye)
        rows: list[dict[int, int]] = [{} for _ in range(first + first % 2 + stand_ins)]
        weights = _weights([level, *score_of])
        for u, rank in enumerate(ranks):
            met, row = bracket.field.may_meet[rank], rows[u]
            for v in range(u):
                if met >> ranks[v] & 1:
                    row[v] = rows[v][u] = weights[score_of[v] - score_of[u]]
            for v in bye if scores.receivers >> rank & 1 else ():
                row[v] = rows[v][u] = 0
            for v in range(first, len(rows)) if met & high else ():
                row[v] = rows[v][u] = weights[level - score_of[u]]
        for u in range(first, len(rows)):
            rows[u] |= {v: 0 for v in range(first, len(rows)) if v != u}
        found = optimal_face(rows)
        if found is None or _can_pair_all(*found, first):
            return None
        mate, face = found
        above = [*score_of, *[level] * (len(rows) - len(ranks))]
        pairs = [
            (u, v)
            for u, v in enumerate(mate[: len(ranks)])
            if v not in bye and (v < u or v >= first)
        ]
        return cls(
            level,
            {
                rank: sum(1 << ranks[v] for v in face[u] if v < len(ranks))
                for u, rank in enumerate(ranks)
            },
            sum(1 << rank for u, rank in enumerate(ranks) if max(face[u]) >= first),
            [above[v] - above[u] for u, v in pairs if above[v] > above[u]],
        )


def _can_pair_all(mate: list[int], rows: list[dict[int, int]], first: int) -> bool:
    """Tell whether a matching of *rows* with the cost of *mate*, the least,
    has no pair of two vertices from *first* on.
    """
    apart = [
        {v: cost for v, cost in row.items() if v < first} if u >= first else row
        for u, row in enumerate(rows)
    ]
    found = minimum_cost_perfect_matching(apart)
    graph = CandidateGraph(0, rows)
    return found is not None and graph.cost(found) == graph.cost(mate)


def _weights(scores: list[Points]) -> dict[int, int]:
    """Return the weight of each score difference, above all smaller ones together; 0 for none."""
    values = sorted({abs(one - other) for one in scores for other in scores}, reverse=True)
    return dict(zip(values, [*units([len(scores) + 1] * (len(values) - 1)), 0], strict=True))


def _graph(
    bracket: Bracket, scores: Scores, odd: dict[Points, Points], low: Low, costs: CollapsedCosts
) -> CandidateGraph:
    """Return the pairs of candidates that reach both bounds, with a vertex for the bye.

    The highest digits are [C.6] for the pairs of the low players and across the level; the number
    of pairs across odd boundaries is next.
    """
    players, size = bracket.players, len(bracket.players)
    vertex_of = {player.rank: vertex for vertex, player in enumerate(players)}
    rows: list[dict[int, int]] = [{} for _ in range(size + (scores.receivers > 0))]
    for u, player in enumerate(players):
        row, score = rows[u], player.score
        if u < len(bracket.mdps):
            near = scores.groups.get(bracket.resident_score, 0)
        elif player.rank in low.rows:
            near = low.rows[player.rank]
        else:
            near = scores.groups.get(score, 0) | scores.groups.get(odd.get(score, score), 0)
            near |= low.upwards if score == low.level else 0
        below = (
            bracket.field.may_meet[player.rank] & near & bracket.resident_set & -(2 << player.rank)
        )
        for rank in bits(below):
            lower = players[vertex_of[rank]]
            above = costs.above(score - lower.score, is_low=rank in low.rows)
            if above is not None:
                v = vertex_of[rank]
                row[v] = rows[v][u] = above + costs.of_pair(player, lower)
        if scores.receivers >> player.rank & 1:
            row[size] = rows[size][u] = costs.of_downfloater(player)
    return CandidateGraph(size, rows)


def _differences(bracket: Bracket, mate: list[int]) -> Counter[int]:
    """Count how often the pairs of *mate* have each score difference greater than 0."""
    players = bracket.players
    pairs = [(u, v) for u, v in enumerate(mate[: len(players)]) if u < v < len(players)]
    return Counter(
        [
            players[u].score - players[v].score
            for u, v in pairs
            if players[u].score != players[v].score
        ]
    )
