"""Say what an action has changed, so that an undo knows if another touched it later.

A thing is a short tuple: ``("entry", 7)`` is a player with byes and withdrawals, ``("present", 7)``
the mark of the check-in, ``("round", 2)`` the state and the places of a round, ``("board", 2, 5)``
a result. The data of a line are those of the record; values that a public record hides are things
like others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from .actions import find

Thing = tuple[object, ...]
UNDOING: Final = frozenset({"action.undone", "result.undone"})
"""The actions that undo another."""
RATED_BY: Final = frozenset({"rating_method", "second_rating_method"})
"""The settings that choose the rating of each player."""
OF_THE_RATING: Final = frozenset(
    {"rating", "rating_source", "fide_rating", "national_rating", "second_rating"}
)
OF_A_ROUND: Final = frozenset(
    {
        "round.paired", "round.paired_by_hand", "round.discarded", "round.arranged", "round.changed",
        "pairings.published", "results.published",
    }
)  # fmt: skip
ONLY_PRESENCE: Final = frozenset(
    {"entry.checked_in", "entry.checked_out", "entries.checked_in", "check_in.answered"}
)
"""The actions of the check-in that change nothing else of a player."""
OF_THE_CHECK_IN: Final = ONLY_PRESENCE | {"check_in.settled"}


class Done(NamedTuple):
    """A line of the record, as far as an undo looks at it."""

    sequence: int
    action: str
    round_number: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def original(done: Done) -> Done:
    """Return *done*; of an undo, the action that it undid."""
    if done.action not in UNDOING:
        return done
    return done._replace(action=str(done.after["action"]))


def changed_by(done: Done) -> frozenset[Thing]:
    """Return the things that *done* has changed; an undo: what the undone action changed."""
    return frozenset(_changed(original(done)))


def needed_by(done: Done) -> frozenset[Thing]:
    """Return the things that nothing may have changed since *done* if it is to be undone."""
    return frozenset({*_changed(done), *_needed_besides(done)})


LineT = TypeVar("LineT")


def in_between(done: Done, later: Iterable[tuple[Done, LineT]]) -> list[LineT]:
    """Return the lines of *later*, after *done*, that keep it from being undone, in order.

    A line that was undone in turn, and its undo, leave nothing behind.
    """
    rows = list(later)
    undone = {
        int(row.after["undone"]): row.sequence for row, _line in rows if row.action in UNDOING
    }
    kept = {row.sequence for row, _line in rows}
    void = {sequence for pair in undone.items() if pair[0] in kept for sequence in pair}
    needed = needed_by(done)
    return [
        line
        for row, line in rows
        if row.sequence not in void and not needed.isdisjoint(changed_by(row))
    ]


def undone_already(done: Done, later: Iterable[tuple[Done, LineT]]) -> LineT | None:
    """Return the line of *later* that has undone *done*; None if nothing has."""
    for row, line in later:
        if row.action in UNDOING and row.after["undone"] == done.sequence:
            return line
    return None


class LaterLines:
    """The later lines, for a walk through the record from the newest line to the oldest.

    :meth:`prevent_undo` says the same as :func:`undone_already` or :func:`in_between` with all
    lines added so far, but looks only at the things of one line. Proof: both need to know which
    lines were undone, and which things the other lines have changed. An undo and the line that it
    undid count for nothing once both are there. The undo comes first, because it is newer: its
    things are added with it and removed when its line comes, whose own things are never added.
    """

    def __init__(self) -> None:
        self._undo_of: dict[int, int] = {}
        self._changed_by: dict[int, frozenset[Thing]] = {}
        self._changed: Counter[Thing] = Counter()

    def prevent_undo(self, done: Done) -> bool:
        """Return whether *done* was undone, or a later line has changed what its undo needs."""
        return done.sequence in self._undo_of or any(self._changed[it] for it in needed_by(done))

    def add(self, done: Done) -> None:
        """Add *done*, which is older than all lines so far."""
        if done.sequence in self._undo_of:
            self._changed.subtract(self._changed_by.pop(self._undo_of[done.sequence], ()))
        else:
            self._changed_by[done.sequence] = changed_by(done)
            self._changed.update(self._changed_by[done.sequence])
        if done.action in UNDOING:
            self._undo_of[int(done.after["undone"])] = done.sequence


def _changed(done: Done) -> Iterator[Thing]:
    action, number = done.action, done.round_number
    if (kind := find(action)) is not None and kind.row.thing:
        yield (kind.row.thing,)
    if action in OF_A_ROUND:
        yield ("round", number)
    if action == "pairings.published":
        yield ("published",)
    for side in (done.before, done.after):
        yield from _boards(side, action, number)
        yield from _players(side, action, number)
        if "person" in side:
            yield ("person", str(side["person"]))
    if action in ("tournament.updated", "tie_breaks.changed", "rounds.changed"):
        yield from (("setting", name) for name in done.after if name not in ("byes", "schedule"))
        if not RATED_BY.isdisjoint(done.after):
            yield ("ratings",)
    elif action == "round.scheduled":
        yield ("schedule", number)


def _boards(side: Mapping[str, Any], action: str, number: int | None) -> Iterator[Thing]:
    """Yield the boards whose results an action changes; the places of a round are one thing."""
    if action in OF_A_ROUND or action == "boards.announced" or action == "announcement.withdrawn":
        return
    if "board" in side:
        yield ("board", number, side["board"])
    for board in side.get("boards", ()):
        yield ("board", number, board)


def _players(side: Mapping[str, Any], action: str, number: int | None) -> Iterator[Thing]:
    entries = [side["entry"]] if "entry" in side else []
    entries += [
        each["entry"]
        for name in ("missing", "players", "entries")
        for each in _list(side.get(name))
    ]
    if action.startswith("points."):
        yield from (("points", entry, number) for entry in entries)
        return
    if action == "desk_data.changed":
        yield from (("desk", entry) for entry in entries)
        return
    if action == "prohibited_pairs.set":
        entries = [entry for pair in side["pairs"] for entry in pair[:2]]
    elif action == "numbers.assigned":
        entries = [int(entry) for entry in side["tpn"]]
    is_marked = action in OF_THE_CHECK_IN or "checked_in" in side
    for entry in entries:
        if is_marked:
            yield ("present", entry)
        if action not in ONLY_PRESENCE:
            yield ("entry", entry)
    if action in ("entry.added", "entry.removed", "entries.imported"):
        numbered = [side, *_list(side.get("entries"))]
        if any(each.get("tpn") is not None for each in numbered):
            yield ("numbers",)
    if action == "entry.removed":
        yield ("pairs",)


def _list(value: object) -> list[Mapping[str, Any]]:
    return (
        [each for each in value if isinstance(each, Mapping)]
        if isinstance(value, list | tuple)
        else []
    )


def _needed_besides(done: Done) -> Iterator[Thing]:
    """Yield what an undo of *done* needs beside the things that *done* has changed."""
    action = done.action
    entry = done.after.get("entry", done.before.get("entry"))
    if action in OF_THE_CHECK_IN:
        yield ("check_in",)
    if action in ("entry.added", "entry.removed"):
        yield from (("numbers",), ("desk", entry), ("present", entry))
    if action == "entry.returned":  # the player may be in the published pairings
        yield ("published",)
    if action == "result.recorded":
        yield ("round", done.round_number)
    if action in (
        "bye.requested",
        "bye.cancelled",
        "round.scheduled",
        "entry.withdrawn",
        "check_in.settled",
    ):
        yield ("setting", "total_rounds")
    if not OF_THE_RATING.isdisjoint(done.after):
        yield ("ratings",)
