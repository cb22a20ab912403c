"""Build the graphs whose perfect matchings are the candidates of a bracket by the rules of 2026."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.candidate_graph import CandidateGraph, bracket_rows
from pairing.engine.matching.cardinality import bits

from .bye import bye_is_near, gives_bye
from .costs import BracketCosts, DownfloatCosts


def bracket_graph(
    bracket: Bracket, completion: Completion, floaters: int, who: int | None = None
) -> CandidateGraph:
    """Build the graph of the bracket alone with *floaters* downfloaters; costs are [C6]-[C21].

    Each downfloater has one vertex. It is joined to everybody in the bracket, or only to *who* (a
    bit set of ranks). If nobody below has the score of [C5], the only downfloater receives the PAB,
    and its vertex is joined to the players who may receive it.
    """
    players = bracket.players
    is_bye = floaters == 1 and gives_bye(bracket, completion)
    if is_bye:
        who = completion.receivers
    costs, floats = BracketCosts(bracket, counts_bye=is_bye), DownfloatCosts(bracket)
    rows = bracket_rows(bracket, costs, floaters)
    floating = range(len(players), len(players) + floaters)
    for u, player in enumerate(players):
        if who is not None and not who >> player.rank & 1:
            continue
        cost = floats.of_downfloater(player) * costs.limit + costs.of_downfloater(player)
        for v in floating:
            rows[u][v] = rows[v][u] = cost
    return CandidateGraph(len(players), rows)


def following_graph(bracket: Bracket, completion: Completion, onward: int) -> CandidateGraph:
    """Build the graph of the bracket and the following scoregroup; its costs are [C6]-[C8].

    Up to *onward* players float beyond both groups. Each has one vertex instead of everybody below;
    unused vertices are matched with each other. The bye has a vertex if it must go to one of these
    players.
    """
    players = (*bracket.players, *bracket.following)
    bye = (
        [completion.bye] if completion.bye is not None and bye_is_near(bracket, completion) else []
    )
    costs = DownfloatCosts(bracket)
    rows = _rows_to(bracket, completion, costs, [player.rank for player in players] + bye, onward)
    first = len(players) + len(bye)
    for u, player in enumerate(players):
        cost = costs.of_following_downfloater(player.score)
        if u < len(bracket.players):
            cost += costs.of_downfloater(player)
        for v in range(first, first + onward):
            rows[u][v] = rows[v][u] = cost
    _join_spare(rows, first)
    return CandidateGraph(len(bracket.players), rows)


def whole_graph(bracket: Bracket, completion: Completion) -> CandidateGraph:
    """Build the graph of the bracket and everybody below; its costs are [C6]-[C8].

    Each perfect matching is a candidate that can be completed [C4], with its result in the
    following bracket [C8]. Two downfloaters are not matched with each other, which no best
    candidate needs (docs/rules, R13).
    """
    ranks = [player.rank for player in (*bracket.players, *bracket.later)]
    if completion.bye is not None:
        ranks.append(completion.bye)
    return CandidateGraph(
        len(bracket.players), _rows_to(bracket, completion, DownfloatCosts(bracket), ranks, 0)
    )


def remaining_graph(
    bracket: Bracket,
    completion: Completion,
    ranks: Sequence[int],
    floaters: Sequence[int],
    onward: int,
) -> CandidateGraph:
    """Build the graph of the players after the bracket, with [C8] as costs.

    *ranks* are those players, the following scoregroup first and the bye last. Each item of
    *floaters* is a downfloating resident, given as the set of ranks it can be matched with.
    *onward* more vertices are for players who float on beyond *ranks*. Each perfect matching
    completes the round [C4] as far as this graph reaches.
    """
    costs, players = DownfloatCosts(bracket), bracket.field.players
    count, following_end = len(ranks), len(bracket.following_ranks)
    first_onward = count + len(floaters)
    rows: list[dict[int, int]] = [{} for _ in range(first_onward + onward)]
    for u in (*range(count, first_onward), *range(count)):
        cost = 0
        if u >= count or u < following_end:
            cost = costs.of_following_downfloater(
                bracket.resident_score if u >= count else players[ranks[u]].score
            )
            for v in range(first_onward, len(rows)):
                rows[u][v] = rows[v][u] = cost
        joined = floaters[u - count] if u >= count else completion.rows[ranks[u]]
        for v in range(0 if u >= count else u + 1, count):
            if joined >> ranks[v] & 1:
                rows[u][v] = rows[v][u] = 0 if v < following_end else cost
    _join_spare(rows, first_onward)
    return CandidateGraph(0, rows)


def _join_spare(rows: list[dict[int, int]], first: int) -> None:
    """Join the vertices from *first* on to each other, so that unused ones can be matched."""
    for u in range(first, len(rows)):
        for v in range(first, u):
            rows[u][v] = rows[v][u] = 0


def with_pairs_compared(
    graph: CandidateGraph, bracket: Bracket, *, counts_bye: bool
) -> CandidateGraph:
    """Return *graph* with [C9]-[C21] as lower digits of its costs."""
    costs, players = BracketCosts(bracket, counts_bye=counts_bye), bracket.players

    def cost(u: int, v: int) -> int:
        return costs.of_downfloater(players[u]) if v < 0 else costs.of_pair(players[u], players[v])

    return graph.refined(cost, costs.limit)


def _rows_to(
    bracket: Bracket,
    completion: Completion,
    costs: DownfloatCosts,
    ranks: Sequence[int],
    extra: int,
) -> list[dict[int, int]]:
    """Return the costs among *ranks*, and *extra* empty rows.

    *ranks* begin with the bracket and continue with the players below it; the bye is last. A
    downfloater matched beyond the following scoregroup floats on from there, and so does a player
    of that group [C8].
    """
    mdps, size = len(bracket.mdp_ranks), len(bracket.players)
    vertex_of = {rank: vertex for vertex, rank in enumerate(ranks)}
    rows: list[dict[int, int]] = [{} for _ in range(len(ranks) + extra)]
    inside, below = bracket.mdp_set | bracket.resident_set, sum(1 << rank for rank in ranks[size:])
    players = bracket.field.players
    following_end = size + len(bracket.following_ranks)
    for u, rank in enumerate(ranks):
        if rank == completion.bye:
            continue
        player = players[rank]
        floats = costs.of_downfloater(player) if u < size else 0
        onward = (
            floats + costs.of_following_downfloater(player.score)
            if u < following_end != size
            else floats
        )
        row, reached = rows[u], completion.rows[rank] & ~((2 << rank) - 1)
        for neighbour in bits(reached & below):
            v = vertex_of[neighbour]
            row[v] = rows[v][u] = floats if v < following_end else onward
        if u < size:
            for neighbour in bits(reached & (inside if u >= mdps else bracket.resident_set)):
                v = vertex_of[neighbour]
                row[v] = rows[v][u] = 0
    return rows
