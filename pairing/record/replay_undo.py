"""Replay the undo of a line: an earlier one, on which nothing in between depends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from pairing.rules.check_in import Consequence
from pairing.rules.rounds import RoundState
from pairing.rules.undo import can_be_undone, is_in_time
from pairing.rules.undo_between import Done, in_between, undone_already

from . import replay_players as players, replay_rounds as rounds
from .chain import Line
from .private import same
from .state import State, require

OF_THE_UNDO: Final = frozenset({"undone", "action", "viewed_by", "views"})
"""The keys of an undo that are not those of the undone line."""


def undone_line(state: State, line: Line) -> Line:
    """Return the line that *line* undoes.

    It must be there with *before* and *after* exchanged, not undone yet, done a short time ago
    unless it is the line before, and no line in between may be about the same thing.
    """
    number, action = line.after["undone"], line.after["action"]
    last = state.lines.get(number)
    if last is None or last.action != action:
        require(False, "it undoes a line that is not there.")
    assert last is not None
    require(can_be_undone(last.action), f"“{last.action}” cannot be undone.")
    after = {name: value for name, value in line.after.items() if name not in OF_THE_UNDO}
    require(
        same(line.before, last.after) and same(after, last.before),
        "it does not exchange before and after.",
    )
    require(line.round_number == last.round_number, "it is about another round.")
    later = list(_later(state, last))
    require(undone_already(_done(last), later) is None, f"line #{number} was undone before.")
    between = in_between(_done(last), later)
    require(not between, f"line #{number} can no longer be undone: line #{between[0].sequence if between else 0} "
            "is about the same thing.")  # fmt: skip
    done, now = datetime.fromisoformat(last.at), datetime.fromisoformat(line.at)
    is_newest = line.sequence == last.sequence + 1
    require(is_in_time(done, now, is_newest=is_newest), f"it undoes line #{number} too late.")
    return last


def revert(state: State, line: Line, last: Line) -> None:
    """Restore the values before *last*, which only an undo reverses; *line* is the undo."""
    entry, number = last.after.get("entry", 0), last.round_number or 0
    match last.action:
        case "round.paired" | "round.paired_by_hand":
            require(state.round(last).state == RoundState.DRAFT, "its round is no draft.")
            rounds.keep_views(state, line, state.round(last))
            state.rounds[number] = rounds.emptied(state.round(last))
        case "result.recorded":
            rounds.set_result(state, line, line.after["result"])
        case "entry.withdrawn" | "entry.returned":
            state.player(entry)["withdrawn_from"] = last.before["value"]
            if last.before.get("expelled"):
                state.settings["expelled"] = [*state.settings["expelled"], entry]
        case "bye.requested" | "bye.cancelled":
            require(not state.round(last).is_public, "its round is published.")
            players.set_bye(state, entry, number, last.before["value"])
        case "entry.checked_in" | "entry.checked_out":
            state.player(entry)["checked_in"] = last.action == "entry.checked_out"
            state.player(entry)["answer"] = last.before.get("answer", "")
        case "entries.checked_in":
            for each in last.after["players"]:
                state.player(each["entry"])["checked_in"] = False
        case "check_in.settled":
            _unsettled(state, last)
        case "check_in.answered":
            for each in last.before["players"]:
                state.player(each["entry"])["answer"] = each["answer"]


def _done(line: Line) -> Done:
    return Done(line.sequence, line.action, line.round_number, line.before, line.after)


def _later(state: State, last: Line) -> Iterator[tuple[Done, Line]]:
    """Yield the lines after *last*, the oldest first."""
    newest = next(reversed(state.lines), 0)
    for number in range(last.sequence + 1, newest + 1):
        if (line := state.lines.get(number)) is not None:
            yield _done(line), line


def _unsettled(state: State, last: Line) -> None:
    number, consequence = last.after["for_round"], last.after["consequence"]
    for each in last.after["missing"]:
        values = state.player(each["entry"])
        if consequence == Consequence.PAIRED.value:
            values["checked_in"] = False
        elif consequence == Consequence.EXCLUDED.value:
            values["withdrawn_from"] = last.before["withdrawn_from"].get(str(each["entry"]))
        else:
            state.byes.pop((each["entry"], number), None)
