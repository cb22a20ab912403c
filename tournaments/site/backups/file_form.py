"""The types of the rows in the file of an event: somebody else made the file, perhaps by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TextIO, TypeVar

from django.db import models

from tournaments.models import (
    Decision,
    Event,
    PrizeCategory,
    PrizeFund,
    PublishedList,
    Registration,
    Screen,
    Tournament,
    WaitingEntry,
)
from tournaments.site.backups import rows
from tournaments.site.backups.copy_file import CopyError

M = TypeVar("M", bound=models.Model)
LARGEST: Final = 1 << 28
"""Bytes of the rows of an event; one with 1,000 players has less than a third of that."""
LONGEST: Final = 1 << 24
"""Characters of one row; a list of 1,000 players has less than a tenth of that."""
MOST_HEADINGS: Final = 1_000
_JSON: Final[Mapping[tuple[type[models.Model], str], tuple[type, type | None]]] = {
    (Decision, "before"): (dict, None),
    (Decision, "after"): (dict, None),
    (Decision, "deleted"): (list, list),
    (Tournament, "order_of_equals"): (list, int),
    (Tournament, "expelled"): (list, int),
    (Tournament, "trf_extras"): (list, str),
    (Tournament, "federation_ids"): (dict, str),
    (Tournament, "title_claims"): (dict, dict),
    (Event, "prizes"): (dict, None),
    (PrizeFund, "excluded"): (list, int),
    (PrizeFund, "event_winners"): (list, int),
    (PrizeCategory, "also"): (list, list),
    (PublishedList, "content"): (dict, None),
    (Registration, "fields"): (dict, None),
    (Registration, "byes"): (list, int),
    (Screen, "contents"): (list, str),
    (Screen, "sections"): (list, str),
    (WaitingEntry, "fields"): (dict, None),
    (WaitingEntry, "problems"): (list, None),
}
"""What columns with JSON have: the type of the whole, and of each value in it, None: several."""
_KINDS: Final[tuple[tuple[tuple[type[models.Field[Any, Any]], ...], tuple[type, ...]], ...]] = (
    ((models.BooleanField,), (bool,)),
    ((models.IntegerField, models.AutoField), (int,)),
    ((models.FloatField,), (int, float)),
    (
        (
            models.CharField,
            models.TextField,
            models.DateField,
            models.TimeField,
            models.DecimalField,
            models.BinaryField,
            models.UUIDField,
        ),
        (str,),
    ),
)


def lines_in(file: TextIO) -> Iterator[str]:
    """Yield the lines of the rows in *file*. :class:`CopyError` for a line that is too long to be
    read, or too many headings: a small file can unpack to either.
    """
    headings = 0
    while line := file.readline(LONGEST + 1):
        headings += line.startswith("{")
        if len(line) > LONGEST or headings > MOST_HEADINGS:
            raise CopyError(
                f"A line of the file has more than {LONGEST:,} characters, or it has more than "
                f"{MOST_HEADINGS:,} "
                "headings: it is no event of this program. Nothing was changed.",
                "take_over.too_large",
                limit=LONGEST >> 20,
            )
        yield line


def row_of(model: type[M], columns: Iterable[str], values: Iterable[Any]) -> M:
    """Return an unsaved row of *model*.

    ``ValueError`` for a value whose type is not that of its column.
    """
    columns, values = list(columns), list(values)
    by_name = {field.attname: field for field in model._meta.concrete_fields}
    for name, value in zip(columns, values, strict=True):
        if name in by_name and not _fits(model, by_name[name], value):
            raise ValueError(f"a row of {model._meta.db_table} has another form: {name}")
    return rows.instance(model, columns, values)


def _fits(model: type[models.Model], field: Any, value: Any) -> bool:
    if value is None:
        return bool(field.null)
    if isinstance(field, models.JSONField):
        whole, each = _JSON.get((model, field.name), (object, None))
        inner = value.values() if isinstance(value, dict) else value
        return isinstance(value, whole) and (
            each is None or all(type(one) is each for one in inner)
        )
    while field.is_relation:
        field = field.target_field
    kinds = next((kinds for fields, kinds in _KINDS if isinstance(field, fields)), (object,))
    if object in kinds:
        return True
    return type(value) in kinds and not (isinstance(value, float) and not math.isfinite(value))
