"""Check the site's own database: tables, records, and pairings as time allows."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, connection

from config.data_folder import no_site
from config.health import missing_migrations
from config.terminal import RefusedError, database_name
from pairing.engine.errors import InputError
from pairing.recheck import round_difference
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import played_rounds
from tournaments.core import record
from tournaments.models import Decision, Tournament
from tournaments.reports.published_list_faults import list_faults
from tournaments.reports.record_against_tables import differences, people_differences
from tournaments.reports.trf_export import trf_export
from tournaments.site.backups.copying import unsound

SHOWN: Final = 5
"""So many faults of tables are named: with tables of another version they are dozens."""
GUARDED: Final = ("decision", "publishedlist", "deletedtournament")
GUARDS: Final = {
    "sqlite": (
        ("update", "delete", "replace"),
        "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    ),
    "postgresql": (
        ("change", "truncate"),
        """
        SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND tgenabled <> 'D' AND pg_table_is_visible(pg_class.oid)
        """,
    ),
}
"""By database: what the triggers of each table refuse,
and the query for the names of all that work.
"""


@dataclass(slots=True)
class Report:
    """What a check found. ``faults`` are sentences; none: everything is as it was written.

    ``rounds`` were paired again, ``different`` of them came out otherwise, as after a change by
    hand; ``left_out`` were not paired again, because the time was over.
    """

    events: int = 0
    lines: int = 0
    rounds: int = 0
    different: int = 0
    left_out: int = 0
    faults: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        if self.faults and not self.events:
            return "The tables cannot be read, so nothing else was checked"
        again = f"{self.rounds} rounds paired again, {self.different} of them come out otherwise"
        if self.left_out and not self.rounds:
            again = f"{self.left_out} rounds not paired again"
        elif self.left_out:
            again += f"; {self.left_out} more were not, because the time was over"
        return f"{self.events} tournaments, {self.lines} lines of their records, {again}"


def check_site(*, seconds: float, unchanged: Collection[tuple[str, str]] = ()) -> Report:
    """Return what is wrong with the site's database.

    What protects the record; every record with its chain, signatures and end, the tables against
    it, and the published lists; then the rounds are paired again for at most *seconds*. Records in
    *unchanged* (identity and last fingerprint) were checked in an earlier copy: of these only the
    end is compared. Damage is not looked for then: the copy was sound when it was made
    (:func:`~.copying.copy_sqlite`), and its bytes are the same.
    """
    if found := table_faults(with_damage=not unchanged):
        more = [f"And {len(found) - SHOWN} more."] if len(found) > SHOWN else []
        return Report(faults=[*found[:SHOWN], *more, _advice()])
    report = Report(faults=guard_faults())
    tournaments = list(Tournament.objects.order_by("-pk"))
    changed = []
    for tournament in tournaments:
        report.events += 1
        report.lines += tournament.version
        if (tournament.identity, tournament.fingerprint) in unchanged:
            found = record.ending_faults(tournament)
        else:
            found = event_faults(tournament)
            changed.append(tournament)
        report.faults += [f"“{tournament.name}”: {fault}" for fault in found]
    end = time.monotonic() + seconds
    for tournament in changed:
        _pair_again(tournament, report, end)
    return report


def _advice() -> str:
    """Return what to do with tables that do not fit this program."""
    with suppress(DatabaseError):  # a damaged file
        if missing_migrations():
            return (
                "These are the tables of an older version: ./run copies the site first, and "
                "brings them up to date."
            )
    return "Start the version of the program that made this database."


def event_faults(tournament: Tournament) -> list[str]:
    """Return what is wrong with record, tables and lists of *tournament*, or empty.

    A signature must be that of the key named in its line: whose keys these are is for
    ``verify_record`` to say.
    """
    keys = set(
        Decision.objects.filter(tournament=tournament).values_list("key", flat=True).distinct()
    )
    found = record.verify(tournament) or record.signature_faults(tournament, keys)
    found += record.ending_faults(tournament)
    return found or [
        *differences(tournament),
        *people_differences(tournament),
        *list_faults(tournament, keys),
    ]


def table_faults(*, with_damage: bool = True) -> list[str]:
    """Return what is wrong with the database: damage, or tables of another program.

    Raise :class:`~config.terminal.RefusedError` if there are no tables at all.
    """
    return list(_table_faults(with_damage=with_damage))


def _table_faults(*, with_damage: bool) -> Iterator[str]:
    if with_damage and connection.vendor == "sqlite":
        connection.ensure_connection()
        database: sqlite3.Connection = connection.connection
        if fault := unsound(database):
            yield f"The database is damaged: {fault}."
            return
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if not there:
            raise RefusedError(no_site(database_name()))
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if not model._meta.managed or model._meta.proxy:
                continue
            if table not in there:
                yield f"The table {table} is missing."
                continue
            # Django's introspection would parse the SQL of each table on SQLite, a tenth of a
            # start.
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608 - of a model
            columns = {column[0] for column in cursor.description}
            wanted = {field.column for field in model._meta.concrete_fields}
            if missing := sorted(wanted - columns):
                yield (
                    f"The table {table} has no column {', '.join(missing)}: another version of "
                    f"the program made it."
                )


def guard_faults() -> list[str]:
    """Return the tables of which the database no longer refuses changes of rows (0002).

    Somebody with access to the database removed or disabled that. One query.
    """
    wanted, there = GUARDS[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(there)
        names = {name for (name,) in cursor.fetchall()}
    open_tables = [
        table for table in GUARDED if any(f"{table}_refuses_{what}" not in names for what in wanted)
    ]
    return [
        f"The database no longer refuses to change the table tournaments_{table}: somebody "
        f"removed its protection. "
        "A restored copy of this site from before has it."
        for table in open_tables
    ]


def _pair_again(tournament: Tournament, report: Report, end: float) -> None:
    if not tournament.entries.filter(tpn__isnull=False).exists():
        # Before the numbers are given the report file has no player, and cannot be read. There is
        # no round yet.
        return
    try:
        document = by_rounds_played(read(trf_export(tournament, public=False), any_kind=True))
        rounds = played_rounds(document.players)
        for number in range(1, rounds + 1):
            if time.monotonic() >= end:
                report.left_out += rounds - number + 1
                return
            report.rounds += 1
            report.different += round_difference(document, number) is not None
    except InputError as error:
        report.faults.append(f"“{tournament.name}”: its report file cannot be read again: {error}")
