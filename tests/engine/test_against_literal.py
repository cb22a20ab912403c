"""The engine against the literal text, and the checker against the engine,
on random small positions.

A disagreement is printed as a golden position with both answers: put it in ``tests/golden/`` once
it is decided.
"""

import json
from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest
from hypothesis import given, settings

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair
from pairing.json_io import pairing_to_json, state_to_json
from tests.examples import first

from .literal_dutch import pair_literally
from .position_json import Json
from .positions import random_state, states

CHUNK = 200
NORMAL, SLOW, LARGE = range(8), range(8, 165), range(1000, 1020)
"""Chunks of seeds: 800 positions in every run;
32,200 more and 4,000 of 12 to 14 players with --run-slow.
"""

NO_LEGAL_PAIRING: Json = {"error": "no_legal_pairing"}


def positions(chunk: int, *, players: tuple[int, int] = (4, 12)) -> list[TournamentState]:
    """Return the positions of one chunk of seeds, always the same."""
    return [
        random_state(Random(seed), players=players)
        for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK)
    ]


@lru_cache(maxsize=len(NORMAL))
def paired_by_engine(
    chunk: int, *, players: tuple[int, int] = (4, 12)
) -> list[tuple[TournamentState, Pairing | None]]:
    """Return the positions of the chunk with the engine's pairing; the tests share them."""
    return with_pairings(positions(chunk, players=players))


def with_pairings(to_pair: list[TournamentState]) -> list[tuple[TournamentState, Pairing | None]]:
    """Return each position with the engine's pairing, None where it finds none."""
    found: list[tuple[TournamentState, Pairing | None]] = []
    for state in to_pair:
        try:
            found.append((state, pair(state)))
        except NoLegalPairingError:
            found.append((state, None))
    return found


def paired_positions(chunk: int) -> list[tuple[TournamentState, Pairing]]:
    """Return the positions of the chunk that can be paired, with the engine's pairing."""
    found = [(state, right) for state, right in paired_by_engine(chunk) if right is not None]
    assert len(found) > CHUNK // 2
    return found


def engine_answer(state: TournamentState) -> Json:
    try:
        return pairing_to_json(pair(state))
    except NoLegalPairingError:
        return NO_LEGAL_PAIRING


def literal_answer(state: TournamentState) -> Json:
    try:
        return pairing_to_json(pair_literally(state))
    except NoLegalPairingError:
        return NO_LEGAL_PAIRING


def position_with_answers(state: TournamentState, engine: Json, literal: Json) -> str:
    return json.dumps({**state_to_json(state), "engine": engine, "expected": literal})


def disagreements(paired: list[tuple[TournamentState, Pairing | None]]) -> list[str]:
    """Return the positions that the engine and the text answer differently;
    most of the positions have a pairing.
    """
    answers = [
        (
            state,
            NO_LEGAL_PAIRING if found is None else pairing_to_json(found),
            literal_answer(state),
        )
        for state, found in paired
    ]
    assert sum(literal != NO_LEGAL_PAIRING for _, _, literal in answers) > len(answers) // 2
    return [position_with_answers(*answer) for answer in answers if answer[1] != answer[2]]


# -- the engine and the text -----------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL, 4))
def test_the_engine_pairs_by_the_text(chunk: int) -> None:
    assert disagreements(paired_by_engine(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", SLOW)
def test_the_engine_pairs_by_the_text_in_many_positions(chunk: int) -> None:
    assert disagreements(paired_by_engine(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", LARGE)
def test_the_engine_pairs_by_the_text_with_up_to_14_players(chunk: int) -> None:
    assert disagreements(paired_by_engine(chunk, players=(12, 14))) == []


@pytest.mark.costly
@given(state=states())
@settings(max_examples=100)
def test_the_engine_pairs_by_the_text_in_positions_that_shrink(state: TournamentState) -> None:
    engine, literal = engine_answer(state), literal_answer(state)
    assert engine == literal, position_with_answers(state, engine, literal)


# -- the checker and the engine --------------------------------------------------------------------


@pytest.mark.parametrize("chunk", first(NORMAL[:5], 3))
def test_the_checker_agrees_with_the_engine(chunk: int) -> None:
    paired = paired_positions(chunk)
    assert [check(state, found) for state, found in paired] == [()] * len(paired)


@pytest.mark.parametrize("chunk", first(NORMAL[:5], 3))
def test_c04_3_1_9_3_the_checker_agrees_where_there_is_no_legal_pairing(chunk: int) -> None:
    answers = [
        (found is not None, legal_pairing_exists(state)) for state, found in paired_by_engine(chunk)
    ]
    assert {False, True} == {engine for engine, _ in answers}
    assert [engine for engine, _ in answers] == [checker for _, checker in answers]


def codes(state: TournamentState, wrong: Pairing) -> list[str]:
    return [finding.code for finding in check(state, wrong)]


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_3_5_2_reversed_colours_are_found(chunk: int) -> None:
    for state, right in paired_positions(chunk):
        for board, (white, black) in enumerate(right.pairs):
            pairs = (*right.pairs[:board], (black, white), *right.pairs[board + 1 :])
            assert codes(state, replace(right, pairs=pairs)) == ["check.colours"]


@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_2_3_6_two_boards_in_the_wrong_order_are_found(chunk: int) -> None:
    for state, right in paired_positions(chunk):
        for board in range(len(right.pairs) - 1):
            first, second = right.pairs[board : board + 2]
            pairs = (*right.pairs[:board], second, first, *right.pairs[board + 2 :])
            assert codes(state, replace(right, pairs=pairs)) == ["check.board_order"]


@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_3_1_9_1_a_board_left_out_is_found(chunk: int) -> None:
    for state, right in paired_positions(chunk):
        for board in range(len(right.pairs)):
            pairs = right.pairs[:board] + right.pairs[board + 1 :]
            assert codes(state, replace(right, pairs=pairs)) == [
                "check.player_missing",
                "check.player_missing",
            ]


@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_1_3_a_bye_left_out_or_added_is_found(chunk: int) -> None:
    byes = 0
    positions_with_pairs = [
        (state, right) for state, right in paired_positions(chunk) if right.pairs
    ]
    for state, right in positions_with_pairs:
        if right.bye is not None:
            byes += 1
            assert codes(state, replace(right, bye=None)) == [
                "check.player_missing",
                "check.bye_missing",
            ]
        else:
            found = set(codes(state, replace(right, bye=right.pairs[-1][1])))
            assert {"check.player_twice", "check.bye_superfluous"} == found - {
                "check.c2_bye_barred"
            }
    assert 0 < byes < len(positions_with_pairs)


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_3_2_3_1_another_bye_with_a_higher_score_is_found(chunk: int) -> None:
    """Exchange the bye with each other player in turn:
    [C5] is found exactly if the score is higher.
    """
    higher = 0
    for state, right in paired_positions(chunk):
        if right.bye is None:
            continue
        scores = pairing_scores(state)
        for player in (player for board in right.pairs for player in board):
            wrong = exchange_places(right, right.bye, player)
            found = [
                dict(finding.params)
                for finding in check(state, wrong)
                if finding.code == "check.c5_bye_score"
            ]
            expected = {"tpn": player, "score": scores[player], "lowest": scores[right.bye]}
            assert found == ([expected] if scores[player] > scores[right.bye] else [])
            higher += scores[player] > scores[right.bye]
    assert higher > 0


@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_3_2_1_1_exchanged_opponents_who_have_met_are_found(chunk: int) -> None:
    """Exchange the Blacks of two boards: [C1] is found exactly for players who have met."""
    rematches = 0
    for state, right in paired_positions(chunk):
        met = {
            frozenset({player.tpn, record.opponent})
            for player in state.players
            for record in player.rounds
            if record.is_played
        }
        for board in range(len(right.pairs) - 1):
            wrong = exchange_places(right, right.pairs[board][1], right.pairs[board + 1][1])
            found = [
                finding.params
                for finding in check(state, wrong)
                if finding.code == "check.c1_rematch"
            ]
            expected = [
                {"white": w, "black": b} for w, b in wrong.pairs if frozenset({w, b}) in met
            ]
            assert found == expected
            rematches += len(expected)
    assert rematches > 0


def exchange_places(right: Pairing, one: TPN, other: TPN) -> Pairing:
    """Return *right* with two players exchanged."""
    swap = {one: other, other: one}
    pairs = tuple((swap.get(white, white), swap.get(black, black)) for white, black in right.pairs)
    return Pairing(pairs, None if right.bye is None else swap.get(right.bye, right.bye))


def pairing_scores(state: TournamentState) -> dict[TPN, int]:
    """Return the pairing scores in tenths, from the records."""
    return {
        player.tpn: sum(state.points.value(record.result) for record in player.rounds)
        + player.virtual_points_in(state.round_number)
        for player in state.players
    }
