"""Read a text as a table: the encoding, the delimiter, and cells over several lines."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from pairing.rules.names import all_repaired
from pairing.trf.encoding import decoded
from tournaments.core.errors import BadInput
from tournaments.entries.csv_lines import whole_line
from tournaments.entries.fixed_columns import HEADINGS, fixed_cells, has_fixed_columns
from tournaments.entries.headings import kind_of
from tournaments.lists.imports.sheets import MAX_BYTES, MAX_COLUMNS, Sheet, place

_LOOKED_AT: Final = 400_000
_LINES: Final = 20
_LONGEST: Final = 4_000
_MOST_BROKEN: Final = 100
DELIMITERS: Final = ("\t", ";", ",", "|")
ENCODINGS: Final = (
    "utf-8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1257", "iso8859-2", "iso8859-15", "mac-roman",
    "cp850", "cp865", "cp866", "koi8-u", "utf-16-le", "gb18030", "shift-jis", "utf-8 twice",
)  # fmt: skip
"""Encodings that the user can choose if the assumed one is wrong, by their names in Python.

The last one is no encoding: the UTF-8 of the list was read as Windows-1252 and written as UTF-8
again.
"""


def text_sheet(data: str | bytes, encoding: str = "") -> Sheet:
    """Return the table in *data*, with comma, semicolon, tab, bar, or fixed columns.

    *encoding* is one of :data:`ENCODINGS`; without it, it is detected as by :func:`decoded`. Raises
    :class:`BadInput` if the text is empty, too large or not a text. Lines with a stray quotation
    mark are named in ``broken``.
    """
    text = _text(data, encoding)
    if has_fixed_columns(text[:_LOOKED_AT].splitlines()[:_LINES]):
        return _fixed_sheet(text)
    sheet = Sheet(delimiter=_delimiter(text))
    try:
        for line, cells in _cells(text, sheet):
            sheet.of_lines |= {
                (line, number)
                for number, cell in enumerate(cells)
                if _has_rows(cell, sheet.delimiter)
            }
            if not sheet.add(line, cells):
                break
    except BadInput as broken:
        # The lines above show the user where it is.
        sheet.problem = broken
    return sheet


def _fixed_sheet(text: str) -> Sheet:
    """Return the table of a text of fixed columns; its headings are in no line of the file."""
    sheet = Sheet(rows=[(0, list(HEADINGS))])
    for number, line in enumerate(text.splitlines(), start=1):
        if not sheet.add(number, fixed_cells(line) or ["", line]):
            break
    return sheet


def text_of_file(data: bytes, encoding: str = "") -> str:
    """Return the text of *data*.

    UTF-16 is recognised without its byte order mark, by the zeros of Latin letters.
    """
    if encoding == "utf-8 twice":
        return all_repaired(decoded(data).text)
    if encoding in ENCODINGS:
        return codecs.decode(data, encoding, "replace")
    has_mark = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for name, zeros in (("utf-16-le", data[1:400:2]), ("utf-16-be", data[0:400:2])):
        if not has_mark and len(zeros) > 2 and zeros.count(0) > 0.9 * len(zeros):
            return codecs.decode(data, name, "replace")
    return decoded(data).text


def _text(data: str | bytes, encoding: str) -> str:
    if len(data) > MAX_BYTES:
        raise BadInput("file.too_large", limit=MAX_BYTES // 1_000_000)
    text = data if isinstance(data, str) else text_of_file(data, encoding)
    text = text.removeprefix("\ufeff")
    zero = text.find("\0")
    if zero >= 0:
        raise place(BadInput("file.nul"), *_position(text, zero))
    if not text.strip():
        raise BadInput("file.empty", line=1, column=1)
    return text


def _position(text: str, position: int) -> tuple[int, int]:
    """Return line and column of a position, from 1; a position beyond the end is right after it."""
    before = text[:position]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _delimiter(text: str) -> str:
    """Return the delimiter with the most known headings in one line at the top,
    then the most cells in most lines.

    Under "Name" alone the comma of "Alder, Ann" is part of the name.
    """
    lines = [line for line in text[:_LOOKED_AT].splitlines() if line.strip()][:_LINES]
    if kind_of(lines[0]) == "name" and not any(re.search(r"[0-9;\t|]", line) for line in lines):
        return "\t"

    def found(delimiter: str) -> tuple[int, int]:
        known, widths = 0, Counter[int]()
        for line in lines:
            try:
                cells = next(csv.reader([line], delimiter=delimiter))
            except (
                csv.Error,
                StopIteration,
            ):  # a cell that is far too long: another delimiter, or not a list
                continue
            known = max(known, sum(kind_of(cell) is not None for cell in cells[:MAX_COLUMNS]))
            widths[len(cells)] += 1
        return known, widths.most_common(1)[0][0] if widths else 0

    return max(DELIMITERS, key=found)


def _has_rows(cell: str, delimiter: str) -> bool:
    """Return whether *cell* can have swallowed rows between two quotation marks of texts."""
    return delimiter in cell and len(cell.strip().splitlines()) > 1


def _cells(text: str, sheet: Sheet) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) for every line; a quoted cell may span several lines.

    A line with a stray quotation mark is read alone if its cells can be told, else it is named in
    *sheet* as broken: it never swallows those after it. With many such lines it is another kind of
    file.
    """
    lines = list(io.StringIO(text, newline=""))
    width = _width(lines, sheet.delimiter)
    start = 0
    while start < len(lines):
        reader = _reader(lines[start:], sheet.delimiter)
        try:
            line = start + 1
            for cells in reader:
                yield line, cells
                line = start + reader.line_num + 1
            return
        except csv.Error as error:
            alone = lines[line - 1]
            if len(sheet.broken) >= _MOST_BROKEN or len(alone) > _LONGEST:
                raise place(BadInput("csv.broken_cell"), line, 1) from error
        found = whole_line(alone, sheet.delimiter, width)
        if found is None:
            sheet.broken.add(line)
        yield line, found or [cell.strip('" \r\n') for cell in alone.split(sheet.delimiter)]
        start = line


def _width(lines: list[str], delimiter: str) -> int:
    """Return the number of cells of most lines at the top."""
    widths = Counter(line.count(delimiter) + 1 for line in lines[:_LINES] if line.strip())
    return widths.most_common(1)[0][0] if widths else 1


def _reader(lines: list[str], delimiter: str) -> Any:
    return csv.reader(
        iter(lines), delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t"
    )
