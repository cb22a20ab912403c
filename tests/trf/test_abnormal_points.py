"""Record 299: points that differ from the point system, and their effect on pairings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pairing.engine.checker import check
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import Player, Points
from pairing.engine.systems import pair
from pairing.recheck import points_differences
from pairing.trf.convert import state_before_round
from pairing.trf.errors import TrfError
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.scoring import point_system
from tests.trf.reports import FOUR, player, report


def changed(*lines: str, text: str = FOUR) -> str:
    return text + report(*lines)


def virtual(*lines: str, round_number: int = 3, text: str = FOUR) -> dict[int, tuple[int, ...]]:
    state = state_before_round(
        read(changed("142 9", *lines, text=text.replace("142 3\n", ""))), round_number
    )
    return {player.tpn: player.virtual_points for player in state.players if player.virtual_points}


def refusal(*lines: str, text: str = FOUR) -> tuple[str, int, int, str]:
    with pytest.raises(TrfError) as caught:
        state_before_round(read(changed(*lines, text=text)), 3)
    return caught.value.code, caught.value.line, caught.value.column, caught.value.message


#           kind match points round players
PENALTY = "299          -1.0  001    1"
BONUS = "299           0.5  002    2    3"


def test_a_penalty_counts_from_the_next_round_on() -> None:
    assert virtual(PENALTY) == {1: (0, -10, -10)}
    assert virtual(PENALTY, round_number=2) == {1: (0, -10)}
    assert virtual(PENALTY, round_number=1) == {}


def test_bonuses_and_penalties_add_up_with_virtual_points() -> None:
    assert virtual(PENALTY, PENALTY, BONUS) == {1: (0, -20, -20), 2: (0, 0, 5), 3: (0, 0, 5)}
    assert virtual("250      02.0 001 003 0001 0001", PENALTY) == {1: (20, 10, 10)}


def test_round_999_counts_in_no_pairing() -> None:
    assert virtual("299          -1.0  999    1") == {}


@pytest.mark.parametrize(
    "lines, expected",
    [
        (("299 W         3.0  001    1",), {1: (0, 20, 20)}),
        (("299 D         1.0  000    2",), {2: (0, 5, 5)}),
        (("299 D         0.0  001",), {2: (0, -5, -5), 4: (0, -5, -5)}),
        (("299 D         1.0  001", "299 D         0.0  001    2"), {2: (0, -5, -5), 4: (0, 5, 5)}),
        (("299 W         3.0  001    1", "299 W         1.0  001    1"), {}),
        (("299 W         3.0  001    1", "299 W         2.0  000    1"), {1: (0, 20, 30)}),
    ],
    ids=[
        "player and round",
        "player",
        "round",
        "the player before the round",
        "the last of a kind",
        "most exact",
    ],
)
def test_a_result_may_be_worth_other_points(
    lines: tuple[str, ...], expected: dict[int, tuple[int, ...]]
) -> None:
    assert virtual(*lines) == expected


def test_a_result_worth_other_points_for_all_changes_the_point_system() -> None:
    lines = ["299 W         3.0", "299 +         2.0  000", "299 -        -1.0"]
    text = report(player(1, "3.0", "   2 w 1"), player(2, "0.0", "   1 b 0"), *lines)
    system = point_system(read(text))
    assert (system.win, system.forfeit_win, system.full_point_bye, system.forfeit_loss) == (
        30,
        20,
        10,
        -10,
    )


@pytest.mark.parametrize(
    "line, column, message",
    [
        ("299          -1.0  000    1", 5, "does not name the round of the point change"),
        ("299          -1.0  001", 5, "does not name the player of the point change"),
        ("299          -1.0  001   17", 24, "names player 17, but there is no such player"),
        (
            "299 D         1.0  001    1",
            5,
            "changes the points for 'D' of player 1 in round 1, but the result is '1'",
        ),
    ],
)
def test_changes_that_cannot_be_paired_are_refused_with_their_line(
    line: str, column: int, message: str
) -> None:
    code, place, found, sentence = refusal(line)
    assert (code, place, found) == ("trf.points_changed", 8, column)
    assert sentence.startswith(f"Record 299 {message}")


def test_c04_3_1_4_a_bye_that_changes_its_meaning_is_refused() -> None:
    text = report(
        "142 9",
        player(1, "", "   2 w 1", "   2 b 1"),
        player(2, "", "   1 b 0", "   1 w 0"),
        player(3, "", "0000 - H", "0000 - F"),
    )
    with pytest.raises(TrfError, match="change the float or the right to the bye"):
        state_before_round(read(changed("299 H         0.0  001    3", text=text)), 3)
    with pytest.raises(TrfError, match="change the float or the right to the bye"):
        state_before_round(read(changed("299 F         0.5  002    3", text=text)), 3)
    assert virtual("299 F         2.0  002    3", text=text) == {3: (0, 0, 10)}


def test_points_of_matches_are_not_changed() -> None:
    text = report(
        "192 FIDE_DOUBLESWISS",
        player(1, "", "   2 w 1", "   2 b 1"),
        player(2, "", "   1 b 0", "   1 w 0"),
        PENALTY,
    )
    with pytest.raises(
        TrfError, match=r"^line 4, column 5: Record 299 changes the points of a match"
    ):
        state_before_round(by_rounds_played(read(text)), 2)


def test_points_are_compared_for_players_without_changes() -> None:
    text = FOUR.replace(" 2.0    1", " 9.0    1")
    assert read(changed(PENALTY, text=text)).players[0].points == 90
    with pytest.raises(TrfError) as caught:
        read(changed(BONUS, text=text))
    assert caught.value.code == "trf.points_mismatch"


@pytest.mark.parametrize("seed", range(12))
def test_a_penalty_for_everybody_changes_no_pairing(seed: int) -> None:
    """Only the order and the differences of the pairing scores count, also below zero."""
    state = generate(EventPlan(players=9 + seed, rounds=7, byes=500), random.Random(seed)).state
    for number in range(2, 8):
        before = replace(
            state,
            round_number=number,
            players=tuple(
                replace(player, rounds=player.rounds[: number - 1]) for player in state.players
            ),
            absent=frozenset(),
        )
        below = replace(before, players=tuple(map(_a_hundred_points_less, before.players)))
        ours = pair(below)
        assert ours == pair(before)
        assert check(below, ours) == ()


def _a_hundred_points_less(player: Player) -> Player:
    return replace(player, virtual_points=(Points(-1_000),) * 9)


def test_a_check_only_requires_points_that_the_rounds_can_give() -> None:
    text = FOUR.replace(" 2.0    1", " 1.0    1")
    assert list(points_differences(read(changed(PENALTY, text=text)))) == []
    assert (
        list(
            points_differences(
                read(changed("299 W         3.0", text=FOUR.replace(" 2.0    1", " 6.0    1")))
            )
        )
        == []
    )
