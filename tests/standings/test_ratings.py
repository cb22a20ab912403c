"""Tie-breaks from ratings, and the tables for them."""

import pytest

from pairing.engine.model import TPN, PointSystem
from pairing.ratings.tables import expected_score, rating_difference
from pairing.standings.values import Cut, Reason
from tests.standings.fields import amounts, value

GAMES = {
    1: "+W2 =B3 +F4 U",
    2: "-B1 +W4 =W3 +W5",
    3: "U =W1 =B2 -W4",
    4: "H -B2 -F1 +B3",
    5: "H Z Z -B2",
}
RATINGS = {TPN(1): 2000, TPN(2): 1901, TPN(3): 1800, TPN(4): 1750, TPN(5): 1600}


def test_c07_10_1_the_average_uses_opponents_played_over_the_board_and_rounds_a_half_up() -> None:
    # 1: (1901 + 1800) / 2 = 1850½. 2: (2000 + 1750 + 1800 + 1600) / 4 = 1787½.
    assert amounts(GAMES, "ARO", ratings=RATINGS) == {1: 1851, 2: 1788, 3: 1884, 4: 1851, 5: 1901}
    assert amounts({1: "U", 2: "Z"}, "ARO", ratings=RATINGS) == {1: None, 2: None}


def test_c07_10_1_the_opponent_of_an_adjourned_game_counts_and_the_performance_waits_for_its_result() -> (
    None
):
    games = {1: "=W2 ?B3", 2: "=B1 Z", 3: "Z ?W1"}
    # T11: ARO of 1 is (1901 + 1800) / 2; APRO only has the performance of 2, because 3 has finished
    # no game.
    assert amounts(games, "ARO", ratings=RATINGS) == {1: 1851, 2: 2000, 3: 2000}
    assert amounts(games, "TPR", ratings=RATINGS) == {1: 1901, 2: 2000, 3: None}
    assert amounts(games, "PTP", ratings=RATINGS) == {1: 1898, 2: 1997, 3: None}
    assert amounts(games, "APRO", ratings=RATINGS) == {1: 2000, 2: 1901, 3: 1901}


def test_c07_14_1_1_b_a_cut_leaves_out_the_lowest_ratings_and_a_median_the_highest_too() -> None:
    found = [
        amounts(GAMES, code, ratings=RATINGS)[2]
        for code in ("ARO/C1", "ARO/C2", "ARO/M1", "ARO/M2")
    ]
    assert found == [1850, 1900, 1775, None]
    assert [part.cut for part in value(GAMES, 2, "ARO/M1", ratings=RATINGS).parts] == [
        Cut.MOST,
        None,
        None,
        Cut.LEAST,
    ]


def test_c07_10_2_performance_is_the_average_plus_the_difference_of_the_table() -> None:
    # 2: 2½ of 4 is 0.625, 0.63: +95. 3: 1 of 3 is 0.33: -125.
    assert amounts(GAMES, "TPR", ratings=RATINGS) == {
        1: 1851 + 193,
        2: 1788 + 95,
        3: 1884 - 125,
        4: 1851,
        5: 1101,
    }
    difference = value(GAMES, 2, "TPR", ratings=RATINGS).parts[-1]
    assert (difference.amount, difference.points, difference.reason) == (
        95,
        63,
        Reason.RATING_DIFFERENCE,
    )


def test_c07_10_2_ratings_only_use_1_and_a_half_points() -> None:
    football = PointSystem.from_values(win=30, draw=10)
    for code in ("TPR", "PTP", "APRO", "APPO"):
        assert amounts(GAMES, code, ratings=RATINGS, system=football) == amounts(
            GAMES, code, ratings=RATINGS
        )


def test_c07_10_3_perfect_performance_is_the_lowest_rating_that_suffices() -> None:
    found = amounts(GAMES, "PTP", ratings=RATINGS)
    games = value(GAMES, 2, "PTP", ratings=RATINGS).parts
    assert found[2] is not None
    opponents = [2000, 1750, 1800, 1600]
    assert (
        sum(expected_score(found[2] - rating) for rating in opponents)
        == sum(part.amount for part in games)
        >= 250
    )
    assert sum(expected_score(found[2] - 1 - rating) for rating in opponents) < 250
    # A score of zero gives 800 below the lowest opponent, the maximum 736 above the highest.
    assert found[5] == 1901 - 800
    assert amounts({1: "+W2", 2: "-B1"}, "PTP", ratings=RATINGS) == {1: 1901 + 736, 2: 2000 - 800}


def test_c07_10_4_c07_10_5_averages_of_the_opponents_performances() -> None:
    performances = amounts(GAMES, "TPR", ratings=RATINGS)
    perfect = amounts(GAMES, "PTP", ratings=RATINGS)
    for code, theirs in (("APRO", performances), ("APPO", perfect)):
        two = [theirs[2] or 0, theirs[3] or 0]
        assert amounts(GAMES, code, ratings=RATINGS)[1] == (sum(two) + 1) // 2


def test_c07_10_6_the_rating_is_its_own_value() -> None:
    assert amounts(GAMES, "RTNG", ratings=RATINGS) == RATINGS


def test_c07_10_the_regulations_can_give_unrated_players_a_rating() -> None:
    some = {tpn: rating for tpn, rating in RATINGS.items() if tpn not in (3, 5)}
    assert amounts(GAMES, "ARO", ratings=some, unrated=1400)[1] == (1901 + 1400 + 1) // 2


@pytest.mark.parametrize(
    "hundredths, difference",
    [(100, 800), (99, 677), (75, 193), (50, 0), (49, -7), (33, -125), (1, -677), (0, -800)],
)
def test_b02_8_1_1_rating_differences(hundredths: int, difference: int) -> None:
    assert rating_difference(hundredths) == difference


@pytest.mark.parametrize(
    "difference, hundredths",
    [
        (0, 50),
        (3, 50),
        (4, 51),
        (-4, 49),
        (92, 63),
        (-92, 37),
        (400, 92),
        (735, 99),
        (736, 100),
        (-736, 0),
        (-900, 0),
    ],
)
def test_b02_8_1_2_expected_scores(difference: int, hundredths: int) -> None:
    assert expected_score(difference) == hundredths
