"""The numbers of new rows. Accounts and players get those of a block that this site has drawn.

The record names both by number. A file of another site brings rows with numbers of that site's
block, and they must not decide which numbers are given here: otherwise the two sites give the same
ones, and the event cannot go back. So the counter of a table moves only in :func:`reserve_keys` and
:func:`draw_block`; rows that come with a number leave it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import connection, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.models import Entry

BLOCKS: Final = 1 << 20
"""How many sites can have numbers of their own: each for 2,047 accounts
(of 32 bits) and for a million players.
"""
OWN: Final[dict[type[models.Model], int]] = {User: 1 << 11, Entry: 1 << 20}


def reserve_keys(model: type[models.Model], count: int) -> list[int]:
    """Return *count* keys that no row of *model* has and no other will get, in rising order.

    They follow the last one that this site has given, and leave out those that came with a file. In
    the caller's transaction or in a short one of its own, so that nobody waits while the rows are
    made. Keys that are not used afterwards are left out, as those of a failed action are. Three
    queries.
    """
    keys: list[int] = []
    width, size = count, OWN.get(model)
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        while len(keys) < count:
            numbers = _next_numbers(cursor, model._meta.db_table, width)
            there = model._base_manager.filter(pk__range=(numbers[0], numbers[-1])).values_list(
                "pk", flat=True
            )
            taken = set(there)
            if size and (end := next((number for number in numbers if number % size == 0), None)):
                numbers = [number for number in numbers if number < end]
                draw_block(connection, model, size)  # The old one is used up.
            keys += [number for number in numbers if number not in taken]
            width = 2 * width if taken else count - len(keys)  # A file may have taken many.
    return keys[:count]


def _next_numbers(cursor: Any, table: str, count: int) -> list[int]:
    if connection.vendor == "postgresql":
        serial = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
        cursor.execute(serial, [table, count])
        return [number for (number,) in cursor.fetchall()]
    last = _last_number(cursor, table)
    _set_last_number(cursor, table, last + count)
    return list(range(last + 1, last + count + 1))


def _last_number(cursor: Any, table: str) -> int:
    """Return the last number that a row of *table* got, or 0.

    PostgreSQL may return the next one for a new block.
    """
    if connection.vendor == "postgresql":
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [table])
        cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]}")  # noqa: S608 - a name from the database
    else:
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
    row = cursor.fetchone()
    return int(row[0]) if row else 0


def _set_last_number(cursor: Any, table: str, last: int) -> None:
    if cursor.db.vendor == "postgresql":
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s, false)", [table, last + 1]
        )
        return
    cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, table])
    if not cursor.rowcount:
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


@contextmanager
def counters_stay() -> Iterator[None]:
    """Let accounts and players that are saved inside with their numbers
    not move the counters out of the own block.

    Inside it they follow, as after a copy of this site: a number that was given once belongs to
    nobody else, also if its row is gone. In one transaction.
    """
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        before = {model: _last_number(cursor, model._meta.db_table) for model in OWN}
        yield
        for model, last in before.items():
            end = (last // OWN[model] + 1) * OWN[model] - 1
            own = model._base_manager.filter(pk__range=(last + 1, end))
            newest = own.aggregate(newest=models.Max("pk"))["newest"] or last
            if connection.vendor == "sqlite":  # It has moved to the largest number.
                _set_last_number(cursor, model._meta.db_table, newest)
            elif newest > last:  # Never back: others may have got numbers meanwhile.
                _next_numbers(cursor, model._meta.db_table, newest - last)


def draw_block(database: BaseDatabaseWrapper, model: type[models.Model], size: int) -> None:
    """Let the numbers of *model* in *database* go on in a random block of *size* without rows."""
    rows = model._base_manager.using(database.alias)
    while True:
        first = secrets.randbelow(BLOCKS) * size
        if not rows.filter(pk__range=(first, first + size - 1)).exists():
            break
    with database.cursor() as cursor:
        _set_last_number(cursor, model._meta.db_table, first)


def number_new_account(*, instance: Any, raw: bool, **_more: object) -> None:
    """Give a new account its number before it is saved; a signal, for Django's commands too."""
    if instance.pk is None and not raw:
        (instance.pk,) = reserve_keys(User, 1)
