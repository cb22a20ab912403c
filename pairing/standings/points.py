"""Compute the points of a player, in tenths."""

from __future__ import annotations

from pairing.engine.changes import PointChanges
from pairing.engine.model import Player, Points, PointSystem, Result, RoundRecord


def points_of(record: RoundRecord, system: PointSystem) -> Points:
    """Return the points of one round, in tenths.

    An unfinished game has not given any points yet; it is a draw for pairing purposes only
    [C.04.2/2026 3.1]. A match gives the points of its two games [C.04.5/2026 0].
    """
    if record.second is not None:
        return Points(_of_game(record.result, system) + _of_game(record.second, system))
    return _of_game(record.result, system)


def _of_game(result: Result, system: PointSystem) -> Points:
    return Points(0) if result is Result.UNKNOWN else system.value(result)


def score(player: Player, system: PointSystem, changes: PointChanges | None = None) -> Points:
    """Return the points of *player* with the *changes*, in tenths, without virtual points."""
    given = sum(points_of(record, system) for record in player.rounds)
    return Points(given if changes is None else given + changes.total)
