"""Read records by the rules of 2017: results that bar from the PAB, and floats."""

from __future__ import annotations

from pairing.engine.basics.history import bars_from_pab_2017
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch.player_records import RecordRules
from pairing.engine.model import RoundRecord


def float_of_2017(
    record: RoundRecord, _worth: int, _loss: int, own_score: int, opponent_score: int
) -> Float:
    """Return the float of the round *record*: unplayed is a downfloat [C.04.3/2017 A.4.b]."""
    if not record.result.is_played or own_score > opponent_score:
        return Float.DOWN
    return Float.UP if own_score < opponent_score else Float.NONE


RULES_2017 = RecordRules(bars_from_pab_2017, float_of_2017)
