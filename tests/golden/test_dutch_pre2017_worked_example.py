"""The published example of the Dutch System before July 2017: 14 players, five rounds (docs/rules).

Boards in their printed order, colours, byes and floats; obvious misprints are corrected.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pairing import Pairing, pair
from pairing.engine.checker import check
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch_pre2017.bracket import Bracket
from pairing.engine.dutch_pre2017.field import FieldBefore2017
from pairing.engine.dutch_pre2017.procedure import pair_field
from pairing.engine.model import TournamentState
from pairing.json_io import state_from_json
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from tests.engine.literal_dutch_pre2017 import pair_literally
from tests.plugins.shared import HAS_SHARED, REASON, SHARED

FILE = Path(__file__).with_name("dutch_pre2017_worked_example.trf")
ROUNDS = range(1, 6)

BOARDS = {
    1: "1-8 9-2 3-10 11-4 5-12 13-6 7-14",
    2: "5-1 2-7 6-3 4-9 8-11 10-13 14-bye",
    3: "2-5 3-4 11-6 14-1 7-10 12-8 9-13",
    4: "6-2 4-5 1-3 11-7 10-14 8-9 13-12",
    5: "2-1 5-11 4-6 3-7 9-10 14-12 13-8",
}
"""As published, White first."""

DOWNFLOATS = {1: [], 2: [4, 11, 14], 3: [6], 4: [5, 7, 9, 12]}
UPFLOATS = {1: [], 2: [8, 9], 3: [], 4: [4, 8, 11, 13]}
"""The arrows of the tables. The floats of round 5 would count in a sixth round; there is none."""


def state_before(number: int) -> TournamentState:
    return state_before_round(read(FILE.read_bytes()), number)


def played(pairing: Pairing) -> str:
    boards = [f"{white}-{black}" for white, black in pairing.pairs]
    return " ".join([*boards, *([f"{pairing.bye}-bye"] if pairing.bye else [])])


@pytest.mark.parametrize("number", ROUNDS)
def test_c04_3_pre2017_every_round_has_the_published_boards_colours_and_byes(number: int) -> None:
    paired = pair(state_before(number))
    assert played(paired) == BOARDS[number]
    assert check(state_before(number), paired) == ()


@pytest.mark.parametrize("number", ROUNDS)
def test_c04_3_pre2017_the_text_step_by_step_gives_the_published_boards(number: int) -> None:
    assert played(pair_literally(state_before(number))) == BOARDS[number]


@pytest.mark.parametrize("number", DOWNFLOATS)
def test_c04_3_pre2017_a4_b1_b_the_floats_are_the_published_arrows(number: int) -> None:
    field = FieldBefore2017.from_state(replace(state_before(number + 1), absent=frozenset()))
    floats = {
        float_: sorted(p.tpn for p in field.players if p.last_float is float_) for float_ in Float
    }
    assert (floats[Float.DOWN], floats[Float.UP]) == (DOWNFLOATS[number], UPFLOATS[number])
    if number < max(DOWNFLOATS):
        field = FieldBefore2017.from_state(state_before(number + 2))
        floats = {
            float_: sorted(p.tpn for p in field.players if p.float_before_last is float_)
            for float_ in Float
        }
        assert (floats[Float.DOWN], floats[Float.UP]) == (DOWNFLOATS[number], UPFLOATS[number])


def brackets(number: int) -> list[tuple[list[int], list[int]]]:
    """Return the brackets of a round as they were paired: moved-down players, residents, by TPN."""
    field = FieldBefore2017.from_state(state_before(number))

    def tpns(ranks: tuple[int, ...]) -> list[int]:
        return [field.players[rank].tpn for rank in ranks]

    return [
        (tpns(done.bracket.moved_down), tpns(done.bracket.residents)) for done in pair_field(field)
    ]


def test_c04_3_pre2017_c1_players_without_opponent_move_down_at_once() -> None:
    assert brackets(2) == [([], [1, 2, 3, 5, 6, 7]), ([], []), ([4, 11], [8, 9, 10, 13, 14])]


def test_c04_3_pre2017_c13_the_two_lowest_brackets_of_round_5_are_joined() -> None:
    assert brackets(5)[-1] == ([14, 8, 13], [12])


def bracket_of(number: int, moved_down: list[int], residents: list[int]) -> Bracket:
    field = FieldBefore2017.from_state(state_before(number))
    rank_of = {player.tpn: player.rank for player in field.players}
    return Bracket(
        field, tuple(rank_of[tpn] for tpn in moved_down), tuple(rank_of[tpn] for tpn in residents)
    )


@pytest.mark.parametrize(
    "number, moved_down, residents, p0, m0, x1, z1",
    [
        (2, [], [1, 2, 3, 5, 6, 7], 3, 0, 1, 1),
        (2, [4, 11], [8, 9, 10, 13, 14], 3, 2, 0, 0),
        (3, [], [2, 5], 1, 0, 1, None),
        (3, [], [3, 4, 6, 11], 2, 0, 0, None),
        (3, [], [1, 7, 10, 14], 2, 0, 1, None),
        (3, [], [8, 9, 12, 13], 2, 0, 1, None),
        (4, [], [2, 5, 6], 1, 0, 1, 0),
        (4, [5], [1, 3, 4, 7], 2, 1, 0, 0),
        (4, [9], [8, 12], 1, 1, 0, 0),
        (5, [5], [4, 6, 11], 2, 1, 1, None),
        (5, [], [3, 7], 1, 0, 1, None),
        (5, [14], [8, 13], 1, 1, 0, None),
    ],
)
def test_c04_3_pre2017_a6_a8_the_numbers_are_those_of_the_example(
    number: int,
    moved_down: list[int],
    residents: list[int],
    p0: int,
    m0: int,
    x1: int,
    z1: int | None,
) -> None:
    bracket = bracket_of(number, moved_down, residents)
    assert (bracket.p0, bracket.m0, bracket.x1) == (p0, m0, x1)
    if z1 is not None:
        assert bracket.z1 == z1


def json_cases() -> list[Any]:
    path = SHARED / "golden" / "dutch_pre2017.json"
    if not HAS_SHARED:
        return [pytest.param(None, id="absent", marks=pytest.mark.skip(reason=REASON))]
    return [pytest.param(case, id=case["id"]) for case in json.loads(path.read_text())]


@pytest.mark.parametrize("case", json_cases())
def test_the_positions_of_the_golden_set(case: dict[str, Any]) -> None:
    expected = case["expected"]
    paired = pair(state_from_json(case))
    assert (sorted([white, black] for white, black in paired.pairs), paired.bye) == (
        sorted(expected["pairs"]),
        expected["bye"],
    )
