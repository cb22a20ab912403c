"""A round with boards that an arbiter has rearranged [C.04.2/2026 4.4]."""

import pytest

from pairing.engine.model import TPN
from pairing.rules.published import Arrangement
from pairing.rules.rearrangement import rearranged

NOW = Arrangement({1: (TPN(1), TPN(4)), 2: (TPN(2), TPN(5))}, {TPN(3): "U", TPN(6): "H"})


def pool(*numbers: int) -> set[TPN]:
    return {TPN(number) for number in numbers}


def left(letter: str, *numbers: int) -> dict[TPN, str]:
    return dict.fromkeys(pool(*numbers), letter)


def test_c04_2_4_4_other_boards_and_byes_stay() -> None:
    after = rearranged(NOW, {2: (TPN(5), TPN(2))}, pool=pool(2, 5), late=(), left={})
    assert after == Arrangement({1: (TPN(1), TPN(4)), 2: (TPN(5), TPN(2))}, NOW.byes)


def test_c04_2_4_4_players_without_a_board_get_the_chosen_bye() -> None:
    after = rearranged(NOW, {2: (TPN(2), TPN(3))}, pool=pool(2, 3, 5), late=(), left=left("U", 5))
    assert after == Arrangement(
        {1: (TPN(1), TPN(4)), 2: (TPN(2), TPN(3))}, {TPN(5): "U", TPN(6): "H"}
    )


def test_c04_2_3_3_a_bye_with_points_stays() -> None:
    assert rearranged(NOW, {}, pool=pool(6), late=(), left=left("Z", 6)) == NOW


def test_c04_2_4_4_a_board_without_a_pair_disappears() -> None:
    after = rearranged(NOW, {2: None}, pool=pool(2, 5), late=(), left={})
    assert after.boards == {1: (TPN(1), TPN(4))}
    assert (after.byes[TPN(2)], after.byes[TPN(5)]) == ("Z", "Z")


@pytest.mark.parametrize("letter, byes", [("Z", {}), ("U", {TPN(7): "U"})])
def test_c04_2_4_4_4_a_late_entry_without_a_board_gets_only_the_allocated_bye(
    letter: str, byes: dict[TPN, str]
) -> None:
    after = rearranged(NOW, {}, pool=pool(7), late=pool(7), left=left(letter, 7))
    assert after == Arrangement(NOW.boards, {**NOW.byes, **byes})
    there = Arrangement(NOW.boards, {**NOW.byes, TPN(7): "Z"})
    assert (
        rearranged(there, {}, pool=pool(7), late=pool(7), left=left(letter, 7)).byes[TPN(7)]
        == letter
    )


def test_c04_2_3_3_a_missing_player_gets_no_bye_with_points_but_keeps_a_requested_one() -> None:
    there = Arrangement(NOW.boards, {TPN(6): "H", TPN(7): "F"})
    after = rearranged(
        there,
        {2: None},
        pool=pool(2, 5, 6, 7),
        late=(),
        left=left("U", 2, 5, 6, 7),
        missing=pool(5, 6, 7),
    )
    assert after.byes == {TPN(2): "U", TPN(5): "Z", TPN(6): "H", TPN(7): "F"}


def test_c04_2_4_4_each_player_without_a_board_gets_a_bye_of_their_own() -> None:
    after = rearranged(
        NOW, {2: None}, pool=pool(2, 3, 5, 6), late=(), left={TPN(2): "U", TPN(3): "Z"}
    )
    assert after.byes == {TPN(2): "U", TPN(3): "Z", TPN(5): "Z", TPN(6): "H"}
    assert rearranged(NOW, {}, pool=pool(6), late=(), left=left("U", 6)).byes[TPN(6)] == "U"
