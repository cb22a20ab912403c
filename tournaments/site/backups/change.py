"""Know whether something has changed since a copy was made."""

from __future__ import annotations

from contextlib import nullcontext
from hashlib import blake2b
from typing import Final

from django.apps import apps
from django.db import connection, models, transaction

from tournaments.site.backups.rows import EMPTY_IN_COPIES, models_of

PASSING: Final = (*EMPTY_IN_COPIES, "tournaments_requestcount")
"""Tables whose rows come and go without a change of the site: they call for no copy."""
GROWING: Final = frozenset(
    [
        "django_admin_log",
        "tournaments_decision",
        "tournaments_deletedtournament",
        "tournaments_publishedlist",
        "tournaments_storedanswer",
    ]
)
"""Large tables whose rows are added and never changed,
or only together with a new line of the record.
"""
_AT_A_TIME: Final = 2_000


def mark_of_change() -> str:
    """Return a fingerprint of the tables of the site: two that are equal have the same content.

    Times of files and counts of the database would also change with a row of a job, and a site
    where nothing happens would be copied for ever. Reads all tables once, without a lock: the
    growing ones only as number and newest row. Cost: 8 ms of processor time for 300 players and
    eight rounds, 200 ms for 10,000 players, so only the job of the copies calls it.
    """
    digest = blake2b(digest_size=16)
    # PostgreSQL reads in pieces only in a transaction; on SQLite it would lock out those who write.
    with transaction.atomic() if connection.vendor == "postgresql" else nullcontext():
        for model in models_of(apps):
            if model._meta.db_table not in PASSING:
                digest.update(model._meta.db_table.encode())
                for part in _content(model):
                    digest.update(part)
    return digest.hexdigest()


def _content(model: type[models.Model]) -> list[bytes]:
    table, key = (
        connection.ops.quote_name(str(name))
        for name in (model._meta.db_table, model._meta.pk.column)
    )
    if model._meta.db_table in GROWING:
        sql = f"SELECT count(*), max({key}) FROM {table}"  # noqa: S608 - names of our own
    else:
        sql = f"SELECT * FROM {table} ORDER BY {key}"  # noqa: S608
    parts = []
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql)
        while rows := cursor.fetchmany(_AT_A_TIME):
            parts.append(blake2b(repr(rows).encode("utf-8", "surrogatepass")).digest())
    return parts
