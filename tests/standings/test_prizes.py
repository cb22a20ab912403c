"""Prize money divided by rank, equally or by Hort; the cents always add up."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from pairing.engine.model import TPN, Points
from pairing.standings.prizes import Award, Awards, Category, Division, Placed, divide, hand_out


def field(*lines: tuple[int, int]) -> list[Placed]:
    """Return players 1, 2, … with (rank, points in tenths)."""
    return [
        Placed(TPN(tpn), rank, Points(points)) for tpn, (rank, points) in enumerate(lines, start=1)
    ]


def amounts(prizes: tuple[int, ...], players: list[Placed], division: Division) -> list[int]:
    got = {award.tpn: award.amount for award in divide(prizes, players, division)}
    return [got.get(player.tpn, 0) for player in players]


THREE = field((1, 60), (2, 60), (3, 60), (4, 50))
"""Three players with six points, ranked by tie-breaks, and one with five."""


@pytest.mark.parametrize(
    "division, expected",
    [
        (Division.BY_RANK, [50000, 30000, 10000, 5000]),
        (Division.EQUAL, [30000, 30000, 30000, 5000]),
        # One half of 500, 300 and 100, and one half of 300 each.
        (Division.HORT, [40000, 30000, 20000, 5000]),
    ],
)
def test_three_with_the_same_points(division: Division, expected: list[int]) -> None:
    assert amounts((50000, 30000, 10000, 5000), THREE, division) == expected


def test_the_last_prize_is_shared_by_all_players_with_the_same_points() -> None:
    assert amounts((10000,), THREE, Division.EQUAL) == [3334, 3333, 3333, 0]
    assert amounts((10000,), THREE, Division.HORT) == [6667, 1667, 1666, 0]
    assert amounts((10000,), THREE, Division.BY_RANK) == [10000, 0, 0, 0]


def test_a_shared_rank_shares_its_prizes_in_every_division() -> None:
    players = field((1, 60), (1, 60), (3, 50))
    for division in Division:
        assert amounts((101, 100, 50), players, division) == [101, 100, 50], division
    assert divide((100,), players, Division.BY_RANK) == (Award(1, TPN(1), 50), Award(1, TPN(2), 50))


def test_places_are_counted_among_those_who_can_win() -> None:
    women = Category("Women", (5000, 2500), frozenset({TPN(3), TPN(4)}))
    assert hand_out([women], THREE, Division.EQUAL, one_each=True) == (
        Awards("Women", (Award(1, TPN(3), 5000), Award(2, TPN(4), 2500)), 0),
    )


def test_one_prize_each_lets_the_others_move_up() -> None:
    main = Category("Main", (10000, 5000))
    junior = Category("U16", (3000,), frozenset({TPN(2), TPN(4)}))
    assert hand_out([main, junior], THREE, Division.BY_RANK, one_each=True)[1] == Awards(
        "U16", (Award(1, TPN(4), 3000),), 0
    )
    assert hand_out([main, junior], THREE, Division.BY_RANK, one_each=False)[1] == Awards(
        "U16", (Award(1, TPN(2), 3000),), 0
    )


def test_prizes_without_a_winner_are_left_over() -> None:
    alone = Category("U10", (3000, 2000, 1000), frozenset({TPN(4)}))
    nobody = Category("U8", (900,), frozenset())
    assert hand_out([alone, nobody], THREE, Division.HORT, one_each=True) == (
        Awards("U10", (Award(1, TPN(4), 3000),), 3000),
        Awards("U8", (), 900),
    )


@given(
    st.lists(st.integers(0, 100_000), max_size=12),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=15),
    st.sampled_from(Division),
)
def test_no_cent_is_lost_and_nobody_gets_less_than_a_lower_player(
    prizes: list[int], merits: list[tuple[int, int]], division: Division
) -> None:
    """Players are ranked by points, then by one tie-break; players equal in both share the rank."""
    merits.sort(reverse=True)
    players = field(*((merits.index(merit) + 1, merit[0]) for merit in merits))
    prizes.sort(reverse=True)
    got = amounts(tuple(prizes), players, division)
    assert sum(got) == sum(prizes[: len(players)])
    assert all(better >= worse for better, worse in pairwise(got))
