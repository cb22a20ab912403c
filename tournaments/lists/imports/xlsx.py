"""Read the sheets of an Excel workbook (.xlsx) as tables.

Formulas are not calculated: the value that was stored with a formula is read. Only the parts with
cells are unpacked, so links to other files, macros and pictures are never opened, and the reader of
XML refuses entities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice, repeat
from typing import Any, Final
from zipfile import ZIP_STORED, ZipFile

from openpyxl import DEFUSEDXML, load_workbook

from tournaments.core.errors import BadInput
from tournaments.lists.imports.sheets import BEGINNING, MAX_COLUMNS, MAX_SHEETS, Sheet, text_of
from tournaments.lists.imports.unpacking import MAX_UNPACKED, parts

if not DEFUSEDXML:  # pragma: no cover
    raise ImportError("openpyxl must read XML with defusedxml")

MAX_SHEET_ROWS: Final = 20_000
"""The last row that is looked at: openpyxl makes every blank row before a far cell."""
MAX_PLACES: Final = 1_000_000
"""Cells up to the last one of each row, with the blank ones:
one cell at the end of a row makes it long.
"""
_WANTED: Final = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|xl/_rels/[^/]+\.rels|xl/(?:workbook|sharedStrings|styles)[^/]*\.xml"
    r"|xl/worksheets/[^/]+\.xml",
    re.IGNORECASE,
)
_ROW: Final = re.compile(rb"<(?:\w+:)?row\b(?:[^<>]{0,300}?\sr=\"([0-9]+)\")?")
_ANY_ROW: Final = re.compile(rb"<(?:\w+:)?row\b([^<>]{0,2000})>")
_NUMBER: Final = re.compile(rb"\br=\"([0-9]{1,9})\"")
_IS_HIDDEN: Final = re.compile(rb"\bhidden=\"(?:1|true)\"")
_VALUE: Final = re.compile(rb"<(?:\w+:)?(?:v|is)>")
_STRICT: Final = (
    (
        b"http://purl.oclc.org/ooxml/spreadsheetml/",
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/",
        b"http://schemas.openxmlformats.org/officeDocument/2006/",
    ),
)
"""The names in a "Strict Open XML Spreadsheet", and those in other workbooks."""
_FORMULA: Final = re.compile(rb"<(?:\w+:)?f[\s/>]")


def xlsx_sheets(data: bytes, is_list: Callable[[Sheet], bool]) -> Iterator[Sheet]:
    """Yield the workbook's sheets in order, at most :data:`MAX_SHEETS`; ``BadInput`` if broken.

    After the first that *is_list*, only the :data:`BEGINNING` of each is read.
    """
    members = parts(data, lambda name: _WANTED.fullmatch(name) is not None)
    sheets = [part for name, part in members.items() if name.startswith("xl/worksheets/")]
    if any(map(_reaches_too_far, sheets)):
        raise BadInput("file.sheet_too_large", limit=MAX_UNPACKED // 1_000_000)
    has_formulas = any(_FORMULA.search(part) for part in sheets)
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_STORED) as clean:
        for name, part in members.items():
            for strict, usual in _STRICT:
                part = part.replace(strict, usual)
            clean.writestr(name, part)
    try:
        values = _workbook(archive, values=True)
        formulas = _workbook(archive, values=False) if has_formulas else None
        lines = MAX_SHEET_ROWS
        # Hidden sheets come last: they are read if no other one has a list.
        for worksheet in sorted(values.worksheets, key=lambda each: each.sheet_state != "visible")[
            :MAX_SHEETS
        ]:
            sheet = _sheet(worksheet, formulas[worksheet.title] if formulas else None, lines)
            sheet.hidden = _hidden(members.get(worksheet._worksheet_path, b""))
            if is_list(sheet):
                lines = BEGINNING
            yield sheet
    except BadInput:
        raise
    except Exception as error:  # a damaged file ends in any exception of the reader
        raise BadInput("file.sheet_broken") from error


def _workbook(archive: BytesIO, *, values: bool) -> Any:
    return load_workbook(archive, read_only=True, data_only=values, keep_links=False)


def _reaches_too_far(part: bytes) -> bool:
    """Return whether the sheet *part* has a value below :data:`MAX_SHEET_ROWS`.

    Formatted blank rows do not count.
    """
    for count, row in enumerate(_ROW.finditer(part), start=1):
        if count > MAX_SHEET_ROWS or int((row[1] or b"0")[:9]) > MAX_SHEET_ROWS:
            return _VALUE.search(part, row.end()) is not None
    return False


def _hidden(part: bytes) -> set[int]:
    """Return the rows of the sheet *part* that Excel does not show, as by a filter."""
    hidden, line = set(), 0
    for row in _ANY_ROW.finditer(part):
        number = _NUMBER.search(row[1])
        line = int(number[1]) if number else line + 1
        if _IS_HIDDEN.search(row[1]):
            hidden.add(line)
    return hidden


def _sheet(worksheet: Any, formulas: Any, lines: int) -> Sheet:
    """Return the first *lines* of *worksheet*; *formulas*: it with its formulas, or None."""
    sheet = Sheet(name=str(worksheet.title))
    left = MAX_PLACES
    written = _rows(formulas) if formulas is not None else repeat(())
    rows = islice(zip(_rows(worksheet), written, strict=False), lines)
    for line, (row, sources) in enumerate(rows, start=1):
        left -= len(row) + 1
        if left < 0:
            raise BadInput("file.sheet_too_large", limit=MAX_UNPACKED // 1_000_000)
        end = next((place for place in range(len(row), 0, -1) if row[place - 1] is not None), 0)
        for column, (value, source) in enumerate(zip(row[:MAX_COLUMNS], sources, strict=False)):
            if value is None and source is not None:
                sheet.uncalculated.add((line, column))
                end = max(end, column + 1)
        if end and not sheet.add(line, map(text_of, row[:end])):
            break
    return sheet


def _rows(worksheet: Any) -> Iterator[tuple[object, ...]]:
    worksheet.reset_dimensions()  # the size that the file declares can be anything
    rows: Iterator[tuple[object, ...]] = worksheet.iter_rows(
        max_row=MAX_SHEET_ROWS, values_only=True
    )
    return rows
