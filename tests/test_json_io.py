"""Positions and answers as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pairing.engine.errors import EngineError, InputError, InvariantError, NoLegalPairingError
from pairing.engine.model import (
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.json_io import error_to_json, pairing_to_json, state_from_json, state_to_json

SMALL: dict[str, Any] = {"round": 2, "total_rounds": 4, "players": []}


def test_a_position_is_read_with_everything_it_may_have() -> None:
    position = {
        "id": "unknown keys are ignored",
        "system": "dutch_2017",
        "round": 2,
        "total_rounds": 4,
        "initial_colour": "b",
        "points": {"win": 3, "draw": 1, "loss": 0.5, "absence": 0.1, "pab": 2, "unknown": 0},
        "absent": [3],
        "prohibited": [[1, 3]],
        "players": [
            {"tpn": 1, "rounds": [[2, "b", "1"]], "virtual_points": [1, 0.5]},
            {"tpn": 2, "rounds": [[1, "w", "0"]]},
            {"tpn": 3, "rounds": [[None, None, "U"]]},
        ],
    }
    assert state_from_json(position) == TournamentState(
        system="dutch_2017",
        round_number=2,
        total_rounds=4,
        initial_colour=Colour.BLACK,
        points=PointSystem.from_values(
            win=30, draw=10, loss=5, absence=1, pairing_allocated_bye=20, unknown=0
        ),
        absent=frozenset({TPN(3)}),
        prohibited=frozenset({frozenset({TPN(1), TPN(3)})}),
        players=(
            Player(
                TPN(1), (RoundRecord(TPN(2), Colour.BLACK, Result.WIN),), (Points(10), Points(5))
            ),
            Player(TPN(2), (RoundRecord(TPN(1), Colour.WHITE, Result.LOSS),)),
            Player(TPN(3), (RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE),)),
        ),
    )


def test_a_position_needs_its_round_the_rounds_and_the_players() -> None:
    assert state_from_json(SMALL) == TournamentState(round_number=2, total_rounds=4, players=())


@pytest.mark.parametrize(
    "change, code, path",
    [
        (None, "json.type", "the position"),
        ([], "json.type", "the position"),
        ({"round": None}, "json.type", "round"),
        ({"round": True}, "json.type", "round"),
        ({"round": -1}, "json.type", "round"),
        ({"round": 10**30}, "json.type", "round"),
        ({"round": "2"}, "json.type", "round"),
        ({"total_rounds": 4.5}, "json.type", "total_rounds"),
        ({"players": {}}, "json.type", "players"),
        ({"players": [1]}, "json.type", "players[0]"),
        ({"players": [{"rounds": []}]}, "json.missing", "players[0].tpn"),
        ({"players": [{"tpn": 1, "rounds": [[2, "w"]]}]}, "json.type", "players[0].rounds[0]"),
        (
            {"players": [{"tpn": 1, "rounds": [[2, "w", "x"]]}]},
            "json.type",
            "players[0].rounds[0][2]",
        ),
        (
            {"players": [{"tpn": 1, "rounds": [[2, "g", "1"]]}]},
            "json.type",
            "players[0].rounds[0][1]",
        ),
        (
            {"players": [{"tpn": 1, "rounds": [["2", "w", "1"]]}]},
            "json.type",
            "players[0].rounds[0][0]",
        ),
        (
            {"players": [{"tpn": 1, "rounds": [[2, ["w"], "1"]]}]},
            "json.type",
            "players[0].rounds[0][1]",
        ),
        (
            {"players": [{"tpn": 1, "rounds": [[2, "w", ["1"]]]}]},
            "json.type",
            "players[0].rounds[0][2]",
        ),
        (
            {"players": [{"tpn": 1, "virtual_points": [0.25]}]},
            "json.type",
            "players[0].virtual_points[0]",
        ),
        ({"initial_colour": "white"}, "json.type", "initial_colour"),
        ({"points": []}, "json.type", "points"),
        ({"points": {"win": "1"}}, "json.type", "points.win"),
        ({"points": {"win": 0.33}}, "json.type", "points.win"),
        ({"points": {"win": -1}}, "json.type", "points.win"),
        ({"points": {"win": float("nan")}}, "json.type", "points.win"),
        ({"points": {"win": 1e300}}, "json.type", "points.win"),
        ({"absent": [1.0]}, "json.type", "absent[0]"),
        ({"prohibited": [[1, 1]]}, "json.type", "prohibited[0]"),
        ({"prohibited": [[1, 2, 3]]}, "json.type", "prohibited[0]"),
        ({"system": 5}, "json.type", "system"),
    ],
)
def test_a_position_of_another_shape_is_refused_with_its_path(
    change: object, code: str, path: str
) -> None:
    with pytest.raises(InputError) as caught:
        state_from_json(SMALL | change if isinstance(change, dict) else change)
    assert (caught.value.code, caught.value.params) == (code, {"path": path})
    assert caught.value.message.startswith(f"{path}")


@pytest.mark.parametrize("key", SMALL)
def test_a_missing_key_of_a_position_is_named(key: str) -> None:
    with pytest.raises(InputError, match=f"^{key} is missing.$"):
        state_from_json({other: value for other, value in SMALL.items() if other != key})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from([*SMALL, "tpn", "rounds", "points"]), inner)
    ),
)


def refused(position: object) -> str:
    """Return the message with which *position* is refused, or "" if it is read."""
    try:
        state_from_json(position)
    except InputError as error:
        return error.message
    return ""


@pytest.mark.costly
@given(
    JSON,
    st.sampled_from(
        ["round", "players", "points", "absent", "prohibited", "system", "initial_colour"]
    ),
)
def test_any_data_are_read_or_refused_in_a_printable_line(data: object, key: str) -> None:
    for position in (
        data,
        SMALL | {key: data},
        SMALL | {"players": [{"tpn": 1, "rounds": [data]}]},
    ):
        assert refused(position).isprintable()


POINTS = st.integers(0, 99)
ROUNDS = st.builds(
    RoundRecord,
    st.none() | st.integers(1, 9),
    st.none() | st.sampled_from(Colour),
    st.sampled_from(Result),
)
PLAYERS = st.builds(
    Player, st.integers(1, 9), st.lists(ROUNDS).map(tuple), st.lists(POINTS).map(tuple)
)
STATES = st.builds(
    TournamentState,
    round_number=st.integers(1, 9),
    total_rounds=st.integers(1, 9),
    players=st.lists(PLAYERS).map(tuple),
    initial_colour=st.sampled_from(Colour),
    points=st.builds(
        PointSystem.from_values,
        win=POINTS,
        draw=POINTS,
        loss=POINTS,
        absence=POINTS,
        pairing_allocated_bye=POINTS,
        unknown=POINTS,
    ),
    absent=st.frozensets(st.integers(1, 9)),
    prohibited=st.frozensets(st.frozensets(st.integers(1, 9), min_size=2, max_size=2)),
    system=st.text(),
)


@pytest.mark.costly
@given(STATES)
def test_a_position_is_written_as_it_is_read(state: TournamentState) -> None:
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


def test_an_answer_names_white_first_and_the_bye() -> None:
    pairing = Pairing(((TPN(4), TPN(1)), (TPN(2), TPN(3))), TPN(5))
    assert pairing_to_json(pairing) == {"pairs": [[4, 1], [2, 3]], "bye": 5}
    assert pairing_to_json(Pairing(())) == {"pairs": [], "bye": None}


@pytest.mark.parametrize(
    "error, answer",
    [
        (NoLegalPairingError(), {"code": "no_legal_pairing", "article": "C.04.3 1.9.3"}),
        (
            InputError("state.tpn", "TPN 0 is no number."),
            {"code": "state.tpn", "message": "TPN 0 is no number."},
        ),
        (
            InvariantError("a secret of the house"),
            {
                "code": "internal_error",
                "message": "The program contradicted itself: a bug of ours.",
            },
        ),
    ],
)
def test_c04_3_1_9_3_each_kind_of_failure_has_its_answer(
    error: EngineError, answer: dict[str, str]
) -> None:
    assert error_to_json(error) == {"error": answer}


# -- rounds that are matches of two games ----------------------------------------------------------

MATCHES: dict[str, Any] = {
    "system": "double_swiss_2026",
    "round": 2,
    "total_rounds": 4,
    "players": [
        {"tpn": 1, "rounds": [[2, "b", "+="]]},
        {"tpn": 2, "rounds": [[1, "w", "-="]]},
        {"tpn": 3, "rounds": [[None, None, "U"]]},
    ],
}


def test_c04_5_0_a_match_has_two_letters_and_a_bye_one() -> None:
    state = state_from_json(MATCHES)
    assert [player.rounds for player in state.players] == [
        (RoundRecord(TPN(2), Colour.BLACK, Result.FORFEIT_WIN, Result.DRAW),),
        (RoundRecord(TPN(1), Colour.WHITE, Result.FORFEIT_LOSS, Result.DRAW),),
        (RoundRecord(None, None, Result.PAIRING_ALLOCATED_BYE),),
    ]
    assert state.points == PointSystem().for_matches()
    assert state_to_json(state)["players"] == MATCHES["players"]
    assert state_from_json(state_to_json(state)) == state


def test_c04_5_1_4_points_are_per_game_and_the_bye_per_match() -> None:
    points = {"win": 3, "draw": 1, "loss": 0, "absence": 0.1, "unknown": 1}
    assert state_from_json({**MATCHES, "points": points}).points == PointSystem.from_values(
        win=30, draw=10, absence=1
    ).for_matches(40)
    with_bye = state_from_json({**MATCHES, "points": {**points, "pab": 3}})
    assert with_bye.points.pairing_allocated_bye == 30
    assert state_from_json(state_to_json(with_bye)) == with_bye


def test_the_given_system_overrides_that_of_the_position() -> None:
    assert state_from_json(
        {**MATCHES, "system": "dutch_2026"}, "double_swiss_2026"
    ) == state_from_json(MATCHES)
    with pytest.raises(InputError):
        state_from_json(MATCHES, "dutch_2026")


@pytest.mark.parametrize("letters", ["1", "U1", "1U", "UU", "111", "", "1x", "x", 11, None])
def test_c04_5_0_letters_of_neither_a_match_nor_a_bye_are_refused(letters: object) -> None:
    players = [{"tpn": 1, "rounds": [[2, "b", letters]]}]
    with pytest.raises(InputError) as caught:
        state_from_json({**MATCHES, "players": players})
    assert (caught.value.code, caught.value.params["path"]) == (
        "json.type",
        "players[0].rounds[0][2]",
    )
