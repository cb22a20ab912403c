"""The Double-Swiss engine against the literal text, and the checker against both.

A disagreement is printed as a golden position with both answers: put it in ``tests/golden/`` once
it is decided.
"""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair, pairable
from pairing.json_io import error_to_json, pairing_to_json, state_from_json, state_to_json

from .literal_double_swiss import pair_literally
from .match_positions import random_match_state
from .position_json import Json

CHUNK = 500
NORMAL, SLOW = range(3), range(3, 66)
"""Chunks of seeds: 1,500 positions in every run, 31,500 more with --run-slow."""
FILE = Path(__file__).resolve().parents[1] / "golden" / "double_swiss_decisive.json"
DECISIVE = [
    pytest.param(case, id=case["id"]) for case in json.loads(FILE.read_text(encoding="utf-8"))
]


@lru_cache(maxsize=len(NORMAL))
def positions(chunk: int, *, players: tuple[int, int] = (4, 10)) -> list[TournamentState]:
    return [
        random_match_state(Random(seed), players=players)
        for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK)
    ]


def answers(state: TournamentState) -> tuple[Json, Json]:
    """Return the answers of the engine and of the text."""
    found = []
    for pair_one in (pair, pair_literally):
        try:
            found.append(pairing_to_json(pair_one(state)))
        except NoLegalPairingError as error:
            found.append(error_to_json(error))
    return found[0], found[1]


def disagreements(states: list[TournamentState]) -> list[str]:
    requested = [(state, *answers(state)) for state in states]
    assert sum("pairs" in literal for _, _, literal in requested) > len(requested) // 2
    return [
        json.dumps({**state_to_json(state), "engine": engine, "expected": literal})
        for state, engine, literal in requested
        if engine != literal
    ]


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL)
def test_c04_5_the_engine_pairs_by_the_text(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", SLOW)
def test_c04_5_the_engine_pairs_by_the_text_in_many_positions(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


# -- one criterion decides -------------------------------------------------------------------------


def test_there_are_positions_for_every_quality_criterion_above_the_first() -> None:
    assert {param.values[0]["article"] for param in DECISIVE} == {"[C5]", "[C6]", "[C7]", "[C8]"}


@pytest.mark.parametrize("case", DECISIVE)
def test_c04_5_2_3_the_engine_follows_the_criterion(case: Json) -> None:
    assert pairing_to_json(pair(state_from_json(case))) == case["expected"]


@pytest.mark.parametrize("case", DECISIVE)
def test_c04_5_2_3_the_text_pairs_differently_without_the_criterion(case: Json) -> None:
    state = state_from_json(case)
    assert pairing_to_json(pair_literally(state)) == case["expected"]
    without = pairing_to_json(pair_literally(state, without=case["article"].strip("[]")))
    assert without == case["without"]
    assert without != case["expected"]


@pytest.mark.parametrize(
    "case", [param for param in DECISIVE if param.values[0]["article"] in ("[C7]", "[C8]")]
)
def test_c04_5_2_3_4_2_3_5_earlier_floats_do_not_count_in_the_last_round(case: Json) -> None:
    state = state_from_json(case)
    last = pair(replace(state, total_rounds=state.round_number))
    assert last == pair_literally(replace(state, total_rounds=state.round_number))
    assert pairing_to_json(last) != case["expected"]


# -- the checker and the engine --------------------------------------------------------------------


@lru_cache(maxsize=len(NORMAL))
def paired(chunk: int) -> list[tuple[TournamentState, Pairing]]:
    found = [(state, pair(state)) for state in positions(chunk) if pairable(state).can_pair]
    assert len(found) > CHUNK // 2
    return found


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL)
def test_the_checker_agrees_with_the_engine(chunk: int) -> None:
    assert [
        (state, found) for state, right in paired(chunk) if (found := check(state, right))
    ] == []


@pytest.mark.parametrize("chunk", NORMAL)
def test_the_checker_and_the_engine_agree_on_what_can_be_paired(chunk: int) -> None:
    answers = [
        (pairable(state).can_pair, legal_pairing_exists(state)) for state in positions(chunk)
    ]
    assert set(answers) == {(False, False), (True, True)}


@pytest.mark.costly
def test_the_engine_names_the_player_who_gets_the_bye() -> None:
    for state, right in paired(0):
        assert pairable(state).bye_candidates == (() if right.bye is None else (right.bye,))


def codes(state: TournamentState, pairing: Pairing) -> set[str]:
    return {finding.code for finding in check(state, pairing)}


@pytest.mark.costly
def test_c04_5_4_3_the_checker_sees_colours_reversed() -> None:
    for state, right in paired(0):
        pairs = ((right.pairs[0][1], right.pairs[0][0]), *right.pairs[1:])
        assert codes(state, replace(right, pairs=pairs)) == {"check.colours"}


def test_c04_5_3_4_the_checker_sees_a_bye_assigned_to_somebody_else() -> None:
    seen = 0
    for state, right in paired(0):
        if right.bye is None:
            continue
        white, black = right.pairs[-1]
        wrong = replace(right, pairs=(*right.pairs[:-1], (right.bye, black)), bye=white)
        found = codes(state, wrong)
        assert found & {"check.bye_assigned", "check.c2_bye_barred"}
        seen += "check.bye_assigned" in found
    assert seen > 20


def test_c04_5_2_1_1_the_checker_sees_a_rematch_and_cites_this_text() -> None:
    seen = 0
    for state, right in paired(0):
        met = {
            tuple(sorted((player.tpn, record.opponent)))
            for player in state.players
            for record in player.rounds
            if record.opponent and record.is_played
        }
        for white, black in right.pairs[1:]:
            first, second = right.pairs[0]
            if tuple(sorted((white, second))) in met:
                others = tuple(two for two in right.pairs[1:] if two != (white, black))
                findings = check(
                    state, replace(right, pairs=((white, second), (first, black), *others))
                )
                named = [finding for finding in findings if finding.code == "check.c1_rematch"]
                assert {finding.article for finding in named} == {"C.04.5 2.1.1"}
                seen += 1
    assert seen > 20


def test_the_checker_finds_a_missing_player_and_cites_this_text() -> None:
    state, right = next((state, right) for state, right in paired(0) if len(right.pairs) > 1)
    findings = check(state, replace(right, pairs=right.pairs[1:]))
    missing = {(finding.article, TPN(int(finding.params["tpn"]))) for finding in findings}
    assert missing == {("C.04.5 3.3.1", tpn) for tpn in right.pairs[0]}
