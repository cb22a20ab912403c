"""The tables of a site as rows of JSON, which go into either database.

First a line ``{"table": …, "columns": […]}``, then one array for each row; so for each table. Times
are in ISO form.
"""

from __future__ import annotations

import json
import math
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final, TypeVar

from django.apps.registry import Apps
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.core.numbers import OWN, draw_block

M = TypeVar("M", bound=models.Model)
EMPTY_IN_COPIES: Final = ("tournaments_job", "tournaments_pushsubscription")
"""Tables without rows in a copy: the work of one site is not begun again on another, and phones
subscribe to one site, at its address and for its key.
"""
NOT_COPIED: Final = ("axes_", *EMPTY_IN_COPIES)
"""Beginnings of the tables that no copy has as rows:
wrong passwords, which count for minutes, and long work.
"""
LOG_INS: Final = (
    "django_session",
    "otp_static_statictoken",
    "otp_static_staticdevice",
    "otp_totp_totpdevice",
    "tournaments_passkey",
    "tournaments_pairingmail",
)
"""What a copy without keys lacks: sessions, recovery codes, secrets of second steps, passkeys, and
the addresses for pairings, whose links need the key; in order of deletion.
"""
_AT_A_TIME: Final = 500


def models_of(apps: Any) -> list[type[models.Model]]:
    """Return the models with own tables in a copy, also those between two models."""
    found = apps.get_models(include_auto_created=True)
    return [
        model
        for model in found
        if model._meta.managed
        and not model._meta.proxy
        and not model._meta.db_table.startswith(NOT_COPIED)
    ]


def dump(apps: Any, using: str, *, log_ins: bool = True) -> Iterator[str]:
    """Yield the lines of all tables of the database *using*;
    the caller has opened a transaction for a snapshot.

    Those of :data:`LOG_INS` only with *log_ins*.
    """
    for model in models_of(apps):
        if model._meta.db_table in LOG_INS and not log_ins:
            continue
        yield from table_lines(model, model._base_manager.using(using).order_by("pk"))


def table_lines(
    model: type[models.Model], rows: models.QuerySet[Any], *, only: Collection[str] | None = None
) -> Iterator[str]:
    """Yield the heading and the lines of *rows* of *model*; *only*: the columns (None: all)."""
    columns = [
        field.attname
        for field in model._meta.concrete_fields
        if only is None or field.attname in only
    ]
    yield _line({"table": model._meta.db_table, "columns": columns})
    for row in rows.values_list(*columns).iterator(chunk_size=_AT_A_TIME):
        yield _line([_plain(value) for value in row])


def row_line(row: models.Model, columns: Iterable[str]) -> str:
    """Return the line of *row*, as :func:`table_lines` writes it."""
    return _line([_plain(getattr(row, column)) for column in columns])


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode("ascii")  # as BinaryField.to_python() reads it
    return str(value) if isinstance(value, Decimal) else value


def parse(lines: Iterable[str]) -> Iterator[tuple[str, list[str], list[Any]]]:
    """Yield the table, the columns and the values of each row of *lines*.

    Raise ``ValueError`` for another form.
    """
    table, columns = "", list[str]()
    for line in lines:
        value = json.loads(line, parse_float=_number, parse_constant=_number)
        if isinstance(value, dict):
            table, columns = value["table"], value["columns"]
        elif not isinstance(value, list) or len(value) != len(columns):
            raise ValueError(f"a row of {table} has another number of values than its heading")
        else:
            yield table, columns, value


def _number(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text} is no number of a row")
    return value


def instance(model: type[M], columns: Iterable[str], values: Iterable[Any]) -> M:
    """Return an unsaved row of *model*; raise ``ValueError`` for an unknown column."""
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    if unknown := sorted(set(columns) - by_name.keys()):
        raise ValueError(f"{model._meta.db_table} has no column {', '.join(unknown)}")
    return model(
        **{
            name: by_name[name].to_python(value)
            for name, value in zip(columns, values, strict=True)
        }
    )


def load(lines: Iterable[str], apps: Apps | Any, connection: BaseDatabaseWrapper) -> int:
    """Save all rows of *lines* in the empty tables of *connection*; return their number.

    The tables have the form of *apps*. Numbers of rows stay, and the next number of each table
    follows the largest. New accounts and players get numbers of another block: the largest number
    may belong to another site.
    """
    by_table = {model._meta.db_table: model for model in models_of(apps)}
    waiting: list[models.Model] = []
    total = 0

    def save() -> None:
        if waiting:
            type(waiting[0])._base_manager.using(connection.alias).bulk_create(
                waiting, batch_size=_AT_A_TIME
            )
            waiting.clear()

    with transaction.atomic(using=connection.alias):
        for table, columns, values in parse(lines):
            if table not in by_table:
                raise ValueError(f"there is no table {table}")
            model = by_table[table]
            if waiting and (type(waiting[0]) is not model or len(waiting) >= _AT_A_TIME):
                save()
            waiting.append(instance(model, columns, values))
            total += 1
        save()
        connection.check_constraints()
        reset_numbers(connection, by_table.values())
        for model, size in OWN.items():
            draw_block(connection, by_table[model._meta.db_table], size)
    return total


def reset_numbers(connection: BaseDatabaseWrapper, of: Iterable[type[models.Model]]) -> None:
    """Let the next number of each table follow the largest; SQLite does so by itself."""
    from django.core.management.color import no_style

    statements = connection.ops.sequence_reset_sql(no_style(), list(of))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
