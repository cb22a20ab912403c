"""The pairing of a last bracket whose residents have many scores: [C.6] from the scores alone, but for the lowest.

A collapsed last bracket (A.9) can hold most of the field. Its upper scoregroups are large, and the best candidates pair
them among themselves: at an *odd boundary*, between two neighbouring scores with an odd number of players above, one
pair has a player on each side, and no pair elsewhere. Only at the bottom, where everybody has met, is it otherwise.
So a score, the *level*, is chosen: the players of lower scores are *low*, the others *high*.

Proof. Weigh each score difference so much heavier than the next smaller one that no pairs of smaller ones make up for
it: comparing sums is comparing lists. A pair across several boundaries then weighs more than one pair across each of
them would. So the part of each pair that lies above the level weighs no less, in all, than one pair across each odd
boundary there; what lies below weighs no less than the best matching of the low in which any number of them may meet a
stand-in of the level's score instead. The weight of a pair across the level is at least that of both its parts, and
just that only if the higher player has the level's score. So a candidate that has both these bounds is best by [C.6],
and those as good have: of the high, pairs of one score, and one across each odd boundary; pairs across the level from
its own score; of the low, and across, what a best matching of these may have.

No two MDPs may be paired, so each of them, but who has the bye, has a pair with a resident, and a part of it down to
the highest of these. Beyond that they count as if they had that score.

Who has the bye has the lowest score of those who may, if no pair has so large a difference: the lists are compared from
the largest.
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
"""So many players are low, or some more of the same score: a question of time only."""

STAND_INS = 12
"""So many low players may be paired upwards."""


def pair_by_levels(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of a last *bracket*; None where there is no level, or no candidate has both bounds."""
    scores = Scores.of(bracket, completion)
    level = scores.level()
    low = None if level is None else Low.of(level, scores, bracket)
    if level is None or low is None:
        return None
    odd = scores.odd_boundaries(level)
    differences = [*scores.of_mdps, *[higher - lower for higher, lower in odd.items()], *low.differences]
    of_the_bye = []
    if scores.bye_score is not None:
        of_the_bye = [scores.bye_score - bracket.players[-1].score + ONE_POINT]
        if of_the_bye[0] <= max(differences, default=0):
            return None
    costs = CollapsedCosts(bracket, [*of_the_bye, *differences], low.differences)
    found = _graph(bracket, scores, odd, low, costs).optimal()
    if found is None or _differences(bracket, found[0]) != Counter(differences):
        return None
    return first_optimum(bracket, *found, lambda _mate: True, costs_decide=True)


@dataclass(frozen=True, slots=True)
class Scores:
    """The players of a last bracket by score, as sets of ranks, the highest first, MDPs with the highest residents, but
    for a score that nobody has but who has the bye; who may have it: those of the lowest score of whom [C.2] allows it,
    or nobody where there is none; and the score differences of the other MDPs with the highest residents."""

    groups: dict[Points, int]
    receivers: int
    bye_score: Points | None
    of_mdps: list[int]

    @classmethod
    def of(cls, bracket: Bracket, completion: Completion) -> Scores:
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

    def level(self) -> Points | None:
        """The lowest score below which there are ``LOW`` players or more; None where there is none."""
        below = 0
        for score, group in reversed(self.groups.items()):
            if below >= LOW:
                return score
            below += group.bit_count()
        return None

    def below(self, level: Points) -> list[int]:
        """The low players, by rank."""
        return [rank for score, group in self.groups.items() if score < level for rank in bits(group)]

    def from_above_to(self, level: Points) -> int:
        """The high players."""
        return sum(group for score, group in self.groups.items() if score >= level)

    def odd_boundaries(self, level: Points) -> dict[Points, Points]:
        """Each score above the *level* with an odd boundary below it, and the next score."""
        odd: dict[Points, Points] = {}
        above = 0
        for (score, group), (following, _) in pairwise(self.groups.items()):
            above += (group & ~self.receivers).bit_count() + max((group & self.receivers).bit_count() - 1, 0)
            if score > level and above % 2:
                odd[score] = following
        return odd


@dataclass(frozen=True, slots=True)
class Low:
    """The low players, and what their best matchings can have: for each the partners among them (``rows``, by rank,
    sets of ranks), those who may meet a stand-in of the *level*; and the score differences, those of 0 left out."""

    level: Points
    rows: dict[int, int]
    upwards: int
    differences: list[int]

    @classmethod
    def of(cls, level: Points, scores: Scores, bracket: Bracket) -> Low | None:
        """None where there is no matching, or more than there are stand-ins may be paired upwards in a best one.

        The least weight of a matching is convex in the number of players whom it pairs. So if no best one pairs all
        stand-ins with low players, with more of them there is none that is as good and pairs more.
        """
        ranks, high = scores.below(level), scores.from_above_to(level)
        score_of = [bracket.field.scores[rank] for rank in ranks]
        bye = [len(ranks)] if scores.receivers & sum(1 << rank for rank in ranks) else []
        first = len(ranks) + len(bye)
        rows: list[dict[int, int]] = [{} for _ in range(first + first % 2 + STAND_INS)]
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
        pairs = [(u, v) for u, v in enumerate(mate[: len(ranks)]) if v not in bye and (v < u or v >= first)]
        return cls(
            level,
            {rank: sum(1 << ranks[v] for v in face[u] if v < len(ranks)) for u, rank in enumerate(ranks)},
            sum(1 << rank for u, rank in enumerate(ranks) if max(face[u]) >= first),
            [above[v] - above[u] for u, v in pairs if above[v] > above[u]],
        )


def _can_pair_all(mate: list[int], rows: list[dict[int, int]], first: int) -> bool:
    """Whether no two vertices from *first* on are matched in some matching of *rows* that costs as little as *mate*,
    which costs the least."""
    apart = [{v: cost for v, cost in row.items() if v < first} if u >= first else row for u, row in enumerate(rows)]
    found = minimum_cost_perfect_matching(apart)
    graph = CandidateGraph(0, rows)
    return found is not None and graph.cost(found) == graph.cost(mate)


def _weights(scores: list[Points]) -> dict[int, int]:
    """What each score difference weighs, more than all smaller ones together; 0 for none."""
    values = sorted({abs(one - other) for one in scores for other in scores}, reverse=True)
    return dict(zip(values, [*units([len(scores) + 1] * (len(values) - 1)), 0], strict=True))


def _graph(
    bracket: Bracket, scores: Scores, odd: dict[Points, Points], low: Low, costs: CollapsedCosts
) -> CandidateGraph:
    """The pairs that candidates with both bounds may have, and a vertex for the bye. What the pairs of the low, and
    across the level, add to [C.6] is highest, and how many pairs there are across odd boundaries is next."""
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
        below = bracket.field.may_meet[player.rank] & near & bracket.resident_set & -(2 << player.rank)
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
    """How often the pairs of *mate* have each score difference, those of 0 left out."""
    players = bracket.players
    pairs = [(u, v) for u, v in enumerate(mate[: len(players)]) if u < v < len(players)]
    return Counter([players[u].score - players[v].score for u, v in pairs if players[u].score != players[v].score])
