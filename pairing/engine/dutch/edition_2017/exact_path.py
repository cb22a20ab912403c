"""The best candidate of a bracket by the rules of 2017 [C.04.3/2017 B], by matchings instead of by enumeration.

B.8 asks for the candidate that is best on [C.5]-[C.19] and, among those, generated first. As for 2026
(``edition_2026.exact_path``) both are costs of a matching. What differs is what lies below a bracket: an ordinary one
looks at the following bracket and no further [C.7], the penultimate one at nothing but whether the round can be
completed [C.4], the last one at the bye.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from pairing.engine.dutch.bracket import Bracket, BracketPairing, rows_without_pairs_inside
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph
from pairing.engine.dutch.solver.downfloaters import fewest_downfloaters
from pairing.engine.dutch.solver.first_candidate import downfloaters_in, first_optimum
from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable

from .collapsed_bracket import pair_by_levels
from .graphs import bracket_graph_2017, completing_graph, following_graph_2017, last_graph, parts_graph
from .place import Place
from .remaining_parts import rest_parts


def pair_bracket_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
    """The pairing of *bracket* [C.04.3/2017 B.8]."""
    match place:
        case Place.ORDINARY:
            return _pair_ordinary(bracket, completion)
        case Place.PENULTIMATE:
            return _pair_penultimate(bracket, completion)
        case Place.LAST:
            return _pair_last(bracket, completion)
    assert_never(place)


def _pair_ordinary(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of a bracket that others follow, [C.4] left out.

    The bracket alone is a relaxation: it has every candidate, at no higher cost, since only [C.7] is left open. If its
    first optimum meets [C.7] at the bound, it is the first optimum with [C.7] too.
    """
    floaters = fewest_downfloaters(bracket)

    def accept(downfloaters: int) -> bool:
        return leaves_ideal_following(bracket, downfloaters, completion)

    pairing = first_of(bracket, bracket_graph_2017(bracket, floaters), accept)
    if pairing is None:
        pairing = first_of(bracket, following_graph_2017(bracket, completion, floaters))
    return _found(pairing)


def _pair_penultimate(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of a bracket whose downfloaters complete the round with all below [C.4]; [C.7] does not apply.

    Of the rest nothing but its parts is looked at. If it wants fewer than the bracket cannot avoid, that is a
    relaxation: only [C.4] is left open.
    """
    below = remaining(bracket, completion)
    rest = rest_parts(completion, below)
    spare = max(fewest_downfloaters(bracket) - rest.wanting, 0)
    graph = parts_graph(bracket, completion, rest, spare)
    pairing = first_of(bracket, graph, lambda downfloaters: completion.completes(downfloaters | below))
    return pairing or _pair_completely(bracket, completion)


def remaining(bracket: Bracket, completion: Completion) -> int:
    """Everybody after *bracket* (a bit set of ranks), and the bye where it is not given yet."""
    return bracket.following_set | bracket.below_set | (0 if completion.bye is None else 1 << completion.bye)


def _pair_last(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of a bracket after which nobody is left: by levels where that tells, else with all its pairs."""
    pairing = pair_by_levels(bracket, completion)
    if pairing is not None:
        return pairing
    graph = last_graph(bracket, completion)
    return _found(None if graph is None else first_of(bracket, graph, costs_decide=True))


def _pair_completely(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of a bracket among those with which the round is complete."""
    return _found(first_of(bracket, completing_graph(bracket, completion)))


def _found(pairing: BracketPairing | None) -> BracketPairing:
    if pairing is None:
        raise InvariantError("a bracket has no candidate although the field could be paired")
    return pairing


def first_of(
    bracket: Bracket,
    graph: CandidateGraph,
    accept: Callable[[int], bool] = lambda _downfloaters: True,
    *,
    costs_decide: bool = False,
) -> BracketPairing | None:
    """The first optimum of *graph*; None where there is none, or *accept* refuses its downfloaters (by rank).

    *costs_decide* as for ``first_optimum``: where residents have different scores, who comes first in the bracket is
    hardly ever who is paired with whom.
    """
    found = graph.optimal()
    if found is None:
        return None
    ranks = [*bracket.mdp_ranks, *bracket.resident_ranks]

    def accept_mate(mate: Sequence[int]) -> bool:
        return accept(sum(1 << ranks[vertex] for vertex in downfloaters_in(mate, graph.size)))

    return first_optimum(bracket, *found, accept_mate, costs_decide=costs_decide)


def leaves_ideal_following(bracket: Bracket, downfloaters: int, completion: Completion) -> bool:
    """Whether *downfloaters* (a bit set) let the following bracket meet [C.7] at its bound.

    Their scores are fixed by [C.6]. The bound: all are paired, and nobody is left unpaired if the number is even, one
    resident if it is odd, who may receive the PAB if that bracket is the last. False says nothing.
    """
    if not downfloaters:
        return True
    rows = rows_without_pairs_inside(bracket.field, downfloaters)
    following = downfloaters | bracket.following_set
    mate = maximum_matching(rows, following)
    unpaired = [rank for rank in bits(following) if mate[rank] < 0]
    if len(unpaired) != 1:
        return not unpaired
    possible = missable(rows, following, mate, unpaired[0]) & ~downfloaters
    return bool(possible if bracket.below_set else possible & completion.receivers)
