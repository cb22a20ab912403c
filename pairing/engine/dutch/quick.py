"""The pairing of an ordinary bracket without weights: its tight pairs, and Article 4 inside them.

This path answers for brackets where everybody is paired or one resident floats, [C8] can be met at its bound, and the
tight pairs (``tight``) have a perfect matching. Then the optimal candidates are the perfect matchings of tight pairs,
and the one generated first is built here. In a small bracket all are gone through instead (``few``), with or without
tight pairs. Players who may meet nobody in their bracket are put aside first. Else None, and the exact path is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from pairing.engine.matching.transposition import first_transposition

from .bracket import Bracket, BracketPairing
from .completion import Completion
from .exact import pair_bracket
from .face import first_exchange
from .few import FEW, best_of_few
from .floater import next_best_floaters, possible_floaters
from .tight import TightGraph, tight_graph


def pair_bracket_quickly(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of *bracket*: by the quick path where it answers, else by the exact one."""
    return quick_pairing(bracket, completion) or pair_bracket(bracket, completion)


def quick_pairing(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of *bracket*, or None where this path does not answer.

    Who may meet nobody in the bracket floats in every candidate. If those are MDPs, the others are an even number who
    can all be paired, and the rest then completes, just these float in every best candidate [C6]; so [C7]-[C9] and what
    the downfloaters add are the same for all, and the pairs are those of the bracket without them.
    """
    stranded = stranded_players(bracket)
    if not stranded:
        return _pairing_of_company(bracket, completion)
    together = (*bracket.mdp_ranks, *bracket.resident_ranks)
    if len(stranded) == len(together):
        return BracketPairing((), together)
    if (len(together) - len(stranded)) % 2 or stranded[-1] >= bracket.resident_ranks.start:
        return _pairing_of_company(bracket, completion)
    return _without(stranded, bracket, completion)


def stranded_players(bracket: Bracket) -> tuple[int, ...]:
    """Those who may meet nobody in the bracket, by rank."""
    may_meet, residents = bracket.field.may_meet, bracket.resident_set
    everybody = bracket.mdp_set | residents
    stranded = [rank for rank in bracket.mdp_ranks if not may_meet[rank] & residents]
    return (*stranded, *[rank for rank in bracket.resident_ranks if not may_meet[rank] & everybody])


def _without(stranded: tuple[int, ...], bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing where the *stranded* MDPs float and all others are paired."""
    rest = sum(1 << rank for rank in stranded) | bracket.following_set | bracket.below_set
    if not completion.completes(rest | (0 if completion.bye is None else 1 << completion.bye)):
        return None
    company = tuple([rank for rank in bracket.mdp_ranks if rank not in stranded])
    pairing = _pairing(replace(bracket, mdp_ranks=company), 0)
    return None if pairing is None else BracketPairing(pairing.pairs, stranded)


def _pairing_of_company(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of a bracket where all are paired, or all but one resident.

    An even bracket with a perfect matching of tight pairs and a rest that completes meets [C6]-[C9] with nobody
    floating. An odd one floats one at least; ``floater`` says who meets [C7] and [C8] at their bounds.
    """
    floaters = 0
    if (len(bracket.mdp_ranks) + len(bracket.resident_ranks)) % 2:
        floaters = possible_floaters(bracket, completion) or next_best_floaters(bracket, completion)
        if not floaters:
            return None
    elif bracket.has_later or completion.bye is not None:
        rest = bracket.following_set | bracket.below_set
        if not completion.completes(rest | (0 if completion.bye is None else 1 << completion.bye)):
            return None
    return _pairing(bracket, floaters)


def _pairing(bracket: Bracket, floaters: int) -> BracketPairing | None:
    """The first of the best candidates in which one of *floaters* floats, or nobody if 0."""
    if len(bracket.mdp_ranks) + len(bracket.resident_ranks) + bool(floaters) > FEW:
        return pairing_of_tight(bracket, floaters)
    return best_of_few(bracket, floaters)


def pairing_of_tight(bracket: Bracket, floaters: int) -> BracketPairing | None:
    """The first candidate among those of tight pairs with one of *floaters* (a bit set of residents' ranks) floating,
    or nobody if 0; None where there is none."""
    tight = tight_graph(bracket, floaters)
    if tight is None:
        return None
    pairs = _first_candidate(tight)
    if pairs is None:
        return None
    size = len(bracket.mdp_ranks) + len(bracket.resident_ranks)
    ranks = [*bracket.mdp_ranks, *bracket.resident_ranks]
    downfloaters = tuple(ranks[u] for u, v in pairs if v == size)
    return BracketPairing(tuple((ranks[u], ranks[v]) for u, v in pairs if v != size), downfloaters)


def _first_candidate(tight: TightGraph) -> list[tuple[int, int]] | None:
    """The perfect matching of *tight* that Article 4 generates first; the floater is paired with vertex ``size``.

    If the MDPs can have their lowest partners one after another, and the remainder can then be paired, no MDP-pairing
    comes earlier. Otherwise the MDP-pairing is found with a perfect matching at hand.
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
    """The lowest partner left for each in turn; None when somebody finds none."""
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
    """The opponents of the MDPs in the first MDP-pairing that leaves the remainder a perfect matching.

    Each MDP in turn takes the lowest opponent with whom a perfect matching of the rest remains: its present one, or
    one whose mate the present one can be matched with again by one alternating path.
    """
    size = len(tight.rows)
    rows = [*tight.rows, tight.floater_row]
    for u in range(tight.mdps):
        for v in bits(rows[u]):
            rows[v] |= 1 << u
    for v in bits(tight.floater_row):
        rows[v] |= 1 << size
    left = (1 << size) - 1 | (1 << size if tight.floater_row else 0)
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


def _pair_remainder(tight: TightGraph, remainder: Sequence[int]) -> list[tuple[int, int]] | None:
    """The pairs of the remainder (or homogeneous bracket) generated first [C.04.3/2026 3.6, 4.2, 4.3].

    Without an exchange if S1 and S2 fit as they are. Else a matching of tight pairs with the order of the exchanges as
    its cost gives the one S1 that is tried first, and the transposition follows.
    """
    count = len(remainder) // 2
    s1, s2 = remainder[:count], remainder[count:]
    pairs = _transpose(tight, s1, s2)
    if pairs is not None:
        return pairs
    chosen = _first_exchange(tight, remainder, count)
    if chosen is None:
        return None
    return _transpose(tight, chosen, [v for v in remainder if v not in frozenset(chosen)])


def _transpose(tight: TightGraph, s1: Sequence[int], s2: Sequence[int]) -> list[tuple[int, int]] | None:
    """The pairs of the first transposition; the floater's vertex, after all of S1, takes who is left of S2."""
    among = sum(1 << v for v in s2)
    rows = [tight.rows[u] & among for u in s1]
    if len(s2) > len(s1):
        rows.append(tight.floater_row & among)
    partners = first_transposition(rows)
    if partners is None:
        return None
    size = len(tight.rows)
    pairs = [(min(u, v), max(u, v)) for u, v in zip(s1, partners, strict=False)]
    return [*pairs, (partners[-1], size)] if len(s2) > len(s1) else pairs


def _first_exchange(tight: TightGraph, remainder: Sequence[int], count: int) -> list[int] | None:
    """The S1 of the first exchange after which tight pairs suffice; None if none does."""
    size = len(tight.rows)
    if len(remainder) == 2 * count:
        return first_exchange(tight.rows, remainder, [], count)
    rows = [*tight.rows, tight.floater_row]
    for v in bits(tight.floater_row):
        rows[v] |= 1 << size
    return first_exchange(rows, remainder, [size], count)
