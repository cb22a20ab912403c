"""Actions on single games, written once more for the replay of the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from tournaments.models import Decision

from .contents import Contents, RoundContents


def scheduled(kept: RoundContents, row: Decision) -> None:
    """Read the date of a game, which has no result yet."""
    assert kept.state in ("pairings_published", "results_published")
    number = row.after.get("game", 1)
    key = (row.after["board"], number)
    white, black, results = kept.boards[row.after["board"]]
    pair = [white, black] if number == 1 else [black, white]
    assert results[number - 1] in ("", "??")
    for side in (row.before, row.after):
        assert [side["white"], side["black"]] == pair
        assert (side["board"], side.get("game", 1)) == key
    assert _date(row.before) == kept.dates.pop(key, None)
    if (new := _date(row.after)) is not None:
        kept.dates[key] = new
    assert row.before != row.after


def _date(expected: dict[str, Any]) -> tuple[datetime, str] | None:
    if expected["starts_at"] is None:
        assert expected["place"] == ""
        return None
    return datetime.fromisoformat(expected["starts_at"]), expected["place"]


def report_sent(contents: Contents, row: Decision) -> None:
    """Read a report to the rating officer: no game is in two reports."""
    contents.reported = [*contents.reported, row.after]
    games = [
        (game["round"], game["white"], game["black"])
        for one in contents.reported
        for game in one["games"]
    ]
    assert len({(number, *sorted(pair)) for number, *pair in games}) == len(games)
    for number, *pair in [(one["round"], one["white"], one["black"]) for one in row.after["games"]]:
        assert any(
            sorted(board[:2]) == sorted(pair) for board in contents.rounds[number].boards.values()
        )


def report_withdrawn(contents: Contents, row: Decision) -> None:
    assert row.reason
    assert row.before == contents.reported[-1]
    contents.reported = contents.reported[:-1]


READINGS: Final[Mapping[str, Callable[[Any, Decision], None]]] = {
    "game.scheduled": lambda replay, row: scheduled(replay.round(row), row),
    "report.sent": lambda replay, row: report_sent(replay.contents, row),
    "report.withdrawn": lambda replay, row: report_withdrawn(replay.contents, row),
}
