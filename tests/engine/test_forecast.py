"""The forecast: chances by the expected score, the rounds paired by the engine,
and counts that add up.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pairing.engine.errors import InputError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import pair
from pairing.forecast import (
    FEWEST,
    SIMULATIONS,
    WHOLE,
    Forecast,
    Position,
    RoundToCome,
    chances_of,
    shares,
    simulations,
)
from pairing.ratings.tables import expected_score
from pairing.standings.codes import default_list
from pairing.standings.prize_rules import Category
from pairing.standings.ranking import Rules, standings


def position(players: int, rounds: int, played: int, seed: int = 1, **plan: object) -> Position:
    """Return a tournament of which *played* rounds are over."""
    event = generate(EventPlan(players=players, rounds=rounds, played=played, **plan), Random(seed))  # type: ignore[arg-type]
    return Position(
        state=event.state,
        rounds=(RoundToCome(),) * (rounds - played),
        playing_ratings={
            TPN(number): rating for number, rating in enumerate(event.ratings, start=1)
        },
        rules=Rules.from_codes(),
    )


def played(forecast: Forecast, times: int) -> Forecast:
    for _ in range(times):
        forecast.advance()
    return forecast


@pytest.mark.parametrize("difference", [-900, -736, -400, -57, 0, 3, 4, 200, 735, 736, 1200])
def test_b02_8_1_2_a_win_and_half_a_draw_are_the_expected_score(difference: int) -> None:
    win, draw = chances_of(difference)
    assert win + draw / 2 == pytest.approx(expected_score(difference) * WHOLE / 100, abs=1)
    assert min(win, draw, WHOLE - win - draw) >= 0
    weaker_win, weaker_draw = chances_of(-difference)
    assert (weaker_draw, weaker_win) == (draw, WHOLE - win - draw)


@pytest.mark.costly
def test_the_same_seed_gives_the_same_forecast() -> None:
    start = position(21, 5, 2)
    one, same, other = (played(Forecast(start, Random(seed)), 15) for seed in (7, 7, 8))
    assert (one.ranks, one.points, one.opponents) == (same.ranks, same.points, same.opponents)
    assert one.ranks != other.ranks


def test_c04_3_the_next_round_is_the_one_of_the_engine_and_everything_adds_up() -> None:
    start = position(21, 5, 2)
    forecast = played(Forecast(replace(start, prizes=(Category("A", (300, 200)),)), Random(3)), 20)
    assert (forecast.played, forecast.unpairable) == (20, 0)
    found = pair(start.state)
    for white, black in found.pairs:
        assert forecast.opponents[white] == {black: 20}
        assert forecast.opponents[black] == {white: 20}
    assert found.bye is not None
    assert forecast.opponents[found.bye] == {None: 20}
    assert all(counts.total() == 20 for counts in forecast.ranks.values())
    assert all(max(counts) <= 50 for counts in forecast.points.values())
    assert forecast.winners.total() >= 2 * 20


def test_c04_2_3_1_games_without_a_result_are_played_in_every_simulation() -> None:
    over = position(10, 3, 3)
    white, black = next(
        (player.tpn, player.rounds[-1].opponent)
        for player in over.state.players
        if player.rounds[-1].opponent
        and player.rounds[-1].colour
        and player.rounds[-1].colour.value == "w"
    )
    assert black is not None

    def unknown(player: Player) -> Player:
        if player.tpn not in (white, black):
            return player
        return replace(
            player, rounds=(*player.rounds[:-1], replace(player.rounds[-1], result=Result.UNKNOWN))
        )

    still_open = replace(
        over.state, players=tuple(unknown(player) for player in over.state.players)
    )
    even = dict.fromkeys(over.playing_ratings, 2000)
    forecast = played(
        Forecast(replace(over, state=still_open, playing_ratings=even), Random(5)), 200
    )
    before = {
        player.tpn: sum(10 for record in player.rounds[:-1] if record.result is Result.WIN)
        for player in over.state.players
    }
    for tpn in (white, black):
        assert len(forecast.points[tpn]) == 3, before
        low, middle, high = (
            forecast.points[tpn][points] for points in sorted(forecast.points[tpn])
        )
        assert low + middle + high == 200
        assert min(low, middle, high) > 30
    settled = next(tpn for tpn in forecast.points if tpn not in (white, black))
    assert len(forecast.points[settled]) == 1


def test_a_tournament_that_is_over_has_its_final_ranks() -> None:
    over = position(12, 4, 4)
    forecast = played(Forecast(over, Random(1)), 2)
    table = standings(over.state.players, over.state.points, over.rules)
    assert {tpn: dict(counts) for tpn, counts in forecast.ranks.items()} == {
        line.tpn: {line.rank: 2} for line in table.lines
    }


def test_c04_2_3_2_3_3_who_is_absent_in_a_coming_round_gets_its_bye() -> None:
    start = position(9, 4, 1)
    gone, resting = TPN(1), TPN(2)
    rounds = (
        RoundToCome(byes={gone: Result.ZERO_POINT_BYE}),
        RoundToCome(byes={gone: Result.ZERO_POINT_BYE, resting: Result.HALF_POINT_BYE}),
        RoundToCome(byes={gone: Result.ZERO_POINT_BYE}),
    )
    state = replace(start.state, absent=frozenset(rounds[0].byes))
    forecast = played(Forecast(replace(start, state=state, rounds=rounds), Random(1)), 10)
    own = next(player for player in state.players if player.tpn == gone)
    points = state.points.value(own.rounds[0].result)
    assert forecast.points[gone] == {points: 10}
    assert not forecast.opponents[gone]


def test_c04_7_virtual_points_of_coming_rounds_change_their_pairings() -> None:
    """In round 2 all players have the same points; those with virtual points meet each other."""
    event = generate(EventPlan(players=8, rounds=2, played=0), Random(4))
    even = {TPN(number): 2000 for number in range(1, 9)}
    given = frozenset(map(TPN, (1, 2, 5, 6)))
    virtual = RoundToCome(virtual=dict.fromkeys(given, Points(100)))
    start = Position(event.state, (RoundToCome(), RoundToCome()), even, Rules.from_codes())
    plain = played(Forecast(start, Random(1)), 20)
    accelerated = played(Forecast(replace(start, rounds=(RoundToCome(), virtual)), Random(1)), 20)
    assert plain.opponents == accelerated.opponents
    assert plain.ranks != accelerated.ranks


def test_c04_5_both_games_of_a_match_are_played() -> None:
    start = replace(
        position(8, 3, 0, system="double_swiss_2026"), rules=Rules.from_codes(list(default_list(2)))
    )
    forecast = played(Forecast(start, Random(1)), 5)
    assert forecast.played == 5
    assert max(points for counts in forecast.points.values() for points in counts) > 30


def test_c04_5_0_an_open_second_game_is_played_with_the_colours_reversed() -> None:
    """Player 1 is far stronger: the second game, with Black, is won too."""
    rounds = {1: RoundRecord(TPN(2), Colour.WHITE, Result.WIN, Result.UNKNOWN),
              2: RoundRecord(TPN(1), Colour.BLACK, Result.LOSS, Result.UNKNOWN)}  # fmt: skip
    state = TournamentState(
        round_number=2,
        total_rounds=1,
        players=tuple(Player(TPN(tpn), (record,)) for tpn, record in rounds.items()),
        points=PointSystem().for_matches(),
        system="double_swiss_2026",
    )
    rules = Rules.from_codes(list(default_list(2)))
    forecast = Forecast(Position(state, (), {TPN(1): 2800, TPN(2): 1000}, rules), Random(1))
    assert not forecast.is_done
    while not forecast.is_done:
        forecast.advance()
    assert (forecast.played, forecast.unpairable) == (SIMULATIONS, 0)
    assert (forecast.points[TPN(1)], forecast.points[TPN(2)]) == (
        {20: SIMULATIONS},
        {0: SIMULATIONS},
    )


def test_c04_3_1_9_3_a_round_without_a_legal_pairing_is_counted_apart() -> None:
    start = position(4, 5, 0)
    forecast = played(Forecast(start, Random(1)), 3)
    assert (forecast.played, forecast.unpairable) == (0, 3)
    assert not any(forecast.ranks.values())


def test_invalid_positions_are_refused_by_the_engine() -> None:
    start = position(4, 2, 0)
    state = replace(start.state, players=(*start.state.players, start.state.players[0]))
    with pytest.raises(InputError):
        Forecast(replace(start, state=state), Random(1)).advance()


def test_larger_tournaments_are_played_less_often() -> None:
    assert simulations(60, 9) == SIMULATIONS == simulations(0, 0)
    assert 700 < simulations(300, 9) < SIMULATIONS
    assert simulations(5_000, 13) == FEWEST


def test_shares_add_the_better_ranks() -> None:
    assert shares({1: 1, 2: 2, 9: 1}, (1, 3, 10), 4) == (2_500, 7_500, 10_000)
    assert shares({}, (1,), 0) == (0,)
