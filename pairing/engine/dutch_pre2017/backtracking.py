"""Pair the bracket before again, so that this one can be paired [C.04.3/pre2017 C12, C13].

A bracket and the one before it are solved as one matching. A player left over by the bracket before
is matched with a player of the present bracket, or with a vertex for being left over there too (in
the lowest bracket, the bye). The costs are those of the bracket before alone. So the first matching
of least cost is the first useful one that the text finds when it goes on from its place in that
bracket.

**Two players left over by the bracket before are never matched with each other.** That bracket was
paired with the most of those moved down to it, and then with the most pairs possible (C14), and so
keeps all matchable players matched: one more pair among those left over would be one pair more than
possible (by induction over the brackets, two players moved down to it cannot meet either). When C13
gives up pairs, it gives up as few as allow a pairing of the lowest bracket: if two players left
over met there, that pair could have been kept above. The players of C1 can meet nobody of their
bracket.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from .bracket import Bracket, bit_set
from .candidates import Best, BracketPairing, Outside, OutsideVertex, best
from .requirements import Costs


def another_set(
    previous: BracketPairing, bracket: Bracket, *, pairs: int, moved_down: int
) -> BracketPairing | None:
    """C12: the first pairing of the bracket before that moves down another set of the same size by
    which *bracket* (its incompatible players included) gets *pairs* pairs, *moved_down* of them of
    players moved down.

    None: there is none. Not for the lowest bracket. The set in hand is known not to do, so what is
    found is another.
    """
    leftover = len(bracket.ranks) - 2 * pairs
    found = _best(
        previous, _below(previous, bracket, leftover, min(leftover, bracket.m0 - moved_down))
    )
    if found is None or not _as_many(found, previous):
        return None
    return found.first(previous.incompatible)


def another_set_for_lowest(
    previous: BracketPairing, lowest: Bracket, *, more_than: int
) -> BracketPairing | None:
    """C12 for the lowest bracket: the first pairing of the bracket before that moves down another
    set of the same size by which everybody in *lowest* has an opponent or the bye, and more than
    *more_than* of those moved down residents.

    With as many of these as can be, for C13 would reduce M1 by one at a time. None: there is none.
    """
    unmet = 0 if lowest.is_homogeneous else _costs(previous).below
    found = _best(previous, _below_in_lowest(previous, lowest, unmet))
    if found is None or not _as_many(found, previous):
        return None
    pairing = found.first(previous.incompatible)
    paired = best_of_lowest(replace(lowest, came_down=pairing.downfloaters))
    return pairing if paired is not None and paired.moved_down_paired > more_than else None


def fewer_pairs(previous: BracketPairing, lowest: Bracket) -> BracketPairing | None:
    """C13: the first pairing of the penultimate bracket, with as many pairs as can be, by which
    everybody in *lowest* has an opponent or the bye. None: P has become zero.

    M1 stays what it was (C14.b1): where that does not do, no number of pairs does, and P becomes
    zero (docs/rules, P5).
    """
    found = _best(previous, _below_in_lowest(previous, lowest, 0))
    if found is None or not found.pairs or found.moved_down_paired < previous.moved_down_paired:
        return None
    return found.first(previous.incompatible)


def best_of_lowest(lowest: Bracket) -> Best | None:
    """Return the best pairings of the lowest bracket:
    P0 pairs, with the largest M1 that allows them, and the bye.

    It is treated as homogeneous if it is, or if M1 would be zero [C.04.3/pre2017 C13, C14.b2].
    None: it cannot be paired.
    """
    receivers = bit_set([player.rank for player in lowest.players if player.may_have_bye])
    outside = Outside([OutsideVertex(receivers)] if len(lowest.ranks) % 2 else [])
    if not lowest.is_homogeneous:
        found = best(lowest, Costs(lowest, as_heterogeneous=True), outside)
        if found is None or found.moved_down_paired:
            return found
    return best(lowest, Costs(lowest, as_heterogeneous=False), outside)


def _costs(previous: BracketPairing) -> Costs:
    """Of the bracket before as paired: homogeneous if M1 = 0 [C.04.3/pre2017 A3, C14.b2]."""
    return Costs(previous.bracket, as_heterogeneous=previous.moved_down_paired > 0)


def _best(previous: BracketPairing, outside: Outside) -> Best | None:
    return best(previous.bracket, _costs(previous), outside)


def _as_many(found: Best, previous: BracketPairing) -> bool:
    """Whether as many are paired as were: the set moved down is of the same size."""
    return (
        found.pairs == len(previous.pairs) and found.moved_down_paired == previous.moved_down_paired
    )


def _below(previous: BracketPairing, bracket: Bracket, leftover: int, from_above: int) -> Outside:
    """List residents of *bracket*, the players that C1 moved down to it, and *leftover* vertices
    for players left over there too.

    *from_above* of these vertices are for anybody, the others for residents.
    """
    may_meet = bracket.field.may_meet
    above = bit_set(previous.bracket.ranks)
    residents, incompatible = bracket.residents, previous.incompatible
    ranks = (*residents, *incompatible)
    vertices = [OutsideVertex(may_meet[rank] & above if rank in residents else 0) for rank in ranks]
    vertices += [OutsideVertex(above if place < from_above else 0) for place in range(leftover)]
    pairs = {
        (one, two): 0
        for one, two in combinations(range(len(ranks)), 2)
        if one < len(residents) and may_meet[ranks[one]] >> ranks[two] & 1
    }
    for one in range(len(ranks)):
        for place in range(leftover):
            if one < len(residents) or place < from_above:
                pairs[one, len(ranks) + place] = 0
    return Outside(vertices, pairs)


def _below_in_lowest(previous: BracketPairing, lowest: Bracket, unmet: int) -> Outside:
    """List everybody of *lowest* except the players that came from the
    bracket before by a choice, and the bye.

    *unmet* is the cost of each player moved down who meets no resident: one that C1 moved down from
    the bracket before, or that C13 joined.
    """
    field = lowest.field
    above = bit_set(previous.bracket.ranks)
    ranks = (*lowest.residents, *lowest.joined, *previous.incompatible)
    first_down, first_incompatible = (
        len(lowest.residents),
        len(lowest.residents) + len(lowest.joined),
    )
    vertices = [
        OutsideVertex(
            field.may_meet[rank] & above if place < first_incompatible else 0,
            0 if place < first_down else 2 * unmet,
        )
        for place, rank in enumerate(ranks)
    ]
    pairs = {
        (one, two): 2 * unmet if one >= first_down else 0
        for one, two in combinations(range(len(ranks)), 2)
        if one < first_incompatible and field.may_meet[ranks[one]] >> ranks[two] & 1
    }
    if field.has_bye:
        receivers = bit_set([player.rank for player in field.players if player.may_have_bye])
        vertices.append(OutsideVertex(receivers & above, unmet))
        for place, rank in enumerate(ranks):
            if receivers >> rank & 1:
                pairs[place, len(ranks)] = unmet if place >= first_down else 0
    return Outside(vertices, pairs)
