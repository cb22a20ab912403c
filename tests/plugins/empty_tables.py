"""Empty all tables between transactional tests, including the record and the published lists,
which the database protects.

This module makes the only exception: it removes the protection while it empties the tables. It
deletes rows, which is many times faster than Django's flush: PostgreSQL would make a new file for
each table and index, and Django would write all content types and permissions again. The migrations
wrote those, and they stay.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

OF_MIGRATIONS = ("django_content_type", "auth_permission")
TABLES = ("tournaments_decision", "tournaments_publishedlist", "tournaments_deletedtournament")


@contextmanager
def guard_lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Remove the triggers on the protected tables inside the ``with`` block,
    and restore them afterwards.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s, %s)",
                TABLES,
            )
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            try:
                yield
            finally:
                for _, sql in triggers:
                    cursor.execute(sql)
        else:
            # Rows written in this transaction may still have unchecked foreign keys, and a table
            # with such rows cannot be altered.
            connection.check_constraints()
            for table in TABLES:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            try:
                yield
            finally:
                connection.check_constraints()
                for table in TABLES:
                    cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def empty_tables(connection: BaseDatabaseWrapper) -> None:
    """Delete every row that the migrations did not write.

    New rows get the keys after those of the deleted ones.
    """
    tables = [
        name for name in connection.introspection.django_table_names() if name not in OF_MIGRATIONS
    ]
    with (
        guard_lifted(connection),
        # On SQLite; PostgreSQL checks at the end of the transaction
        connection.constraint_checks_disabled(),
        transaction.atomic(using=connection.alias),
        connection.cursor() as cursor,
    ):
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608


@pytest.fixture(scope="session", autouse=True)
def _rows_are_deleted_and_the_record_too() -> Iterator[None]:
    def delete_rows(_case: Any) -> None:
        empty_tables(connections["default"])

    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", delete_rows)
    yield
    patch.undo()
