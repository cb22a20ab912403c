"""The queue of rows that wait: each can be corrected and entered, or discarded.

A row of an import waits because it is doubtful. Rows are private to arbiters: as long as a row
waits, no line of the record and no public page knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.cells import LENGTHS, VALUES, ImportRow, fields_of, label, read_row
from tournaments.entries.desk_data import desk_data_enter
from tournaments.entries.entries import Newcomer, admit, described
from tournaments.entries.namesakes import Players
from tournaments.models import Entry, Tournament, WaitingEntry
from tournaments.models.payloads import EntriesImported, EntryAdded

MAX_WAITING: Final = 500
"""Rows that can wait in a tournament."""
CONFIRMABLE: Final = frozenset(
    {
        "csv.name_entered",
        "csv.name_twice",
        "csv.federation_new",
        "csv.rating_low",
        "csv.letters_doubled",
    }
)
"""Problems that an arbiter can set aside: the row is entered as it is."""
UNPLACED: Final = frozenset(
    {"section.not_named", "section.none_fits", "section.undecided", "section.final"}
)
"""Problems of a row of an event whose section an arbiter has to choose."""
BY_HAND: Final = UNPLACED | {
    "csv.total", "csv.uncalculated", "csv.too_many_cells", "csv.letters_lost", "csv.name_twice", "csv.fide_id_twice",
    "csv.row_hidden", "csv.birth_order", "csv.title_or_sex", "csv.cell_of_lines",
}  # fmt: skip
"""Problems that only the list shows: the texts of the row can be right,
so an arbiter looks at each of these rows.
"""


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """The texts of a row, and its problems."""

    values: Mapping[str, str]
    problems: Sequence[BadInput] = ()
    line: int | None = None


def waiting_rows(tournament: Tournament) -> QuerySet[WaitingEntry]:
    """Return the rows that wait, the oldest first."""
    return (
        WaitingEntry.objects.filter(tournament=tournament)
        .select_related("tournament")
        .order_by("pk")
    )


def problems_of(waiting: WaitingEntry) -> list[BadInput]:
    """Return why *waiting* waits; ``str()`` is the sentence in the reader's language."""
    return [
        BadInput(
            saved["code"],
            field=saved["field"],
            **(
                _counted(saved["params"])
                | ({"field_name": label(saved["field"])} if saved["field"] else {})
            ),
        )
        for saved in waiting.problems
    ]


def let_wait(action: OpenAction, rows: Iterable[WaitingRow]) -> list[WaitingEntry]:
    """Add *rows* to the queue in an open action; a row that waits already is not added again.

    ``BadInput`` if more than :data:`MAX_WAITING` rows would wait.
    """
    there = waiting_rows(action.tournament)
    known = {_key(fields) for fields in there.values_list("fields", flat=True)}
    fresh = []
    for row in rows:
        fields = tidy(row.values)
        if _key(fields) not in known:
            known.add(_key(fields))
            fresh.append(
                WaitingEntry(
                    tournament=action.tournament,
                    line=row.line,
                    fields=fields,
                    problems=_saved(row.problems),
                    created_at=action.now,
                    created_by=action.actor,
                )
            )
    if len(known) > MAX_WAITING:
        raise BadInput("waiting.too_many", limit=MAX_WAITING)
    return WaitingEntry.objects.bulk_create(fresh)


def waiting_enter(
    *,
    waiting_id: int,
    tournament_id: int,
    actor: User,
    now: datetime,
    values: Mapping[str, str],
    seen: Mapping[str, str],
    confirmed: bool = False,
) -> Entry:
    """Enter the player of a row with the corrected texts *values*.

    If they still have problems, they are saved, the row waits on, and ``BadInput`` names the
    problems. *confirmed*: the arbiter sets the problems of :data:`CONFIRMABLE` aside.
    :class:`Conflict` if the row is gone, or no longer has the texts *seen*: it names the texts of
    the others.
    """
    values = tidy(values)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        waiting = row_as_seen(action.tournament, waiting_id, seen, values)
        row, problems = _checked(_players(action.tournament), values, confirmed=confirmed)
        entry = None
        if row is None:
            waiting.fields, waiting.problems = values, _saved(problems)
            waiting.save(update_fields=["fields", "problems"])
        else:
            (entry,) = admit(action.tournament, [Newcomer.from_fields(fields_of(row), now=now)])
            waiting.delete()
            action.record(
                EntryAdded(before={}, after=described(entry)),
                article="C.04.2 2.4" if entry.first_round > 1 else "",
                changes_pairing=True,
            )
            desk_data_enter(action, [(entry, row)])
    if entry is None:
        first, *more = problems
        first.more = tuple(more)
        raise first
    return entry


def waiting_keep(
    *,
    waiting_id: int,
    tournament_id: int,
    actor: User,
    now: datetime,
    values: Mapping[str, str],
    seen: Mapping[str, str],
) -> WaitingEntry:
    """Save the corrected *values* of a row, which waits on, with problems that are left.

    So what was typed in one row is not lost when another one is entered. :class:`Conflict` as in
    :func:`waiting_enter`.
    """
    values = tidy(values)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        waiting = row_as_seen(action.tournament, waiting_id, seen, values)
        _row, problems = _checked(_players(action.tournament), values)
        unplaced = [problem for problem in waiting.problems if problem["code"] in UNPLACED]
        waiting.fields, waiting.problems = values, [*unplaced, *_saved(problems)]
        waiting.save(update_fields=["fields", "problems"])
    return waiting


def waiting_enter_all(*, tournament_id: int, actor: User, now: datetime, last: int) -> list[Entry]:
    """Enter all players of rows without problem up to *last*, in one line of the record.

    Rows with a problem of :data:`BY_HAND` wait on.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        newcomers, entered, read = [], [], []
        there = _players(action.tournament)
        for waiting in waiting_rows(action.tournament).filter(pk__lte=last):
            if any(problem["code"] in BY_HAND for problem in waiting.problems):
                continue
            row, problems = _checked(there, waiting.fields)
            if row is None:
                waiting.problems = _saved(problems)
                waiting.save(update_fields=["problems"])
            else:
                there.add(row)
                read.append(row)
                newcomers.append(Newcomer.from_fields(fields_of(row), now=now))
                entered.append(waiting.pk)
        if not newcomers:
            return []
        entries = admit(action.tournament, newcomers)
        waiting_rows(action.tournament).filter(pk__in=entered).delete()
        action.record(
            EntriesImported(
                before={},
                after={"source": "waiting", "entries": [described(each) for each in entries]},
            ),
            article="C.04.2 2.4" if any(each.first_round > 1 for each in entries) else "",
            changes_pairing=True,
        )
        desk_data_enter(action, zip(entries, read, strict=True))
    return entries


def waiting_discard(
    *, waiting_id: int, tournament_id: int, actor: User, now: datetime, seen: Mapping[str, str]
) -> None:
    """Discard a row. :class:`Conflict` as in :func:`waiting_enter`."""
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        waiting = waiting_rows(action.tournament).filter(pk=waiting_id).first()
        if waiting is None:
            raise Conflict("waiting.gone", params={"name": seen.get("name", "")})
        require_shown(waiting, seen, {})
        waiting.delete()


def waiting_discard_all(*, tournament_id: int, actor: User, now: datetime, last: int) -> int:
    """Discard all rows up to the row *last*, and return how many."""
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        discarded, _ = waiting_rows(action.tournament).filter(pk__lte=last).delete()
    return discarded


def row_as_seen(
    tournament: Tournament, waiting_id: int, seen: Mapping[str, str], values: Mapping[str, str]
) -> WaitingEntry:
    """Return the row; :class:`Conflict` if it is gone, or as :func:`require_shown`."""
    waiting = waiting_rows(tournament).filter(pk=waiting_id).first()
    if waiting is None:
        raise Conflict("waiting.gone", params={"name": values.get("name", "")})
    require_shown(waiting, seen, values)
    return waiting


def require_shown(
    waiting: WaitingEntry, seen: Mapping[str, str], values: Mapping[str, str]
) -> None:
    """Raise :class:`Conflict` unless *waiting* has the texts *seen*, or *values* already."""
    now = tidy(waiting.fields)
    before = tidy(seen)
    if now in (before, values):
        return
    changed = [name for name in VALUES if now.get(name) != before.get(name)]
    message = ", ".join(f"{label(name)} “{now.get(name, '')}”" for name in changed)
    raise Conflict("waiting.changed_meanwhile", params={"changes": message})


def _players(tournament: Tournament) -> Players:
    """Return the players of *tournament*; those of the other sections of its event only by name.

    Two queries.
    """
    players = Players.from_tournament(tournament)
    others = Entry.objects.filter(tournament__section__event__sections__tournament=tournament)
    for entry in others.exclude(tournament=tournament).order_by("pk"):
        players.add_namesake(entry)
    return players


def _checked(
    there: Players, values: Mapping[str, str], *, confirmed: bool = False
) -> tuple[ImportRow | None, list[BadInput]]:
    """Return the participant of *values*, or None with the problems; *there* are those entered."""
    row, problems = read_row(values, accepted=confirmed)
    if row is None:
        return None, problems
    if taken := there.with_fide_id(row.fide_id):
        return None, [
            BadInput("entry.fide_id_taken", field="fide_id", fide_id=row.fide_id, name=taken)
        ]
    if not confirmed and there.who_may_be(row):
        return None, [BadInput("csv.name_entered", field="name", name=row.name)]
    return row, []


def tidy(values: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of the known fields without blanks around them; empty ones are left out."""
    return {
        name: text
        for name in VALUES
        if (text := " ".join(values.get(name, "").split())[: most_of(name)])
    }


def most_of(name: str) -> int:
    """Return how many characters of the field *name* a row keeps."""
    return LENGTHS["note"] if name == "note" else 200


def _key(fields: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(fields.get(name, "") for name in VALUES)


def _saved(problems: Iterable[BadInput]) -> list[dict[str, object]]:
    return [
        {
            "code": problem.code,
            "field": problem.field,
            "params": {
                name: value if isinstance(value, int) else str(value)
                for name, value in problem.params.items()
                if name != "field_name"
            },
        }
        for problem in problems
    ]


def _counted(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return *params* with the number that chooses the plural; older rows have it as text."""
    found = str(params.get("found", ""))
    return {**params, "found": int(found)} if found.isdecimal() else dict(params)
