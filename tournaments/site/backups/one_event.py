"""One event as one file, which moves between sites and databases and keeps its record.

The record names accounts and players by number, and its fingerprints cover these. So both keep
their numbers; all other rows get new ones. A site draws the block of its numbers when it is new
(:func:`~.upgrading.draw_numbers`), and an import leaves its counters in it
(:mod:`~tournaments.core.numbers`): the numbers of two sites meet only if one began as a copy of the
other, or before blocks were drawn.

The file is made by somebody else, perhaps by hand. So it says who somebody is, and never how
somebody logs in: no password, link, PIN, right or e-mail address is written into it, and one that
is in it is not read.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import MultipleObjectsReturned, ObjectDoesNotExist, ValidationError
from django.db import connection, models, transaction
from django.db.models import F, Q
from django.utils import timezone

from tournaments.core.build import build
from tournaments.core.numbers import BLOCKS, OWN, counters_stay
from tournaments.core.permissions import POWERS
from tournaments.models import Appointment, Entry, Event, Game, Role, Tournament
from tournaments.people.people import Access
from tournaments.site.backups import rows
from tournaments.site.backups.accounts import tidy_account, without_secrets
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.continued import Replaced
from tournaments.site.backups.copy_file import (
    FORMATS,
    CopyError,
    Manifest,
    extract,
    read_manifest,
    room_in,
    write,
)
from tournaments.site.backups.copying import ROWS, public_key, require_folder, seen, state_of_tables
from tournaments.site.backups.event_tables import KEEP_NUMBERS, TABLES, WRITTEN
from tournaments.site.backups.file_form import LARGEST, lines_in, row_of

UNREADABLE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    ObjectDoesNotExist,
    MultipleObjectsReturned,
    ValidationError,
)
"""What reading and checking rows raises that were written by hand:
no value in them can be relied on.
"""


@dataclass(slots=True)
class Imported:
    """What an import has saved: tournaments with addresses, and what to know of them.

    ``renamed`` are the accounts with another name here: the old and the new one; ``came`` the
    numbers of all accounts that came with the file. They have no password and no link here. The
    others were here before, and log in as before. ``links`` are the new ones of Chief Arbiters
    (:func:`~.log_ins.links_give`), to be shown once.
    """

    tournaments: list[Tournament] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    came: set[int] = field(default_factory=set)
    links: list[tuple[Appointment, Access]] = field(default_factory=list)


def export_event(slug: str, path: Path, *, now: datetime) -> Manifest:
    """Write the tournament or event with all sections, at *slug*, to the new file *path*.

    Raise :class:`CopyError` if there is none, or no folder for the file.
    """
    require_folder(path.parent)
    there = list(
        Tournament.objects.filter(Q(slug=slug) | Q(section__event__slug=slug)).values_list(
            "pk", flat=True
        )
    )
    if not there:
        known = (
            ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)) or "none"
        )
        raise CopyError(f"There is no event “{slug}”. There are: {known}.")
    return export_tournaments(there, path, now=now)


def export_tournaments(wanted: Collection[int], path: Path, *, now: datetime) -> Manifest:
    """Write the tournaments *wanted*, by their ids, to the new file *path*.

    Raise :class:`CopyError` if it exists.
    """
    with (
        transaction.atomic(),
        room_in(path.parent),
        tempfile.TemporaryDirectory(prefix=".copying-", dir=path.parent) as folder,
    ):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        there = Tournament.objects.filter(pk__in=wanted).order_by("pk")
        part = Path(folder) / ROWS
        with part.open("x", encoding="ascii") as file:
            file.writelines(_lines([tournament.pk for tournament in there]))
        manifest = Manifest(
            format=FORMATS["event"],
            program=settings.VERSION,
            build=build(),
            at=now.isoformat(timespec="seconds"),
            database=connection.vendor,
            content="rows",
            migrations=tuple(_own_migrations()),
            events=tuple(seen(values) for values in there.values()),
            key=public_key(),
            has_keys=False,
        )
        return write(path, manifest, {ROWS: part})


def _own_migrations() -> list[str]:
    return [name for name in state_of_tables()[1] if name.startswith("tournaments.")]


def _lines(tournaments: list[int]) -> Iterator[str]:
    """Yield the accounts that are named, without log-in data, then the rows of all tables."""
    people: set[int] = set()
    found: dict[type[models.Model], models.QuerySet[Any]] = {}
    for model, lookup in TABLES.items():
        order: list[Any] = [F("first_id").asc(nulls_first=True), "pk"] if model is Game else ["pk"]
        own = model._base_manager.filter(**{f"{lookup}__in": tournaments}).values("pk")
        found[model] = model._base_manager.filter(pk__in=own).order_by(*order)
        for column in model._meta.concrete_fields:
            if column.related_model is User:
                people |= {
                    pk
                    for pk in found[model].values_list(column.attname, flat=True)
                    if pk is not None
                }
    heading, *_rows = rows.table_lines(User, User.objects.none(), only=WRITTEN.get(User))
    yield heading
    for person in User.objects.filter(pk__in=people).order_by("pk"):
        yield rows.row_line(without_secrets(person, tournaments), json.loads(heading)["columns"])
    for model, selected in found.items():
        yield from rows.table_lines(model, selected, only=WRITTEN.get(model))


def import_event(
    path: Path, *, despite_faults: bool = False, older: Collection[Tournament] = ()
) -> Imported:
    """Save the event in the file *path*, with its record as it is, and check it. All or nothing.

    *older* are locked tournaments with whose lines the records of the file begin
    (:func:`~.forks.require_continued`): the file replaces them, at their addresses. Raise
    :class:`CopyError` if the file is damaged, from another version of the tables, or here already;
    if its numbers are taken; or if the check finds faults.
    """
    manifest = read_manifest(path, "event")
    # An older file is read: migrations only add, and what the file does not have gets its default.
    if (own := tuple(_own_migrations()))[: len(manifest.migrations)] != manifest.migrations:
        raise CopyError(
            f"{path} was made by version {manifest.program}, whose tables are others "
            f"({manifest.migrations[-1]}, here "
            f"{own[-1]}). Bring both sites to the same version, and export the event again.",
            "take_over.other_version",
            version=manifest.program,
            own=settings.VERSION,
        )
    done = Imported()
    with tempfile.TemporaryDirectory() as folder, transaction.atomic(), counters_stay():
        part = Path(folder) / ROWS
        extract(path, ROWS, part, most=LARGEST)
        for event in manifest.events:
            here = Tournament.objects.filter(identity=event.identity).first()
            if here is not None and here not in older:
                raise CopyError(
                    f"“{event.name}” is here already, at /t/{here.slug}/. Nothing was changed.",
                    "take_over.is_here",
                    name=here.name,
                    slug=here.slug,
                    here=here.version,
                    file=event.lines,
                )
        try:
            with part.open(encoding="ascii") as file:
                done.tournaments = _Import(done, Replaced(older)).save_all(lines_in(file))
            connection.check_constraints()
            faults = _faults(done.tournaments, manifest)
        except UNREADABLE as error:
            message = f"{path} cannot be read: {error}. Nothing was changed."
            raise CopyError(message, "take_over.unreadable", problem=str(error)) from error
        if faults and not despite_faults:
            message = "\n".join([*faults[:10], "Nothing was changed."])
            raise CopyError(message, "take_over.faults", count=len(faults), first=faults[0])
        done.remarks += faults
    return done


def _faults(tournaments: Iterable[Tournament], manifest: Manifest) -> list[str]:
    there = {(each.identity, each.version, each.fingerprint) for each in tournaments}
    found = [f"“{each.name}”: {fault}" for each in tournaments for fault in event_faults(each)]
    if there != {(event.identity, event.lines, event.fingerprint) for event in manifest.events}:
        found.append("The ends of the records are not those in the manifest of the file.")
    return found


def _require_sense(row: models.Model) -> None:
    """Raise ``ValidationError`` or ``ValueError`` for a value that no form would save."""
    for column in row._meta.concrete_fields:
        value = getattr(row, column.attname)
        if isinstance(value, str) and "\x00" in value:
            raise ValueError(f"a row of {row._meta.db_table} has a NUL in {column.name}")
        if not column.is_relation and not column.primary_key and value not in column.empty_values:
            try:
                column.clean(value, row)
            except ValidationError as error:
                raise ValueError(
                    f"{row._meta.db_table}, {column.name}: {' '.join(error.messages)}"
                ) from error


def _written(row: models.Model) -> models.Model:
    """Return *row* with the columns of :data:`WRITTEN` only; the others as in a new row."""
    if (names := WRITTEN.get(type(row))) is None:
        return row
    return type(row)(**{name: getattr(row, name) for name in names})


class _Import:
    """Save rows with new numbers, and let the rows that refer to them follow."""

    def __init__(self, done: Imported, replaced: Replaced) -> None:
        self._done = done
        self._replaced = replaced
        self._new: dict[type[models.Model], dict[int, int]] = {}
        self._kept: dict[type[models.Model], set[int]] = {model: set() for model in KEEP_NUMBERS}
        self._waiting: list[tuple[int, models.Model]] = []
        self._last_of_group_a: dict[int, int] = {}
        self._named: set[int] = set()

    def save_all(self, lines: Iterable[str]) -> list[Tournament]:
        """Save the rows of *lines*; return the tournaments.

        Raise ``ValueError`` and others for rows without sense.
        """
        known: list[type[models.Model]] = [User, *TABLES]
        by_table = {model._meta.db_table: model for model in known}
        self._replaced.empty(TABLES)
        for table, columns, values in rows.parse(lines):
            row = _written(row_of(by_table[table], columns, values))
            _require_sense(row)
            if isinstance(row, KEEP_NUMBERS):
                self._keep(row)
            if self._waiting and type(self._waiting[0][1]) is not type(row):
                self._save()
            if isinstance(row, User):
                self._admit(row)
                continue
            number = row.pk
            if isinstance(row, Tournament) and row.group_a_last_id is not None:
                self._last_of_group_a[number] = (
                    row.group_a_last_id
                )  # The players come later in the file.
                row.group_a_last_id = None
            self._refer(row)
            if (there := self._replaced.row_for(row)) is not None:
                self._save()
                self._new.setdefault(type(row), {})[number] = there
                continue
            if isinstance(row, Entry):
                self._require_free(row)
            elif not row._meta.pk.is_relation:
                row.pk = None
            if isinstance(row, Tournament | Event):
                self._find_address(row)
            if isinstance(row, Appointment):
                row.accepted = self._is_accepted(row)
            if isinstance(row, Tournament):
                row.automatic_by = (
                    None  # An arbiter looks first, as after a restore (backups.restoring).
                )
            self._waiting.append((number, row))
        self._save()
        if unnamed := self._kept[User] - self._named:
            raise ValueError(f"no row refers to account {min(unnamed)}")
        self._replaced.delete_values()
        for number, entry in self._last_of_group_a.items():
            rows_of_it = Tournament.objects.filter(pk=self._new[Tournament][number], entries=entry)
            if not rows_of_it.update(group_a_last=entry):
                raise ValueError(
                    f"a tournament refers to group_a_last {entry}, who does not play in it"
                )
        return list(
            Tournament.objects.filter(pk__in=self._new.get(Tournament, {}).values()).order_by("pk")
        )

    def _keep(self, row: models.Model) -> None:
        """Remember the number of an account or player that a site must be able to have drawn."""
        if type(row.pk) is not int or not 0 < row.pk < BLOCKS * OWN[type(row)]:
            raise ValueError(f"{row.pk} is no number of a row of {row._meta.db_table}")
        self._kept[type(row)].add(row.pk)

    def _admit(self, person: User) -> None:
        """Save the account *person* under its number without log-in, unless it is here.

        An account that got another name on another computer is the same one: it was made at the
        same microsecond.
        """
        here = User.objects.filter(pk=person.pk).first()
        if (
            here is not None
            and person.username != here.username
            and person.date_joined != here.date_joined
        ):
            raise CopyError(
                f"Account {person.pk} is {person.username!r} in the file and {here.username!r} "
                f"here, and a record "
                "names accounts by number. Import the event into another data folder: ./run "
                "--data FOLDER. "
                "Nothing was changed.",
                "take_over.account",
                number=person.pk,
                name=person.username,
                other=here.username,
            )
        if here is not None:
            return
        name = tidy_account(person, now=timezone.now())
        if person.username != name:
            self._done.remarks.append(
                f"The account {name!r} of the file is {person.username!r} here."
            )
            self._done.renamed.append((name, person.username))
        person.set_unusable_password()
        person.save(force_insert=True)
        self._done.came.add(person.pk)

    def _is_accepted(self, row: Appointment) -> bool:
        """Return whether the role *row* counts at once: the person came with the file,
        or had this role or more here.

        Anybody could write the number of an account of this site into a file, so its owner has to
        agree.
        """
        if row.person_id in self._done.came:
            return True
        before = self._replaced.had_a_role.get((row.tournament_id, row.person_id))
        return before is not None and POWERS[Role(row.role)] <= POWERS[before]

    def _require_free(self, entry: Entry) -> None:
        if (
            other := Entry.objects.filter(pk=entry.pk).select_related("tournament").first()
        ) is not None:
            raise CopyError(
                f"The number {entry.pk} of {entry.name} belongs to {other.name} of "
                f"“{other.tournament}” here, and a "
                "record names players by number. Import the event into another data folder: ./run "
                "--data FOLDER. "
                "Nothing was changed.",
                "take_over.player",
                number=entry.pk,
                name=entry.name,
                other=other.name,
                tournament=str(other.tournament),
            )

    def _refer(self, row: models.Model) -> None:
        """Let *row* refer to the rows under their new numbers."""
        for column in row._meta.concrete_fields:
            target = column.related_model
            old = getattr(row, column.attname)
            if old is None or not isinstance(target, type):
                continue
            if target in KEEP_NUMBERS:
                if old not in self._kept[target]:
                    # It may be a row of this site, which is none of the file's business.
                    raise ValueError(
                        f"a row of {row._meta.db_table} refers to {column.name} {old}, not in the file"
                    )
                if target is User:
                    self._named.add(old)
                continue
            if old not in self._new.get(target, {}) and target is type(row):
                self._save()
            setattr(row, column.attname, self._new[target][old])

    @staticmethod
    def _find_address(row: Tournament | Event) -> None:
        slug, number = row.slug, 2
        while type(row)._base_manager.filter(slug=row.slug).exists():
            row.slug = f"{slug[:70]}-{number}"
            number += 1

    def _save(self) -> None:
        if not self._waiting:
            return
        model = type(self._waiting[0][1])
        saved = model._base_manager.bulk_create([row for _, row in self._waiting], batch_size=500)
        numbers = self._new.setdefault(model, {})
        numbers.update((old, row.pk) for (old, _), row in zip(self._waiting, saved, strict=True))
        self._waiting.clear()
