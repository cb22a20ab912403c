"""Twenty worked examples of prizes, each counted by hand; amounts are cents, points are tenths.

The sums follow the regulations that the comments describe; none was printed by the program.
"""

from __future__ import annotations

from typing import Final

from pairing.engine.model import TPN, Points
from pairing.standings.prize_rules import (
    Category,
    Choice,
    Division,
    Placed,
    PrizeRules,
    best_teams,
)
from pairing.standings.prize_warnings import CostsMoney, WeakerGetsMore, warnings_of
from pairing.standings.prizes import Awards, hand_out


def field(*lines: tuple[int, int]) -> list[Placed]:
    """Return players 1, 2, … with (rank, points in tenths)."""
    return [
        Placed(TPN(tpn), rank, Points(points)) for tpn, (rank, points) in enumerate(lines, start=1)
    ]


def among(*tpns: int) -> frozenset[TPN]:
    return frozenset(map(TPN, tpns))


def money(awards: tuple[Awards, ...]) -> list[dict[int, int]]:
    """Return the cents by player of each category."""
    return [{award.tpn: award.amount for award in of.awards} for of in awards]


def paid(
    categories: list[Category], players: list[Placed], rules: PrizeRules
) -> list[dict[int, int]]:
    return money(hand_out(categories, players, rules))


def main(*amounts: int) -> Category:
    return Category("Main", amounts)


EQUAL: Final = PrizeRules(Division.EQUAL)
HORT: Final = PrizeRules(Division.HORT)
BY_RANK: Final = PrizeRules(Division.BY_RANK)
IN_ORDER: Final = PrizeRules(Division.EQUAL, Choice.IN_ORDER)
THREE: Final = field((1, 60), (2, 60), (3, 60), (4, 50))
"""Three players with six points, ranked by tie-breaks, and one with five."""


def test_1_by_rank_nothing_is_shared() -> None:
    # 500, 300, 100 and 50 go to the places 1 to 4.
    assert paid([main(50000, 30000, 10000, 5000)], THREE, BY_RANK) == [
        {1: 50000, 2: 30000, 3: 10000, 4: 5000}
    ]


def test_2_equal_sharing_of_three_places() -> None:
    # (500 + 300 + 100) / 3 = 300.
    assert paid([main(50000, 30000, 10000, 5000)], THREE, EQUAL) == [
        {1: 30000, 2: 30000, 3: 30000, 4: 5000}
    ]


def test_3_hort() -> None:
    # Half of 500, 300 and 100, and half of 300 each: 250 + 150, 150 + 150, 50 + 150.
    assert paid([main(50000, 30000, 10000, 5000)], THREE, HORT) == [
        {1: 40000, 2: 30000, 3: 20000, 4: 5000}
    ]


def test_4_the_last_prize_is_shared_by_all_with_the_same_points() -> None:
    # 100 / 3 = 33.33…: the cent that is left goes to the best rank.
    assert paid([main(10000)], THREE, EQUAL) == [{1: 3334, 2: 3333, 3: 3333}]
    # Hort: 50 + 16.66…, 16.66…, 16.66…: the remainders are equal.
    assert paid([main(10000)], THREE, HORT) == [{1: 6667, 2: 1667, 3: 1666}]


def test_5_players_equal_in_everything_share_by_rank_too() -> None:
    players = field((1, 60), (1, 60), (3, 50))
    # Places 1 and 2: (1.01 + 1.00) / 2 = 1.005.
    for rules in (BY_RANK, EQUAL, HORT):
        assert paid([main(101, 100, 50)], players, rules) == [{1: 101, 2: 100, 3: 50}]


def test_6_whole_euros_by_the_largest_remainder() -> None:
    # 200 / 3 = 66.66…: 66 each, and two euros are left for the two best ranks.
    rules = PrizeRules(Division.EQUAL, unit=100)
    assert paid([main(20000)], THREE, rules) == [{1: 6700, 2: 6700, 3: 6600}]


def test_7_whole_tens_with_hort() -> None:
    # Half of 200 and 100, and half of 300 / 3 = 100: 150, 100, 50.
    rules = PrizeRules(Division.HORT, unit=1000)
    assert paid([main(20000, 10000)], THREE, rules) == [{1: 15000, 2: 10000, 3: 5000}]
    # 100 alone: 50 + 16.66…, 16.66…, 16.66… is 60, 10, 10; two tens are left for the two best.
    assert paid([main(10000)], THREE, rules) == [{1: 7000, 2: 2000, 3: 1000}]


def test_8_the_first_category_in_order_costs_a_junior_money_and_the_page_warns() -> None:
    # The case of the old rule: seven players with six points share the last 375 of the main prizes,
    # 53.57 each; a junior with 5½ points gets the 250 that a junior with six points could have had.
    players = field(*((rank, 60) for rank in range(1, 8)), (8, 55))
    categories = [main(37500), Category("U16", (25000,), among(7, 8))]
    awards = hand_out(categories, players, IN_ORDER)
    assert money(awards) == [
        {1: 5358, 2: 5357, 3: 5357, 4: 5357, 5: 5357, 6: 5357, 7: 5357},
        {8: 25000},
    ]
    assert warnings_of(categories, players, IN_ORDER, awards) == (
        CostsMoney(TPN(7), 5357, 1, 25000),
        WeakerGetsMore(TPN(7), 5357, TPN(8), 1, 25000),
    )


def test_9_the_more_valuable_prize_of_the_same_players() -> None:
    # Player 7 takes 250, and 375 / 6 = 62.50 are left for the others. Player 8 gets nothing.
    players = field(*((rank, 60) for rank in range(1, 8)), (8, 55))
    categories = [main(37500), Category("U16", (25000,), among(7, 8))]
    awards = hand_out(categories, players, EQUAL)
    assert money(awards) == [dict.fromkeys(range(1, 7), 6250), {7: 25000}]
    assert warnings_of(categories, players, EQUAL, awards) == ()


def test_10_by_rank_each_takes_the_most_valuable_prize_that_is_left() -> None:
    # 1: 500. 2, a woman: 300 of the main prizes, not 200. 3, a woman: 200 for women, not 100.
    # 4: the 100 that is left of the main prizes.
    categories = [main(50000, 30000, 10000), Category("Women", (20000,), among(2, 3))]
    assert paid(categories, THREE, BY_RANK) == [{1: 50000, 2: 30000, 4: 10000}, {3: 20000}]


def test_11_of_equal_prizes_the_first_category_counts() -> None:
    categories = [main(10000), Category("Club", (10000,), among(1, 2))]
    assert paid(categories, THREE, BY_RANK) == [{1: 10000}, {2: 10000}]


def test_12_a_woman_among_equals_leaves_more_for_the_others() -> None:
    # Three with six points. In the main prizes each would get (300 + 150) / 3 = 150; player 2 gets
    # 180 as the best woman, and the others (300 + 150) / 2 = 225.
    categories = [main(30000, 15000), Category("Women", (18000,), among(2))]
    assert paid(categories, THREE, EQUAL) == [{1: 22500, 3: 22500}, {2: 18000}]


def test_13_with_hort_the_better_half_decides() -> None:
    # In the main prizes 1 gets 150 + 50, 2 and 3 get 50 each (half of 300 / 3). Player 3 takes 60
    # as a junior; then 1 has 150 + 75 and 2 has 75.
    categories = [main(30000), Category("U16", (6000,), among(3, 4))]
    assert paid(categories, THREE, HORT) == [{1: 22500, 2: 7500}, {3: 6000}]


def test_14_two_prizes_each_and_no_limit() -> None:
    categories = [
        main(30000),
        Category("Women", (20000, 5000), among(1, 3)),
        Category("U16", (10000,), among(1, 4)),
    ]
    two = PrizeRules(Division.BY_RANK, most_each=2)
    # Player 1 takes 300 and 200; the prize for juniors goes to 4.
    assert paid(categories, THREE, two) == [{1: 30000}, {1: 20000, 3: 5000}, {4: 10000}]
    no_limit = PrizeRules(Division.BY_RANK, most_each=0)
    assert paid(categories, THREE, no_limit) == [{1: 30000}, {1: 20000, 3: 5000}, {1: 10000}]


def test_15_first_in_order_with_one_prize_lets_the_others_move_up() -> None:
    # Players 1 and 2 won main prizes; 4 is the only junior who is left.
    rules = PrizeRules(Division.BY_RANK, Choice.IN_ORDER)
    categories = [main(10000, 5000), Category("U16", (3000,), among(2, 4))]
    assert paid(categories, THREE, rules) == [{1: 10000, 2: 5000}, {4: 3000}]


def test_16_a_cap_is_shared_by_the_other_winners() -> None:
    # No more than 300 in all: 200 of the first prize are over, 100 each for the other two. 250 +
    # 100 is over again by 50, which go to the last: 100 + 100 + 50.
    rules = PrizeRules(Division.BY_RANK, cap=30000)
    assert paid([main(50000, 25000, 10000)], THREE, rules) == [{1: 30000, 2: 30000, 3: 25000}]
    # Nobody else may get it: 200 are left over.
    alone = hand_out([main(50000)], field((1, 60)), rules)
    assert (money(alone), alone[0].left_over) == ([{1: 30000}], 20000)


def test_17_a_minimum_ends_the_sharing() -> None:
    # 100 / 3 is less than 40: only the two best by rank share, 50 each.
    assert paid([main(10000)], THREE, PrizeRules(Division.EQUAL, minimum=4000)) == [
        {1: 5000, 2: 5000}
    ]
    # Hort: the share by points of two players is 25, of one 50. Not below 40: one player.
    assert paid([main(10000)], THREE, PrizeRules(Division.HORT, minimum=4000)) == [{1: 10000}]
    # Players who are equal in everything are not separated.
    equal = field((1, 60), (1, 60), (1, 60))
    assert paid([main(9000)], equal, PrizeRules(Division.EQUAL, minimum=4000)) == [
        {1: 3000, 2: 3000, 3: 3000}
    ]


def test_18_cups_go_by_rank_and_are_never_divided() -> None:
    # The best woman has won 300 and gets the cup all the same; the second gets the book.
    women = Category("Women", (), among(1, 3), ("Cup", "Book", "Medal"))
    awards = hand_out([main(30000), women], THREE, BY_RANK)[1]
    assert [(one.place, one.tpn, one.thing, one.is_tied) for one in awards.things] == [
        (1, 1, "Cup", False),
        (2, 3, "Book", False),
    ]
    assert awards.things_left == ("Medal",)
    # Two players equal in everything: the cup is marked, since somebody must decide.
    equal = field((1, 60), (1, 60))
    cup = hand_out([Category("Main", (), None, ("Cup",))], equal, BY_RANK)[0].things
    assert [(one.tpn, one.is_tied) for one in cup] == [(1, True)]
    both = hand_out([Category("Main", (), None, ("Cup", "Cup"))], equal, BY_RANK)[0].things
    assert [one.is_tied for one in both] == [False, False]


def test_19_the_best_three_of_a_club() -> None:
    players = field((1, 60), (2, 55), (3, 55), (4, 50), (5, 50), (6, 45), (7, 40), (8, 30))
    clubs = {TPN(tpn): "ABABABBC"[tpn - 1] for tpn in range(1, 9)}
    # A: 1, 3, 5: 6 + 5½ + 5 = 16½. B: 2, 4, 6: 5½ + 5 + 4½ = 15. C has one player.
    teams = best_teams(players, clubs, 3)
    assert [(team.name, team.points, team.members) for team in teams] == [
        ("A", 165, (1, 3, 5)),
        ("B", 150, (2, 4, 6)),
    ]
    team_prize = Category("Clubs", (9000, 6000, 3000), None, ("Cup",), teams)
    awards = hand_out([main(10000), team_prize], players, EQUAL)
    # The team prize counts for no limit: player 1 has the main prize too.
    assert money(awards) == [{1: 10000}, {}]
    assert [(of.team.name, of.amount, of.thing) for of in awards[1].teams] == [
        ("A", 9000, "Cup"),
        ("B", 6000, ""),
    ]
    assert awards[1].left_over == 3000


def test_20_prizes_without_a_winner_are_left_over() -> None:
    # One player under 10 gets the first of 30, 20 and 10; there is nobody under 8.
    categories = [
        Category("U10", (3000, 2000, 1000), among(4)),
        Category("U8", (900,), frozenset()),
    ]
    awards = hand_out(categories, THREE, HORT)
    assert (money(awards), [of.left_over for of in awards]) == ([{4: 3000}, {}], [3000, 900])


def test_the_better_of_two_with_the_same_points_gets_the_better_prize() -> None:
    # Found by a random search. (300 + 90) / 2 = 195 in the main prizes, 230 for juniors alone:
    # of 2 and 3, who could both have the 230, it goes to the better by rank.
    players = field((2, 20), (1, 20), (3, 20))
    juniors = Category("U16", (23000, 14000, 8000), among(2, 3))
    assert paid([main(30000, 9000), juniors], players, EQUAL) == [{1: 19500, 3: 19500}, {2: 23000}]


def test_a_sum_that_is_no_multiple_of_the_unit_is_paid_all_the_same() -> None:
    # 100.50 in whole euros for three: 33 each, one euro more for the first, and the 50 cents too.
    rules = PrizeRules(Division.EQUAL, unit=100)
    assert paid([main(10050)], THREE, rules) == [{1: 3450, 2: 3300, 3: 3300}]
