"""Read worked cases of ratings and norms from JSON, and write the figures found as JSON.

Four kinds: ``norm``, ``rating_change``, ``initial_rating`` and the conditions on the players of
each round of a Swiss (``swiss143d``, ``swiss156a``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

from pairing.engine.errors import InputError
from pairing.ratings.attendance import (
    Attendance,
    Attendant,
    ByRound,
    ExemptionCounts,
    LargeCounts,
    large_swiss,
    swiss_exemption,
)
from pairing.ratings.change import RatingChange, rating_change
from pairing.ratings.conditions import State
from pairing.ratings.editions import Title
from pairing.ratings.initial import InitialRating, initial_rating
from pairing.ratings.model import Event, EventKind, Game, Kind, Person, Rate, System
from pairing.ratings.norms import Norm, norm
from pairing.ratings.rounding import half_up

Json = Mapping[str, Any]

_KINDS: Final = {kind.value: kind for kind in Kind}
_ATTENDANCE: Final = {
    "P": Attendance.PRESENT,
    "U": Attendance.BYE,
    "W": Attendance.FORFEIT_WIN,
    "+": Attendance.FORFEIT_WIN,
    **dict.fromkeys("HZFL-", Attendance.MISSED),
}
_TEAM_EVENTS: Final = ("team", "club")
_TOO_LARGE: Final = 1_000_000


def answer(case: Json) -> dict[str, Any]:
    """Return the figures of one case, in the form of its ``expected``.

    Raise :class:`InputError` (``case.…``) for a case that cannot be read.
    """
    kind = str(case.get("type", ""))
    if kind not in _ANSWERS:
        known = ", ".join(_ANSWERS)
        raise InputError("case.type", f"“{kind}” is not a type of case; known: {known}.")
    try:
        return _ANSWERS[kind](case)
    except KeyError as error:
        raise InputError("case.missing", f"{error} is missing.") from None
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InputError("case.wrong", f"{error}.") from None


def norm_json(found: Norm) -> dict[str, Any]:
    """Return a norm as JSON."""
    figures = found.figures
    answer: dict[str, Any] = {"norm": found.is_met, "failing": list(found.failing)}
    if figures is None:
        return answer
    rounds = [number for number, _ in found.dropped]
    answer |= {
        "games": figures.games,
        "score": figures.halves / 2,
        "ra": figures.average,
        "percent": figures.percent,
        "dp": figures.difference,
        "rp": figures.performance,
        "raised": None if figures.raised is None else list(figures.raised[1:]),
        "titled": figures.titled,
        "required_titles": figures.required,
        "foreign_federations": figures.federations,
        "own": figures.own,
        "largest": figures.largest,
        "exemption": found.exemption or None,
        "how": ("1.4.2c" if found.is_142c else "1.4.1")
        + (f" without rounds {rounds}" if rounds else ""),
    }
    if rounds:
        answer["dropped"] = rounds
    if not found.is_searched:
        answer["searched_completely"] = False
    answer["by_141c"] = found.is_141c
    answer["score_needed"] = None if found.needed is None else found.needed / 2
    answer["overscore_full_points"] = found.exceeding // 2
    return answer


def change_json(found: RatingChange) -> dict[str, Any]:
    """Return a rating change as JSON. ``not_rated`` has the rounds."""
    return {
        "rated_games": len(found.games),
        "score": found.made / 100,
        "expected": found.expected / 100,
        "sum_delta": found.delta / 100,
        "k": found.k.value,
        "change": found.change / 100,
        "rounded_if_only_event_of_period": found.rounded,
        "not_rated": [game.round for game in found.not_rated],
    }


def initial_json(found: InitialRating) -> dict[str, Any]:
    """Return an initial rating as JSON; without a rated game its figures are null."""
    reason = found.reason
    is_empty = not found.games
    return {
        "games": len(found.games),
        "ra": None if is_empty else found.average / 100,
        "percent": None if is_empty else found.percent,
        "dp": None if is_empty else found.difference,
        "ru_uncapped": None if is_empty else found.uncapped,
        "ru": None if is_empty else found.rating,
        "published": reason is None,
        "reason": None if reason is None else reason.value,
    }


def exemption_json(found: ByRound[ExemptionCounts]) -> dict[str, Any]:
    """Return the counts of 1.4.3d as JSON: players, federations, titled players of each round."""
    rounds = [list(counts) for counts in found.rounds]
    return {"met": found.state is not State.FAILED, "per_round": rounds}


def large_json(found: ByRound[LargeCounts]) -> dict[str, Any]:
    """Return the counts of 1.5.6a as JSON: players and average of the best 40 of each round."""
    rounds = [
        [counts.players, half_up(counts.total, counts.rated) if counts.rated else None]
        for counts in found.rounds
    ]
    return {"met": found.state is not State.FAILED, "per_round": rounds}


def _norms(case: Json) -> dict[str, Any]:
    games = _games(case)
    event = _event(_object(case["event"], "event"), games)
    player = _person(_object(case["player"], "player"))
    return {title.value: norm_json(norm(title, player, event, games)) for title in Title}


def _change(case: Json) -> dict[str, Any]:
    data = _facts(case)
    player = _person(_object(case["player"], "player"))
    games = _games(case)
    period = next((_whole(data, name) for name in data if "games" in name), None)
    found = rating_change(player, _event(data, games), games, games_in_period=period)
    if found is not None:
        return change_json(found)
    unrated = [game.round for game in games]
    figures = dict.fromkeys(("rated_games", "score", "expected", "sum_delta", "change"), 0)
    return {**figures, "k": None, "rounded_if_only_event_of_period": 0, "not_rated": unrated}


def _initial(case: Json) -> dict[str, Any]:
    games = _games(case)
    player = _person({**_object(case.get("player"), "player"), "rating": None})
    found = initial_rating(player, _event(_facts(case), games), games)
    if found is None:
        raise ValueError("a player with a standard rating is treated as rated")
    return initial_json(found)


def _exemption(case: Json) -> dict[str, Any]:
    host = str(_object(case["event"], "event").get("host_federation") or "")
    return exemption_json(swiss_exemption(_attendants(case), host))


def _large(case: Json) -> dict[str, Any]:
    return large_json(large_swiss(_attendants(case)))


_ANSWERS: Final[Mapping[str, Callable[[Json], dict[str, Any]]]] = {
    "norm": _norms,
    "rating_change": _change,
    "initial_rating": _initial,
    "swiss143d": _exemption,
    "swiss156a": _large,
}


def _attendants(case: Json) -> list[Attendant]:
    return [
        Attendant(_person(player), _attendances(player["rounds"]))
        for player in _objects(case, "players")
    ]


def _attendances(letters: object) -> tuple[Attendance, ...]:
    if not isinstance(letters, list | str):
        raise ValueError("“rounds” must be a list of letters")
    return tuple(map(_attendance, letters))


def _attendance(letter: object) -> Attendance:
    name = str(letter).upper()
    if name not in _ATTENDANCE:
        raise ValueError(f"“{letter}” is not a letter of attendance")
    return _ATTENDANCE[name]


def _facts(case: Json) -> dict[str, Any]:
    """Return the facts of the event of a rating case, wherever they are."""
    return {**_object(case.get("event"), "event"), **_object(case.get("params"), "params")}


def _object(value: object, name: str) -> Json:
    """Return *value* as an object; None: an empty one."""
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"“{name}” must be an object")
    return value or {}


def _objects(case: Json, name: str) -> list[Json]:
    if not isinstance(case[name], list):
        raise ValueError(f"“{name}” must be a list")
    return [_object(value, name) for value in case[name]]


def _number(data: Json, *names: str) -> Decimal | None:
    """Return the first number that is there, of several *names*; text may hold one.

    Raise ValueError for anything else: it must not pass for an absent number.
    """
    value = _first(data, *names)
    if value is None or value == "":
        return None
    try:
        number = Decimal("nan" if isinstance(value, bool) else str(value))
    except ArithmeticError:
        number = Decimal("nan")
    if not (number.is_finite() and 0 <= number < _TOO_LARGE):
        raise ValueError(f"“{value}” is no number for “{names[0]}”")
    return number


def _whole(data: Json, *names: str) -> int | None:
    """Return the first whole number that is there, of several *names*."""
    number = _number(data, *names)
    if number is not None and number != int(number):
        raise ValueError(f"“{number}” is no whole number for “{names[0]}”")
    return None if number is None else int(number)


def _day(data: Json, *names: str) -> date | None:
    value = _first(data, *names)
    if not value:
        return None
    try:
        return date.fromisoformat(str(value).replace("/", "-"))
    except ValueError:
        raise ValueError(f"“{value}” is no date for “{names[0]}”: YYYY-MM-DD") from None


def _first(data: Json, *names: str) -> Any:
    """Return the first value that is there, of several *names*."""
    return next((data[name] for name in names if data.get(name) is not None), None)


def _event(data: Json, games: Iterable[Game]) -> Event:
    """Return the event; an absent fact is unknown, and absent ``rounds`` are those of *games*."""
    minutes = _number(data, "minutes_60_moves", "minutes")
    return Event(
        rounds=_whole(data, "rounds") or max((game.round for game in games), default=0),
        rate=_rate(str(_first(data, "chapter", "rate") or "standard")),
        system=_system(str(data.get("system") or "swiss")),
        kind=_event_kind(f"{data.get('kind')} {data.get('exemption')}"),
        host=str(data.get("host_federation") or ""),
        start=_day(data, "start", "start_date", "date"),
        end=_day(data, "end", "end_date"),
        seconds=None if minutes is None else half_up(int(minutes * 60_000), 1000),
        most_rounds_a_day=_whole(data, "max_rounds_per_day"),
        players=_count(data.get("players")),
        is_approved=bool(_first(data, "approved_by_qc", "qc_approved")),
        swiss_exemption=_swiss_exemption(data),
    )


def _rate(name: str) -> Rate:
    for rate in Rate:
        if name.lower().startswith(rate.value):
            return rate
    raise ValueError(f"“{name}” is not a rate of play; known: {', '.join(r.value for r in Rate)}")


def _count(players: object) -> int | None:
    if isinstance(players, list):
        return len(players)
    return players if isinstance(players, int) else None


def _swiss_exemption(data: Json) -> State | None:
    """Return whether 1.4.3d is met, as some key of the event says it."""
    if "143d" in str(data.get("kind")).replace(".", "").lower():
        return State.MET
    for name, value in data.items():
        if "143d" in name.replace(".", "").lower() or name in ("exemption", "exemptions"):
            text = str(value).lower()
            is_met = value is True or "143d" in text.replace(".", "") or text == "d"
            return State.MET if is_met else State.FAILED
    return None


def _system(name: str) -> System:
    name = name.lower().replace("-", "_").replace(" ", "_")
    if "double" in name and "swiss" not in name:
        return System.DOUBLE_ROUND_ROBIN
    if "robin" in name or name == "rr":
        return System.ROUND_ROBIN
    if name.startswith("knock"):
        return System.KNOCK_OUT
    return System.SWISS if "swiss" in name else System.OTHER


def _event_kind(name: str) -> EventKind:
    name = name.lower().replace("-", "_").replace(" ", "_").replace(".", "")
    is_team = any(word in name for word in _TEAM_EVENTS)
    if name.startswith("nat") or "_nat" in name:
        return EventKind.NATIONAL_TEAM if is_team else EventKind.NATIONAL_FINAL
    if "zonal" in name:
        return EventKind.ZONAL
    if is_team:
        return EventKind.TEAM_CHAMPIONSHIP
    if "world_cup" in name:
        return EventKind.WORLD_CUP
    articles = {
        "143a": EventKind.NATIONAL_FINAL,
        "143b": EventKind.NATIONAL_TEAM,
        "143c": EventKind.ZONAL,
    }
    return next((kind for article, kind in articles.items() if article in name), EventKind.ORDINARY)


def _games(case: Json) -> list[Game]:
    return [_game(game) for game in _objects(case, "games")]


def _game(data: Json) -> Game:
    name, opponent = str(data["kind"]).lower(), _object(data.get("opp"), "opp")
    if name not in _KINDS:
        raise ValueError(f"“{data['kind']}” is not a kind of game; known: {', '.join(_KINDS)}")
    kind, number = _KINDS[name], _whole(data, "round")
    if number is None:
        raise KeyError("round")
    if kind.is_at_board and not opponent:
        raise ValueError(f"the game of round {number} has no opponent")
    return Game(
        number,
        kind,
        _halves(data) if kind.is_at_board else 0,
        _person(opponent) if opponent else None,
        "excluded" if data.get("rated") is False else str(data.get("excluded") or ""),
    )


def _halves(data: Json) -> int:
    """Return the half points of a game over the board, which are 0, 1 or 2."""
    score = _number(data, "score")
    if score is None:
        raise KeyError("score")
    if 2 * score not in (0, 1, 2):
        raise ValueError(f"“{score}” is not a score of a game: 1, 0.5 or 0")
    return int(2 * score)


def _person(data: Json) -> Person:
    titles = frozenset(
        word.upper()
        for name, value in data.items()
        if "tit" in name
        for text in (value if isinstance(value, list) else [value])
        for word in str(text or "").replace(",", " ").replace("+", " ").replace("/", " ").split()
    )
    birth = str(_first(data, "birth_year", "year_of_birth", "born", "birth") or "")[:4]
    return Person(
        rating=_whole(data, "rating") or None,
        standard=_whole(data, *(name for name in data if "standard" in name)) or None,
        titles=titles,
        federation=str(data.get("federation") or "").upper(),
        norm_federation=str(
            _first(data, "norm_federation", "federation_for_norms", "flag") or ""
        ).upper(),
        is_woman=str(data.get("sex") or "").lower().startswith(("w", "f")),
        k=_whole(data, "k") or None,
        birth_year=int(birth) if birth.isdigit() else None,
        no_points=_scored_nothing(data),
        number=data["id"] if isinstance(data.get("id"), int) else 0,
    )


def _scored_nothing(data: Json) -> bool:
    """Return whether a key says that an unrated player scored nothing against rated ones."""
    for name, value in data.items():
        if "zero" in name or "nothing" in name or name.startswith("no_"):
            return bool(value)
        if "_rated" in name:
            return not value
    return False
