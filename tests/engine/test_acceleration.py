"""Baku acceleration: the players with virtual points, their number, their rounds,
and their effect.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pairing.engine.acceleration import Acceleration, accelerate, allows_baku, baku, last_of_group_a
from pairing.engine.basics.history import score_after
from pairing.engine.checker import check
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Pairing, Player, Points, PointSystem, TournamentState
from pairing.engine.systems import pair

from .compact import position

DUTCH = ("dutch_2026", "dutch_2017")


def numbers(count: int) -> list[TPN]:
    return [TPN(number) for number in range(1, count + 1)]


@pytest.mark.parametrize(
    "players, last",
    [
        (1, 1),
        (2, 2),
        (3, 2),
        (4, 2),
        (5, 4),
        (8, 4),
        (9, 6),
        (10, 6),
        (13, 8),
        (14, 8),
        (160, 80),
        (161, 82),
    ],
)
def test_c04_7_group_a_is_the_first_half_rounded_up_to_an_even_number(
    players: int, last: int
) -> None:
    assert last_of_group_a(numbers(players)) == last


def test_c04_7_there_is_no_group_without_players() -> None:
    assert last_of_group_a([]) is None


@pytest.mark.parametrize(
    "rounds, full, half",
    [
        (1, 1, 0),
        (5, 2, 1),
        (6, 2, 1),
        (7, 2, 2),
        (8, 2, 2),
        (9, 3, 2),
        (10, 3, 2),
        (11, 3, 3),
        (15, 4, 4),
    ],
)
def test_c04_7_the_first_half_of_the_rounds_is_accelerated_with_a_win_then_half_of_it(
    rounds: int, full: int, half: int
) -> None:
    state = TournamentState(
        round_number=rounds, total_rounds=rounds, players=(Player(TPN(1)), Player(TPN(2)))
    )
    first, second = accelerate(state, baku(TPN(1), total_rounds=rounds, win=Points(30))).players
    assert first.virtual_points == (30,) * full + (15,) * half + (0,) * (rounds - full - half)
    assert second.virtual_points == ()


def test_c04_7_a_late_entry_above_the_last_of_group_a_belongs_to_it() -> None:
    """Eight players, group A up to 4.

    A late entry becomes number 2, so the last of the group is number 5.
    """
    last = last_of_group_a(numbers(8))
    assert last == 4
    state = TournamentState(round_number=1, total_rounds=5, players=tuple(map(Player, numbers(9))))
    after = accelerate(state, baku(TPN(last + 1), total_rounds=5, win=Points(10)))
    assert [player.tpn for player in after.players if player.virtual_points] == [1, 2, 3, 4, 5]


def test_nothing_changes_without_acceleration() -> None:
    state = position({1: "2w1", 2: "1b0"})
    assert accelerate(state, ()) is state


@pytest.mark.parametrize(
    "points, allowed",
    [
        (PointSystem(), True),
        (PointSystem.from_values(win=20, draw=10), True),
        (PointSystem.from_values(win=30, draw=10), False),
        (PointSystem.from_values(win=30, draw=20, loss=10), False),
    ],
)
def test_c04_7_a_win_is_worth_two_draws_and_a_loss_nothing(
    points: PointSystem, *, allowed: bool
) -> None:
    assert allows_baku(points) is allowed


def test_c04_7_a_record_may_give_other_points_to_part_of_the_list() -> None:
    state = TournamentState(round_number=2, total_rounds=4, players=tuple(map(Player, numbers(3))))
    records = (Acceleration(Points(10), 1, 1, TPN(1)), Acceleration(Points(5), 2, 2, TPN(2)))
    assert [player.virtual_points for player in accelerate(state, records).players] == [
        (10, 5),
        (0, 5),
        (),
    ]


# -- in a round ------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", DUTCH)
def test_c04_7_players_meet_within_their_half_of_the_list(system: str) -> None:
    players = tuple(map(Player, numbers(8)))
    state = TournamentState(round_number=1, total_rounds=9, players=players, system=system)
    paired = pair(accelerate(state, baku(TPN(4), total_rounds=9, win=Points(10))))
    assert paired == Pairing(((1, 3), (4, 2), (5, 7), (8, 6)))  # type: ignore[arg-type]


@pytest.mark.parametrize("system", DUTCH)
def test_c04_2_3_6_boards_are_in_the_order_of_pairing_scores(system: str) -> None:
    """After a round in which group B won every game and group A drew:
    1½, 1½ against 1, 1 pairing points.
    """
    lines = {1: "2w=", 2: "1b=", 3: "4w1", 4: "3b0", 5: "6w1", 6: "5b0"}
    state = replace(position(lines, total_rounds=9), system=system)
    accelerated = accelerate(state, baku(TPN(2), total_rounds=9, win=Points(10)))
    field = Field.from_state(accelerated, RULES_2026)
    assert dict(zip(field.tpns, field.scores, strict=True)) == {
        1: 15,
        2: 15,
        3: 10,
        5: 10,
        4: 0,
        6: 0,
    }
    paired = pair(accelerated)
    assert check(accelerated, paired) == ()
    assert {frozenset(board) for board in paired.pairs[:2]} == {
        frozenset({1, 3}),
        frozenset({2, 5}),
    }
    assert check(replace(accelerated, players=state.players), paired) != ()


@pytest.mark.parametrize("system", DUTCH)
def test_c04_7_accelerated_events_are_paired_as_checked_in_every_round(system: str) -> None:
    played = []

    def pair_and_check(state: TournamentState) -> Pairing:
        paired = pair(state)
        assert check(state, paired) == ()
        virtual = {
            player.tpn: player.virtual_points_in(state.round_number) for player in state.players
        }
        field = Field.from_state(state, RULES_2026)
        real = {
            player.tpn: score_after(player, state.round_number, state.points)
            for player in state.players
        }
        assert all(
            score == real[tpn] + virtual[tpn]
            for tpn, score in zip(field.tpns, field.scores, strict=True)
        )
        played.append(sorted(set(virtual.values())))
        return paired

    plan = EventPlan(players=23, rounds=9, late=2_000, byes=500, accelerated=True, system=system)
    generate(plan, Random(5), pair_and_check)
    assert played == [[0, 10]] * 3 + [[0, 5]] * 2 + [[0]] * 4
