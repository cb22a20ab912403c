"""Apply Article 4 to tight pairs, to find the first optimal candidate without costs.

If the tight pairs (``tight_edges``) have a perfect matching, the optimal candidates are exactly the
perfect matchings of tight pairs. Small brackets are handled by a table (``small_brackets``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from pairing.engine.matching.transposition import first_transposition

from .criteria_costs import CostsOf
from .optimal_face import first_exchange
from .single_exchange import single_exchanges
from .small_brackets import MOST_VERTICES, best_of_small
from .tight_edges import TightGraph, tight_graph

TRIES = 50
"""The number of single exchanges to try before all exchanges are ordered by one matching.

It affects the time only.
"""


def pairing_with(
    bracket: Bracket, floaters: Sequence[int], costs_of: CostsOf
) -> BracketPairing | None:
    """Return the first of the best candidates in which one of each of
    *floaters* floats and everybody else is paired.

    *floaters* are bit sets of residents' ranks. None if there is no such candidate, or the tight
    pairs do not decide.
    """
    if (
        len(floaters) > 1
        or len(bracket.mdp_ranks) + len(bracket.resident_ranks) + len(floaters) > MOST_VERTICES
    ):
        return pairing_of_tight(bracket, floaters)
    return best_of_small(bracket, sum(floaters), costs_of)


def pairing_of_tight(bracket: Bracket, floaters: Sequence[int]) -> BracketPairing | None:
    """Return the first candidate of tight pairs in which one of each of
    *floaters* floats and everybody else is paired.

    *floaters* are bit sets of residents' ranks. None if there is no such candidate.
    """
    tight = tight_graph(bracket, floaters)
    if tight is None:
        return None
    pairs = _first_candidate(tight)
    if pairs is None:
        return None
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    ranks = [*bracket.mdp_ranks, *bracket.resident_ranks]
    downfloaters = tuple(sorted([ranks[u] for u, v in pairs if v >= size]))
    return BracketPairing(tuple((ranks[u], ranks[v]) for u, v in pairs if v < size), downfloaters)


def _first_candidate(tight: TightGraph) -> list[tuple[int, int]] | None:
    """Return the perfect matching of *tight* that Article 4 generates first;
    floater vertices come after the players.

    If the MDPs can have their lowest partners one after another, and the remainder can then be
    paired, no MDP-pairing comes earlier. Otherwise the MDP-pairing is found by changing a perfect
    matching.
    """
    size = len(tight.rows)
    if not tight.mdps:
        return _pair_remainder(tight, range(size))
    opponents = _lowest_in_turn(tight.rows[: tight.mdps])
    if opponents is not None:
        remainder = _pair_remainder(tight, _left(tight, opponents))
        if remainder is not None:
            return [*enumerate(opponents), *remainder]
    opponents = _mdp_pairing(tight)
    if opponents is None:
        return None
    remainder = _pair_remainder(tight, _left(tight, opponents))
    return None if remainder is None else [*enumerate(opponents), *remainder]


def _lowest_in_turn(rows: Sequence[int]) -> list[int] | None:
    """Give each in turn the lowest partner left; None if someone has no partner left."""
    taken = 0
    opponents = []
    for row in rows:
        left = row & ~taken
        if not left:
            return None
        low = left & -left
        taken |= low
        opponents.append(low.bit_length() - 1)
    return opponents


def _left(tight: TightGraph, opponents: Sequence[int]) -> list[int]:
    taken = frozenset(opponents)
    return [v for v in range(tight.mdps, len(tight.rows)) if v not in taken]


def _mdp_pairing(tight: TightGraph) -> list[int] | None:
    """Return the opponents in the first MDP-pairing that lets the remainder match perfectly.

    Each MDP in turn takes the lowest opponent that leaves a perfect matching: the present one, or
    one whose mate an alternating path can match again.
    """
    rows = _rows_with_floaters(tight)
    for u in range(tight.mdps):
        for v in bits(rows[u]):
            rows[v] |= 1 << u
    left = (1 << len(rows)) - 1
    mate = maximum_matching(rows, left)
    if not is_perfect(mate, left):
        return None
    opponents = []
    for u in range(tight.mdps):
        for v in bits(tight.rows[u] & left):
            rest = left & ~(1 << u | 1 << v)
            trial = maximum_matching(rows, rest, mate)
            if is_perfect(trial, rest):
                mate, left = trial, rest
                opponents.append(v)
                break
    return opponents


def _rows_with_floaters(tight: TightGraph) -> list[int]:
    """Return the rows of players and floater vertices, with the edges between them in both."""
    rows = [*tight.rows, *tight.floater_rows]
    for vertex, row in enumerate(tight.floater_rows, len(tight.rows)):
        for v in bits(row):
            rows[v] |= 1 << vertex
    return rows


def _pair_remainder(tight: TightGraph, remainder: Sequence[int]) -> list[tuple[int, int]] | None:
    """Return the pairs of the remainder (or homogeneous bracket) that are
    generated first [C.04.3/2026 3.6, 4.2, 4.3].

    If S1 and S2 fit, there is no exchange. Otherwise it is the first exchange that lets them fit. A
    single exchange, which is enough if only a player of S1 may float, is found by trying. After
    ``TRIES`` attempts, a matching of tight pairs with the order of the exchanges as its cost gives
    S1.
    """
    size, floaters = len(tight.rows), len(tight.floater_rows)
    count = (len(remainder) - floaters) // 2
    pairs = _transpose(tight, remainder[:count], remainder[count:])
    if pairs is not None:
        return pairs
    rows, floating = _rows_with_floaters(tight), range(size, size + floaters)
    for leaving, entering in islice(single_exchanges(rows, remainder, count, floating), TRIES):
        s1 = sorted([entering if v == leaving else v for v in remainder[:count]])
        pairs = _transpose(
            tight, s1, sorted([leaving if v == entering else v for v in remainder[count:]])
        )
        if pairs is not None:
            return pairs
    chosen = first_exchange(rows, remainder, floating, count)
    if chosen is None:
        return None
    return _transpose(tight, chosen, [v for v in remainder if v not in frozenset(chosen)])


def _transpose(
    tight: TightGraph, s1: Sequence[int], s2: Sequence[int]
) -> list[tuple[int, int]] | None:
    """Return the pairs of the first transposition; floater vertices take who is left of S2."""
    among = sum(1 << v for v in s2)
    partners = first_transposition(
        [row & among for row in (*[tight.rows[u] for u in s1], *tight.floater_rows)]
    )
    if partners is None:
        return None
    vertices = (*s1, *range(len(tight.rows), len(tight.rows) + len(tight.floater_rows)))
    return [(min(u, v), max(u, v)) for u, v in zip(vertices, partners, strict=True)]
