"""Save again the rows that a factory saved before, in a few
statements instead of dozens of real actions.

The first call in a process takes the real actions. A later call with the same arguments, from the
same rows in the same tables, writes what the first one wrote: with equal keys, versions and
fingerprints of the record. Any other row in any table of the application, or another account, makes
it a call of its own. The rows of the second tournament that are saved before the fixtures
(:mod:`.neighbour`) do not count: all other rows have the same keys with it and without it, so a
call after it is answered with what a call without it saved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models.signals import post_save

from tests.plugins.repeatable_tokens import TOKENS
from tournaments.models import Tournament

Rows: TypeAlias = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, ordered by primary key, which is the first column."""

Statements: TypeAlias = list[tuple[str, list[Any] | None]]
"""Statements, each with its values; None: they are in its text."""

ACCOUNTS: Final = (
    "SELECT id, username, first_name, last_name, is_staff, is_superuser, is_active FROM auth_user"
    " WHERE username <> 'next-door'"
)


@dataclass(frozen=True, slots=True)
class Saved:
    """Everything that a factory changed, and its answer."""

    removed: dict[str, list[int]]
    inserts: Statements
    last_keys: dict[str, int]
    drawn: int
    """The number of random tokens that the test had drawn when the rows were saved first."""
    answer: Any


class RowCache:
    """What the factories saved, by name, arguments and the rows before; only while :attr:`is_on`.

    It is off in a test that replaces parts of the program: there the actions may end in another
    way. With :attr:`disabled` it is off in every test, for ``tests.stress.mutation filters``, which
    changes the program.
    """

    def __init__(self) -> None:
        self.is_on = self.disabled = False
        self.next_door: Rows = {}
        """The rows of the second tournament, if they are saved before the fixtures."""
        self._saved: dict[bytes, Saved] = {}

    def __len__(self) -> int:
        return len(self._saved)

    def get_or_make(
        self, name: str, arguments: object, make: Callable[[], int | None]
    ) -> int | None:
        """Return the answer of *make* after saving what it saves;
        *arguments* are known by their ``repr``.
        """
        if not self.is_on or self.disabled:
            return make()
        before = self._rows()
        signed = settings.SIGNING_KEY, settings.SIGNING_KEY_FILE
        key = hashlib.sha256(repr((name, arguments, _accounts(), signed, before)).encode()).digest()
        if key in self._saved:
            write(self._saved[key])
            TOKENS.go_on_after(self._saved[key].drawn)
        else:
            kept = _pages()
            answer = make()
            self._saved[key] = _difference(before, self._rows(), TOKENS.drawn, answer)
            # A later call stores no pages, so this one must not either.
            for page in _pages() - kept:
                page.unlink()
        return self._saved[key].answer

    def _rows(self) -> Rows:
        """Return every row of every table without those of the second tournament."""
        return {
            table: [row for row in rows if row not in self.next_door.get(table, ())]
            for table, rows in all_rows().items()
        }


ROW_CACHE: Final = RowCache()


def _pages() -> set[Path]:
    """Return the files in the store of pages."""
    return {path for path in Path(settings.PAGES_DIR).rglob("*") if path.is_file()}


@cache
def tables() -> list[str]:
    """Return the names of the application's tables."""
    return [model._meta.db_table for model in apps.get_app_config("tournaments").get_models()]


def _accounts() -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"{ACCOUNTS} ORDER BY id")
        # A deputy of the tests is appointed by a signal whenever a tournament is made.
        return cursor.fetchall(), post_save.has_listeners(Tournament)


def driver_cursor() -> Any:
    """Return a cursor of the database's driver. Every test saves and reads the second tournament
    in a hundred statements, and with Django's own cursor each takes three times as long.
    """
    connection.ensure_connection()
    return connection.connection.cursor()


def all_rows() -> Rows:
    """Return every row of every table of the application."""
    cursor = driver_cursor()
    return {
        table: cursor.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()  # noqa: S608
        for table in tables()
    }


def _difference(before: Rows, after: Rows, drawn: int, answer: int | None) -> Saved:
    removed, written, last_keys = {}, {}, {}
    for table, rows in after.items():
        old = set(before[table])
        if gone := old - set(rows):
            removed[table] = [row[0] for row in gone]
        if fresh := [row for row in rows if row not in old]:
            written[table] = fresh
            last_keys[table] = rows[-1][0]
    return Saved(removed, inserting(written), last_keys, drawn, answer)


def write(saved: Saved) -> None:
    """Make the changes in one transaction; foreign keys are checked at its end."""
    with transaction.atomic():
        cursor = driver_cursor()
        for table, keys in saved.removed.items():
            cursor.execute(f"DELETE FROM {table} WHERE id IN ({', '.join(map(str, keys))})")  # noqa: S608
        insert(saved.inserts, saved.last_keys)


def inserting(rows: Rows) -> Statements:
    """Return the statements that insert *rows* with their keys: one for each table,
    for :func:`driver_cursor`.

    For PostgreSQL they are one text, values included: binding some hundreds of them takes longer
    than saving them.
    """
    statements: Statements = []
    for table, lines in rows.items():
        mark = "?" if connection.vendor == "sqlite" else "%s"
        line = f"({', '.join([mark] * len(lines[0]))})"
        values = ", ".join([line] * len(lines))
        statements.append(
            (f"INSERT INTO {table} VALUES {values}", [value for row in lines for value in row])  # noqa: S608
        )
    if statements and connection.vendor == "postgresql":
        from django.db.backends.postgresql.psycopg_any import mogrify

        return [
            (";\n".join(mogrify(text, values, connection) for text, values in statements), None)
        ]
    return statements


def execute(statements: Statements) -> None:
    """Execute the *statements* of :func:`inserting`."""
    cursor = driver_cursor()
    for text, values in statements:
        cursor.execute(text) if values is None else cursor.execute(text, values)


def insert(statements: Statements, last_keys: dict[str, int]) -> None:
    """Execute the *statements* of :func:`inserting`;
    new rows of the tables get the keys after the last.
    """
    execute(statements)
    if statements:
        set_next_keys(last_keys)


def set_next_keys(last: dict[str, int]) -> None:
    """Let each table give its next row the key after the one in *last*."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # A table without any row so far has no counter.
            known = "column1 IN (SELECT name FROM sqlite_sequence)"
            wanted = ", ".join(f"('{table}')" for table, key in last.items() if key)
            if wanted:
                fresh = f"SELECT column1, 0 FROM (VALUES {wanted})"  # noqa: S608
                cursor.execute(f"INSERT INTO sqlite_sequence (name, seq) {fresh} WHERE NOT {known}")
            cases = " ".join(f"WHEN '{table}' THEN {key}" for table, key in last.items())
            names = ", ".join(f"'{table}'" for table in last)
            cursor.execute(
                f"UPDATE sqlite_sequence SET seq = CASE name {cases} END WHERE name IN ({names})"  # noqa: S608
            )
        else:
            calls = (
                f"setval(pg_get_serial_sequence('{table}', 'id'), {max(key, 1)}, {key > 0})"
                for table, key in last.items()
            )
            cursor.execute(f"SELECT {', '.join(calls)}")
