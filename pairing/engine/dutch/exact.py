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

from .bracket import Bracket, BracketPairing
from .completion import Completion
from .field import Field
from .generation import ExchangeOrder, MdpOrder, TranspositionOrder
from .graph import CandidateGraph, bracket_graph, gives_bye, whole_graph

Accept = Callable[[Sequence[int]], bool]


def pair_bracket(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of *bracket*.

    First the bracket alone is solved, with as many downfloaters as it must have and what lies below left
    open. That is a relaxation: every candidate of the whole problem with so few downfloaters is among its
    candidates, at the same cost but for [C4] and [C8], which it takes as met. If its first optimum does
    satisfy [C4], and [C8] at its bound, it is the first optimum of the whole problem too. Otherwise the
    whole problem is solved: the bracket with everybody below.
    """
    if bracket.has_later:
        pairing = _pair_alone(bracket, completion)
        if pairing is not None:
            return pairing
    return pair_with_everybody_below(bracket, completion)


def _pair_alone(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of the bracket alone, or None if it cannot be completed or could hurt the one that follows."""
    floaters = _fewest_downfloaters(bracket)
    players = bracket.players

    def accept(downfloaters: Sequence[int]) -> bool:
        return leaves_ideal_rest(bracket, sum(1 << players[v].rank for v in downfloaters), completion)

    if floaters == 0 and not accept(()):
        return None
    graph = bracket_graph(bracket, completion, floaters)
    return _first_optimum(bracket, graph, floaters, accept)


def pair_with_everybody_below(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of the bracket by the whole problem. How many players float, and so whether [C9] applies, is
    known from a first solution without [C9]: [C6] stands above it."""
    graph = whole_graph(bracket, completion, counts_bye=False)
    mate = graph.best()
    if mate is None:
        raise InvariantError("a bracket could not be completed although the field could")
    floaters = len(_downfloaters(mate, graph.size))
    if floaters == 1 and gives_bye(bracket, completion):
        graph = whole_graph(bracket, completion, counts_bye=True)
    pairing = _first_optimum(bracket, graph, floaters)
    if pairing is None:
        raise InvariantError("a bracket was completed once and could not be completed again")
    return pairing


def _first_optimum(
    bracket: Bracket, graph: CandidateGraph, floaters: int, accept: Accept = lambda _downfloaters: True
) -> BracketPairing | None:
    """The best candidate in *graph* with *floaters* downfloaters that is generated first.

    None if there is none or *accept* refuses its downfloaters; *accept* is asked as soon as a matching shows
    an optimal set of them, to spare the rest of the work, and again for the final one.
    """
    mdps, size = len(bracket.mdps), graph.size
    pairs = (size - floaters) // 2
    mate: list[int] | None
    opponents: dict[int, int] = {}
    if mdps:
        order = MdpOrder(mdps, size)
        mate = graph.best(order.cost, order.limit)
        if mate is None or not accept(_downfloaters(mate, size)):
            return None
        opponents = {u: mate[u] for u in range(mdps) if mate[u] < size}
        taken = frozenset(opponents.values())
        graph = graph.restricted(lambda u, v: opponents.get(u) == v if u < mdps else u not in taken and v not in taken)
    remainder = [u for u in range(mdps, size) if u not in opponents.values()]
    mate = _pair_remainder(graph, remainder, pairs - len(opponents))
    if mate is None or not accept(_downfloaters(mate, size)):
        return None
    players = bracket.players
    return BracketPairing(
        pairs=tuple((players[u].rank, players[mate[u]].rank) for u in range(size) if u < mate[u] < size),
        downfloaters=tuple(players[u].rank for u in _downfloaters(mate, size)),
    )


def _pair_remainder(graph: CandidateGraph, remainder: Sequence[int], pairs: int) -> list[int] | None:
    """The mates when the *remainder* (or homogeneous bracket) gets its *pairs* pairs; the rest of *graph* is fixed.

    The first matching fixes S1 by the order of the exchanges and, if S1 is the original one, the transposition
    too; otherwise a second one does.
    """
    exchange = ExchangeOrder(remainder, pairs)
    mate = graph.best(exchange.cost, exchange.limit, exchange.start_duals(len(graph.rows)))
    if mate is None:
        return None
    among = frozenset(remainder)
    s1 = [u for u in remainder if u < mate[u] < graph.size]
    if s1 == list(remainder[:pairs]):
        return mate
    chosen = frozenset(s1)
    transposition = TranspositionOrder(remainder, s1)
    graph = graph.restricted(lambda u, v: u not in among or (u in chosen) != (v in chosen))
    return graph.best(transposition.cost, transposition.limit)


def _downfloaters(mate: Sequence[int], size: int) -> list[int]:
    return [u for u in range(size) if mate[u] >= size]


def _fewest_downfloaters(bracket: Bracket) -> int:
    """How many players no pairing of the bracket alone can avoid to leave unpaired [C6]."""
    everybody = bracket.mdp_set | bracket.resident_set
    mate = maximum_matching(_rows_without_pairs_inside(bracket.field, bracket.mdp_set), everybody)
    return sum(mate[rank] < 0 for rank in bits(everybody))


def leaves_ideal_rest(bracket: Bracket, downfloaters: int, completion: Completion) -> bool:
    """Whether *downfloaters* satisfy [C4] and let the following bracket meet [C6] and [C7] at their bounds [C8].

    The bounds: nobody floats on if their number is even, one resident if it is odd; everybody else below
    completes. True proves [C8] optimal; False says nothing.
    """
    below = bracket.below_set | (0 if completion.bye is None else 1 << completion.bye)
    if not downfloaters:
        return completion.completes(bracket.following_set | below)
    following = downfloaters | bracket.following_set
    rows = _rows_without_pairs_inside(bracket.field, downfloaters)
    mate = maximum_matching(rows, following)
    unpaired = [rank for rank in bits(following) if mate[rank] < 0]
    if not unpaired:
        return completion.completes(below)
    if len(unpaired) > 1:
        return False
    candidates = missable(rows, following, mate, unpaired[0]) & ~downfloaters
    return any(completion.completes(below | 1 << rank) for rank in bits(candidates))


def _rows_without_pairs_inside(field: Field, group: int) -> list[int]:
    if not group:
        return field.may_meet
    return [row & ~group if group >> rank & 1 else row for rank, row in enumerate(field.may_meet)]
