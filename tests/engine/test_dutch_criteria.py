"""What one pair or one downfloater adds to each criterion
[C.04.3/2026 2.4, C.04.3/2017 C.5-C.19].
"""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import cast

import pytest

from pairing.engine.basics.colours import colour_record
from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.edition_2017 import criteria as of_2017
from pairing.engine.dutch.edition_2026 import criteria as of_2026
from pairing.engine.dutch.field import Field, RankedPlayer
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch.solver.criterion import Criterion, View
from pairing.engine.model import TPN, Colour, Points

UP, DOWN, NONE = Float.UP, Float.DOWN, Float.NONE
NO_COLOURS = colour_record("")


def player(
    rank: int, score: int, *, last: Float = NONE, before: Float = NONE, **more: object
) -> RankedPlayer:
    facts = {
        "colours": NO_COLOURS,
        "is_topscorer": False,
        "may_receive_pab": True,
        "unplayed": 0,
    } | more
    return RankedPlayer(
        TPN(rank + 1),
        rank,
        0,
        Points(score),
        rank + 1,
        last_float=last,
        float_before_last=before,
        **facts,
    )


# Two players moved down with 25 and 20 points, and residents with 15; in 2017 the last of them has
# 10.
SCORES = (25, 20, 15, 15, 10)


def view(residents: range) -> View:
    field = cast(Field, SimpleNamespace(scores=SCORES))
    return View(Bracket(field, (0, 1), residents, range(5, 5)), Colour.WHITE)


VIEW, COLLAPSED = view(range(2, 4)), view(range(2, 5))


def in_pairs(
    measure: Criterion, seen: View, rank: int, other: int
) -> dict[tuple[Float, ...], int | None]:
    """Return what is not None or 0, by the floats of the higher and the lower player,
    last round first.
    """
    return {
        floats: value
        for floats in product(Float, repeat=4)
        for value in [
            measure.of_pair(
                seen,
                player(rank, SCORES[rank], last=floats[0], before=floats[1]),
                player(other, SCORES[other], last=floats[2], before=floats[3]),
            )
        ]
        if value
    }


def downfloating(measure: Criterion, seen: View, rank: int) -> dict[tuple[Float, ...], int | None]:
    return {
        floats: value
        for floats in product(Float, repeat=2)
        for value in [
            measure.of_downfloater(
                seen, player(rank, SCORES[rank], last=floats[0], before=floats[1])
            )
        ]
        if value
    }


def pairs_with(place: int, way: Float, value: int) -> dict[tuple[Float, ...], int]:
    """Return *value* for all floats of a pair of which the one at *place* is *way*."""
    return {floats: value for floats in product(Float, repeat=4) if floats[place] is way}


def one_with(place: int, way: Float, value: int) -> dict[tuple[Float, ...], int]:
    return {floats: value for floats in product(Float, repeat=2) if floats[place] is way}


IN_2026 = {
    criterion.name: criterion
    for criterion in (of_2026.C6, of_2026.C7, of_2026.C9, *of_2026.AFTER_C9)
}
IN_2017 = {
    criterion.name: criterion
    for criterion in (of_2017.C5, of_2017.C6, of_2017.M1, *of_2017.COLOURS, *of_2017.FLOATS)
}


def test_the_criteria_are_in_the_order_of_the_text() -> None:
    assert [(name, each.article, each.is_list) for name, each in IN_2026.items()] == [
        ("C6", "2.4.1", False), ("C7", "2.4.2", True), ("C9", "2.4.4", False), ("C10", "2.4.5", False),
        ("C11", "2.4.6", False), ("C12", "2.4.7", False), ("C13", "2.4.8", False), ("C14", "2.4.9", False),
        ("C15", "2.4.10", False), ("C16", "2.4.11", False), ("C17", "2.4.12", False), ("C18", "2.4.13", True),
        ("C19", "2.4.14", True), ("C20", "2.4.15", True), ("C21", "2.4.16", True),
    ]  # fmt: skip
    assert [(name, each.article, each.is_list) for name, each in IN_2017.items()] == [
        ("C5", "C.5", False), ("C6", "C.6", True), ("M1", "B.1.c", False), ("C8", "C.8", False), ("C9", "C.9", False),
        ("C10", "C.10", False), ("C11", "C.11", False), ("C12", "C.12", False), ("C13", "C.13", False),
        ("C14", "C.14", False), ("C15", "C.15", False), ("C16", "C.16", True), ("C17", "C.17", True),
        ("C18", "C.18", True), ("C19", "C.19", True),
    ]  # fmt: skip


def test_c04_3_2_4_downfloaters_their_scores_and_their_unplayed_games() -> None:
    one = player(0, 25, unplayed=3)
    assert [IN_2026[name].of_downfloater(VIEW, one) for name in ("C6", "C7", "C9")] == [1, 25, 3]
    assert [IN_2017[name].of_downfloater(COLLAPSED, one) for name in ("C5", "C6", "M1")] == [
        1,
        25,
        1,
    ]
    assert [IN_2017["M1"].of_downfloater(VIEW, player(rank, 15)) for rank in (1, 2)] == [1, 0]
    assert [IN_2017["C6"].of_pair(VIEW, player(0, 25), player(2, score)) for score in (15, 25)] == [
        10,
        None,
    ]


@pytest.mark.parametrize(
    "name, place, way, is_list",
    [
        ("C15", 2, UP, False), ("C17", 3, UP, False), ("C18", 0, DOWN, True), ("C19", 2, UP, True),
        ("C20", 1, DOWN, True), ("C21", 3, UP, True),
    ],
)  # fmt: skip
def test_c04_3_2_4_a_pair_of_a_player_moved_down(
    name: str, place: int, way: Float, is_list: bool
) -> None:
    assert in_pairs(IN_2026[name], VIEW, 0, 2) == pairs_with(place, way, 10 if is_list else 1)
    assert in_pairs(IN_2026[name], VIEW, 2, 3) == {}
    if is_list:  # two residents add no item at all, not an item of 0
        residents = [
            player(rank, 15, last=last, before=last) for rank, last in ((2, DOWN), (3, UP))
        ]
        assert IN_2026[name].of_pair(VIEW, *residents) is None


@pytest.mark.parametrize(
    "name, place, moved_down, resident",
    [("C14", 0, 0, 1), ("C16", 1, 0, 1), ("C18", 0, 20, 0), ("C20", 1, 20, 0)],
)
def test_c04_3_2_4_a_downfloater_again(
    name: str, place: int, moved_down: int, resident: int
) -> None:
    """One who stays in the limbo counts as if paired one point below the residents."""
    found = [downfloating(IN_2026[name], VIEW, rank) for rank in (0, 2)]
    assert found == [
        one_with(place, DOWN, value) if value else {} for value in (moved_down, resident)
    ]


@pytest.mark.parametrize(
    "name, place, way, is_list",
    [
        ("C12", 0, DOWN, False), ("C13", 2, UP, False), ("C14", 1, DOWN, False), ("C15", 3, UP, False),
        ("C16", 0, DOWN, True), ("C17", 2, UP, True), ("C18", 1, DOWN, True), ("C19", 3, UP, True),
    ],
)  # fmt: skip
def test_c04_3_2017_c_12_to_19_a_pair_of_different_scores(
    name: str, place: int, way: Float, is_list: bool
) -> None:
    """In a collapsed bracket two residents may have different scores."""
    for rank, other, difference in ((0, 2, 10), (3, 4, 5)):
        assert in_pairs(IN_2017[name], COLLAPSED, rank, other) == pairs_with(
            place, way, difference if is_list else 1
        )
    assert in_pairs(IN_2017[name], COLLAPSED, 2, 3) == {}


@pytest.mark.parametrize(
    "name, place, is_list",
    [("C12", 0, False), ("C14", 1, False), ("C16", 0, True), ("C18", 1, True)],
)
def test_c04_3_2017_c_12_to_18_a_downfloater_again(name: str, place: int, is_list: bool) -> None:
    """A.8: the difference is to one point less than the lowest score."""
    for rank, difference in ((0, 25), (3, 15)):
        assert downfloating(IN_2017[name], COLLAPSED, rank) == one_with(
            place, DOWN, difference if is_list else 1
        )


def counts(
    edition: dict[str, Criterion],
    names: str,
    own: str,
    theirs: str,
    *,
    top: tuple[bool, bool] = (True, True),
) -> list[int | None]:
    pair = [
        player(rank, 15, colours=colour_record(history), is_topscorer=is_top)
        for rank, history, is_top in zip((2, 3), (own, theirs), top, strict=True)
    ]
    return [edition[name].of_pair(VIEW, *pair) for name in names.split()]


@pytest.mark.parametrize(
    "own, theirs, expected",
    [
        # No or different preferences; the same one, mild against strong, strong, and absolute.
        ("", "", [0, 0, 0, 0]),
        ("w", "b", [0, 0, 0, 0]),
        ("bw", "wbw", [0, 0, 1, 0]),
        ("wbw", "bw", [0, 0, 1, 0]),
        ("bwbwb", "wbb", [0, 0, 1, 1]),
        ("wbwbw", "bwwbw", [0, 0, 1, 1]),
        ("bww", "wbw", [0, 0, 1, 1]),
        # Both absolute: the wider difference is granted; the other gets a third colour, or a
        # difference of 3, or both.
        ("bwbww", "wbwww", [0, 1, 1, 1]),
        ("wbwwbw", "wwbw", [1, 0, 1, 1]),
        ("wbbb", "wbb", [0, 1, 1, 1]),
        ("ww", "ww", [1, 1, 1, 1]),
        ("bb", "bb", [1, 1, 1, 1]),
    ],
)
def test_c04_3_2_4_5_to_8_colours_of_a_pair(own: str, theirs: str, expected: list[int]) -> None:
    assert counts(IN_2026, "C10 C11 C12 C13", own, theirs) == expected
    assert counts(IN_2017, "C8 C9 C10 C11", own, theirs) == expected


@pytest.mark.parametrize("top", [(True, True), (True, False), (False, True), (False, False)])
def test_c04_3_2_4_5_and_6_only_topscorers_and_their_opponents(top: tuple[bool, bool]) -> None:
    concerned = int(any(top))
    assert counts(IN_2026, "C10 C11 C12 C13", "ww", "ww", top=top) == [concerned, concerned, 1, 1]
