"""A waiting row about a player who is entered: what it would change, and the change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User

from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.namesakes import disambiguate
from tournaments.entries.cells import ImportRow, read_row
from tournaments.entries.entries import change_entry
from tournaments.entries.namesakes import Names, may_be_one
from tournaments.entries.ranking_changes import has_begun
from tournaments.entries.waiting_rows import row_as_seen, tidy
from tournaments.lists.imports.comparing import (
    ChangedPlayer,
    FieldChange,
    changes_between,
    share_a_word,
)
from tournaments.models import Entry, Tournament, WaitingEntry


def entered_players(
    tournament: Tournament, waiting: Iterable[WaitingEntry]
) -> dict[int, ChangedPlayer]:
    """Return the entered player of each row of *waiting* that has exactly one, by row number.

    A player is found by the FIDE ID, then by name and date of birth, as in an import. Texts of the
    row that cannot be read change nothing. Two queries.
    """
    entries = list(Entry.objects.filter(tournament=tournament).order_by("pk"))
    disambiguate(entries)
    by_id = {entry.fide_id: entry for entry in entries if entry.fide_id is not None}
    by_name: Names[Entry] = Names()
    for entry in entries:
        by_name.add(entry.real_name, entry)
    begun = bool(entries) and has_begun(tournament)
    found = {}
    for each in waiting:
        row = _readable(each.fields)
        if row is None:
            continue
        same = [
            other
            for other in by_name.same(row.name) + by_name.turned(row.name)
            if may_be_one(row, other)
        ]
        numbered = by_id.get(row.fide_id) if row.fide_id else None
        if numbered is not None:
            same = [numbered] if share_a_word(numbered.name, row.name) else []
        if len(same) == 1:
            found[each.pk] = ChangedPlayer(
                same[0], row, tuple(changes_between(same[0], row, begun=begun))
            )
    return found


def key_of(player: ChangedPlayer, change: FieldChange) -> str:
    """Return what the box of *change* sends: a page that shows other values sends another key."""
    return f"{player.entry.pk}/{change.field}/{change.old or ''}/{change.new or ''}"


def waiting_change(
    *,
    waiting_id: int,
    tournament_id: int,
    actor: User,
    now: datetime,
    values: Mapping[str, str],
    seen: Mapping[str, str],
    keys: Collection[str],
) -> Entry:
    """Change the entered player of a row by the differences with these *keys*, and remove the row.

    If the texts *values* are no longer those of the row, they are saved, and ``BadInput`` asks to
    check the differences again. :class:`Conflict` if the row is gone, or if its texts or its
    differences have changed since *seen*.
    """
    values = tidy(values)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        waiting = row_as_seen(action.tournament, waiting_id, seen, values)
        corrected = tidy(waiting.fields) != values
        if corrected:
            waiting.fields = values
            waiting.problems = []
            waiting.save(update_fields=["fields", "problems"])
        else:
            entry = _change(action, waiting, keys)
    if corrected:
        raise BadInput("waiting.check_again")
    return entry


def _change(action: OpenAction, waiting: WaitingEntry, keys: Collection[str]) -> Entry:
    player = entered_players(action.tournament, [waiting]).get(waiting.pk)
    offered = (
        {key_of(player, each): each for each in player.changes if not each.refused}
        if player
        else {}
    )
    if player is None or not offered.keys() >= set(keys):
        raise Conflict("waiting.differences_moved")
    if not keys:
        raise BadInput("rating_list.nothing_ticked")
    entry = change_entry(
        action, player.entry, {offered[key].field: offered[key].new for key in keys}
    )
    waiting.delete()
    return entry


def _readable(values: Mapping[str, str]) -> ImportRow | None:
    """Return the participant in *values* without unreadable texts; None without a name."""
    row, problems = read_row(values, accepted=True)
    if row is None:
        wrong = {problem.field for problem in problems}
        row, _ = read_row(
            {name: text for name, text in values.items() if name not in wrong}, accepted=True
        )
    return row
