"""The JSON form of a position and of its answer, used by ``pair --json`` and the API.

A position is an object with ``round``, ``total_rounds`` and ``players``; the rest may be left out::

    {"system": "dutch_2026", "round": 2, "total_rounds": 4, "initial_colour": "b",
     "points": {"win": 1, "draw": 0.5, "loss": 0, "absence": 0, "pab": 1},
     "absent": [], "prohibited": [[1, 3]],
     "players": [{"tpn": 1, "rounds": [[5, "b", "1"]], "virtual_points": [1, 0.5]}, …]}

A player may also have ``decided``: points given by decision, negative if points were removed.
``virtual_points`` already include them.

A round is ``[opponent or null, "w" | "b" | null, result]``. In a system whose rounds are matches of two games a match
has two result letters (``"1="``), the colour is that of the first game, a bye has one letter, and
``points`` are per game, ``pab`` per match. Unknown keys are ignored. The answer is ``{"pairs":
[[white, black], …], "bye": tpn or null}`` or ``{"error": {"code": …}}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from .engine.errors import EngineError, InputError, NoLegalPairingError
from .engine.model import (
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
from .engine.systems import games_a_round

_COLOURS = {colour.value: colour for colour in Colour}
_RESULTS = {result.value: result for result in Result}
_GAME_LETTERS = " ".join(result.value for result in Result if not result.is_bye)
_BYE_LETTERS = " ".join(result.value for result in Result if result.is_bye)
_POINT_NAMES = {
    "win": "win",
    "draw": "draw",
    "loss": "loss",
    "absence": "absence",
    "pab": "pairing_allocated_bye",
    "unknown": "unknown",
}
_HIGHEST = 9_999

T = TypeVar("T")
D = TypeVar("D")


def state_from_json(data: object, system: str | None = None) -> TournamentState:
    """Return the position in *data*, parsed by ``json``; *system* overrides the system in it.

    Raise :class:`InputError` with ``json.missing`` or ``json.type`` and ``params["path"]``
    (``players[3].rounds[0]``) if it has a different structure. The engine checks whether the rounds
    agree with each other.
    """
    position = _object(data, "")
    system = system or _optional(position, "", "system", _text, "dutch_2026")
    games = games_a_round(system)
    points = partial(_point_system, games=games)
    return TournamentState(
        round_number=_required(position, "", "round", _number),
        total_rounds=_required(position, "", "total_rounds", _number),
        players=_required(position, "", "players", _list_of(partial(_player, games=games))),
        initial_colour=_optional(position, "", "initial_colour", _colour, None) or Colour.WHITE,
        points=_optional(position, "", "points", points, points({}, "")),
        absent=frozenset(_optional(position, "", "absent", _list_of(_tpn), ())),
        prohibited=frozenset(_optional(position, "", "prohibited", _list_of(_pair), ())),
        system=system,
    )


def state_to_json(state: TournamentState) -> dict[str, Any]:
    """Return *state* as :func:`state_from_json` reads it, without points that 162 cannot name."""
    points = state.points
    return {
        "system": state.system,
        "round": state.round_number,
        "total_rounds": state.total_rounds,
        "initial_colour": state.initial_colour.value,
        "points": {
            "win": points.win / 10,
            "draw": points.draw / 10,
            "loss": points.loss / 10,
            "absence": points.zero_point_bye / (10 * games_a_round(state.system)),
            "pab": points.pairing_allocated_bye / 10,
            "unknown": points.unknown / 10,
        },
        "absent": sorted(state.absent),
        "prohibited": sorted(sorted(pair) for pair in state.prohibited),
        "players": [_player_to_json(player) for player in state.players],
    }


def pairing_to_json(pairing: Pairing) -> dict[str, Any]:
    """Return ``{"pairs": [[white, black], …], "bye": tpn or null}``, pairs in their order."""
    return {"pairs": [list(pair) for pair in pairing.pairs], "bye": pairing.bye}


def error_to_json(error: EngineError) -> dict[str, Any]:
    """Return ``{"error": {…}}`` with the code, and a refusal's article or wrong input's text."""
    match error:
        case NoLegalPairingError():
            return {"error": {"code": error.code, "article": error.article}}
        case InputError():
            return {"error": {"code": error.code, "message": str(error)}}
        case _:
            return {
                "error": {
                    "code": "internal_error",
                    "message": "The program contradicted itself: a bug of ours.",
                }
            }


def _player_to_json(player: Player) -> dict[str, Any]:
    rounds = [
        [
            record.opponent,
            record.colour.value if record.colour else None,
            record.result.value + (record.second.value if record.second else ""),
        ]
        for record in player.rounds
    ]
    data: dict[str, Any] = {"tpn": player.tpn, "rounds": rounds}
    if player.virtual_points:
        data["virtual_points"] = [points / 10 for points in player.virtual_points]
    if player.decided:
        data["decided"] = player.decided / 10
    return data


def _wrong(path: str, expected: str, found: object) -> InputError:
    shown = (
        repr(found)
        if found is None or isinstance(found, bool | int | float | str)
        else type(found).__name__
    )
    shown = shown if len(shown) <= 24 else shown[:24] + "…"
    where = path.removeprefix(".") or "the position"
    return InputError("json.type", f"{where}: {expected} is expected, not {shown}.", path=where)


def _object(data: object, path: str) -> Mapping[str, object]:
    if not isinstance(data, dict):
        raise _wrong(path, "an object", data)
    return data


def _required(
    data: Mapping[str, object], path: str, key: str, read: Callable[[object, str], T]
) -> T:
    where = f"{path}.{key}"
    if key not in data:
        where = where.removeprefix(".")
        raise InputError("json.missing", f"{where} is missing.", path=where)
    return read(data[key], where)


def _optional(
    data: Mapping[str, object], path: str, key: str, read: Callable[[object, str], T], default: D
) -> T | D:
    return read(data[key], f"{path}.{key}") if key in data else default


def _list_of(read: Callable[[object, str], T]) -> Callable[[object, str], tuple[T, ...]]:
    def read_list(data: object, path: str) -> tuple[T, ...]:
        if not isinstance(data, list):
            raise _wrong(path, "a list", data)
        return tuple(read(item, f"{path}[{index}]") for index, item in enumerate(data))

    return read_list


def _number(data: object, path: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= _HIGHEST:
        raise _wrong(path, f"a whole number from 0 to {_HIGHEST}", data)
    return data


def _tpn(data: object, path: str) -> TPN:
    return TPN(_number(data, path))


def _text(data: object, path: str) -> str:
    if not isinstance(data, str):
        raise _wrong(path, "a text", data)
    return data


def _colour(data: object, path: str) -> Colour | None:
    if data is None:
        return None
    if not isinstance(data, str) or data not in _COLOURS:
        raise _wrong(path, "'w', 'b' or null", data)
    return _COLOURS[data]


def _points(data: object, path: str) -> Points:
    expected = "points from 0 with at most one decimal"
    if isinstance(data, bool) or not isinstance(data, int | float) or not math.isfinite(data):
        raise _wrong(path, expected, data)
    tenths = round(data * 10) if abs(data) <= _HIGHEST else -1
    if tenths < 0 or tenths / 10 != data:
        raise _wrong(path, expected, data)
    return Points(tenths)


def _signed_points(data: object, path: str) -> Points:
    """Return points that may be negative, because decisions can remove some."""
    if isinstance(data, int | float) and not isinstance(data, bool) and data < 0:
        return Points(-_points(-data, path))
    return _points(data, path)


def _point_system(data: object, path: str, *, games: int) -> PointSystem:
    given = _object(data, path)
    values = {
        name: _points(given[key], f"{path}.{key}")
        for key, name in _POINT_NAMES.items()
        if key in given
    }
    points = PointSystem.from_values(**values)
    return points if games == 1 else points.for_matches(values.get("pairing_allocated_bye"))


def _pair(data: object, path: str) -> frozenset[TPN]:
    pair = frozenset(_list_of(_tpn)(data, path))
    if len(pair) != 2:
        raise _wrong(path, "a list of two different numbers", data)
    return pair


def _player(data: object, path: str, *, games: int) -> Player:
    player = _object(data, path)
    return Player(
        tpn=_required(player, path, "tpn", _tpn),
        rounds=_optional(player, path, "rounds", _list_of(_game if games == 1 else _match), ()),
        virtual_points=_optional(player, path, "virtual_points", _list_of(_signed_points), ()),
        decided=_optional(player, path, "decided", _signed_points, Points(0)),
    )


def _game(data: object, path: str) -> RoundRecord:
    opponent, colour, letter = _round(data, path)
    if not isinstance(letter, str) or letter not in _RESULTS:
        raise _wrong(f"{path}[2]", f"one of {' '.join(_RESULTS)}", letter)
    return RoundRecord(opponent, colour, _RESULTS[letter])


def _match(data: object, path: str) -> RoundRecord:
    """Read two letters of games, or one letter of a bye."""
    opponent, colour, letters = _round(data, path)
    results = [_RESULTS.get(letter) for letter in letters] if isinstance(letters, str) else []
    match results:
        case [Result() as bye] if bye.is_bye:
            return RoundRecord(opponent, colour, bye)
        case [Result() as first, Result() as second] if not first.is_bye and not second.is_bye:
            return RoundRecord(opponent, colour, first, second)
        case _:
            raise _wrong(
                f"{path}[2]",
                f"two letters of {_GAME_LETTERS}, one per game, or one of {_BYE_LETTERS}",
                letters,
            )


def _round(data: object, path: str) -> tuple[TPN | None, Colour | None, object]:
    if not isinstance(data, list) or len(data) != 3:
        raise _wrong(path, "[opponent or null, 'w' or 'b' or null, result]", data)
    opponent, colour, letters = data
    return (
        None if opponent is None else _tpn(opponent, f"{path}[0]"),
        _colour(colour, f"{path}[1]"),
        letters,
    )
