"""Look ahead: the boards of the next round that follow however the open games end."""

from dataclasses import replace
from random import Random

import pytest

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import SYSTEMS, games_a_round, pair
from pairing.look_ahead import (
    BLACK_RESULT,
    MOST_OPEN,
    SAMPLE,
    WHITE_RESULTS,
    LookAhead,
    OpenGame,
    all_ends,
)


def before_round(
    played: int, players: int = 24, seed: int = 5, system: str = "dutch_2026"
) -> TournamentState:
    return generate(
        EventPlan(players=players, rounds=9, played=played, system=system), Random(seed)
    ).state


def games_of_last_round(state: TournamentState, number: int) -> list[OpenGame]:
    """Return the first *number* games of the last round; of a match, both."""
    games: list[OpenGame] = []
    for player in state.players:
        record = player.rounds[-1]
        if record.colour is Colour.WHITE and record.is_played and record.opponent is not None:
            games.append(OpenGame(player.tpn, record.opponent))
            if games_a_round(state.system) == 2:
                games.append(OpenGame(player.tpn, record.opponent, is_second=True))
    return games[:number]


def finished(state: TournamentState, games: list[OpenGame], seed: int = 1) -> LookAhead:
    ahead = LookAhead(state, games, Random(seed))
    while not ahead.is_done:
        ahead.advance()
    return ahead


def with_result(state: TournamentState, game: OpenGame, result: Result) -> TournamentState:
    """Return *state* with the result written into both players, not by the code under test."""

    def changed(player: Player) -> Player:
        own = {game.white: result, game.black: BLACK_RESULT.get(result, Result.UNRATED_LOSS)}.get(
            player.tpn
        )
        if own is None:
            return player
        last = player.rounds[-1]
        record = RoundRecord(
            last.opponent,
            last.colour,
            last.result if game.is_second else own,
            own if game.is_second else last.second,
        )
        return replace(player, rounds=(*player.rounds[:-1], record))

    return replace(state, players=tuple(changed(player) for player in state.players))


@pytest.mark.parametrize("number", [1, MOST_OPEN, MOST_OPEN + 1])
def test_all_outcomes_of_up_to_six_open_games_are_paired_and_a_sample_of_more(number: int) -> None:
    state = before_round(3)
    ahead = LookAhead(state, games_of_last_round(state, number), Random(1))
    ends = 0
    while not ahead.is_done:
        ahead.advance()
        ends += 1
    assert ahead.is_exhaustive is (number <= MOST_OPEN)
    assert ends == (len(WHITE_RESULTS) ** number if ahead.is_exhaustive else SAMPLE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_end_is_paired_as_the_engine_pairs_it_alone(system: str) -> None:
    state = before_round(3, system=system)
    games = games_of_last_round(state, 2)
    outlook = finished(state, games).outlook()
    boards: dict[tuple[TPN, TPN], int] = {}
    for first in WHITE_RESULTS:
        for second in WHITE_RESULTS:
            for board in pair(
                with_result(with_result(state, games[0], first), games[1], second)
            ).pairs:
                boards[board] = boards.get(board, 0) + 1
    assert (outlook.possible, outlook.paired, outlook.is_complete) == (9, 9, True)
    assert outlook.boards == boards
    assert outlook.certain == {board for board, times in boards.items() if times == 9}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_result_that_comes_in_needs_no_new_pairing(system: str) -> None:
    state = before_round(4, seed=8, system=system)
    games = games_of_last_round(state, 3)
    known = {games[1]: Result.LOSS}
    narrowed = finished(state, games).outlook(known)
    again = finished(with_result(state, games[1], Result.LOSS), [games[0], games[2]]).outlook()
    assert narrowed == again
    assert again.possible == 9


def test_a_certain_board_comes_whatever_the_games_bring() -> None:
    state = before_round(6, players=60, seed=2)
    games = games_of_last_round(state, 3)
    outlook = finished(state, games).outlook()
    assert outlook.certain
    for end in all_ends(3):
        after = state
        for game, result in zip(games, end, strict=True):
            after = with_result(after, game, result)
        assert outlook.certain <= set(pair(after).pairs)


def test_nothing_is_certain_before_every_end_was_paired() -> None:
    state = before_round(5, players=60)
    ahead = LookAhead(state, games_of_last_round(state, 2), Random(1))
    for _ in range(8):
        ahead.advance()
        assert ahead.outlook().certain == frozenset()
    ahead.advance()
    assert ahead.is_done
    assert ahead.outlook().certain


def test_a_sample_of_many_ends_is_never_certain_and_follows_from_the_seed() -> None:
    state = before_round(3)
    games = games_of_last_round(state, 8)
    one, same, other = (finished(state, games, seed).outlook() for seed in (1, 1, 2))
    assert (one.paired, one.possible) == (SAMPLE, 3**8)
    assert not one.is_complete
    assert one.certain == frozenset()
    assert one.certain_bye is None
    assert one == same != other


def test_without_an_open_game_the_pairing_is_certain() -> None:
    state = before_round(4, players=23)
    outlook = finished(state, []).outlook()
    pairing = pair(state)
    assert outlook.certain == set(pairing.pairs)
    assert outlook.certain_bye == pairing.bye is not None


def test_draws_are_paired_first() -> None:
    state = before_round(4)
    games = games_of_last_round(state, 3)
    ahead = LookAhead(state, games, Random(1))
    ahead.advance()
    assert set(ahead.outlook().boards) == set(pair(ahead.after((Result.DRAW,) * 3)).pairs)
    assert sorted(all_ends(3), key=str) == sorted(set(all_ends(3)), key=str)
    assert len(list(all_ends(3))) == 27


def test_c04_3_1_9_3_an_end_without_a_legal_pairing_is_counted() -> None:
    """Two players who have met cannot be paired again, however their game ends."""
    game = (
        RoundRecord(TPN(2), Colour.WHITE, Result.DRAW),
        RoundRecord(TPN(1), Colour.BLACK, Result.DRAW),
    )
    state = TournamentState(
        2, 5, (Player(TPN(1), game[:1]), Player(TPN(2), game[1:])), points=PointSystem()
    )
    with pytest.raises(NoLegalPairingError):
        pair(state)
    outlook = finished(state, [OpenGame(TPN(1), TPN(2))]).outlook()
    assert (outlook.unpairable, outlook.paired, outlook.certain) == (3, 3, frozenset())


def test_a_forfeit_is_no_end_that_was_looked_at() -> None:
    state = before_round(4)
    games = games_of_last_round(state, 2)
    outlook = finished(state, games).outlook({games[0]: Result.FORFEIT_WIN})
    assert outlook.paired == 0
    assert not outlook.is_complete
    assert outlook.certain == frozenset()


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_pairings_answer_for_a_state_with_more_results(system: str) -> None:
    state = before_round(4, seed=8, system=system)
    games = games_of_last_round(state, 3)
    ahead = LookAhead(state, games, Random(1))
    later = with_result(with_result(state, games[0], Result.DRAW), games[2], Result.LOSS)
    assert ahead.known_in(later, [games[1]]) == {games[0]: Result.DRAW, games[2]: Result.LOSS}
    assert ahead.known_in(later, [games[1], games[2]]) == {games[0]: Result.DRAW}
    assert ahead.known_in(state, games) == {}


def test_the_pairings_do_not_answer_for_another_state() -> None:
    state = before_round(4, seed=8)
    games = games_of_last_round(state, 3)
    ahead = LookAhead(state, games[:2], Random(1))
    corrected = with_result(
        state, games[2], Result.LOSS if state_result(state, games[2]) is Result.WIN else Result.WIN
    )
    assert ahead.known_in(corrected, games[:2]) is None
    assert ahead.known_in(state, games) is None
    assert ahead.known_in(replace(state, absent=state.absent | {games[0].white}), games[:2]) is None
    assert ahead.known_in(with_result(state, games[0], Result.UNRATED_WIN), games[1:2]) is None
    gone = {games[0].white, games[0].black}
    assert (
        ahead.known_in(
            replace(state, players=tuple(p for p in state.players if p.tpn not in gone)), []
        )
        is None
    )
    assert (
        ahead.known_in(TournamentState(1, 9, tuple(Player(p.tpn) for p in state.players)), [])
        is None
    )


def state_result(state: TournamentState, game: OpenGame) -> Result:
    return state.by_tpn()[game.white].rounds[-1].result
