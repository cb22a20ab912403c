"""Corrections, for the independent reading of a record in ``replay.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.models import Decision

from .contents import VALUES, RoundContents
from .replay_players import rank_again

if TYPE_CHECKING:
    from .replay import Replay


def corrected(replay: Replay, row: Decision) -> None:
    """Change the tables now, unless the effect is the rating
    report only or the correction waits.

    It starts from an earlier correction that still waits, if there is one, and replaces it.
    """
    assert row.reason
    kind = row.action.partition(".")[0]
    following = replay.contents.rounds.get((row.round_number or 0) + 1, RoundContents())
    waits = row.after["effect"] == "next_pairing" and following.state in ("planned", "draft")
    values = {name: row.after[name] for name in VALUES[kind] if name in row.after}
    for name, value in values.items():
        key = (*subject(replay, row, kind), name)
        assert row.before[name] == replay.waiting.pop(key, as_is(replay, row, kind)[name])
        if waits:
            replay.waiting[key] = value
    if row.after["effect"] != "rating_only" and not waits:
        apply(replay, row, kind, values)


def applied(replay: Replay, row: Decision) -> None:
    kind = next(kind for kind, names in VALUES.items() if set(names) & row.after.keys())
    values = {name: row.after[name] for name in VALUES[kind] if name in row.after}
    for name, value in values.items():
        assert replay.waiting.pop((*subject(replay, row, kind), name)) == value
        assert row.before[name] == as_is(replay, row, kind)[name]
    apply(replay, row, kind, values)


def subject(replay: Replay, row: Decision, kind: str) -> tuple[object, ...]:
    """Return the subject of a correction: a player, or a board and, for a result,
    the game of the match.
    """
    if kind == "rating":
        return (kind, row.after["entry"])
    return (
        kind,
        row.round_number,
        row.after["board"],
        row.after.get("game", 1) if kind == "result" else 0,
    )


def as_is(replay: Replay, row: Decision, kind: str) -> dict[str, Any]:
    if kind == "rating":
        return replay.contents.entries[row.after["entry"]]
    white, black, results = replay.round(row).boards[row.after["board"]]
    return {"white": white, "black": black, "result": results[row.after.get("game", 1) - 1]}


def apply(replay: Replay, row: Decision, kind: str, values: dict[str, Any]) -> None:
    if kind == "rating":
        entry = replay.contents.entries[row.after["entry"]]
        entry.update(values)
        rank_again(replay.contents.settings, entry)
        return
    kept, board = replay.round(row), row.after["board"]
    white, black, results = kept.boards[board]
    if kind == "result":
        number = row.after.get("game", 1) - 1
        kept.boards[board] = (
            white,
            black,
            (*results[:number], values["result"], *results[number + 1 :]),
        )
    elif white != values["white"]:
        kept.boards[board] = (black, white, tuple(result[::-1] for result in results))
        for key in replay.waiting:
            if key[:3] == ("result", row.round_number, board):
                replay.waiting[key] = str(replay.waiting[key])[::-1]
