"""Direct encounter: the games of tied players against each other [C.07/2026 6]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import lcm
from typing import NamedTuple

from pairing.engine.model import TPN, Result

from .crosstable import Crosstable
from .values import Formula, Part, Reason, Value


class _Entry(NamedTuple):
    """A line of the separate standings: player, points, lowest and highest still possible."""

    tpn: TPN
    score: int
    worst: int
    best: int


def direct_encounter(
    table: Crosstable, tied: Sequence[TPN], *, forfeits_count: bool
) -> dict[TPN, Value]:
    """Return the place of each of the *tied*, from 1; a place is shared if
    the article does not separate the players.

    The parts are the games between the tied, in tenths; forfeited ones only if *forfeits_count*
    [C.07/2026 6.1.1].
    """
    values: dict[TPN, Value] = {}
    among = frozenset(tied)
    place = 1
    for tier in _tiers(table, list(tied), forfeits_count):
        for tpn in tier:
            games = tuple(_games(table, tpn, among, forfeits_count))
            values[tpn] = Value(place, games, Formula.PLACE)
        place += len(tier)
    return values


def _tiers(table: Crosstable, tied: list[TPN], forfeits_count: bool) -> list[list[TPN]]:
    """Return the *tied*, best first, in groups that remain tied."""
    if len(tied) == 1:
        return [tied]
    entries = _separate_standings(table, tied, forfeits_count)
    if all(entry.worst == entry.best for entry in entries):
        return _all_have_met(table, entries, forfeits_count)
    return _not_all_have_met(table, entries, forfeits_count)


def _all_have_met(
    table: Crosstable, entries: list[_Entry], forfeits_count: bool
) -> list[list[TPN]]:
    """Split by the separate standings, then apply the article to ties again [C.07/2026 6.2]."""
    entries.sort(key=lambda entry: (-entry.score, entry.tpn))
    tiers = [
        [entry.tpn for entry in tier] for _, tier in groupby(entries, key=lambda entry: entry.score)
    ]
    if len(tiers) == 1:
        return tiers
    return [smaller for tier in tiers for smaller in _tiers(table, tier, forfeits_count)]


def _not_all_have_met(
    table: Crosstable, entries: list[_Entry], forfeits_count: bool
) -> list[list[TPN]]:
    """Place a player who is first whatever the missing games give, then the next,
    then start again with the rest [6.3].

    Sorted by the highest possible score, only the next player can be alone in first place among the
    rest: if the lowest score of a player beats the highest scores of all others, that player also
    has the highest possible score. This is so exactly if the lowest score beats the second highest
    possible score. A missing game between the two cannot disturb the comparison, because the lowest
    score of one and the highest of the other assume the same result of it. [C.07/2026 6.3]
    """
    entries.sort(key=lambda entry: (-entry.best, entry.tpn))
    ranked = 0
    while ranked < len(entries) - 1 and entries[ranked].worst > entries[ranked + 1].best:
        ranked += 1
    first = [[entry.tpn] for entry in entries[:ranked]]
    rest = sorted(entry.tpn for entry in entries[ranked:])
    return [*first, *(_tiers(table, rest, forfeits_count) if ranked else [rest])]


def _separate_standings(table: Crosstable, tied: list[TPN], forfeits_count: bool) -> list[_Entry]:
    """Return the points of the *tied* against each other, the average for
    repeated meetings [C.07/2026 6.1, 6.1.2].

    The unit is tenths divided by a common denominator of the averages.
    """
    among = frozenset(tied)
    results: dict[TPN, dict[TPN, list[int]]] = {}
    for tpn in tied:
        of_player: dict[TPN, list[int]] = {}
        for game in _games(table, tpn, among, forfeits_count):
            if game.opponent is not None:
                of_player.setdefault(game.opponent, []).append(game.amount)
        results[tpn] = of_player
    unit = lcm(*(len(games) for of_player in results.values() for games in of_player.values()))
    win, loss = table.system.win * unit, table.system.loss * unit
    entries = []
    for tpn, of_player in results.items():
        score = sum(sum(games) * unit // len(games) for games in of_player.values())
        missing = len(tied) - 1 - len(of_player)
        entries.append(_Entry(tpn, score, score + missing * loss, score + missing * win))
    return entries


def _games(
    table: Crosstable, tpn: TPN, among: frozenset[TPN], forfeits_count: bool
) -> Iterable[Part]:
    """Yield the games of *tpn* with a result against the players *among*."""
    row = table.rows[tpn]
    for number, (record, points) in enumerate(zip(row.rounds, row.points, strict=True), 1):
        if record.opponent in among and record.result is not Result.UNKNOWN:
            if record.is_played:
                yield Part(number, record.opponent, points, Reason.COUNTED, points=points)
            elif forfeits_count:
                yield Part(number, record.opponent, points, Reason.FORFEIT_COUNTED, points=points)
