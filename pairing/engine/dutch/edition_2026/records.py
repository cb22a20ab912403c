"""Read records by the rules of 2026: results that bar from the PAB, and floats."""

from __future__ import annotations

from pairing.engine.basics.history import bars_from_pab
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch.player_records import RecordRules
from pairing.engine.model import Result, RoundRecord


def float_of(
    record: RoundRecord, worth: int, loss: int, own_score: int, opponent_score: int
) -> Float:
    """Return the float that the round *record* gave.

    *worth* is the points of its result and *loss* those of a loss. The scores are the ones with
    which the round was paired, including virtual points. All are in tenths. After a game between
    different scores the higher gets a downfloat and the lower an upfloat [C.04.3/2026 1.4.2]. The
    pairing-allocated bye is a downfloat whatever it is worth, and so is an unplayed round worth
    more than a loss [C.04.3/2026 1.4.3]. No other round gives a float [C.04.3/2026 1.4.4].
    (docs/rules, R9)
    """
    if not record.result.is_played:
        if record.result is Result.PAIRING_ALLOCATED_BYE or worth > loss:
            return Float.DOWN
        return Float.NONE
    if own_score > opponent_score:
        return Float.DOWN
    return Float.UP if own_score < opponent_score else Float.NONE


RULES_2026 = RecordRules(bars_from_pab, float_of)
