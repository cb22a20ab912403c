"""Find, without costs, the pairs that can belong to an optimal candidate [C10]-[C21].

Everybody in the bracket is paired, except for a few residents who float; often there is none, or
one. Each downfloater is matched with a vertex of its own, a *floater vertex*. [C6]-[C8] are as good
as possible, and the other criteria are costs of a perfect matching, digit by digit
(``criteria_costs``). Linear programming gives a certificate: numbers *y* for the vertices such that
no edge costs less than the sum of *y* at its ends. An edge that costs exactly that sum is *tight*.
A perfect matching of tight edges costs the sum of all *y*, and no perfect matching costs less. So
it is optimal, and the optimal ones are exactly the perfect matchings of tight edges.

The numbers, by digit:

* [C10], [C11]: 0. A pair with a topscorer costs something if both players want the same colour
  absolutely, because one does not get it; such a pair is not tight. It also costs something if a
  player gets the preferred colour and still has a colour difference beyond ±3, or the same colour
  three times. The closed form does not cover such a player in a bracket with a topscorer, and there
  is no result.
* [C12]: let the majority be the players who want the colour that most players want. Let *x* be half
  of the difference between their number and that of all others, after removing the floaters; as
  many of them as possible belong to the majority. If x ≤ 0: all numbers are 0, and a pair is tight
  unless both want the same colour. If x > 0: ½ for the majority and −½ for the others. A pair with
  a player of the majority costs the sum (½+½ = 1 for two, 0 for one), and any other pair costs more
  than −1. So each tight pair has a player of the majority.
* [C13], if x > 0, with *k* mild players in the majority. If x ≤ k: all 0, and two strong (or
  absolute) players of the majority are not tight. If x > k: ½ for those and −½ for all others, and
  each tight pair has one of them.
* An MDP and a floater vertex have, in every digit, the least that is left over from their edges, so
  only their best edges are tight. For an MDP the order is the colours as above, then [C15] and
  [C17] (and with them [C19] and [C21], whose score differences are those of the MDP). For a floater
  vertex it is the colours, [C14], [C16]. [C18] and [C20] are the same for every candidate, because
  all MDPs are paired.

If the case is chosen wrongly, the tight edges have no perfect matching, and the bracket takes the
exact path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.dutch.bracket import Bracket
from pairing.engine.model import Colour


class TightGraph(NamedTuple):
    """Hold the tight edges of a bracket. Vertex *v* is the player with BSN *v* + 1, the MDPs first.

    ``rows`` has one bit set per player; those of MDPs hold residents only. ``floater_rows`` has one
    for each floater vertex: the residents that may float there at the least cost. An edge between
    an MDP and a resident is in the row of the MDP only.
    """

    mdps: int
    rows: list[int]
    floater_rows: list[int]


def tight_graph(bracket: Bracket, floaters: Sequence[int]) -> TightGraph | None:
    """Return the tight edges of *bracket* if one of each of *floaters* (sets of ranks) floats.

    None if the closed form does not give the cost of any edge of an MDP, or does not apply.
    """
    field = bracket.field
    if field.topscorers & (bracket.mdp_set | bracket.resident_set) and any(
        _hurt_though_granted(field.colours[rank])
        for rank in (*bracket.mdp_ranks, *bracket.resident_ranks)
    ):
        return None
    mdps, residents = len(bracket.mdp_ranks), bracket.resident_ranks
    start, group = residents.start, (1 << len(residents)) - 1

    def local(ranks: int) -> int:
        """The residents among *ranks*, in the bracket's numbering."""
        return (ranks >> start & group) << mdps

    may_float = [local(ranks) for ranks in floaters]
    mild, strong, absolute = _wanting(bracket, local)
    levels = _levels(mdps + len(residents), mild, strong, absolute, may_float)
    rows = []
    for rank in bracket.mdp_ranks:
        record = field.colours[rank]
        row = local(field.may_meet[rank])
        best = _cheapest(
            row,
            levels[record.preference, record.strength],
            local(field.last_floats.up),
            local(field.floats_before_last.up),
        )
        if not best:
            return None
        rows.append(best)
    for rank in residents:
        record = field.colours[rank]
        rows.append(local(field.may_meet[rank]) & levels[record.preference, record.strength][0])
    level, last, before_last = (
        levels[None, Strength.ABSOLUTE],
        field.last_floats.down,
        field.floats_before_last.down,
    )
    floater_rows = [_cheapest(some, level, local(last), local(before_last)) for some in may_float]
    return TightGraph(mdps, rows, floater_rows)


def _hurt_though_granted(played: ColourRecord) -> bool:
    """Tell whether the preferred colour leads beyond ±2, or would be the
    third in a row [C.04.3/2026 2.4.5, 2.4.6].
    """
    if played.preference is None:
        return False
    return abs(played.difference) > 3 or played.history[-2:] == 2 * played.preference.letter


def _wanting(
    bracket: Bracket, local: Callable[[int], int]
) -> tuple[dict[Colour, int], dict[Colour, int], dict[Colour, int]]:
    """Find who wants each colour mildly, strongly or more, and absolutely.

    Players are in the numbering of the bracket.
    """
    wants = bracket.field.wants
    mild = {colour: local(wants[colour, Strength.MILD]) for colour in Colour}
    absolute = {colour: local(wants[colour, Strength.ABSOLUTE]) for colour in Colour}
    strong = {colour: local(wants[colour, Strength.STRONG]) | absolute[colour] for colour in Colour}
    for vertex, rank in enumerate(bracket.mdp_ranks):
        record = bracket.field.colours[rank]
        if record.preference is not None:
            sets = mild if record.strength is Strength.MILD else strong
            sets[record.preference] |= 1 << vertex
            if record.is_absolute:
                absolute[record.preference] |= 1 << vertex
    return mild, strong, absolute


Levels = dict[tuple[Colour | None, Strength], tuple[int, ...]]


def _levels(
    size: int,
    mild: Mapping[Colour, int],
    strong: Mapping[Colour, int],
    absolute: Mapping[Colour, int],
    may_float: Sequence[int],
) -> Levels:
    """Return for each kind of player the partners by remaining cost [C10]-[C13], least first.

    The first level of a resident are the tight partners. The kind (None, ABSOLUTE), which no player
    has, is the floater vertex. Levels that the closed form does not give are left out.
    """
    everybody = (1 << size) - 1
    wants = {colour: mild[colour] | strong[colour] for colour in Colour}
    major = max(Colour, key=lambda colour: wants[colour].bit_count())
    minor = major.opposite
    majority = wants[major]
    outnumbers = 2 * majority.bit_count() - size
    for some in may_float:
        outnumbers += -1 if some & majority else 1
    surplus = outnumbers // 2
    ms, mm, others = strong[major], mild[major], everybody & ~majority
    by_kind: dict[tuple[Colour | None, bool], tuple[int, ...]] = {(None, False): (everybody,)}
    floater: tuple[int, ...] = (everybody,)
    if surplus <= 0:
        for colour in Colour:
            apart = everybody & ~wants[colour]
            by_kind[colour, True] = (apart, mild[colour], strong[colour])
            by_kind[colour, False] = (apart, wants[colour])
    elif surplus <= mm.bit_count():
        by_kind[major, True] = (everybody & ~ms, ms)
        by_kind[major, False] = (everybody,)
        by_kind |= dict.fromkeys([(minor, True), (minor, False), (None, False)], (majority,))
        floater = (majority, others)
    else:
        by_kind[major, True] = (everybody,)
        by_kind[major, False] = (ms, everybody & ~ms)
        by_kind |= dict.fromkeys([(minor, True), (minor, False), (None, False)], (ms, mm))
        floater = (ms, mm, others)
    levels: Levels = {
        (None, Strength.NONE): by_kind[None, False],
        (None, Strength.ABSOLUTE): floater,
    }
    for colour in Colour:
        levels[colour, Strength.MILD] = by_kind[colour, False]
        levels[colour, Strength.STRONG] = by_kind[colour, True]
        levels[colour, Strength.ABSOLUTE] = tuple(
            level & ~absolute[colour] for level in by_kind[colour, True]
        )
    return levels


def _cheapest(row: int, levels: Sequence[int], last: int, before_last: int) -> int:
    """Return the part of *row* at the lowest level, of these without a float in the *last* round,
    then the round before.
    """
    for level in levels:
        among = row & level
        if among:
            among = among & ~last or among
            return among & ~before_last or among
    return 0
