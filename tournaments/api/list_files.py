"""A list as a file for spreadsheets: CSV with commas or with semicolons, or a workbook (.xlsx).

All three have the same rows and headings. Both kinds of CSV are in UTF-8 and begin with a byte
order mark, so that spreadsheets recognise the encoding. The one with semicolons has decimal commas,
as spreadsheets expect in the countries where they open it: 5.5 would become a date. A text that
begins like a formula gets an apostrophe before it, so that no spreadsheet evaluates a name.

The same list gives the same bytes: a file has neither the time nor the computer in it.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from rest_framework.request import Request

from tournaments.api.errors import ApiProblem
from tournaments.models import Tournament

Rows = Sequence[Mapping[str, object]]
COMMA, SEMICOLON, WORKBOOK = "csv", "semicolon", "xlsx"
XLSX_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
AS: Final = OpenApiParameter(
    "as",
    str,
    enum=[SEMICOLON, WORKBOOK],
    description="Without it CSV with commas. semicolon: CSV with semicolons and decimal commas. "
    "xlsx: a workbook.",
)
FILES: Final = {(200, "text/csv"): str, (200, XLSX_TYPE): OpenApiTypes.BINARY}
_DECIMAL: Final = re.compile(r"-?[0-9]{1,9}\.[0-9]{1,9}")
_CORE: Final = "docProps/core.xml"
_TIME: Final = re.compile(rb"<dcterms:(created|modified)[^>]*>[^<]*</dcterms:\1>")


def list_file(request: Request, tournament: Tournament, name: str, rows: Rows) -> HttpResponse:
    """Return *rows* as the file that *request* asks for, with the columns of the first row;
    without rows it has none.

    400 for an unknown kind of file.
    """
    kind = request.query_params.get("as", COMMA)
    if kind == WORKBOOK:
        content, type_, ending = _workbook(rows), XLSX_TYPE, "xlsx"
    elif kind in (COMMA, SEMICOLON):
        content, type_, ending = _text(rows, kind), "text/csv; charset=utf-8", "csv"
    else:
        known = [SEMICOLON, WORKBOOK]
        message = _("“as” must be one of: %(known)s.") % {"known": ", ".join(known)}
        raise ApiProblem(400, "query.invalid", message, name="as", known=known)
    response = HttpResponse(content, content_type=type_)
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{tournament.slug}-{name}.{ending}"'
    )
    return response


def _text(rows: Rows, kind: str) -> bytes:
    text = io.StringIO()
    if rows:
        delimiter = ";" if kind == SEMICOLON else ","
        writer = csv.DictWriter(
            text, fieldnames=list(rows[0]), delimiter=delimiter, lineterminator="\r\n"
        )
        writer.writeheader()
        with_comma = kind == SEMICOLON
        writer.writerows(
            {key: _cell(value, with_comma=with_comma) for key, value in row.items()} for row in rows
        )
    return text.getvalue().encode("utf-8-sig")


def _cell(value: object, *, with_comma: bool) -> object:
    if with_comma and (number := _decimal(value)) is not None:
        return str(number).replace(".", ",")
    return safe(value)


def _workbook(rows: Rows) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("List")
    sheet.freeze_panes = "A2"
    if rows:
        sheet.append(list(rows[0]))
    for row in rows:
        sheet.append([_value(row.get(key)) for key in rows[0]])
    made = io.BytesIO()
    book.save(made)
    return _without_time(made)


def _value(value: object) -> Any:
    number = _decimal(value)
    if number is not None:
        return float(number)
    found = safe(value)
    return ILLEGAL_CHARACTERS_RE.sub("", found) if isinstance(found, str) else found


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
