"""Lines of the record that were undone, and what happened between a line and its undo."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.rules.undo_between import Done, in_between, undone_already
from tournaments.models import Action, Decision


def done(line: Decision) -> Done:
    """Return *line* as the rules of an undo read it."""
    return Done(line.sequence, str(line.action), line.round_number, line.before, line.after)


def lines_between(line: Decision, later: Iterable[Decision]) -> list[Decision]:
    """Return the *later* lines about the same thing as *line*: they keep it from being undone."""
    return in_between(done(line), ((done(row), row) for row in later))


def undo_of(line: Decision, later: Iterable[Decision]) -> Decision | None:
    """Return the line of *later* that has undone *line*; None if nothing has."""
    return undone_already(done(line), ((done(row), row) for row in later))


def not_undone(lines: Iterable[Decision]) -> list[Decision]:
    """Return *lines* without the undos among them and the lines they undid, in order."""
    rows = list(lines)
    undone = {row.after["undone"] for row in rows if row.action == Action.ACTION_UNDONE}
    return [
        row for row in rows if row.action != Action.ACTION_UNDONE and row.sequence not in undone
    ]
