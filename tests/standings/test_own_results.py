"""Tie-breaks from own results, Koya and tie-breaks from the opponents' results,
in small fields computed by hand.
"""

from fractions import Fraction

import pytest

from pairing.engine.model import TPN, PointSystem
from pairing.standings.values import Reason
from tests.standings.fields import amounts, column, value

# 1: 3½ of 5, 2: 2½, 3: 2, 4: 2.
MIXED = {
    1: "+W2 +F3 U H -B4",
    2: "-B1 +B4 =W3 Z +F3",
    3: "F -F1 =B2 =W4 -F2",
    4: "Z -W2 H =B3 +W1",
}


@pytest.mark.parametrize(
    "code, expected",
    [
        ("WIN", {1: 3, 2: 2, 3: 1, 4: 1}),
        ("WON", {1: 1, 2: 1, 3: 0, 4: 1}),
        ("BPG", {1: 1, 2: 2, 3: 1, 4: 1}),
        ("BWG", {1: 0, 2: 1, 3: 0, 4: 0}),
        ("REP", {1: 4, 2: 4, 3: 3, 4: 3}),
    ],
)
def test_c07_7_1_to_7_6_counted_rounds(code: str, expected: dict[int, int]) -> None:
    assert amounts(MIXED, code) == expected


def test_c07_7_1_a_win_is_as_many_points_as_a_win_gives() -> None:
    half_point_pab = PointSystem.from_values(pairing_allocated_bye=5)
    assert amounts({1: "U +W2", 2: "F -B1"}, "WIN", system=half_point_pab) == {1: 1, 2: 1}


def test_c07_7_5_progressive_scores_add_up_and_a_cut_leaves_out_the_first() -> None:
    assert amounts(MIXED, "PS")[1] == 10 + 20 + 30 + 35 + 35
    assert amounts(MIXED, "PS/C1")[1] == 20 + 30 + 35 + 35
    assert amounts(MIXED, "PS/C2")[1] == 30 + 35 + 35


def test_c07_7_7_standard_points_compare_with_the_opponent_and_without_play_with_a_draw() -> None:
    football = PointSystem.from_values(win=30, draw=10)
    # 1: won, forfeit won, PAB, half-point bye, lost.
    assert amounts(MIXED, "STD", system=football) == {1: 35, 2: 25, 3: 20, 4: 20}
    assert column(MIXED, "STD").scale == 10


@pytest.mark.parametrize(
    "white, black, expected",
    [
        (
            "0W2",
            "0B1",
            {1: 5, 2: 5},
        ),  # Both lost over the board, so they have the same number of points.
        ("=W2", "0B1", {1: 10, 2: 0}),
        ("-F2", "-F1", {1: 0, 2: 0}),  # Both forfeited: without play, less than a draw.
        ("?W2", "?B1", {1: 0, 2: 0}),
    ],
)
def test_c07_7_7_standard_points_of_unusual_results(
    white: str, black: str, expected: dict[int, int]
) -> None:
    assert amounts({1: white, 2: black}, "STD") == expected


def test_c07_7_8_the_pairing_number_is_its_own_value() -> None:
    assert amounts(MIXED, "TPN") == amounts(MIXED, "TPN/R") == {1: 1, 2: 2, 3: 3, 4: 4}


def test_c07_8_2_the_average_is_exact_and_only_of_those_met_over_the_board() -> None:
    # Buchholz 2: 3½ + 2 + 2 + 2½ (bye) + 2 (forfeit against 3); 3: 2 (bye) + 2 (forfeit against 1)
    # + 2½ + 2 + 2; 4: 2 (bye) + 2½ + 2 (bye) + 2 + 3½; 1: 2½ + 2 (forfeit against 3) + 2½ (bye) +
    # 2½ (bye) + 2.
    assert [amounts(MIXED, "BH")[tpn] for tpn in (1, 2, 3, 4)] == [115, 120, 105, 120]
    found = column(MIXED, "AOB")
    assert [Fraction(found.values[TPN(tpn)].amount or 0, found.scale) for tpn in (1, 3)] == [12, 12]
    assert Fraction(found.values[TPN(4)].amount or 0, found.scale) == Fraction(120 + 105 + 115, 30)
    assert amounts({1: "U", 2: "Z"}, "AOB") == {1: None, 2: None}


def test_c07_8_3_fore_buchholz_draws_every_paired_game_of_the_last_round() -> None:
    # Round 5: 1-4 and the forfeited 2-3 are draws: 1 has 4, 2 has 2, 3 has 2½, 4 has 1½.
    assert [part.amount for part in value(MIXED, 1, "FB").parts] == [20, 25, 25, 25, 15]
    assert amounts(MIXED, "BH/F") == amounts(MIXED, "FB")


def test_c07_8_3_a_player_paired_in_the_last_round_has_not_left_before() -> None:
    # By the results 2 left after round 1 (a bye, a forfeit loss); with the last round drawn the bye
    # is an earlier one.
    field = {1: "+W2 U +F2", 2: "-B1 Z -F1", 3: "U U U"}
    assert value(field, 1, "BH").parts[0].worth == 5
    assert value(field, 1, "FB").parts[0].worth == 5
    assert value(field, 1, "BH").parts[0].reason is Reason.OPPONENT_ADJUSTED
    assert value(field, 1, "FB").parts[0].reason is Reason.OPPONENT


def test_c07_9_2_koya_counts_the_games_against_half_of_the_maximum_or_more() -> None:
    # 1 and 2 have 2½ or more of 5. 4 won against 1 and lost to 2; the forfeit of 3 against 1 is not
    # a game.
    assert amounts(MIXED, "KS") == {1: 10, 2: 0, 3: 5, 4: 10}
    assert [part.reason for part in value(MIXED, 2, "KS").parts] == [
        Reason.COUNTED,
        Reason.BELOW_LIMIT,
        Reason.BELOW_LIMIT,
    ]


@pytest.mark.parametrize("code, expected", [("KS/L+1", 10), ("KS/L-1", 15), ("KS/L+3", 0)])
def test_c07_14_5_the_limit_of_koya_moves_in_half_points(code: str, expected: int) -> None:
    # 4 drew with 3 (2), lost to 2 (2½) and won against 1 (3½).
    assert amounts(MIXED, code)[4] == expected


def test_c07_10_6_the_rating_is_that_of_the_player_or_of_the_regulations() -> None:
    rounds = {1: "+W2", 2: "-B1"}
    assert amounts(rounds, "RTNG", ratings={TPN(1): 2100}, unrated=1400) == {1: 2100, 2: 1400}
