"""Import entry lists: compare first, then save what is chosen in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User

from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.cells import ImportRow, fields_of
from tournaments.entries.desk_data import desk_data_enter
from tournaments.entries.entries import Newcomer, admit, change_entry, described, remove_entry
from tournaments.entries.waiting_rows import WaitingRow, let_wait
from tournaments.lists.imports.comparing import ChangedPlayer, Comparison, compare
from tournaments.lists.imports.reading import Reading
from tournaments.lists.imports.trf_tournament import (
    TrfPlayer,
    TrfPreview,
    tournament_import_trf,
    trf_preview,
)
from tournaments.models import Entry
from tournaments.models.payloads import EntriesImported

__all__ = [
    "Choice",
    "Imported",
    "TrfPlayer",
    "TrfPreview",
    "entries_import",
    "list_import",
    "tournament_import_trf",
    "trf_preview",
]


@dataclass(frozen=True, slots=True)
class Choice:
    """What an arbiter has ticked: lines of new players, fields to change, and removals.

    ``lines`` None: all new players. ``fields`` None: all fields that can change.
    """

    lines: Collection[int] | None = None
    fields: Mapping[int, Collection[str]] | None = None
    removed: Collection[int] = ()


@dataclass(slots=True)
class Imported:
    """What an import has saved."""

    entered: list[Entry] = field(default_factory=list)
    changed: list[Entry] = field(default_factory=list)
    removed: int = 0
    waiting: int = 0


def list_import(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    reading: Reading,
    choice: Choice,
    seen: str | None = None,
) -> Imported:
    """Enter new players of *reading*, change and remove chosen ones; doubtful rows wait.

    All in one transaction. New players have one line of the record (``entries.imported``), and each
    changed or removed player has a separate one, under the same rules as by hand. Each new player
    with a phone number or a paid fee has one more (``desk_data.changed``), which only arbiters can
    read. :class:`Conflict` if the comparison with the players entered is no longer the one *seen*
    (:attr:`Comparison.digest`; None: a program shows none).
    """
    newcomers = newcomers_of(reading, now)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        found = compare(reading, action.tournament)
        if seen is not None and seen != found.digest:
            raise Conflict("entries.changed_meanwhile")
        return save_compared(action, found, choice, newcomers, reading.source)


def newcomers_of(reading: Reading, now: datetime) -> dict[int, Newcomer]:
    """Return the unsaved players of *reading* by line, before any lock. No query."""
    return {row.line: _newcomer(row, now) for row in reading.rows}


def save_compared(
    action: OpenAction,
    found: Comparison,
    choice: Choice,
    newcomers: Mapping[int, Newcomer],
    source: str,
) -> Imported:
    """Save the choice from *found*, compared in the same action, as :func:`list_import`."""
    done = Imported()
    for entry in found.missing if found.removable else ():
        if entry.pk in choice.removed:
            remove_entry(action, entry)
            done.removed += 1
    for player in found.changed:
        fields = _chosen(player, choice)
        if fields:
            done.changed.append(change_entry(action, player.entry, fields))
    rows = [row for row in found.new if choice.lines is None or row.line in choice.lines]
    done.entered = _enter(action, rows, [newcomers[row.line] for row in rows], source)
    doubtful = [WaitingRow(row.values, row.problems, row.line) for row in found.doubtful]
    done.waiting = len(let_wait(action, doubtful))
    return done


def entries_import(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    rows: Sequence[ImportRow],
    source: str = "csv",
) -> list[Entry]:
    """Enter the participants of *rows*, all or none. After round 1 is paired
    they are late entries [C.04.2/2026 2.4].

    All entries are created and checked before the tournament is locked, so that other actions do
    not wait. One line of the record describes each newcomer like ``entry.added``, with the TPN
    after all have entered. Raises :class:`BadInput` for a FIDE ID that is entered already.
    """
    newcomers = [_newcomer(row, now) for row in rows]
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        return _enter(action, rows, newcomers, source)


def _newcomer(row: ImportRow, now: datetime) -> Newcomer:
    try:
        return Newcomer.from_fields(fields_of(row), now=now)
    except BadInput as wrong:
        wrong.line = row.line
        raise


def _enter(
    action: OpenAction, rows: Sequence[ImportRow], newcomers: Sequence[Newcomer], source: str
) -> list[Entry]:
    if not newcomers:
        return []
    entries = admit(action.tournament, newcomers)
    action.record(
        EntriesImported(
            before={}, after={"source": source, "entries": [described(entry) for entry in entries]}
        ),
        article="C.04.2 2.4" if any(entry.first_round > 1 for entry in entries) else "",
        changes_pairing=True,
    )
    desk_data_enter(action, zip(entries, rows, strict=True))
    return entries


def _chosen(player: ChangedPlayer, choice: Choice) -> dict[str, object]:
    """Return the new values of the chosen fields of *player* that the rules do not refuse."""
    chosen = None if choice.fields is None else choice.fields.get(player.entry.pk, ())
    return {
        change.field: change.new
        for change in player.changes
        if not change.refused and (chosen is None or change.field in chosen)
    }
