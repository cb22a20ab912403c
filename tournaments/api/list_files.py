"""A list as a file for spreadsheets: CSV with commas or with semicolons, or a workbook (.xlsx).

All three have the same rows and headings. Both kinds of CSV are in UTF-8 and begin with a byte
order mark, so that spreadsheets recognise the encoding. The one with semicolons has decimal commas,
as spreadsheets expect in the countries where they open it: 5.5 would become a date. A text that
begins like a formula gets an apostrophe before it, so that no spreadsheet evaluates a name. A
moment is a date and a time of the venue. A list without rows has its heads; with heads in words it
says yes and no in words too.

The same list gives the same bytes: a file has neither the time nor the computer in it.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from rest_framework.request import Request

from tournaments.api.errors import ApiProblem
from tournaments.models import Event, Tournament

from .heads import in_words

Rows = Sequence[Mapping[str, object]]
Lines = Sequence[Sequence[object]]
COMMA, SEMICOLON, WORKBOOK = "csv", "semicolon", "xlsx"
XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
AS: Final = OpenApiParameter(
    "as",
    str,
    enum=[SEMICOLON, WORKBOOK],
    description="Without it CSV with commas. semicolon: CSV with semicolons and decimal commas. "
    "xlsx: a workbook.",
)
HEADS: Final = OpenApiParameter(
    "heads",
    str,
    enum=["words"],
    description="words: column heads in words of the reader's language, not the names of this API.",
)
KNOWN: Final = ("as", "heads")
"""The parameters of each file."""
FILES: Final = {(200, "text/csv"): str, (200, XLSX_TYPE): OpenApiTypes.BINARY}
_DECIMAL: Final = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,9}")
_CORE: Final = "docProps/core.xml"
_TIME: Final = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")


def list_file(
    request: Request, of: Tournament | Event, name: str, rows: Rows, columns: Sequence[str] = ()
) -> HttpResponse:
    """Return *rows* as the file that *request* asks for, with the columns of the first row;
    without rows with *columns*.

    400 for an unknown kind of file.
    """
    kind = _one_of(request, "as", (SEMICOLON, WORKBOOK)) or COMMA
    in_order = list(rows[0]) if rows else list(columns)
    has_words = bool(_one_of(request, "heads", ("words",)))
    heads = in_words(in_order) if has_words else in_order
    cells = [[row.get(key) for key in in_order] for row in rows]
    if has_words:
        cells = [[_yes_or_no(value) for value in line] for line in cells]
    lines: Lines = [heads, *cells] if in_order else []
    if kind == WORKBOOK:
        content, type_, ending = _workbook(lines), XLSX_TYPE, "xlsx"
    else:
        content, type_, ending = _text(lines, kind), "text/csv; charset=utf-8", "csv"
    response = HttpResponse(content, content_type=type_)
    response.headers["Content-Disposition"] = f'attachment; filename="{of.slug}-{name}.{ending}"'
    return response


def _yes_or_no(value: object) -> object:
    return (_("yes") if value else _("no")) if isinstance(value, bool) else value


def _one_of(request: Request, name: str, known: Sequence[str]) -> str:
    """Return the parameter *name*, empty if it is not given; 400 if it is none of *known*."""
    value = request.query_params.get(name, "")
    if value and value not in known:
        message = _("“%(name)s” must be one of: %(known)s.") % {
            "name": name,
            "known": ", ".join(known),
        }
        raise ApiProblem(400, "query.invalid", message, name=name, known=list(known))
    return value


def _text(lines: Lines, kind: str) -> bytes:
    text, with_comma = io.StringIO(), kind == SEMICOLON
    writer = csv.writer(text, delimiter=";" if with_comma else ",", lineterminator="\r\n")
    for line in lines:
        writer.writerow([_cell(value, with_comma=with_comma) for value in line])
    return text.getvalue().encode("utf-8-sig")


def _cell(value: object, *, with_comma: bool) -> object:
    if (number := _decimal(value)) is not None:
        return number.replace(".", ",") if with_comma else number
    return f"{at:%Y-%m-%d %H:%M}" if (at := _moment(value)) else safe(value)


def _workbook(lines: Lines) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("List")
    sheet.freeze_panes = "A2"
    for line in lines:
        sheet.append([_value(value) for value in line])
    made = io.BytesIO()
    book.save(made)
    return _without_time(made)


def _value(value: object) -> Any:
    number = _decimal(value)
    if number is not None:
        return float(number)
    found = _moment(value) or safe(value)
    return ILLEGAL_CHARACTERS_RE.sub("", found) if isinstance(found, str) else found


def _moment(value: object) -> datetime | None:
    """Return the local date and time of a moment, without its zone; None for all others."""
    return timezone.make_naive(value) if isinstance(value, datetime) else None


def _decimal(value: object) -> str | None:
    """Return *value* if it is a number with decimals, such as points; None for all others."""
    text = str(value) if isinstance(value, str | float) else ""
    return text if _DECIMAL.fullmatch(text) else None


def _without_time(made: io.BytesIO) -> bytes:
    """Return the workbook without the time at which it was written."""
    clean = io.BytesIO()
    with zipfile.ZipFile(made) as archive, zipfile.ZipFile(clean, "w") as target:
        for name in archive.namelist():
            data = archive.read(name)
            if name == _CORE:
                data = _TIME.sub(b"", data)
            part = zipfile.ZipInfo(name)  # its date is 1 January 1980
            part.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(part, data)
    return clean.getvalue()


def safe(value: object) -> object:
    """Return *value* so that no spreadsheet takes it for a formula; None is an empty cell."""
    # A single sign is not a formula: it is the letter of a result.
    if (
        isinstance(value, str)
        and len(value) > 1
        and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    ):
        return "'" + value
    return "" if value is None else value
