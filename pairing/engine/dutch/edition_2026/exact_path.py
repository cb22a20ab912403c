"""The best candidate of a bracket [C.04.3/2026 Article 3], by matchings instead of by enumeration.

Article 3.8.1 asks for the candidate that is best on [C5]-[C21] and, among those, generated first. Both are
costs of a matching (``costs``, ``solver.generation_order``), so one minimum-cost perfect matching after another fixes
first the MDP-pairing, then S1, then its partners. This is the exact path: no case is left out, and any faster
one is compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.dutch.bracket import Bracket, BracketPairing, rows_without_pairs_inside as rows_without_pairs_inside
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters, residents_left_out
from pairing.engine.dutch.solver.first_candidate import downfloaters_in, first_optimum
from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable

from .bye import bye_is_near, gives_bye
from .floaters import possible_floaters
from .graphs import bracket_graph, following_graph, whole_graph, with_pairs_compared
from .remaining_brackets import pair_for_the_rest

FEW_EDGES = 2_000
"""In so small a graph all criteria are asked at once."""

FEW_PAIRS = 2_000
"""With so few possible pairs the whole problem takes no longer than a smaller one that may have been in vain."""


def pair_bracket(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of *bracket*, by the smallest problem that is likely to give it.

    The bracket alone, with as many downfloaters as it must have; the bracket with the following scoregroup; the
    bracket with everybody below: each leaves less open. The first two are relaxations: every candidate of the
    whole problem is among theirs, at no higher cost. If the first optimum of a relaxation is a candidate of the
    whole problem at the same cost, it is the first optimum of that too. Which are tried is a question of time only.
    """
    pairing = None
    if bracket.has_later and not _has_few_pairs(bracket, completion):
        pairing = pair_for_the_rest(bracket, completion) or pair_alone(bracket, completion)
        near = len(bracket.mdp_ranks) + len(bracket.resident_ranks) + len(bracket.following_ranks)
        if pairing is None and (near + bracket.below_set.bit_count()) ** 2 > 3 * near**2:
            pairing = pair_with_following(bracket, completion)
    return pairing or pair_with_everybody_below(bracket, completion)


def _has_few_pairs(bracket: Bracket, completion: Completion) -> bool:
    """Whether few pairs are possible in this bracket and below, as most players have met: then a smaller problem seldom
    answers. Large fields are not counted."""
    to_come = bracket.mdp_set | bracket.resident_set | bracket.following_set | bracket.below_set
    count = to_come.bit_count()
    if count > FEW_PAIRS // 8:
        return False
    possible = sum((completion.rows[rank] & to_come).bit_count() for rank in bits(to_come))
    return possible < min(2 * FEW_PAIRS, count * count // 2)


def pair_alone(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of the bracket alone, or None if it cannot be completed or could hurt the one that follows.

    What is left open is [C4] and [C8]. The cost is that of the whole problem if the downfloaters meet [C4], and
    [C8] at its bound.
    """
    floaters = fewest_downfloaters(bracket)
    return pair_alone_with(floaters, bracket, completion) if can_accept(floaters, bracket, completion) else None


def pair_alone_with(floaters: int, bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The same where the fewest *floaters* are known, and it is not asked beforehand whether it can be accepted."""
    players = bracket.players
    size = len(players)

    def accept(mate: Sequence[int]) -> bool:
        return leaves_ideal_rest(bracket, sum(1 << players[v].rank for v in downfloaters_in(mate, size)), completion)

    found = bracket_graph(bracket, completion, floaters).optimal(len(bracket.mdp_ranks))
    return None if found is None else first_optimum(bracket, *found, accept)


def pair_with_following(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of the bracket with the following scoregroup, or None if those who float on cannot be completed.

    What is left open is [C4] beyond the following scoregroup. Only so many may float on as there are vertices for
    it: as few as these groups need, and some more. If the optimum leaves two of those vertices over, more of them
    would not better it, for the least cost is convex in the number who float on (the matchings of a given size are a
    face of an integral polytope); if it does not, it is sought with more of them.
    """
    players = [*bracket.mdp_ranks, *bracket.resident_ranks, *bracket.following_ranks]
    near = bye_is_near(bracket, completion)
    below = bracket.below_set | (0 if completion.bye is None or near else 1 << completion.bye)
    fewest = _fewest_floating_on(bracket, completion)
    first = len(players) + near

    def accept(mate: Sequence[int]) -> bool:
        floating_on = sum(1 << rank for vertex, rank in enumerate(players) if mate[vertex] >= first)
        return completion.completes(floating_on | below)

    for more in (4, 12, 36):
        onward = min(fewest + more, first)
        graph = following_graph(bracket, completion, onward)
        found = optimal_candidates(bracket, completion, graph, in_steps=False)
        if found is None:
            return None
        if onward == first or max(found[0][first:]) >= first:
            return first_optimum(bracket, *found, accept)
    return None


def pair_with_everybody_below(bracket: Bracket, completion: Completion, few_edges: int = FEW_EDGES) -> BracketPairing:
    """The pairing of the bracket by the whole problem, which leaves nothing open; with fewer than *few_edges* all
    criteria are asked at once."""
    graph = whole_graph(bracket, completion)
    found = optimal_candidates(bracket, completion, graph, in_steps=graph.count_edges() >= few_edges)
    pairing = None if found is None else first_optimum(bracket, *found, lambda _mate: True)
    if pairing is None:
        raise InvariantError("a bracket could not be completed although the field could")
    return pairing


def optimal_candidates(
    bracket: Bracket, completion: Completion, graph: CandidateGraph, *, in_steps: bool
) -> tuple[list[int], CandidateGraph] | None:
    """One optimal candidate, and the graph of them all, as :meth:`CandidateGraph.optimal` gives them; *graph* reaches
    below the bracket, and has [C6]-[C8] as its costs.

    *in_steps*: first the candidates best by [C6]-[C8], then among them those best by [C9]-[C21]. Proof: the first are
    the matchings of least cost of the graph that the first step leaves, and digits below its costs choose among them.
    Where everybody below has a say in who floats, that is most of the way; with numbers so short, hardly any two of
    them different, it is the shorter.

    Whether [C9] applies depends on how many float, the same for all that are best by [C6].
    """
    mdps = len(bracket.mdp_ranks)
    first = graph if in_steps else with_pairs_compared(graph, bracket, counts_bye=False)
    found = first.optimal(mdps)
    if found is None:
        return None
    counts_bye = gives_bye(bracket, completion) and len(downfloaters_in(found[0], graph.size)) == 1
    if in_steps:
        return with_pairs_compared(found[1], bracket, counts_bye=counts_bye).optimal()
    return with_pairs_compared(graph, bracket, counts_bye=True).optimal(mdps) if counts_bye else found


def _fewest_floating_on(bracket: Bracket, completion: Completion) -> int:
    """How many of the bracket and the following scoregroup cannot be paired among themselves, nor have the bye."""
    vertices = bracket.mdp_set | bracket.resident_set | bracket.following_set
    if completion.bye is not None and bye_is_near(bracket, completion):
        vertices |= 1 << completion.bye
    mate = maximum_matching(completion.rows, vertices)
    return sum(mate[vertex] < 0 for vertex in bits(vertices))


def leaves_ideal_rest(bracket: Bracket, downfloaters: int, completion: Completion) -> bool:
    """Whether *downfloaters* satisfy [C4] and let the following bracket meet [C6] and [C7] at their bounds [C8].

    The bounds: nobody floats on if their number is even, one resident if it is odd; everybody else below
    completes. True proves [C8] optimal; False says nothing.
    """
    below = bracket.below_set | (0 if completion.bye is None else 1 << completion.bye)
    if not downfloaters:
        return completion.completes(bracket.following_set | below)
    following = downfloaters | bracket.following_set
    rows = rows_without_pairs_inside(bracket.field, downfloaters)
    mate = maximum_matching(rows, following)
    unpaired = [rank for rank in bits(following) if mate[rank] < 0]
    if not unpaired:
        return completion.completes(below)
    if len(unpaired) > 1:
        return False
    candidates = missable(rows, following, mate, unpaired[0]) & ~downfloaters
    return bool(completion.joining(below, candidates))


def can_accept(floaters: int, bracket: Bracket, completion: Completion) -> bool:
    """Whether the pairing of the bracket alone, with the fewest *floaters* there can be, may be that of the whole.

    If they are more than the following scoregroup and one, two at least float on. A single one is a resident if the
    bracket can do without one [C7], and then has to be one whom ``floaters`` tells.
    """
    if floaters == 0:
        return leaves_ideal_rest(bracket, 0, completion)
    if floaters > 1 or possible_floaters(bracket, completion):
        return floaters <= len(bracket.following_ranks) + 1
    return not residents_left_out(bracket)
