"""Save changed fields of many rows in a time that grows with their number."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import Field, Model


def save_fields(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Save the fields *names* of *rows* of one table: one statement, prepared once and run for each row.

    ``bulk_update`` builds an expression for each row, which takes a millisecond, and PostgreSQL compares every row
    with all of them. Counts as one query.
    """
    if not rows:
        return
    options, quote = rows[0]._meta, connection.ops.quote_name
    fields = [field for field in map(options.get_field, names) if isinstance(field, Field)]
    columns = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    key = options.pk
    statement = f"UPDATE {quote(options.db_table)} SET {columns} WHERE {quote(key.column)} = %s"  # noqa: S608
    values = [
        (*(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields), row.pk) for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)
