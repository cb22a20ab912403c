"""Build the graphs whose perfect matchings are the candidates of a bracket by the rules of 2017."""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph, bracket_rows
from pairing.engine.dutch.solver.criteria_costs import CriteriaCosts
from pairing.engine.errors import InvariantError
from pairing.engine.matching import optimal_face
from pairing.engine.matching.cardinality import bits, maximum_matching

from .costs import BracketCosts2017, DifferenceCosts
from .remaining_parts import RemainingParts


def bracket_graph_2017(
    bracket: Bracket, floaters: int, costs: CriteriaCosts | None = None
) -> CandidateGraph:
    """Build the graph of the bracket alone with exactly *floaters* downfloaters,
    each with a vertex joined to everybody.

    The costs are those of section C, or *costs*.
    """
    players = bracket.players
    costs = costs or BracketCosts2017(bracket)
    rows = bracket_rows(bracket, costs, floaters)
    for u, player in enumerate(players):
        cost = costs.of_downfloater(player)
        for v in range(len(players), len(players) + floaters):
            rows[u][v] = rows[v][u] = cost
    return CandidateGraph(len(players), rows)


def following_graph_2017(
    bracket: Bracket, completion: Completion, floaters: int, costs: BracketCosts2017 | None = None
) -> CandidateGraph:
    """Build the graph of the bracket and the next, with the costs of downfloaters there [C.7].

    *floaters* is the least number of downfloaters [C.5]. A player left unpaired in the following
    bracket is matched with a placeholder vertex. There are as many of these as could be needed if
    no downfloater were paired and the following scoregroup were paired by itself. Unused ones are
    matched with each other.

    If the following bracket is the last, the player left in it has the PAB and must be allowed to
    [C.2]. The bye is then a vertex too, and any other unpaired player makes the round incomplete,
    which counts as one pair fewer.
    """
    players = (*bracket.players, *bracket.following)
    size, end = len(bracket.players), len(players)
    bye = [end] if completion.bye is not None and not bracket.below_set else []
    mate = maximum_matching(bracket.field.may_meet, bracket.following_set)
    unpaired = floaters + sum(mate[rank] < 0 for rank in bracket.following_ranks) + len(bye)
    costs = costs or BracketCosts2017(bracket, looks_ahead=True)
    rows = bracket_rows(bracket, costs, end - size + len(bye) + unpaired)
    onward = range(end + len(bye), len(rows))
    start = bracket.following_ranks.start
    for u, player in enumerate(players):
        floats = costs.of_downfloater(player) if u < size else 0
        for rank in bits(bracket.field.may_meet[player.rank] & bracket.following_set):
            v = size + rank - start
            if v > u:
                rows[u][v] = rows[v][u] = floats + costs.of_following_pair(player, players[v])
        for v in onward:
            rows[u][v] = rows[v][u] = floats + costs.of_following_downfloater(player)
        if player.may_receive_pab:
            for v in bye:
                rows[u][v] = rows[v][u] = floats + costs.of_following_bye(player)
    for u in (*bye, *onward):
        for v in onward:
            if u != v:
                rows[u][v] = rows[v][u] = 0
    return CandidateGraph(size, rows)


def completing_graph(
    bracket: Bracket, completion: Completion, costs: CriteriaCosts | None = None
) -> CandidateGraph:
    """Build the graph of the bracket with everybody below and the bye.

    Each perfect matching completes the round [C.4]. For the last bracket it is a pairing that gives
    the PAB to a player allowed to receive it [C.2]. The costs are those of section C, or *costs*.
    Two downfloaters are not matched with each other, which no best candidate needs (docs/rules,
    R13).
    """
    ranks = [player.rank for player in (*bracket.players, *bracket.later)]
    if completion.bye is not None:
        ranks.append(completion.bye)
    size = len(bracket.players)
    costs = costs or BracketCosts2017(bracket)
    rows = bracket_rows(bracket, costs, len(ranks) - size)
    vertex_of = {rank: vertex for vertex, rank in enumerate(ranks)}
    below = sum(1 << rank for rank in ranks[size:])
    for u, rank in enumerate(ranks):
        cost = costs.of_downfloater(bracket.players[u]) if u < size else 0
        for neighbour in bits(completion.rows[rank] & below):
            v = vertex_of[neighbour]
            if v > u:
                rows[u][v] = rows[v][u] = cost
    return CandidateGraph(size, rows)


def parts_graph(
    bracket: Bracket, completion: Completion, rest: RemainingParts, spare: int
) -> CandidateGraph:
    """Build the graph of the bracket and the parts of the remaining players,
    with *spare* more downfloaters than needed.

    If *spare* is 0, each perfect matching is a candidate that completes the round [C.4], and each
    candidate with that number of downfloaters that completes it is such a matching
    (``RemainingParts``).

    Otherwise only the second statement holds: each part has a pair with a joint or a downfloater.
    The other downfloaters, and the joints without a part, are *spare* in number, and each has a
    vertex.
    """
    players, costs = bracket.players, BracketCosts2017(bracket)
    size, first_joint = len(players), len(players) + len(rest.parts)
    first_spare = first_joint + len(rest.joints)
    rows = bracket_rows(bracket, costs, len(rest.parts) + len(rest.joints) + spare)
    floats = [costs.of_downfloater(player) for player in players]
    for part, met in enumerate(rest.met(completion), size):
        for u, player in enumerate(players):
            if met >> player.rank & 1:
                rows[u][part] = rows[part][u] = floats[u]
        for joint, rank in enumerate(rest.joints, first_joint):
            if met >> rank & 1:
                rows[joint][part] = rows[part][joint] = 0
    for v in range(first_spare, first_spare + spare):
        for u in (*range(size), *range(first_joint, first_spare)):
            rows[u][v] = rows[v][u] = floats[u] if u < size else 0
    return CandidateGraph(size, rows)


def last_graph(bracket: Bracket, completion: Completion) -> CandidateGraph:
    """Return the graph of the candidates of a last bracket that are best on [C.6],
    with the other criteria as costs.

    There is one, because the round can be completed. Two matchings replace one. The first uses
    [C.6] alone, which has priority over the others ([C.5] is always the same). The edges that it
    leaves include every candidate that is best there, and their remaining cost distinguishes these
    from the others (``optimal_face``). That cost is the highest digit of the second matching. Most
    pairs of a collapsed last bracket (A.9) have too large a score difference, and no other
    criterion is computed for them.
    """
    found = optimal_face(completing_graph(bracket, completion, DifferenceCosts(bracket)).rows)
    if found is None:
        raise InvariantError("a last bracket has no candidate although the field could be paired")
    players, costs = bracket.players, BracketCosts2017(bracket, counts_differences=False)
    size = len(players)
    rows: list[dict[int, int]] = [{} for _ in found[1]]
    for u, row in enumerate(found[1]):
        for v, left in row.items():
            if u < v:
                rest = (
                    costs.of_pair(players[u], players[v])
                    if v < size
                    else costs.of_downfloater(players[u])
                )
                rows[u][v] = rows[v][u] = left * costs.unit["C6"] + rest
    return CandidateGraph(size, rows)
