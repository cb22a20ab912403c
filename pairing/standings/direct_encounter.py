"""Direct encounter: the games of the tied among themselves [C.07/2026 6]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import lcm
from typing import NamedTuple

from pairing.engine.model import TPN, Result

from .crosstable import Crosstable
from .values import Formula, Part, Reason, Value


class _Entry(NamedTuple):
    """A line of the separate standings: the player, the points, and what they are at worst and at best."""

    tpn: TPN
    score: int
    worst: int
    best: int


def direct_encounter(table: Crosstable, tied: Sequence[TPN], *, forfeits_count: bool) -> dict[TPN, Value]:
    """The place of each of the *tied* among them, from 1, shared where the article goes no further.

    The parts are the games between the tied, in tenths; forfeited ones only where *forfeits_count* [C.07/2026 6.1.1].
    """
    values: dict[TPN, Value] = {}
    place = 1
    for tier in _tiers(table, list(tied), forfeits_count):
        for tpn in tier:
            games = tuple(_games(table, tpn, frozenset(tied), forfeits_count))
            values[tpn] = Value(place, games, Formula.PLACE)
        place += len(tier)
    return values


def _tiers(table: Crosstable, tied: list[TPN], forfeits_count: bool) -> list[list[TPN]]:
    """The *tied*, best first, in groups that stay tied."""
    if len(tied) == 1:
        return [tied]
    entries = _separate_standings(table, tied, forfeits_count)
    if all(entry.worst == entry.best for entry in entries):
        return _all_have_met(table, entries, forfeits_count)
    return _not_all_have_met(table, entries, forfeits_count)


def _all_have_met(table: Crosstable, entries: list[_Entry], forfeits_count: bool) -> list[list[TPN]]:
    """The separate standings decide, and the article is applied again to those still tied [C.07/2026 6.2]."""
    entries.sort(key=lambda entry: (-entry.score, entry.tpn))
    tiers = [[entry.tpn for entry in tier] for _, tier in groupby(entries, key=lambda entry: entry.score)]
    if len(tiers) == 1:
        return tiers
    return [smaller for tier in tiers for smaller in _tiers(table, tier, forfeits_count)]


def _not_all_have_met(table: Crosstable, entries: list[_Entry], forfeits_count: bool) -> list[list[TPN]]:
    """Whoever is alone on top whatever the missing games give is first; so the next; then again the rest [6.3].

    In the order of the best possible scores only the next in line can be alone on top of those who remain: whose
    worst beats all others' best has the highest best. It is so exactly where that worst beats the second best; the
    missing games of two players are not in each other's way, since the one's worst and the other's best agree on the
    game between them. [C.07/2026 6.3]
    """
    entries.sort(key=lambda entry: (-entry.best, entry.tpn))
    ranked = 0
    while ranked < len(entries) - 1 and entries[ranked].worst > entries[ranked + 1].best:
        ranked += 1
    first = [[entry.tpn] for entry in entries[:ranked]]
    rest = sorted(entry.tpn for entry in entries[ranked:])
    return [*first, *(_tiers(table, rest, forfeits_count) if ranked else [rest])]


def _separate_standings(table: Crosstable, tied: list[TPN], forfeits_count: bool) -> list[_Entry]:
    """The points of the *tied* against each other; who met more than once has the average [C.07/2026 6.1, 6.1.2].

    The unit is tenths by a common denominator of the averages.
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


def _games(table: Crosstable, tpn: TPN, among: frozenset[TPN], forfeits_count: bool) -> Iterable[Part]:
    """The games of *tpn* with a result against those *among*."""
    row = table.rows[tpn]
    for number, (record, points) in enumerate(zip(row.rounds, row.points, strict=True), 1):
        if record.opponent in among and record.result is not Result.UNKNOWN:
            if record.is_played:
                yield Part(number, record.opponent, points, Reason.COUNTED, points=points)
            elif forfeits_count:
                yield Part(number, record.opponent, points, Reason.FORFEIT_COUNTED, points=points)
