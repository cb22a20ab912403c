"""Who may be the one downfloater of a bracket: the best on [C4]-[C9], found without trying each.

In an odd bracket one player at least floats [C6], and if it is one resident, [C7] is met at its bound too. These
functions answer which residents then meet [C4] and the bound of [C8]. If a perfect matching exists in which one of them
floats, no candidate is better on [C4]-[C8], and exactly the candidates with one of them floating are as good.
"""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable


def into_odd_scoregroup(bracket: Bracket) -> int:
    """The residents with whom the following scoregroup, an odd number, can all be paired.

    A floater completes an odd scoregroup iff he may meet one of those whom some maximum matching of it leaves out
    alone. Where everybody may meet half of the group and more, all do (Dirac).
    """
    following = bracket.following_set
    count = len(bracket.following_ranks) + 1
    if 2 * (count - 1 - bracket.field.most_barred) >= count:
        return bracket.resident_set
    rows = bracket.field.may_meet
    mate = maximum_matching(rows, following)
    exposed = [rank for rank in bits(following) if mate[rank] < 0]
    if len(exposed) != 1:
        return 0
    return _joined_to(bracket, missable(rows, following, mate, exposed[0]))


def into_even_scoregroup(bracket: Bracket, onward: int) -> int:
    """The residents with whom the following scoregroup without one of *onward* (a bit set of its ranks) can be paired.

    A further vertex stands for what is below, joined to those whom it can take. Then as for an odd scoregroup.
    """
    following = bracket.following_set
    if not onward:
        return 0
    count = len(bracket.following_ranks)
    if 2 * (count - 1 - bracket.field.most_barred) >= count:
        return bracket.resident_set
    onward_vertex = len(bracket.field)
    rows = [*bracket.field.may_meet, onward]
    for rank in bits(onward):
        rows[rank] |= 1 << onward_vertex
    vertices = following | 1 << onward_vertex
    mate = maximum_matching(rows, vertices)
    exposed = [rank for rank in bits(vertices) if mate[rank] < 0]
    if len(exposed) != 1:
        return 0
    return _joined_to(bracket, missable(rows, vertices, mate, exposed[0]) & following)


def _joined_to(bracket: Bracket, vertices: int) -> int:
    rows = bracket.field.may_meet
    return sum(1 << rank for rank in bracket.resident_ranks if rows[rank] & vertices)


def residents_left_out(bracket: Bracket) -> int:
    """The residents (a bit set of ranks) whom a maximum matching of the bracket can leave out, where it leaves out one
    player; else 0."""
    everybody = bracket.mdp_set | bracket.resident_set
    rows = bracket.rows_without_pairs_of_mdps
    mate = maximum_matching(rows, everybody)
    exposed = [rank for rank in bits(everybody) if mate[rank] == FREE]
    return missable(rows, everybody, mate, exposed[0]) & bracket.resident_set if len(exposed) == 1 else 0


def fewest_downfloaters(bracket: Bracket) -> int:
    """How many players no pairing of the bracket alone can avoid to leave unpaired [C6]."""
    everybody = bracket.mdp_set | bracket.resident_set
    mate = maximum_matching(bracket.rows_without_pairs_of_mdps, everybody)
    return sum(mate[rank] < 0 for rank in bits(everybody))
