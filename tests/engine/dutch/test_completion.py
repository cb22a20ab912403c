"""Whether a set of players can be paired among themselves,
and by whom an odd one is completed [C.04.3/2026 2.2.1].
"""

from __future__ import annotations

import pytest

from pairing.engine.double_swiss.field import MatchField
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from tests.engine.compact import position
from tests.engine.compact_matches import match_position

FOUR = {1: "2w1", 2: "1b0", 3: "4w1", 4: "3b0"}


@pytest.mark.parametrize(
    "ranks, completes",
    [
        ([], True),
        ([0], False),
        ([0, 1], True),
        ([0, 2], False),
        ([0, 1, 2], False),
        ([0, 1, 2, 3], True),
    ],
)
def test_c04_3_2_2_1_an_even_number_of_players_who_have_not_met_can_be_paired(
    ranks: list[int], completes: bool
) -> None:
    """By rank the winners 1 and 3, then 2 and 4:
    rank 0 has met rank 2, and rank 1 has met rank 3.
    """
    players = sum(1 << rank for rank in ranks)
    assert Completion(Field.from_state(position(FOUR), RULES_2026)).completes(players) is completes


def test_c04_3_2_2_1_an_odd_number_is_completed_by_a_player_who_has_not_met_them() -> None:
    completion = Completion(Field.from_state(position(FOUR), RULES_2026))
    assert completion.joining(0b0001, 0b1110) == 0b1010
    assert completion.joining(0b0111, 0b1000) == 0b1000
    # With nobody below there is nobody to complete.
    assert completion.joining(0, 0b1111) == 0


def test_c04_5_2_2_1_an_odd_number_of_players_cannot_all_have_a_match() -> None:
    field = MatchField.from_state(match_position({1: "2w11", 2: "1b00", 3: "4w11", 4: "3b00"}))
    assert [field.completes(players) for players in (0b0001, 0b0111, 0b0011, 0b1111)] == [
        False,
        False,
        True,
        True,
    ]
