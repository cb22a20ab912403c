"""Read worked cases of ratings and norms from JSON, and write the figures found as JSON.

Four kinds: ``norm``, ``rating_change``, ``initial_rating`` and the conditions on the players of
each round of a Swiss (``swiss143d``, ``swiss156a``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
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
    except (TypeError, ValueError, AttributeError) as error:
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
        "how": f"1.4.1 without rounds {rounds}"
        if rounds
        else "1.4.2c"
        if found.is_142c
        else "1.4.1",
    }
    if rounds:
        answer["dropped"] = rounds
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
    event = _event(case["event"])
    player = _person(case["player"])
    games = [_game(game) for game in case["games"]]
    return {title.value: norm_json(norm(title, player, event, games)) for title in Title}


def _change(case: Json) -> dict[str, Any]:
    data = _facts(case)
    player = _person(case["player"])
    games = [_game(game) for game in case["games"]]
    period = next((n for name, n in data.items() if "games" in name and isinstance(n, int)), None)
    found = rating_change(player, _event(data), games, games_in_period=period)
    if found is not None:
        return change_json(found)
    unrated = [game["round"] for game in case["games"]]
    figures = dict.fromkeys(("rated_games", "score", "expected", "sum_delta", "change"), 0)
    return {**figures, "k": None, "rounded_if_only_event_of_period": 0, "not_rated": unrated}


def _initial(case: Json) -> dict[str, Any]:
    games = [_game(game) for game in case["games"]]
    found = initial_rating(
        _person({**case.get("player", {}), "rating": None}), _event(_facts(case)), games
    )
    if found is None:
        raise ValueError("a player with a standard rating is treated as rated")
    return initial_json(found)


def _exemption(case: Json) -> dict[str, Any]:
    host = str(case["event"].get("host_federation") or "")
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
        Attendant(_person(player), tuple(_attendance(letter) for letter in player["rounds"]))
        for player in case["players"]
    ]


def _attendance(letter: str) -> Attendance:
    if letter not in _ATTENDANCE:
        raise ValueError(f"“{letter}” is not a letter of attendance")
    return _ATTENDANCE[letter]


def _facts(case: Json) -> dict[str, Any]:
    """Return the facts of the event of a rating case, wherever they are."""
    return {**case.get("event", {}), **case.get("params", {})}


def _first(data: Json, *names: str) -> Any:
    """Return the first value that is there, of several *names*."""
    return next((data[name] for name in names if data.get(name) is not None), None)


def _event(data: Json) -> Event:
    """Return the event; a fact that is absent is unknown."""
    minutes = _first(data, "minutes_60_moves", "minutes")
    start = _first(data, "start", "start_date", "date")
    end = _first(data, "end", "end_date")
    name = str(_first(data, "chapter", "rate") or "standard")
    return Event(
        rounds=int(data.get("rounds") or 0),
        rate=Rate(name.lower()),
        system=_system(str(data.get("system") or "swiss")),
        kind=_event_kind(f"{data.get('kind')} {data.get('exemption')}"),
        host=str(data.get("host_federation") or ""),
        start=date.fromisoformat(start) if start else None,
        end=date.fromisoformat(end) if end else None,
        seconds=None if minutes is None else half_up(int(minutes * 1000) * 60, 1000),
        most_rounds_a_day=data.get("max_rounds_per_day"),
        players=_count(data.get("players")),
        is_approved=bool(_first(data, "approved_by_qc", "qc_approved")),
        swiss_exemption=_swiss_exemption(data),
    )


def _count(players: object) -> int | None:
    if isinstance(players, list):
        return len(players)
    return players if isinstance(players, int) else None


def _swiss_exemption(data: Json) -> State | None:
    """Return whether 1.4.3d is met, as some key of the event says it."""
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
    if name.startswith("nat"):
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


def _game(data: Json) -> Game:
    kind, opponent = str(data["kind"]), data.get("opp")
    if kind not in _KINDS:
        raise ValueError(f"“{kind}” is not a kind of game; known: {', '.join(_KINDS)}")
    return Game(
        int(data["round"]),
        _KINDS[kind],
        int(2 * (data.get("score") or 0)),
        _person(opponent) if opponent else None,
        "excluded" if data.get("rated") is False else str(data.get("excluded") or ""),
    )


def _person(data: Json) -> Person:
    titles = frozenset(
        word.upper()
        for name, value in data.items()
        if name.startswith(("title", "wtit", "w_tit", "tit"))
        for text in (value if isinstance(value, list) else [value])
        for word in str(text or "").replace(",", " ").replace("+", " ").replace("/", " ").split()
    )
    birth = str(_first(data, "birth_year", "year_of_birth", "born", "birth") or "")[:4]
    return Person(
        rating=_rating(data.get("rating")),
        standard=_rating(next((data[name] for name in data if "standard" in name), None)),
        titles=titles,
        federation=str(data.get("federation") or "").upper(),
        norm_federation=str(
            _first(data, "norm_federation", "federation_for_norms", "flag") or ""
        ).upper(),
        is_woman=str(data.get("sex") or "").lower() in ("w", "f"),
        k=data.get("k") or None,
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


def _rating(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
