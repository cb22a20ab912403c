"""The players who may still get the allocated bye, by the edition of the system,
for changes by hand.
"""

from __future__ import annotations

import pytest

from pairing.engine.model import TPN, Colour, Player, Result, RoundRecord, TournamentState
from pairing.engine.past import pasts


@pytest.mark.parametrize(
    "system, result, may",
    [
        ("dutch_2026", Result.FULL_POINT_BYE, False),
        ("dutch_2017", Result.FULL_POINT_BYE, True),
        ("dutch_2017", Result.FORFEIT_WIN, False),
        ("dutch_2026", Result.HALF_POINT_BYE, True),
        ("dutch_pre2017", Result.HALF_POINT_BYE, False),
        ("dutch_pre2017", Result.PAIRING_ALLOCATED_BYE, False),
        ("dutch_pre2017", Result.ZERO_POINT_BYE, True),
    ],
)
def test_c04_1_4_who_may_get_the_bye_by_the_edition(system: str, result: Result, may: bool) -> None:
    opponent, colour = (TPN(2), Colour.WHITE) if result is Result.FORFEIT_WIN else (None, None)
    player = Player(TPN(1), (RoundRecord(opponent, colour, result),))
    state = TournamentState(round_number=2, total_rounds=5, players=(player,), system=system)
    assert pasts(state)[TPN(1)].may_receive_pab is may
