"""Unplayed rounds, Article 16: their kinds, their values, and which are cut first."""

import pytest

from pairing.engine.model import TPN, PointSystem
from pairing.standings.crosstable import crosstable
from pairing.standings.editions import EDITIONS
from pairing.standings.unplayed import Unplayed, kinds_of_unplayed
from pairing.standings.values import Cut, Reason
from tests.standings.fields import HELD, STANDARD, amounts, field, player, value

PRESENT = EDITIONS["fide-2026"]

# Scores: 1 has 4, 2 has 2½, 3 has 2, 4 has 2, 5 has 4, 6 has 1.
LEADER = {
    1: "U +W2 +B3 +W4 -F5",
    2: "=W3 -B1 +F4 Z +W6",
    3: "=B2 =W5 -W1 -B6 =W4",
    4: "H +W6 -F2 -B1 =B3",
    5: "+W6 =B3 U H +F1",
    6: "-B5 -B4 H +W3 -B2",
}


@pytest.mark.parametrize(
    "rounds, kinds",
    [
        ("+W2 =B3", [None, None]),
        ("U F", [Unplayed.FULL_BYE, Unplayed.FULL_BYE]),
        ("+F2 -F3", [Unplayed.FORFEIT_WIN, Unplayed.FORFEIT_LOSS]),
        ("H +W2", [Unplayed.REQUESTED_BYE, None]),
        ("+W2 H", [None, Unplayed.REQUESTED_BYE_TO_THE_END]),
        (
            "Z -F2 Z",
            [
                Unplayed.REQUESTED_BYE_TO_THE_END,
                Unplayed.FORFEIT_LOSS,
                Unplayed.REQUESTED_BYE_TO_THE_END,
            ],
        ),
        ("Z U Z", [Unplayed.REQUESTED_BYE, Unplayed.FULL_BYE, Unplayed.REQUESTED_BYE_TO_THE_END]),
        ("Z H +F2", [Unplayed.REQUESTED_BYE, Unplayed.REQUESTED_BYE, Unplayed.FORFEIT_WIN]),
    ],
)
def test_c07_16_2_1_the_kinds_of_unplayed_rounds(rounds: str, kinds: list[Unplayed | None]) -> None:
    assert list(kinds_of_unplayed(player(1, rounds).rounds)) == kinds


def test_c07_16_1_2_requested_byes_and_forfeit_losses_are_voluntary() -> None:
    assert {kind for kind in Unplayed if kind.is_voluntary} == {
        Unplayed.REQUESTED_BYE,
        Unplayed.FORFEIT_LOSS,
        Unplayed.REQUESTED_BYE_TO_THE_END,
    }


def test_c07_16_3_missed_rounds_at_the_end_count_as_draws() -> None:
    table = crosstable(field(HELD), STANDARD, PRESENT)
    changed = {
        tpn: (row.score, row.adjusted)
        for tpn, row in table.rows.items()
        if row.score != row.adjusted
    }
    assert changed == {12: (20, 30)}


def test_c07_16_3_a_bye_at_the_end_is_a_draw_whatever_it_gave() -> None:
    table = crosstable(
        field({1: "H Z"}), PointSystem.from_values(win=30, draw=10, absence=5), PRESENT
    )
    assert (table.rows[TPN(1)].score, table.rows[TPN(1)].adjusted) == (15, 20)


def test_c07_16_4_2_the_dummy_of_a_bye_is_capped_by_a_draw_in_every_round() -> None:
    part = value(LEADER, 1, "BH").parts[0]
    assert (part.amount, part.reason) == (25, Reason.DUMMY_CAPPED_BY_DRAWS)


def test_c07_16_4_1_the_dummy_of_a_forfeit_is_capped_by_the_scheduled_opponent() -> None:
    part = value(LEADER, 2, "BH").parts[2]
    assert (part.amount, part.reason, part.opponent) == (20, Reason.DUMMY_CAPPED_BY_OPPONENT, 4)


def test_c07_16_4_1_the_cap_is_the_adjusted_score_of_a_player_who_left() -> None:
    # 2 has no points, and a draw for the missed round at the end.
    part = value({1: "+F2 +W3", 2: "-F1 Z", 3: "U -B1"}, 1, "BH").parts[0]
    assert (part.amount, part.reason) == (5, Reason.DUMMY_CAPPED_BY_OPPONENT)


def test_c07_16_4_a_dummy_below_the_cap_has_the_players_own_score() -> None:
    parts = value(LEADER, 4, "BH").parts
    assert [(part.amount, part.reason) for part in parts if part.reason is not Reason.OPPONENT] == [
        (20, Reason.DUMMY),
        (20, Reason.DUMMY),
    ]


def test_c07_2024_16_4_the_dummy_has_the_players_own_score_and_no_cap() -> None:
    parts = value(LEADER, 1, "BH", edition="fide-2024").parts
    assert [(part.amount, part.reason) for part in (parts[0], parts[4])] == [
        (40, Reason.DUMMY),
        (40, Reason.DUMMY),
    ]


def test_c07_16_5_the_lowest_voluntary_contribution_is_cut_before_a_weaker_opponent() -> None:
    # 4: a half-point bye and a forfeit loss, dummies of 2; the weakest opponent has 1½.
    parts = value(LEADER, 4, "BH/C1").parts
    assert [(part.amount, part.cut) for part in parts] == [
        (20, Cut.VOLUNTARY),
        (15, None),
        (20, None),
        (40, None),
        (15, None),
    ]


def test_c07_16_5_2_each_further_cut_applies_the_rule_again() -> None:
    opened = value(LEADER, 4, "BH/C2")
    assert [part.cut for part in opened.parts] == [Cut.VOLUNTARY, None, Cut.VOLUNTARY, None, None]
    assert opened.amount == 15 + 40 + 15


def test_c07_16_5_an_allocated_bye_and_a_forfeit_win_are_not_voluntary() -> None:
    # 1 has 3: dummies of 1½ (three draws) and 1 (player 3); the weakest opponent is player 2 with
    # ½.
    opened = value({1: "U +W2 +F3", 2: "Z -B1 Z", 3: "H Z -F1"}, 1, "BH/C1")
    assert [(part.amount, part.cut) for part in opened.parts] == [
        (15, None),
        (5, Cut.LEAST),
        (10, None),
    ]


def test_c07_16_5_in_sonneborn_berger_the_higher_of_the_two_is_cut() -> None:
    # The zero-point bye contributes nothing; the least significant is the win over the weakest
    # opponent, 1 × 1.
    field_ = {1: "Z +W2 +B3", 2: "U -B1 -W4", 3: "+W4 +B4 -W1", 4: "-B3 -W3 +B2"}
    parts = value(field_, 1, "SB/C1").parts
    assert [(part.amount, part.cut) for part in parts] == [(0, None), (100, Cut.LEAST), (200, None)]


def test_c07_14_1_1_sonneborn_berger_cuts_the_lowest_scorer_not_the_lowest_product() -> None:
    # Products 3 × 0, 1 × 1, 1 × 1: the lowest scorers are 3 and 4.
    field_ = {1: "-W2 +W3 +B4", 2: "+B1 +W4 +B3", 3: "U -B1 -W2", 4: "U -B2 -W1"}
    parts = value(field_, 1, "SB/C1").parts
    assert [(part.amount, part.cut) for part in parts] == [(0, None), (100, Cut.LEAST), (100, None)]


def test_p_counts_a_forfeited_game_as_played() -> None:
    # 1 lost by forfeit to 5. 5 has 4 points.
    parts = value(LEADER, 1, "BH/P").parts
    assert [part.amount for part in parts] == [25, 25, 15, 20, 40]
    assert (parts[4].reason, parts[4].is_voluntary) == (Reason.FORFEIT_COUNTED, False)
    assert amounts(LEADER, "SB/P")[1] == 250 + 250 + 150 + 200 + 0
    assert [part.cut for part in value(LEADER, 1, "BH/C1/P").parts] == [
        None,
        None,
        Cut.LEAST,
        None,
        None,
    ]
    # Without it the forfeit loss is a dummy of 4, voluntary, and is cut first.
    assert [part.cut for part in value(LEADER, 1, "BH/C1").parts] == [
        None,
        None,
        None,
        None,
        Cut.VOLUNTARY,
    ]


@pytest.mark.parametrize("code, kept", [("BH/M1", [30, 25, 20]), ("BH/M2", [25])])
def test_c07_14_3_c07_14_4_medians_cut_the_least_first_and_then_the_most(
    code: str, kept: list[int]
) -> None:
    field_ = {
        1: "+W2 +W3 -B4 =W5 =B6",
        2: "-B1 +W6 =B5 +W3 H",
        3: "U -B1 Z -B2 =W5",
        4: "+W5 +B6 +W1 =B6 =W6",
        5: "-B4 U =W2 =B1 =B3",
        6: "U -W4 -B2 =W4 =W1",
    }
    assert [part.amount for part in value(field_, 1, "BH").parts] == [30, 15, 40, 25, 20]
    assert [part.amount for part in value(field_, 1, code).parts if part.cut is None] == kept


def test_c07_14_with_as_many_cuts_as_rounds_nothing_is_left() -> None:
    one_round = {1: "+W2", 2: "-B1"}
    assert amounts(one_round, "BH/C1") == {1: 0, 2: 0}
    assert amounts(one_round, "BH/M2") == {1: 0, 2: 0}
