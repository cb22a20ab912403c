"""The Dutch System of 2017: engine against literal text, path against path,
and positions worked out by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from pairing.engine import checker
from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.checker.editions import EDITIONS
from pairing.engine.checker.legality import may_meet
from pairing.engine.checker.records import PlayerRecord, read_records
from pairing.engine.dutch.edition_2017.procedure import pair_dutch_2017
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.field import Field
from pairing.engine.dutch.floats import Float
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairability, Pairing, TournamentState
from pairing.engine.systems import pair, pairable
from pairing.json_io import pairing_to_json, state_to_json
from tests.engine.compact import pairing, position
from tests.engine.events import events, random_round
from tests.engine.literal_dutch_2017 import pair_literally_2017
from tests.engine.paths import Paths2017, by_exact_path_2017, by_fast_path_2017
from tests.engine.position_json import Json
from tests.engine.positions import random_state, states
from tests.examples import first

CHUNK = 200
NORMAL, SLOW, LARGE = range(5), range(5, 160), range(2000, 2020)
"""Chunks of seeds: 1,000 positions in every run;
31,000 more and 4,000 of 11 to 13 players with --run-slow.
"""
NO_LEGAL_PAIRING: Json = {"error": "no_legal_pairing"}


def of_2017(state: TournamentState) -> TournamentState:
    return replace(state, system="dutch_2017")


def positions(chunk: int, *, players: tuple[int, int] = (4, 10)) -> list[TournamentState]:
    """Return the positions of one chunk of seeds, always the same."""
    seeds = range(chunk * CHUNK, (chunk + 1) * CHUNK)
    return [of_2017(random_state(Random(seed), players=players)) for seed in seeds]


def answer(pair_round: Callable[[TournamentState], Pairing], state: TournamentState) -> Json:
    try:
        return pairing_to_json(pair_round(state))
    except NoLegalPairingError:
        return NO_LEGAL_PAIRING


def position_with_answers(state: TournamentState, engine: Json, literal: Json) -> str:
    return json.dumps({**state_to_json(state), "engine": engine, "expected": literal})


def disagreements(of: list[TournamentState]) -> list[str]:
    """Return the positions that the engine and the text answer differently;
    most of the positions have a pairing.
    """
    answers = [(state, answer(pair, state), answer(pair_literally_2017, state)) for state in of]
    assert sum(literal != NO_LEGAL_PAIRING for _, _, literal in answers) > len(answers) // 2
    return [position_with_answers(*one) for one in answers if one[1] != one[2]]


# -- the engine and the text -----------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(NORMAL, 3))
def test_c04_3_2017_the_engine_pairs_by_the_text(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", SLOW)
def test_c04_3_2017_the_engine_pairs_by_the_text_in_many_positions(chunk: int) -> None:
    assert disagreements(positions(chunk)) == []


@pytest.mark.slow
@pytest.mark.parametrize("chunk", LARGE)
def test_c04_3_2017_the_engine_pairs_by_the_text_with_up_to_13_players(chunk: int) -> None:
    assert disagreements(positions(chunk, players=(11, 13))) == []


@pytest.mark.costly
@given(state=states())
@settings(max_examples=100)
def test_c04_3_2017_the_engine_pairs_by_the_text_in_positions_that_shrink(
    state: TournamentState,
) -> None:
    engine, literal = answer(pair, of_2017(state)), answer(pair_literally_2017, of_2017(state))
    assert engine == literal, position_with_answers(of_2017(state), engine, literal)


# -- path against path -----------------------------------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(4), 2))
def test_the_fast_and_the_exact_path_pair_as_the_whole_problem_through_whole_events(
    chunk: int,
) -> None:
    report = Paths2017(by_fast_path_2017, by_exact_path_2017)
    for seed in range(12 * chunk, 12 * (chunk + 1)):
        state, random = of_2017(events(seed)), Random(seed)
        while True:
            try:
                paired = pair_dutch_2017(state, report)
            except NoLegalPairingError:
                break
            assert pair_dutch_2017(state) == paired
            if state.is_last_round:
                break
            state = random_round(
                random, state, paired, random.choice([0.1, 0.3, 0.7]), random.choice([0, 0.05])
            )
    report.require(1, "fast path, ordinary", "fast path, last", left=1)
    report.require(
        1, *[f"exact path, {kind}" for kind in ("ordinary", "penultimate", "last", "collapsed")]
    )


# -- the checker, and whether a round can be paired ------------------------------------------------


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_the_checker_agrees_with_the_engine(chunk: int) -> None:
    possible = [state for state in positions(chunk) if answer(pair, state) != NO_LEGAL_PAIRING]
    assert len(possible) > CHUNK // 2
    assert [check(state, pair(state)) for state in possible] == [()] * len(possible)


@pytest.mark.costly
@pytest.mark.parametrize("chunk", NORMAL[:3])
def test_c04_3_2017_a_9_all_agree_where_there_is_no_legal_pairing(chunk: int) -> None:
    answers = [
        (
            answer(pair, state) != NO_LEGAL_PAIRING,
            legal_pairing_exists(state),
            pairable(state).can_pair,
        )
        for state in positions(chunk)
    ]
    assert {(False,) * 3, (True,) * 3} == set(answers)


def legal_byes(
    state: TournamentState, left: list[PlayerRecord], bye: TPN | None
) -> set[TPN | None]:
    """Return the byes of all legal round-pairings of the players *left*."""
    if not left:
        return {bye}
    first, *others = left
    found = set()
    for other in others:
        if may_meet(first, other, state):
            found |= legal_byes(state, [record for record in others if record is not other], bye)
    if bye is None and len(left) % 2 and not first.pab_barred:
        found |= legal_byes(state, others, first.tpn)
    return found


@pytest.mark.parametrize("chunk", NORMAL[:2])
def test_c04_3_2017_c_2_pairable_names_every_player_who_can_get_the_bye(chunk: int) -> None:
    numbers = set()
    for state in positions(chunk, players=(3, 8)):
        found = legal_byes(
            state, [record for record in read_records(state).values() if record.present], None
        )
        byes = tuple(sorted(tpn for tpn in found if tpn is not None))
        assert pairable(state) == Pairability(can_pair=bool(found), bye_candidates=byes)
        numbers.add(len(byes))
    assert {0, 1, 2, 3} < numbers


# -- article by article ----------------------------------------------------------------------------


def test_c04_3_2017_a_9_no_round_pairing_is_left_to_the_arbiter() -> None:
    with pytest.raises(NoLegalPairingError) as caught:
        pair(of_2017(position({1: "2w1", 2: "1b0"})))
    assert caught.value.article == "C.04.3 A.9"


def test_nobody_to_pair_is_a_round_without_boards() -> None:
    assert pair(of_2017(position({1: "", 2: ""}, absent=(1, 2)))) == Pairing(())


def test_c04_3_2017_a_4_b_a_player_who_does_not_play_receives_a_downfloat() -> None:
    state = of_2017(position({1: "2w-", 2: "1b+", 3: "Z", 4: "U", 5: "6w1", 6: "5b0", 7: "H"}))
    floats = Field.from_state(state, RULES_2017).last_floats
    by_tpn = {
        player.tpn: floats.of(player.rank) for player in Field.from_state(state, RULES_2017).players
    }
    assert by_tpn == dict.fromkeys((1, 2, 3, 4, 7), Float.DOWN) | dict.fromkeys((5, 6), Float.NONE)


def test_r8_c04_3_2017_c_2_a_forfeit_win_bars_from_the_bye_and_a_full_point_bye_does_not() -> None:
    state = position({1: "F", 2: "U", 3: "4w+", 4: "3b-"}, absent=(4,), prohibited=((1, 2), (1, 3)))
    assert pair(of_2017(state)).bye == 1
    with pytest.raises(NoLegalPairingError):
        pair(state)


def test_c04_3_2017_a_9_the_bye_may_go_to_a_higher_score_than_it_must() -> None:
    """In 2026 [C5] comes before the brackets; in 2017 the bye belongs to the last bracket only.

    The first bracket pairs 1-4 [C.5]. Players 2 and 3 have met, so one of them must have the bye.
    """
    state = position({1: "5b1", 2: "3w=", 3: "2b=", 4: "U", 5: "1w0"}, initial_colour="b")
    assert pair(state) == pairing((1, 2), (3, 4), bye=5)
    assert pair(of_2017(state)) == pairing((1, 4), (3, 5), bye=2)
    assert [finding.code for finding in check(state, pair(of_2017(state)))] == [
        "check.c5_bye_score"
    ]
    assert check(of_2017(state), pair(of_2017(state))) == ()


M1_DECIDES = position(
    {
        1: "U F F F 8w0",  # 4 points
        2: "F F F Z Z",  # 3
        3: "F F F Z Z",
        4: "U F F Z Z",
        5: "F F Z Z Z",  # 2, no bye: see below
        6: "F Z Z Z Z",  # 1
        7: "Z Z Z Z 9w0",  # 0
        8: "Z Z Z Z 1b1",
        9: "Z Z Z Z 7b1",
    },
    absent=(8, 9),
    prohibited=(
        *[(1, 2), (1, 3), (1, 4), (1, 6)],
        *[(4, 5), (4, 6), (4, 7), (3, 6), (3, 7), (2, 6), (2, 7)],
        *[(5, 6), (5, 7)],
    ),
)
"""Reading R7: the number of paired MDPs decides between two pairings with equal score differences.

The bracket of 3 points floats 1, who may meet nobody there, and one more: first 4, who cannot be
paired below. So it is the penultimate bracket, and floats 3. In the collapsed last bracket, 1-5,
6-7 with the bye for 3 and 1-7, 3-5 with the bye for 6 have the same score differences, 4, 2, 1. The
first refuses no colour, but only the second pairs both MDPs.
"""


def test_r7_c04_3_2017_b_1_c_of_equal_score_differences_more_mdps_are_paired() -> None:
    expected = {frozenset(board) for board in ((2, 4), (3, 5), (1, 7))}
    for pair_round in (pair_dutch_2017, pair_literally_2017):
        paired = pair_round(of_2017(M1_DECIDES))
        assert ({frozenset(board) for board in paired.pairs}, paired.bye) == (expected, 6)


def test_articles_of_the_checker_are_those_of_the_edition() -> None:
    state = of_2017(position({1: "2w1", 2: "1b0", 3: "4w1", 4: "3b0", 5: "U"}))
    found = check(state, pairing((1, 2), (3, 4), bye=5))
    assert {(finding.code, finding.article) for finding in found} == {
        ("check.c1_rematch", "C.04.3 C.1"),
        ("check.c2_bye_barred", "C.04.3 C.2"),
        ("check.colours", "C.04.3 E.1"),
    }


def test_every_article_a_finding_may_name_has_its_place_in_2017() -> None:
    """These are the articles in quotes in the checker; [C5], 2.3.1, is not included."""
    sources = "".join(path.read_text() for path in Path(checker.__file__).parent.glob("*.py"))
    cited = set(re.findall(r'"(C\.04\.[123] \d[\d.]*)"', sources))
    assert set(EDITIONS["dutch_2017"].articles) == cited - {"C.04.3 2.3.1"}
