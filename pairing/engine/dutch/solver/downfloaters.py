"""Count those of a bracket who must float, and find those who let the next be paired."""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable


def into_odd_scoregroup(bracket: Bracket) -> int:
    """Find the residents that complete the following scoregroup, an odd number of players.

    A floater completes an odd scoregroup if and only if he may meet a player that some maximum
    matching of it leaves out alone. If everyone may meet at least half of the group, every resident
    will do (Dirac).
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
    """Find the residents that complete the following scoregroup if one of *onward* floats from it.

    *onward* is a bit set of its ranks. One more vertex represents the players below and is joined
    to *onward*; then the scoregroup is treated as an odd one.
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
    """Find the residents whom a maximum matching of the bracket can leave out.

    The result is 0 unless such a matching leaves out exactly one player.
    """
    everybody = bracket.mdp_set | bracket.resident_set
    rows = bracket.rows_without_pairs_of_mdps
    mate = maximum_matching(rows, everybody)
    exposed = [rank for rank in bits(everybody) if mate[rank] == FREE]
    return (
        missable(rows, everybody, mate, exposed[0]) & bracket.resident_set
        if len(exposed) == 1
        else 0
    )


def fewest_downfloaters(bracket: Bracket) -> int:
    """Count the players that every pairing of the bracket alone leaves unpaired [C6]."""
    everybody = bracket.mdp_set | bracket.resident_set
    mate = maximum_matching(bracket.rows_without_pairs_of_mdps, everybody)
    return sum(mate[rank] < 0 for rank in bits(everybody))
