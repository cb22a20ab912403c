"""The Dutch System before July 2017: the engine against the text done step by step,
on random small positions.

A disagreement is printed as a position with both answers.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.dutch_pre2017.bracket import Bracket
from pairing.engine.dutch_pre2017.field import FieldBefore2017
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairability, Pairing, TournamentState
from pairing.engine.systems import pair, pairable
from pairing.json_io import pairing_to_json, state_to_json
from tests.examples import first

from .literal_dutch_pre2017 import Literal, pair_literally
from .literal_dutch_pre2017_brackets import exchanges_d2
from .position_json import Json
from .positions import random_state, states

CHUNK = 300
NORMAL, SLOW, LARGE = range(5), range(5, 90), range(1000, 1010)
"""Chunks of seeds: 900 positions in every run;
26,100 more and 3,000 of 8 or 9 players with --run-slow.
"""

NO_LEGAL_PAIRING: Json = {"error": "no_legal_pairing"}


def of_pre2017(state: TournamentState) -> TournamentState:
    return replace(state, system="dutch_pre2017")


def positions(chunk: int, *, players: tuple[int, int] = (4, 8)) -> list[TournamentState]:
    """Return the positions of one chunk of seeds, always the same."""
    seeds = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    return [of_pre2017(random_state(Random(seed), players=players)) for seed in seeds]


def answer(paired_by: Callable[[TournamentState], Pairing], state: TournamentState) -> Json:
    try:
        return pairing_to_json(paired_by(state))
    except NoLegalPairingError:
        return NO_LEGAL_PAIRING


def position_with_answers(state: TournamentState, engine: Json, literal: Json) -> str:
    return json.dumps({**state_to_json(state), "engine": engine, "expected": literal})


def disagreements(states_to_pair: list[TournamentState]) -> list[str]:
    """Return the positions that the engine and the text answer differently;
    most of the positions have a pairing.
    """
    answers = [
        (state, answer(pair, state), answer(pair_literally, state)) for state in states_to_pair
    ]
    assert sum(literal != NO_LEGAL_PAIRING for _, _, literal in answers) > len(answers) // 2
    return [position_with_answers(*one) for one in answers if one[1] != one[2]]


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL, 3))
def test_c04_3_pre2017_the_engine_pairs_by_the_text(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", SLOW)
def test_c04_3_pre2017_the_engine_pairs_by_the_text_in_many_positions(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", LARGE)
def test_c04_3_pre2017_the_engine_pairs_by_the_text_with_up_to_9_players(chunk: int) -> None:
    assert disagreements(positions(chunk, players=(8, 9))) == []


@pytest.mark.costly
@given(state=states(players=(4, 8)))
@settings(max_examples=100)
def test_c04_3_pre2017_the_engine_pairs_by_the_text_in_positions_that_shrink(
    state: TournamentState,
) -> None:
    engine, literal = answer(pair, of_pre2017(state)), answer(pair_literally, of_pre2017(state))
    assert engine == literal, position_with_answers(of_pre2017(state), engine, literal)


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL[:5], 2))
def test_c04_3_pre2017_the_checker_agrees_with_the_engine(chunk: int) -> None:
    checked = 0
    for state in positions(chunk, players=(4, 14)):
        try:
            paired = pair(state)
        except NoLegalPairingError:
            continue
        assert check(state, paired) == ()
        checked += 1
    assert checked > CHUNK // 2


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL[:3], 2))
def test_c04_3_pre2017_a8_x1_and_z1_are_what_the_text_computes_and_bounds_of_every_pairing(
    chunk: int,
) -> None:
    seen = 0
    for state in positions(chunk, players=(4, 7)):
        literal = Literal(state)
        field = FieldBefore2017.from_state(state)
        if not field.players:
            continue
        everybody = tuple(range(len(field)))
        bracket = Bracket(field, (), everybody)
        assert bracket.x1 == literal.x1_a8(everybody, bracket.p0)
        if not field.is_odd_round:
            assert bracket.z1 == literal.z1_a8(everybody, bracket.p0)
        for p1 in range(bracket.p0, 0, -1):
            given_up = bracket.p0 - p1
            for pairs in literal.homogeneous(everybody, p1):
                seen += 1
                assert sum(literal.same_colour(*pair) for pair in pairs) >= bracket.x1 - given_up
                if not field.is_odd_round:
                    assert (
                        sum(literal.same_strong_colour(*pair) for pair in pairs)
                        >= bracket.z1 - given_up
                    )
    assert seen > 10_000


def pairable_by_enumeration(state: TournamentState) -> Pairability:
    literal = Literal(state)
    everybody = tuple(range(len(literal.players)))
    if len(everybody) % 2 == 0:
        return Pairability(can_pair=_complete(literal, everybody), bye_candidates=())
    byes = [
        literal.players[rank].tpn
        for rank in everybody
        if literal.bye_allowed(rank)
        and _complete(literal, tuple(one for one in everybody if one != rank))
    ]
    return Pairability(can_pair=bool(byes), bye_candidates=tuple(TPN(tpn) for tpn in sorted(byes)))


def _complete(literal: Literal, ranks: tuple[int, ...]) -> bool:
    if not ranks:
        return True
    first, rest = ranks[0], ranks[1:]
    return any(
        literal.may_meet(first, other)
        and _complete(literal, tuple(one for one in rest if one != other))
        for other in rest
    )


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL[:3], 2))
def test_c04_3_pre2017_c13_there_is_a_pairing_where_enumeration_finds_one(chunk: int) -> None:
    answers = []
    for state in positions(chunk, players=(3, 8)):
        answers.append(pairable(state))
        assert answers[-1] == pairable_by_enumeration(state)
        assert legal_pairing_exists(state) == answers[-1].can_pair
        try:
            bye = pair(state).bye
        except NoLegalPairingError:
            assert not answers[-1].can_pair
        else:
            assert answers[-1].can_pair
            assert (bye in answers[-1].bye_candidates) is (bye is not None)
    assert {answer.can_pair for answer in answers} == {False, True}


def test_c04_3_pre2017_d2_the_exchanges_of_the_text() -> None:
    """The printed examples: S1 = 1-5, S2 = 6-11, one, two and three players exchanged."""

    def printed(s1: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        numbers = {place + 1 for place in s1}
        return tuple(sorted(set(range(1, 6)) - numbers, reverse=True)), tuple(
            sorted(numbers - set(range(1, 6)))
        )

    order = [printed(s1) for s1 in exchanges_d2(11, 5)]
    assert order[0] == ((), ())
    assert order[1:4] == [((5,), (6,)), ((5,), (7,)), ((4,), (6,))]
    two = [exchange for exchange in order if len(exchange[0]) == 2]
    assert two[:6] == [
        ((5, 4), (6, 7)), ((5, 4), (6, 8)), ((5, 3), (6, 7)), ((5, 4), (6, 9)), ((5, 4), (7, 8)), ((5, 3), (6, 8)),
    ]  # fmt: skip
    three = [exchange for exchange in order if len(exchange[0]) == 3]
    assert three[:6] == [
        ((5, 4, 3), (6, 7, 8)), ((5, 4, 3), (6, 7, 9)), ((5, 4, 2), (6, 7, 8)),
        ((5, 4, 3), (6, 7, 10)), ((5, 4, 3), (6, 8, 9)), ((5, 4, 2), (6, 7, 9)),
    ]  # fmt: skip
    assert len(order) == len(set(order)) == len(list(combinations(range(11), 5)))
