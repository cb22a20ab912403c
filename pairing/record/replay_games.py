"""Replay the actions on single games; see :mod:`pairing.record.replay`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pairing.rules.game_dates import OPEN_RESULTS
from pairing.rules.rounds import RoundState

from .chain import Line
from .state import Board, GameDate, State, moment, require, require_before


def scheduled(state: State, line: Line) -> None:
    """Set, change or remove the date of an open game of a published round."""
    table, after = state.round(line), line.after
    require(table.is_public, "its round is not published.")
    board, number = state.board(table, after["board"]), game_number(state, after)
    require((line.before["board"], game_number(state, line.before)) == (after["board"], number),
            "it changes the board.")  # fmt: skip
    for side in (line.before, after):
        require(
            (side["white"], side["black"]) == players_of(board, number),
            "its players sit at another board.",
        )
    require(board.results[number - 1] in OPEN_RESULTS, "its game has a result.")
    require_before(
        f"the date of board {after['board']}", _date(line.before), board.dates.pop(number, None)
    )
    date = _date(after)
    if date is not None:
        board.dates[number] = date


def game_number(state: State, values: Mapping[str, Any]) -> int:
    """Return the number of the game that one side of a line names: 1 unless a round is a match."""
    number = values.get("game", 1)
    require(number in range(1, state.games + 1), f"there is no game {number} at its board.")
    return int(number)


def players_of(board: Board, number: int) -> tuple[int, int]:
    """Return White and Black of game *number* at *board*; the second one reverses colours."""
    return (board.white, board.black) if number == 1 else (board.black, board.white)


def _date(values: Mapping[str, Any]) -> GameDate | None:
    at = moment(values["starts_at"])
    require(at is not None or values["place"] == "", "it has a place without a date.")
    return None if at is None else (at, str(values["place"]))


Sent = dict[tuple[int, int, int], tuple[int, Mapping[str, Any]]]
"""By round and players, the report that had a game first, and the game as last sent."""


def report_sent(state: State, line: Line) -> None:
    """Read a report: its games are over and never sent before, its corrections of sent games."""
    after = line.after
    known, number = _sent(state), state.last_report + 1
    is_next = after["number"] >= number if "restored" in after else after["number"] == number
    require(is_next, f"it has the number {after['number']} and not {number}.")
    found: set[tuple[int, int, int]] = set()
    for game in after["games"]:
        key = _key(game)
        require(
            key not in known and key not in found, f"it reports the game of {_named(game)} twice."
        )
        found.add(key)
        if "restored" not in after:
            _require_over(state, game)
    for change in after["corrected"]:
        report, before = known.get(_key(change["before"]), (0, {}))
        require(report == change["report"] and before == change["before"] and _key(change["after"]) in known,
                f"the game of {_named(change['before'])} was not sent so.")  # fmt: skip
        if "restored" not in after:
            _require_over(state, change["after"])
    state.reports.append(dict(after))
    state.last_report = after["number"]


def report_withdrawn(state: State, line: Line) -> None:
    """Read that the newest report was not sent after all."""
    require(state.reports, "there is no report.")
    require_before("the newest report", line.before, state.reports.pop())


def _sent(state: State) -> Sent:
    known: Sent = {}
    for report in state.reports:
        known |= {_key(game): (report["number"], game) for game in report["games"]}
        known |= {
            _key(change["after"]): (change["report"], change["after"])
            for change in report["corrected"]
        }
    return known


def _require_over(state: State, game: Mapping[str, Any]) -> None:
    """Require that *game* is over as it says; only a correction changes colours or results."""
    table = state.round_number(game["round"])
    require(
        table.state == RoundState.RESULTS_PUBLISHED,
        f"the results of round {game['round']} are not published.",
    )
    board = state.board(table, game["board"])
    require(
        {game["white"], game["black"]} == {board.white, board.black},
        "its players sit at another board.",
    )
    require(OPEN_RESULTS.isdisjoint(board.results), f"the game of {_named(game)} is not over.")
    about = (game["round"], game["board"])
    if about not in {
        (each.round_number, each.about[0]) for each in state.corrections if each.kind != "rating"
    }:
        require((game["white"], list(game["results"])) == (board.white, board.results),
                f"the game of {_named(game)} ended otherwise.")  # fmt: skip


def _key(game: Mapping[str, Any]) -> tuple[int, int, int]:
    one, other = sorted((int(game["white"]), int(game["black"])))
    return int(game["round"]), one, other


def _named(game: Mapping[str, Any]) -> str:
    return f"round {game['round']}, board {game['board']}"


READINGS: Final[Mapping[str, Callable[[State, Line], None]]] = {
    "game.scheduled": scheduled,
    "report.sent": report_sent,
    "report.withdrawn": report_withdrawn,
}
