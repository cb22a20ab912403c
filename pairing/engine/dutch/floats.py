"""Who has floated, and when [C.04.3/2026 1.4]."""

from __future__ import annotations

from enum import Enum

from pairing.engine.basics.history import pairing_score_before
from pairing.engine.model import Player, PointSystem, Result


class Float(Enum):
    """The float of one round."""

    DOWN = "down"
    UP = "up"
    NONE = ""


def float_in(player: Player, opponent: Player | None, round_number: int, points: PointSystem) -> Float:
    """The float *player* got in round *round_number*, *opponent* being the one of that round (None: a bye).

    After a game between different scores the higher gets a downfloat, the lower an upfloat
    [C.04.3/2026 1.4.2]; the scores are those the round was paired with, virtual points included. The
    pairing-allocated bye is a downfloat whatever it is worth, and so is an unplayed round worth more than
    a loss [C.04.3/2026 1.4.3]; nothing else floats [C.04.3/2026 1.4.4]. (docs/rules.md, R9)
    """
    record = player.rounds[round_number - 1]
    if not record.is_played:
        if record.result is Result.PAIRING_ALLOCATED_BYE or points.value(record.result) > points.loss:
            return Float.DOWN
        return Float.NONE
    if opponent is None:
        return Float.NONE
    own = pairing_score_before(player, round_number, points)
    theirs = pairing_score_before(opponent, round_number, points)
    if own > theirs:
        return Float.DOWN
    return Float.UP if own < theirs else Float.NONE
