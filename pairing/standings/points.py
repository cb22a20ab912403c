"""What a player has scored, in tenths."""

from __future__ import annotations

from pairing.engine.model import Player, Points, PointSystem, Result, RoundRecord


def points_of(record: RoundRecord, system: PointSystem) -> Points:
    """What one round gave, in tenths.

    A game that is not finished has given nothing yet: it is a draw for pairing purposes only [C.04.2/2026 3.1].
    """
    if record.result is Result.UNKNOWN:
        return Points(0)
    return system.value(record.result)


def score(player: Player, system: PointSystem) -> Points:
    """What all rounds of *player* gave, in tenths; virtual points are not points."""
    return Points(sum(points_of(record, system) for record in player.rounds))
