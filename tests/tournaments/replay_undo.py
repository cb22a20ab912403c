"""The undo of a line, for the independent reading of a record in ``replay.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

from tournaments.models import Decision

from .contents import RoundContents

if TYPE_CHECKING:
    from .replay import Replay

OTHERS: Final[Mapping[str, str]] = {
    "entry.returned": "entry.withdrawn",
    "entry.added": "entry.removed",
    "entry.removed": "entry.added",
}
"""The action whose reading reverses another one; those that are not
here are read with before and after exchanged.
"""


def undone(
    replay: Replay, row: Decision, readings: Mapping[str, Callable[[Replay, Decision], None]]
) -> None:
    """Reverse the line that *row* names, once, and within ten
    minutes unless it is the line before.
    """
    last = replay.rows.pop(row.after["undone"])
    is_newest = last.sequence == row.sequence - 1
    assert is_newest or row.at - last.at <= timedelta(minutes=10)
    assert last.action == row.after["action"]
    if last.action in ("round.paired", "round.paired_by_hand"):
        assert replay.round(last).state == "draft"
        replay.contents.rounds[last.round_number or 0] = RoundContents()
        return
    reverse(replay, last, readings)
    if is_newest:
        # The record has no list of expelled players before there is one, and the order in it means
        # nothing.
        now, then = (
            sorted(each.settings.get("expelled", [])) for each in (replay.contents, replay.earlier)
        )  # type: ignore[call-overload]
        assert now == then
        assert replace(replay.contents, settings={}) == replace(replay.earlier, settings={})
        assert {**replay.contents.settings, "expelled": now} == {
            **replay.earlier.settings,
            "expelled": then,
        }


def reverse(
    replay: Replay, last: Decision, readings: Mapping[str, Callable[[Replay, Decision], None]]
) -> None:
    entries = replay.contents.entries
    if last.action in ("entry.checked_in", "entry.checked_out"):
        entry = entries[last.after["entry"]]
        assert entry["checked_in"] is (last.action == "entry.checked_in")
        entry["checked_in"] = not entry["checked_in"]
        entry["answer"] = last.before.get("answer", "")
    elif last.action == "entries.checked_in":
        for each in last.after["players"]:
            assert entries[each["entry"]]["checked_in"]
            entries[each["entry"]]["checked_in"] = False
    elif last.action == "check_in.answered":
        for before, after in zip(last.before["players"], last.after["players"], strict=True):
            assert entries[after["entry"]]["answer"] == after["answer"]
            entries[after["entry"]]["answer"] = before["answer"]
    elif last.action == "check_in.settled":
        unsettled(replay, last)
    elif last.action == "result.recorded":
        replay.set_result(exchanged(last), replay.round(last))
    else:
        action = OTHERS.get(last.action, last.action)
        readings[action](replay, exchanged(last, action))
        if last.before.get("expelled"):
            expelled = cast(list[int], replay.contents.settings.get("expelled", []))
            replay.contents.settings["expelled"] = [*expelled, last.after["entry"]]


def unsettled(replay: Replay, last: Decision) -> None:
    number = last.after["for_round"]
    replay.require_unpublished(number)
    for missing in last.after["missing"]:
        pk = missing["entry"]
        entry: dict[str, Any] = replay.contents.entries[pk]
        if last.after["consequence"] == "paired":
            assert entry["checked_in"]
            entry["checked_in"] = False
        elif last.after["consequence"] == "excluded":
            assert entry["withdrawn_from"] == number
            entry["withdrawn_from"] = last.before["withdrawn_from"].get(str(pk))
        else:
            assert replay.contents.byes_requested.pop((pk, number)) == last.after["consequence"]


def exchanged(last: Decision, action: str = "") -> Decision:
    """Return a line that leads back from the values after *last* to those before it."""
    back = SimpleNamespace(
        action=action or last.action, before=last.after, after=last.before, round_number=last.round_number,
        reason=last.reason or "an undo", article=last.article, sequence=last.sequence, at=last.at,
    )  # fmt: skip
    return cast(Decision, back)
