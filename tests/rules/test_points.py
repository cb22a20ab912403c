"""Point adjustments: how many points, when, and from which round on."""

from __future__ import annotations

import pytest

from pairing.engine.model import PointSystem
from pairing.rules.point_adjustments import (
    amounts,
    counts_from,
    may_adjust,
    may_withdraw_points,
    unit,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused

USUAL = PointSystem()


def states(*states: RoundState) -> list[RoundFacts]:
    return [RoundFacts(number, state) for number, state in enumerate(states, start=1)]


NOTHING = states(RoundState.PLANNED, RoundState.PLANNED)
DRAFT = states(RoundState.DRAFT, RoundState.PLANNED)
PLAYING = states(RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED)
OVER = states(RoundState.RESULTS_PUBLISHED, RoundState.RESULTS_PUBLISHED)


@pytest.mark.parametrize(
    "system, step",
    [
        (USUAL, 5),
        (PointSystem.from_values(win=30, draw=10, pairing_allocated_bye=30), 10),
        (PointSystem.from_values(win=30, draw=10, pairing_allocated_bye=15), 5),
        (PointSystem.from_values(win=10, draw=4), 2),
        (PointSystem.from_values(win=0, draw=0, pairing_allocated_bye=0), 1),
    ],
)
def test_adjustments_are_steps_of_the_point_system(system: PointSystem, step: int) -> None:
    assert unit(system) == step
    assert amounts(system) == tuple(range(step, 100, step))


@pytest.mark.parametrize(
    "rounds, number", [(NOTHING, None), (DRAFT, None), (PLAYING, 1), (OVER, 2)]
)
def test_c04_2_4_4_they_belong_to_the_newest_published_round(
    rounds: list[RoundFacts], number: int | None
) -> None:
    assert counts_from(rounds) == number


@pytest.mark.parametrize("rounds", [NOTHING, DRAFT])
def test_before_round_1_is_published_there_are_none(rounds: list[RoundFacts]) -> None:
    assert may_adjust(rounds, 1, system=USUAL) == Refused("points.not_begun")
    assert may_withdraw_points(rounds, 1) == Refused("points.not_begun")


def test_c04_2_4_4_they_stay_once_a_published_pairing_has_counted_them() -> None:
    refusal = Refused("points.counted", "C.04.2 4.4", {"round": 1, "next": 2, "now": 2})
    assert may_adjust(OVER, 1, system=USUAL) == refusal
    assert may_withdraw_points(OVER, 1) == refusal


def test_they_do_not_belong_to_a_later_round() -> None:
    assert may_adjust(PLAYING, 2, system=USUAL) == Refused(
        "points.to_come", "", {"round": 2, "now": 1}
    )


def test_c07_4_2_lots_make_the_standings_final() -> None:
    assert may_adjust(OVER, 2, system=USUAL) == may_withdraw_points(OVER, 2) == ALLOWED
    refusal = Refused("points.lots_drawn", "C.07 4.2")
    assert may_adjust(OVER, 2, system=USUAL, lots_drawn=True) == refusal
    assert may_withdraw_points(OVER, 2, lots_drawn=True) == refusal


def test_matches_have_no_adjustments() -> None:
    assert may_adjust(PLAYING, 1, system=USUAL.for_matches()) == Refused("points.of_matches")


@pytest.mark.parametrize("total, allowed", [(99, True), (-99, True), (100, False), (-100, False)])
def test_the_sum_of_a_player_fits_the_column_of_a_report(total: int, allowed: bool) -> None:
    verdict = may_adjust(PLAYING, 1, system=USUAL, sum_after=total)
    assert verdict == (ALLOWED if allowed else Refused("points.too_many", "", {"most": 9.9}))
