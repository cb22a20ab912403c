"""The best candidate of a bracket [C.04.3/2026 Article 3], by matchings instead of by enumeration.

Article 3.8.1 asks for the candidate that is best on [C5]-[C21] and, among those, generated first. Both are
costs of a matching (``weights``, ``generation``), so one minimum-cost perfect matching after another fixes
first the MDP-pairing, then S1, then its partners. This is the exact path: no case is left out, and any faster
one is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable

from .bracket import Bracket, BracketPairing, rows_without_pairs_inside as rows_without_pairs_inside
from .completion import Completion
from .face import Face
from .floater import next_best_floaters, possible_floaters, residents_left_out
from .generation import ExchangeOrder, MdpOrder, TranspositionOrder
from .graph import (
    CandidateGraph,
    bracket_graph,
    bye_is_near,
    following_graph,
    gives_bye,
    whole_graph,
    with_pairs_compared,
)

Accept = Callable[[Sequence[int]], bool]
"""Whether a matching (the mate of each vertex) found in a relaxation is one of the whole problem."""


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
        pairing = pair_with_one_floater(bracket, completion) or pair_alone(bracket, completion)
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


def pair_with_one_floater(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of the bracket alone where one resident floats, of those who are best for the rest; None where that
    is not told.

    It is no relaxation: ``floater`` says why no candidate is better on [C4]-[C8], and which are as good.
    """
    floaters = next_best_floaters(bracket, completion)
    found = bracket_graph(bracket, completion, 1, floaters).optimal(len(bracket.mdp_ranks)) if floaters else None
    return None if found is None else first_optimum(bracket, *found, lambda _mate: True)


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


def first_optimum(
    bracket: Bracket, mate: list[int], graph: CandidateGraph, accept: Accept, *, costs_decide: bool = False
) -> BracketPairing | None:
    """The candidate generated first among the optimal ones, of which *graph* is the graph and *mate* one.

    None if *accept* refuses it; that is asked of every matching found on the way, to spare the rest of the work.

    Where *graph* has costs still, its perfect matchings are the optimal candidates and some more. If the first of all
    is an optimal one, no other comes before it: so the costs are left aside at first, unless *costs_decide* says that
    this is hopeless.
    """
    if not accept(mate):
        return None
    if graph.is_plain:
        found = first_of_face(bracket, mate, graph, accept)
    elif costs_decide:
        found = first_by_cost(bracket, mate, graph, accept)
    else:
        found = first_of_face(bracket, mate, graph, lambda _mate: True)
        if found is None or graph.cost(found) > graph.cost(mate):
            found = first_by_cost(bracket, mate, graph, accept)
        elif not accept(found):
            found = None
    if found is None:
        return None
    size, ranks = graph.size, [*bracket.mdp_ranks, *bracket.resident_ranks]
    return BracketPairing(
        pairs=tuple((ranks[u], ranks[found[u]]) for u in range(size) if u < found[u] < size),
        downfloaters=tuple(ranks[u] for u in downfloaters_in(found, size)),
    )


def first_of_face(bracket: Bracket, mate: list[int], graph: CandidateGraph, accept: Accept) -> list[int] | None:
    """The mates in the first candidate where all perfect matchings of *graph* are optimal."""
    mdps, size = len(bracket.mdp_ranks), graph.size
    pairs = (size - len(downfloaters_in(mate, size))) // 2
    face = Face(graph.bit_rows(), list(mate), size, mdps)
    opponents = face.pair_mdps()
    if not accept(face.mate):
        return None
    if pairs > len(opponents):
        taken = frozenset(opponents)
        remainder = [u for u in range(mdps, size) if u not in taken]
        if not face.pair_remainder(remainder, pairs - len(opponents)) or not accept(face.mate):
            return None
    return face.mate


def first_by_cost(bracket: Bracket, mate: list[int], graph: CandidateGraph, accept: Accept) -> list[int] | None:
    """The mates in the first candidate where *graph* still has costs: the order is a cost below these."""
    mdps, size = len(bracket.mdp_ranks), graph.size
    pairs = (size - len(downfloaters_in(mate, size))) // 2
    opponents: dict[int, int] = {}
    if mdps:
        order = MdpOrder(mdps, size)
        mate = graph.best(order.cost, order.limit)
        if not accept(mate):
            return None
        opponents = {u: mate[u] for u in range(mdps) if mate[u] < size}
        free = frozenset(range(mdps, size)) - frozenset(opponents.values())
        graph = graph.settled(opponents, free)
    if pairs > len(opponents):
        remainder = [u for u in range(mdps, size) if u not in opponents.values()]
        mate = _pair_remainder(graph, mate, remainder, pairs - len(opponents))
        if not accept(mate):
            return None
    return mate


def _pair_remainder(graph: CandidateGraph, mate: list[int], remainder: Sequence[int], pairs: int) -> list[int]:
    """The mates when the *remainder* (or homogeneous bracket) gets its *pairs* pairs; the rest of *graph* is fixed, and
    *mate* is one of its matchings of least cost.

    There is no exchange if the matchings with the original S1 cost no more. Otherwise the order of the exchanges is
    solved for. S1 known, its partners are found by searches if those matchings of least cost are all perfect ones of
    their edges, else by the order of the transpositions as a cost.
    """
    s1: Sequence[int] = remainder[:pairs]
    found = _with_s1(graph, remainder, s1).optimal()
    if found is None or graph.cost(found[0]) > graph.cost(mate):
        exchange = ExchangeOrder(remainder, pairs)
        mate = graph.best(exchange.cost, exchange.limit, exchange.start_duals(len(graph.rows)))
        s1 = [u for u in remainder if u < mate[u] < graph.size]
        found = _with_s1(graph, remainder, s1).optimal()
        if found is None:
            raise InvariantError("an S1 was found and does not fit")
    mate, optimal = found
    if optimal.is_plain:
        face = Face(optimal.bit_rows(), mate, graph.size, 0)
        face.pair_in_turn(s1)
        return face.mate
    transposition = TranspositionOrder(remainder, s1)
    return optimal.best(transposition.cost, transposition.limit)


def _with_s1(graph: CandidateGraph, remainder: Sequence[int], s1: Sequence[int]) -> CandidateGraph:
    """*graph* where two of the *remainder* are paired only if one of them is in *s1*."""
    return graph.across(frozenset(s1), frozenset(remainder).difference(s1))


def downfloaters_in(mate: Sequence[int], size: int) -> list[int]:
    """Those of the *size* players of a bracket whose mate is outside it."""
    return [u for u in range(size) if mate[u] >= size]


def fewest_downfloaters(bracket: Bracket) -> int:
    """How many players no pairing of the bracket alone can avoid to leave unpaired [C6]."""
    everybody = bracket.mdp_set | bracket.resident_set
    mate = maximum_matching(bracket.rows_without_pairs_of_mdps, everybody)
    return sum(mate[rank] < 0 for rank in bits(everybody))


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
    bracket can do without one [C7], and then has to be one whom ``floater`` tells.
    """
    if floaters == 0:
        return leaves_ideal_rest(bracket, 0, completion)
    if floaters > 1 or possible_floaters(bracket, completion):
        return floaters <= len(bracket.following_ranks) + 1
    return not residents_left_out(bracket)
