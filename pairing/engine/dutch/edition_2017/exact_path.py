"""Find the best candidate of a bracket by the rules of 2017 [C.04.3/2017 B], by matchings.

B.8 asks for the candidate that is best on [C.5]-[C.19] and, among equals, generated first. Both are
costs of a matching, as in 2026. The editions differ in the players below a bracket: an ordinary
bracket depends on the following bracket and no further [C.7], the penultimate bracket only on
whether the round can be completed [C.4], and the last bracket on the bye.
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
from .graphs import (
    bracket_graph_2017,
    completing_graph,
    following_graph_2017,
    last_graph,
    parts_graph,
)
from .place import Place
from .remaining_parts import remaining_parts


def pair_exactly_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
    """Pair *bracket* [C.04.3/2017 B.8]."""
    match place:
        case Place.ORDINARY:
            return _pair_ordinary(bracket, completion)
        case Place.PENULTIMATE:
            return _pair_penultimate(bracket, completion)
        case Place.LAST:
            return _pair_last(bracket, completion)
    assert_never(place)


def _pair_ordinary(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair a bracket that is followed by others; [C.4] does not apply.

    The bracket alone is a relaxation: it has every candidate, at no higher cost, and ignores only
    [C.7]. If its first optimum meets [C.7] at the bound, it is also the first optimum with [C.7].
    """
    floaters = fewest_downfloaters(bracket)

    def accept(downfloaters: int) -> bool:
        return leaves_ideal_following(bracket, downfloaters, completion)

    pairing = first_of(bracket, bracket_graph_2017(bracket, floaters), accept)
    if pairing is None:
        pairing = first_of(bracket, following_graph_2017(bracket, completion, floaters))
    return _found(pairing)


def _pair_penultimate(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair a bracket whose downfloaters complete the round with everybody below [C.4].

    [C.7] does not apply. Only the parts of the remaining players matter. If they need fewer
    downfloaters than the bracket has at least, this is a relaxation that ignores only [C.4].
    """
    below = remaining(bracket, completion)
    rest = remaining_parts(completion, below)
    spare = max(fewest_downfloaters(bracket) - rest.wanting, 0)
    graph = parts_graph(bracket, completion, rest, spare)
    pairing = first_of(
        bracket, graph, lambda downfloaters: completion.completes(downfloaters | below)
    )
    return pairing or _pair_completely(bracket, completion)


def remaining(bracket: Bracket, completion: Completion) -> int:
    """Return everybody after *bracket* (a bit set of ranks), and the bye if not given yet."""
    return (
        bracket.following_set
        | bracket.below_set
        | (0 if completion.bye is None else 1 << completion.bye)
    )


def _pair_last(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair a bracket that no other follows: by score levels if possible, else with all pairs."""
    pairing = pair_by_levels(bracket, completion)
    if pairing is not None:
        return pairing
    return _found(first_of(bracket, last_graph(bracket, completion), costs_decide=True))


def _pair_completely(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Return the best pairing of a bracket with which the round can be completed."""
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
    """Return the first optimum of *graph*; None if there is none,
    or *accept* refuses its downfloaters (by rank).

    *costs_decide* is as for ``first_optimum``. It is for brackets whose residents have different
    scores, where the order of generation hardly ever agrees with the costs.
    """
    found = graph.optimal()
    if found is None:
        return None
    ranks = [*bracket.mdp_ranks, *bracket.resident_ranks]

    def accept_mate(mate: Sequence[int]) -> bool:
        return accept(sum(1 << ranks[vertex] for vertex in downfloaters_in(mate, graph.size)))

    return first_optimum(bracket, *found, accept_mate, costs_decide=costs_decide)


def leaves_ideal_following(bracket: Bracket, downfloaters: int, completion: Completion) -> bool:
    """Tell whether *downfloaters* (a bit set) let the following bracket meet [C.7] at its bound.

    [C.6] fixes their scores. At the bound all downfloaters are paired, and the bracket leaves
    nobody unpaired (even number) or one resident (odd number). If that bracket is the last, this
    resident must be a receiver of the PAB. False proves nothing.
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
