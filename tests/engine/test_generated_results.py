"""Generated results follow the rating table, and what a plan leaves open is drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from pairing.engine.drawn_plans import MOST_OF_A_RATE, draw_plan
from pairing.engine.errors import InputError
from pairing.engine.event_plan import WHOLE, EventPlan
from pairing.engine.generator import EXPECTATION_STEPS, UNUSUAL, GeneratedEvent, _GameLots, generate
from pairing.engine.model import TPN, Colour, PointSystem, Result

GAMES = 50_000
BAND = 50
SCORES = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


def expected(difference: int) -> float:
    """Return the expected score of the player who is *difference* points stronger,
    by the table [B.02 8.1.2].
    """
    better = 50 + bisect_left(EXPECTATION_STEPS, abs(difference))
    return (better if difference >= 0 else 100 - better) / 100


def deviations(games: Iterable[tuple[int, float]], *, fewest: int) -> dict[int, float]:
    """Return by band of 50 points how far the mean score is from the mean expected one;
    bands with few games do not count.
    """
    bands: dict[int, list[float]] = defaultdict(list)
    for difference, score in games:
        bands[difference // BAND].append(score - expected(difference))
    return {
        BAND * band: abs(sum(each) / len(each))
        for band, each in bands.items()
        if len(each) >= fewest
    }


@pytest.mark.costly
@pytest.mark.parametrize("draws", [0, 3_500, 6_000, WHOLE])
def test_b_02_8_1_2_the_scores_of_every_band_are_those_of_the_table(draws: int) -> None:
    chance, plan = Random(11), EventPlan(2, 1, draws=draws, by_table=True)
    lots, ratings = _GameLots(chance), range(2_600, 1_000, -1)
    boards = [
        (TPN(chance.randrange(1, 1_601)), TPN(chance.randrange(1, 1_601))) for _ in range(GAMES)
    ]
    games = [
        (
            ratings[white - 1] - ratings[black - 1],
            SCORES[lots.game(plan, ratings, (white, black))[0]],
        )
        for white, black in boards
    ]
    found = deviations(games, fewest=1_000)
    assert len(found) > 20
    assert {band: far for band, far in found.items() if far > 0.02} == {}


def games_of(event: GeneratedEvent) -> Iterable[tuple[int, float]]:
    """Yield the rating difference and the score of White in each ordinary game."""
    for player in event.state.players:
        for record in player.rounds:
            if (
                record.colour is Colour.WHITE
                and record.opponent is not None
                and record.result in SCORES
            ):
                difference = event.ratings[player.tpn - 1] - event.ratings[record.opponent - 1]
                yield difference, SCORES[record.result]


@pytest.mark.slow
def test_b_02_8_1_2_the_scores_of_whole_tournaments_are_those_of_the_table() -> None:
    games: list[tuple[int, float]] = []
    seed = 0
    while len(games) < GAMES:
        seed += 1
        chance = Random(seed)
        plan = draw_plan({"players": 300, "rounds": 7, "unusual": 0}, chance)
        games += games_of(generate(plan, chance))
    found = deviations(games, fewest=300)
    assert len(found) > 8
    assert {band: far for band, far in found.items() if far > 0.02} == {}


def test_b_02_8_1_2_some_tournaments_are_near_the_table_too() -> None:
    games: list[tuple[int, float]] = []
    for seed in range(6):
        games += games_of(generate(EventPlan(60, 7, by_table=True), Random(seed)))
    whole = sum(score - expected(difference) for difference, score in games) / len(games)
    assert len(games) > 1_000
    assert abs(whole) < 0.02


def share_of(results: Iterable[Result], event: GeneratedEvent) -> float:
    every = [record.result for player in event.state.players for record in player.rounds]
    wanted = set(results)
    return sum(result in wanted for result in every) / len(every)


@pytest.mark.parametrize(
    "rate, result",
    [
        ("half_byes", Result.HALF_POINT_BYE),
        ("zero_byes", Result.ZERO_POINT_BYE),
        ("full_byes", Result.FULL_POINT_BYE),
    ],
)
def test_each_kind_of_bye_has_its_rate(rate: str, result: Result) -> None:
    event = generate(EventPlan(300, 5, **{rate: 2_000}), Random(1))  # type: ignore[arg-type]
    assert 0.17 < share_of([result], event) < 0.23
    others = {Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE, Result.FULL_POINT_BYE} - {result}
    assert share_of(others, event) == 0


@pytest.mark.parametrize(
    "rate, pair",
    [
        ("forfeit_wins", (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)),
        ("forfeit_losses", (Result.FORFEIT_LOSS, Result.FORFEIT_WIN)),
        ("double_forfeits", (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS)),
    ],
)
def test_each_kind_of_forfeit_has_its_rate(rate: str, pair: tuple[Result, Result]) -> None:
    plan: dict[str, Any] = {rate: 2_000}
    lots = _GameLots(Random(3))
    made = [
        lots.game(EventPlan(2, 1, **plan), (2000, 1900), (TPN(1), TPN(2))) for _ in range(4_000)
    ]
    forfeits = [two for two in made if two[0] in (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)]
    assert {*forfeits} == {pair}
    assert 0.18 < len(forfeits) / 4_000 < 0.22


def test_unusual_results_have_their_rate() -> None:
    lots = _GameLots(Random(3))
    made = [
        lots.game(EventPlan(2, 1, unusual=1_000), (2000, 1900), (TPN(1), TPN(2)))
        for _ in range(4_000)
    ]
    assert {two for two in made if two in UNUSUAL} == {*UNUSUAL}
    assert 0.08 < sum(two in UNUSUAL for two in made) / 4_000 < 0.12


def test_ratings_are_those_given_or_within_bounds_or_a_gap_apart() -> None:
    assert generate(EventPlan(3, 1, ratings=(1800, 2400, 2000)), Random(1)).ratings == (
        2400,
        2000,
        1800,
    )
    bounded = generate(EventPlan(200, 1, lowest=1500, highest=1600), Random(1)).ratings
    assert (min(bounded) >= 1500, max(bounded) <= 1600, len({*bounded}) > 60) == (True, True, True)
    assert generate(EventPlan(4, 1, highest=2000, gap=50), Random(1)).ratings == (
        2000,
        1950,
        1900,
        1850,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"ratings": (2000,)},
        {"ratings": (0,) * 8},
        {"lowest": 2000, "highest": 1000},
        {"highest": 100, "lowest": 1, "gap": 50},
        {"half_byes": 6_000, "zero_byes": 6_000},
        {"forfeit_wins": 9_000, "double_forfeits": 2_000},
    ],
    ids=str,
)
def test_a_plan_that_cannot_be_one_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        generate(EventPlan(8, 3, **wrong), Random(1))
    assert raised.value.code == "generate.plan"


def test_what_is_left_open_is_drawn_and_differs() -> None:
    plans = [draw_plan({}, Random(seed)) for seed in range(300)]
    for name, most in MOST_OF_A_RATE.items():
        values = {getattr(plan, name) for plan in plans}
        assert 0 in values
        assert len(values) > 30
        assert max(values) <= most
    for name in ("players", "rounds", "draws", "points", "accelerated", "lowest", "highest", "gap"):
        assert len({getattr(plan, name) for plan in plans}) > 1, name
    assert all(plan.players >= 2 * plan.rounds for plan in plans)
    common = sum(plan.points == PointSystem() for plan in plans)
    assert 200 < common < 280


@pytest.mark.parametrize(
    "given",
    [
        {"players": 12},
        {"rounds": 9},
        {"players": 1},
        {"ratings": (2000, 1900, 1800, 1700)},
        {"highest": 900},
        {"lowest": 2300},
        {"gap": 100, "players": 60},
        {"points": PointSystem.from_values(win=30, draw=10)},
        {"system": "dutch_pre2017"},
        {"half_byes": 0, "late": 5_000},
    ],
    ids=str,
)
def test_what_is_given_stays_and_the_rest_fits_to_it(given: dict[str, Any]) -> None:
    for seed in range(40):
        chance = Random(seed)
        plan = draw_plan(given, chance)
        assert {name: getattr(plan, name) for name in given} == given
        small = generate(
            EventPlan(**{**{n: getattr(plan, n) for n in plan.__slots__}, "played": 0}), chance
        )
        assert small.state.round_number == 1
