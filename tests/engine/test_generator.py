"""Generated tournaments are equal on every platform, follow the plan,
and can be paired again from their reports.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pairing.cli.generate import text_of
from pairing.engine.checker import check
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.event_plan import WHOLE, EventPlan
from pairing.engine.generator import GeneratedEvent, generate
from pairing.engine.model import Player, Points, PointSystem, Result, RoundRecord, TournamentState
from pairing.engine.systems import pair
from pairing.trf.convert import round_of, state_before_round
from pairing.trf.reader import read

from .literal_dutch import pair_literally

UNREST: dict[str, Any] = {
    "forfeits": 1_000,
    "byes": 1_000,
    "late": 1_500,
    "withdrawals": 1_500,
    "prohibitions": 2_000,
}
"""Every option of a plan at once."""
KINDS = [
    {},
    {"byes": 2_000},
    {"forfeits": 2_500},
    {"late": 3_000},
    {"withdrawals": 3_000},
    {"prohibitions": 5_000},
    {"accelerated": True},
    {"points": PointSystem.from_values(win=30, draw=10)},
    UNREST,
    UNREST | {"accelerated": True},
    UNREST | {"points": PointSystem.from_values(win=30, draw=20, loss=10)},
    UNREST | {"system": "dutch_2017"},
]


def event(seed: int, **kind: Any) -> GeneratedEvent:
    return generate(EventPlan(**kind), Random(seed))


def plans(*, players: tuple[int, int], rounds: int) -> st.SearchStrategy[EventPlan]:
    rates = st.sampled_from((0, 500, 2_500))
    return st.builds(
        EventPlan,
        players=st.integers(*players),
        rounds=st.integers(1, rounds),
        draws=st.sampled_from((1_000, 6_000)),
        forfeits=rates,
        byes=rates,
        late=rates,
        withdrawals=rates,
        prohibitions=rates,
        accelerated=st.booleans(),
    )


def records(generated: GeneratedEvent) -> list[RoundRecord]:
    return [record for player in generated.state.players for record in player.rounds]


# -- the same seed, the same file ------------------------------------------------------------------


def test_the_same_seed_gives_the_same_file_on_every_platform() -> None:
    """The digests of this file when the test was written;
    a change of the file changes the tournament of every seed.
    """
    plain = text_of(event(1, players=30, rounds=9), 1)
    busy = text_of(event(2, players=41, rounds=7, accelerated=True, **UNREST), 2)
    assert [hashlib.sha256(text.encode()).hexdigest()[:16] for text in (plain, busy)] == [
        "79259c353a90d179",
        "d45653d891270e84",
    ]


def test_another_seed_gives_another_file() -> None:
    texts = {text_of(event(seed, players=10, rounds=3), 0) for seed in range(20)}
    assert len(texts) == 20


def test_rounds_played_do_not_depend_on_how_many_more_are() -> None:
    whole = event(5, players=20, rounds=6, **UNREST)
    part = event(5, players=20, rounds=6, played=4, **UNREST)
    assert part.state.round_number == 5
    assert [player.rounds for player in part.state.players] == [
        player.rounds[:4] for player in whole.state.players
    ]


# -- every round pairs the same again
# ---------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(kind) or "plain")
def test_every_round_of_the_report_pairs_the_same_again(kind: dict[str, Any]) -> None:
    for seed in range(6):
        generated = event(seed, players=(9, 16, 30)[seed % 3], rounds=7, **kind)
        document = read(text_of(generated, seed))
        for number in range(1, generated.state.round_number):
            state = state_before_round(document, number)
            pairing = pair(state)
            stated = round_of(document, number)
            assert (set(pairing.pairs), pairing.bye) == (set(stated.pairs), stated.bye)
            assert check(state, pairing) == ()


@pytest.mark.costly
@given(plan=plans(players=(1, 14), rounds=6), seed=st.integers(0, 10**6))
@settings(max_examples=60)
def test_the_report_holds_the_whole_position_before_every_round(plan: EventPlan, seed: int) -> None:
    generated = generate(plan, Random(seed))
    document = read(text_of(generated, seed))
    rounds = plan.rounds if not generated.ended_early else generated.state.round_number
    for number in range(1, rounds + 1):
        before = generate(replace(plan, played=number - 1), Random(seed))
        assert state_before_round(document, number) == before.state


def test_c04_3_1_9_3_a_round_without_legal_pairing_ends_the_tournament() -> None:
    generated = event(0, players=4, rounds=9)
    assert generated.ended_early
    number = generated.state.round_number
    assert number < 9
    document = read(text_of(generated, 0))
    state = state_before_round(document, number)
    assert state == generated.state
    with pytest.raises(NoLegalPairingError):
        pair(state)


@pytest.mark.costly
@given(plan=plans(players=(3, 9), rounds=7), seed=st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_round_is_paired_by_the_text(plan: EventPlan, seed: int) -> None:
    generated = generate(plan, Random(seed))
    document = read(text_of(generated, seed))
    for number in range(1, generated.state.round_number):
        state = state_before_round(document, number)
        assert pair_literally(state) == pair(state)
    if generated.ended_early:
        with pytest.raises(NoLegalPairingError):
            pair_literally(generated.state)


# -- as the plan says
# ---------------------------------------------------------------------------------


def share(generated: GeneratedEvent, *results: Result) -> int:
    """Return the share of all records with one of *results*, in hundredths."""
    everything = records(generated)
    return 100 * sum(record.result in results for record in everything) // len(everything)


def test_rates_are_about_what_the_plan_says() -> None:
    drawn = event(1, players=400, rounds=5, draws=6_000, forfeits=2_500)
    assert 21 <= share(drawn, Result.FORFEIT_WIN, Result.FORFEIT_LOSS) <= 29
    assert 39 <= share(drawn, Result.DRAW) <= 51
    away = event(1, players=400, rounds=5, byes=3_000)
    assert 14 <= share(away, Result.HALF_POINT_BYE) <= 22
    assert 6 <= share(away, Result.ZERO_POINT_BYE) <= 12
    assert 1 <= share(away, Result.FULL_POINT_BYE) <= 5
    quiet = event(1, players=400, rounds=5)
    assert {record.result for record in records(quiet)} == {Result.WIN, Result.DRAW, Result.LOSS}


def test_the_stronger_player_scores_more() -> None:
    players = event(1, players=400, rounds=7).state.players
    points = PointSystem()
    upper, lower = (
        sum(points.value(record.result) for player in half for record in player.rounds)
        for half in (players[:200], players[200:])
    )
    assert upper > 1.4 * lower


def there(player: Player) -> list[bool]:
    return [record.result is not Result.ZERO_POINT_BYE for record in player.rounds]


def test_c04_2_2_4_late_entries_miss_rounds_from_the_first_on_and_then_stay() -> None:
    players = event(1, players=200, rounds=6, late=5_000).state.players
    missed = [there(player).index(True) for player in players]
    assert {0, 1, 2, 3} == set(missed)
    assert 70 <= sum(rounds > 0 for rounds in missed) <= 130
    assert all(all(there(player)[rounds:]) for player, rounds in zip(players, missed, strict=True))


def test_withdrawn_players_do_not_return() -> None:
    players = event(1, players=200, rounds=6, withdrawals=5_000).state.players
    rounds = [sum(there(player)) for player in players]
    assert set(rounds) == {1, 2, 3, 4, 5, 6}
    assert 70 <= sum(count < 6 for count in rounds) <= 130
    assert all(all(there(player)[:count]) for player, count in zip(players, rounds, strict=True))


def test_prohibited_pairs_do_not_meet_while_prohibited() -> None:
    generated = event(1, players=60, rounds=7, prohibitions=8_000)
    assert len(generated.prohibitions) > 40
    assert {group.last_round for group in generated.prohibitions} > {7}
    for group in generated.prohibitions:
        for tpn in group.players:
            met = generated.state.players[tpn - 1].rounds[: group.last_round]
            assert not {record.opponent for record in met} & set(group.players)


@pytest.mark.parametrize(
    "rounds, expected",
    [
        (1, "w"),
        (5, "ww-h"),
        (6, "ww-h"),
        (7, "ww-hh"),
        (9, "www-hh"),
        (11, "www-hhh"),
        (15, "wwww-hhhh"),
    ],
)
def test_c04_7_accelerated_rounds(rounds: int, expected: str) -> None:
    generated = event(1, players=20, rounds=rounds, played=0, accelerated=True)
    letters = {Points(10): "w", Points(5): "h"}
    spans = [
        letters[record.points] * (record.last_round - record.first_round + 1)
        for record in generated.accelerations
    ]
    assert "-".join(spans) == expected


@pytest.mark.parametrize(
    "players, group", [(161, 82), (9, 6), (10, 6), (12, 6), (13, 8), (14, 8), (1, 1), (2, 2)]
)
def test_c04_7_the_accelerated_group_is_the_upper_half_rounded_up_to_even(
    players: int, group: int
) -> None:
    generated = event(1, players=players, rounds=5, played=0, accelerated=True)
    assert {record.last_tpn for record in generated.accelerations} == {group}
    accelerated = [player.tpn for player in generated.state.players if player.virtual_points_in(1)]
    assert accelerated == list(range(1, group + 1))


def test_c04_7_late_entries_join_the_group_around_them() -> None:
    generated = event(4, players=40, rounds=5, played=0, late=4_000, accelerated=True)
    on_time = sorted({player.tpn for player in generated.state.players} - set(generated.byes))
    last = generated.accelerations[0].last_tpn
    assert len(on_time) < 40
    assert len([tpn for tpn in on_time if tpn <= last]) == 2 * ((len(on_time) + 3) // 4)


# -- what cannot be
# -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 0},
        {"rounds": 0},
        {"played": 6},
        {"played": -1},
        {"draws": WHOLE + 1},
        {"byes": -1},
        {"accelerated": True, "points": PointSystem.from_values(win=30, draw=10)},
    ],
    ids=str,
)
def test_an_invalid_plan_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError) as raised:
        generate(EventPlan(**({"players": 8, "rounds": 5} | wrong)), Random(1))
    assert raised.value.code == "generate.plan"


def test_a_tournament_of_one_ends_before_it_begins_or_gives_the_bye() -> None:
    alone = event(1, players=1, rounds=3)
    assert isinstance(alone.state, TournamentState)
    assert (alone.ended_early, alone.state.round_number) == (True, 2)
    assert [record.result for record in records(alone)] == [Result.PAIRING_ALLOCATED_BYE]
