"""Empty all tables between transactional tests, including the record and the published lists, which the database
protects.

This module makes the only exception: Django's flush of the test database removes the protection while it runs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

TABLES = ("tournaments_decision", "tournaments_publishedlist", "tournaments_deletedtournament")


@contextmanager
def guard_lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Remove the triggers on the protected tables inside the ``with`` block, and restore them afterwards."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (%s, %s, %s)", TABLES
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
            # Rows written in this transaction may still have unchecked foreign keys, and a table with such rows cannot
            # be altered.
            connection.check_constraints()
            for table in TABLES:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            try:
                yield
            finally:
                connection.check_constraints()
                for table in TABLES:
                    cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


@pytest.fixture(scope="session", autouse=True)
def _flush_may_empty_the_record() -> Iterator[None]:
    flush = TransactionTestCase._fixture_teardown

    def flush_with_guard_lifted(case: Any) -> None:
        with guard_lifted(connections["default"]):
            flush(case)

    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", flush_with_guard_lifted)
    yield
    patch.undo()
