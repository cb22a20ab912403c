"""Empty all tables between transactional tests, including the record of decisions, which the database protects.

This module makes the only exception: Django's flush of the test database removes the protection while it runs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

TABLE = "tournaments_decision"


@contextmanager
def guard_lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Remove the triggers on the record inside the ``with`` block, and restore them afterwards."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE])
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
            cursor.execute(f"ALTER TABLE {TABLE} DISABLE TRIGGER USER")
            try:
                yield
            finally:
                connection.check_constraints()
                cursor.execute(f"ALTER TABLE {TABLE} ENABLE TRIGGER USER")


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
