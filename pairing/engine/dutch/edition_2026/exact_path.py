"""Find the best candidate [C.04.3/2026 Article 3] by matchings instead of by enumeration.

Article 3.8.1 asks for the candidate that is best on [C5]-[C21] and, among equals, generated first.
Both are costs of a matching (``costs``, ``solver.generation_order``). One minimum-cost perfect
matching after another fixes the MDP-pairing, then S1, then the partners of S1. This path handles
every case, and tests compare the faster ones with it.

Most of its time goes into the players below the bracket, so it first solves smaller graphs that
usually decide: the bracket with the needs of the remaining brackets, the bracket alone, and the
bracket with the following scoregroup. Without them a late round of 226 players takes twice as long
(docs/developer/engine.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.dutch.bracket import Bracket, BracketPairing, rows_without_pairs_inside
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters, residents_left_out
from pairing.engine.dutch.solver.first_candidate import downfloaters_in, first_optimum
from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable

from .bye import bye_is_near, gives_bye
from .floaters import possible_floaters
from .graphs import bracket_graph, following_graph, whole_graph, with_pairs_compared
from .remaining_brackets import pair_for_remaining_brackets

FEW_EDGES = 2_000
"""In a graph with fewer edges than this, all criteria are solved in one step."""

FEW_PAIRS = 2_000
"""With fewer possible pairs than this, the whole problem takes no
longer than a smaller one that may not decide.
"""


def pair_exactly(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair *bracket* by the smallest graph that is likely to decide.

    Three graphs are possible: the bracket alone with the fewest possible downfloaters, the bracket
    with the following scoregroup, and the bracket with everybody below. The first two are
    relaxations: they have every candidate of the whole problem, at no higher cost. If the first
    optimum of a relaxation is a candidate of the whole problem at the same cost, it is also the
    first optimum of the whole problem. Which graphs are tried affects the time only.
    """
    pairing = None
    if bracket.has_later and not _has_few_pairs(bracket, completion):
        pairing = pair_for_remaining_brackets(bracket, completion) or pair_alone(
            bracket, completion
        )
        near = len(bracket.mdp_ranks) + len(bracket.resident_ranks) + len(bracket.following_ranks)
        if pairing is None and (near + bracket.below_set.bit_count()) ** 2 > 3 * near**2:
            pairing = pair_with_following(bracket, completion)
    return pairing or pair_with_everybody_below(bracket, completion)


def _has_few_pairs(bracket: Bracket, completion: Completion) -> bool:
    """Tell whether few pairs are possible in this bracket and below, because most players have met.

    A smaller graph seldom decides then. Large fields are not counted.
    """
    to_come = bracket.mdp_set | bracket.resident_set | bracket.following_set | bracket.below_set
    count = to_come.bit_count()
    if count > FEW_PAIRS // 8:
        return False
    possible = sum((completion.rows[rank] & to_come).bit_count() for rank in bits(to_come))
    return possible < min(2 * FEW_PAIRS, count * count // 2)


def pair_alone(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """Pair the bracket alone; None if it is not completed, or may make the next one worse.

    The bracket alone ignores [C4] and [C8]. Its cost is that of the whole problem if the
    downfloaters meet [C4], and [C8] at its bound.
    """
    floaters = fewest_downfloaters(bracket)
    return (
        pair_alone_with(floaters, bracket, completion)
        if can_accept(floaters, bracket, completion)
        else None
    )


def pair_alone_with(
    floaters: int, bracket: Bracket, completion: Completion
) -> BracketPairing | None:
    """Pair the bracket alone with *floaters* downfloaters, the fewest possible.

    This is without the quick test of ``can_accept``.
    """
    players = bracket.players
    size = len(players)

    def accept(mate: Sequence[int]) -> bool:
        return leaves_ideal_rest(
            bracket, sum(1 << players[v].rank for v in downfloaters_in(mate, size)), completion
        )

    found = bracket_graph(bracket, completion, floaters).optimal(len(bracket.mdp_ranks))
    return None if found is None else first_optimum(bracket, *found, accept)


def pair_with_following(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """Pair the bracket together with the following scoregroup;
    None if the players who float on cannot be completed.

    This ignores [C4] beyond the following scoregroup. The graph has a limited number of vertices
    for floating on: as many as these groups need, and a few more. If the optimum leaves two of them
    unused, more would not improve it, because the least cost is convex in the number of players who
    float on (the matchings of a given size are a face of an integral polytope). Otherwise the
    search is repeated with more vertices.
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


def pair_with_everybody_below(
    bracket: Bracket, completion: Completion, few_edges: int = FEW_EDGES
) -> BracketPairing:
    """Pair the bracket by the whole problem, which ignores nothing.

    With fewer than *few_edges* edges all criteria are solved in one step.
    """
    graph = whole_graph(bracket, completion)
    found = optimal_candidates(
        bracket, completion, graph, in_steps=graph.count_edges() >= few_edges
    )
    pairing = None if found is None else first_optimum(bracket, *found, lambda _mate: True)
    if pairing is None:
        raise InvariantError("a bracket could not be completed although the field could")
    return pairing


def optimal_candidates(
    bracket: Bracket, completion: Completion, graph: CandidateGraph, *, in_steps: bool
) -> tuple[list[int], CandidateGraph] | None:
    """Return an optimal candidate and the graph of all, as :meth:`CandidateGraph.optimal` does.

    *graph* reaches below the bracket and has [C6]-[C8] as its costs. With *in_steps* the first step
    finds the candidates best by [C6]-[C8], and the second finds those of them that are best by
    [C9]-[C21]. Proof: the candidates of the first step are the matchings of least cost of the graph
    that it leaves, and digits below its costs choose among them. If everybody below affects who
    floats, the first step is most of the work, and it is fast with such short numbers.

    [C9] applies or not depending on the number of downfloaters, which is the same for all
    candidates best by [C6].
    """
    mdps = len(bracket.mdp_ranks)
    first = graph if in_steps else with_pairs_compared(graph, bracket, counts_bye=False)
    found = first.optimal(mdps)
    if found is None:
        return None
    counts_bye = gives_bye(bracket, completion) and len(downfloaters_in(found[0], graph.size)) == 1
    if in_steps:
        return with_pairs_compared(found[1], bracket, counts_bye=counts_bye).optimal()
    return (
        with_pairs_compared(graph, bracket, counts_bye=True).optimal(mdps) if counts_bye else found
    )


def _fewest_floating_on(bracket: Bracket, completion: Completion) -> int:
    """Count those of the bracket and the next who can neither be paired there nor have the bye."""
    vertices = bracket.mdp_set | bracket.resident_set | bracket.following_set
    if completion.bye is not None and bye_is_near(bracket, completion):
        vertices |= 1 << completion.bye
    mate = maximum_matching(completion.rows, vertices)
    return sum(mate[vertex] < 0 for vertex in bits(vertices))


def leaves_ideal_rest(bracket: Bracket, downfloaters: int, completion: Completion) -> bool:
    """Tell whether *downfloaters* satisfy [C4] and let the following bracket
    meet [C6] and [C7] at their bounds [C8].

    The bounds: nobody floats on from an even number of players and one resident from an odd number,
    and everybody else below can be completed. True proves that [C8] is optimal; False proves
    nothing.
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
    """Tell whether the bracket alone, with *floaters* downfloaters,
    can give the pairing of the whole problem.

    If there are more downfloaters than players in the following scoregroup plus one, at least two
    float on. A single downfloater is a resident if the bracket can leave one out [C7], and must be
    one that ``floaters`` finds.
    """
    if floaters == 0:
        return leaves_ideal_rest(bracket, 0, completion)
    if floaters > 1 or possible_floaters(bracket, completion):
        return floaters <= len(bracket.following_ranks) + 1
    return not residents_left_out(bracket)
