"""Save many rows, or changed fields of many rows, in a time that grows with their number."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any

from django.db import connection
from django.db.models import Field, Model


def save_fields(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Save the fields *names* of *rows* of a table: one statement, run for each row.

    ``bulk_update`` builds an expression for each row, which takes a millisecond, and PostgreSQL
    compares every row with all of them. Counts as one query.
    """
    if not rows:
        return
    options, quote = rows[0]._meta, connection.ops.quote_name
    fields = [field for field in map(options.get_field, names) if isinstance(field, Field)]
    columns = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    key = options.pk
    statement = f"UPDATE {quote(options.db_table)} SET {columns} WHERE {quote(key.column)} = %s"  # noqa: S608
    values = [
        (
            *(field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields),
            row.pk,
        )
        for row in rows
    ]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def columns_of(model: type[Model], *, without: Collection[str] = ()) -> list[str]:
    """Return the names of the columns of *model*, except its key and those in *without*."""
    fields = model._meta.concrete_fields
    return [
        field.attname for field in fields if not field.primary_key and field.attname not in without
    ]


def values_of(rows: Iterable[Model], names: Sequence[str]) -> list[tuple[object, ...]]:
    """Return the values of the columns *names* of *rows* as :func:`insert_rows` saves them."""
    rows = list(rows)
    if not rows:
        return []
    fields = {field.attname: field for field in rows[0]._meta.concrete_fields}
    columns = [_saved_values(fields[name], [getattr(row, name) for row in rows]) for name in names]
    return list(zip(*columns, strict=True))


def _saved_values(field: Field[Any, Any], values: Iterable[Any]) -> list[object]:
    """Return *values* as *field* saves them.

    Most columns have few different values: each is converted once.
    """
    known: dict[tuple[type, Hashable], object] = {}
    saved = []
    for value in values:
        if not isinstance(value, Hashable):
            saved.append(field.get_db_prep_save(value, connection))
            continue
        key = (type(value), value)
        if key not in known:
            known[key] = field.get_db_prep_save(value, connection)
        saved.append(known[key])
    return saved


def insert_rows(model: type[Model], names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Insert *rows* with plain values of the columns *names*;
    all other columns have the defaults of the fields.

    One statement, prepared once and run for each row. ``bulk_create`` takes 20 times as long for
    rows of a few columns, because it makes objects and writes a text for each part of them. Counts
    as one query.
    """
    quote = connection.ops.quote_name
    others = [
        f for f in model._meta.concrete_fields if not f.primary_key and f.attname not in names
    ]
    defaults = tuple(field.get_db_prep_save(field.get_default(), connection) for field in others)
    columns = ", ".join(quote(str(name)) for name in (*names, *(field.column for field in others)))
    places = ", ".join(["%s"] * (len(names) + len(others)))
    values = [(*row, *defaults) for row in rows]
    if not values:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})",  # noqa: S608
            values,
        )
