"""Read the sheets of an OpenDocument spreadsheet (.ods) as tables.

A cell or row can say that it is repeated a million times, so repetitions are counted and not
written out. Formulas are not calculated: the value that was stored with a formula is read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from tournaments.core.errors import BadInput
from tournaments.lists.imports.sheets import (
    BEGINNING,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_SHEETS,
    Sheet,
    text_of,
)
from tournaments.lists.imports.unpacking import parts

_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELLS: Final = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_BLANKS: Final = {f"{_TEXT}s": " ", f"{_TEXT}tab": " ", f"{_TEXT}line-break": " "}


def ods_sheets(data: bytes, is_list: Callable[[Sheet], bool]) -> Iterator[Sheet]:
    """Yield the document's sheets in order, at most :data:`MAX_SHEETS`; ``BadInput`` if broken.

    After the first that *is_list*, only the :data:`BEGINNING` of each is read.
    """
    content = parts(data, lambda name: name == "content.xml").get("content.xml", b"")
    sheet, line, found, most = Sheet(), 1, 0, sys.maxsize
    try:
        for event, element in iterparse(BytesIO(content), events=("start", "end")):
            if event == "start":
                if element.tag == f"{_TABLE}table":
                    sheet, line = Sheet(name=element.get(f"{_TABLE}name", "")), 1
                continue
            if element.tag == f"{_TABLE}table-row":
                times = _times(element, "rows")
                if sheet.problem is None and line <= most:
                    _add(sheet, line, element, times)
                line += times
                element.clear()
            elif element.tag == f"{_TABLE}table":
                if is_list(sheet):
                    most = BEGINNING
                yield sheet
                found += 1
                if found == MAX_SHEETS:
                    return
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise BadInput("file.sheet_broken") from error


def _add(sheet: Sheet, line: int, row: Element, times: int) -> None:
    """Add *row* of the file to *sheet*, as often as it is repeated."""
    cells: list[str] = []
    uncalculated = []
    column = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        repeated = _times(cell, "columns")
        text = _cell_text(cell)
        if text is None:
            uncalculated.append(column)
            text = "\N{NO-BREAK SPACE}"  # keeps the place; Sheet strips it
        if text:
            cells += [""] * (min(column, MAX_COLUMNS) - len(cells))
            cells += [text] * min(repeated, MAX_COLUMNS + 1 - len(cells))
        column += repeated
    if not cells:
        return
    is_hidden = row.get(f"{_TABLE}visibility", "visible") != "visible"
    for number in range(line, line + min(times, MAX_LINES + 1)):
        if is_hidden:
            sheet.hidden.add(number)
        sheet.uncalculated.update((number, column) for column in uncalculated)
        if not sheet.add(number, cells):
            return


def _times(element: Element, what: str) -> int:
    """Return how often a cell or a row is repeated; ``ValueError`` if it is no number."""
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(int(text[:9]), 1)


def _cell_text(cell: Element) -> str | None:
    """Return the text of *cell*; None for a formula without a stored value."""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in ("float", "currency", "percentage"):
        return text_of(float(cell.get(f"{_OFFICE}value", "")))
    if kind == "date":
        return cell.get(f"{_OFFICE}date-value", "")[:10]
    # A note of the author is beside the paragraphs and is not read.
    text = " ".join(_paragraph(child) for child in cell if child.tag == f"{_TEXT}p").strip()
    if not text and not kind and cell.get(f"{_TABLE}formula"):
        return None
    return text


def _paragraph(paragraph: Element) -> str:
    return "".join(
        piece
        for element in paragraph.iter()
        for piece in (
            _BLANKS.get(element.tag, "") or element.text or "",
            (element.tail or "") if element is not paragraph else "",
        )
    )
