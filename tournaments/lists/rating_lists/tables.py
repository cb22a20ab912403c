"""Workbooks and dBASE files as lines with semicolons, so that one reader reads every list."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, BinaryIO, Final
from zipfile import ZipFile

from openpyxl import DEFUSEDXML, load_workbook

from tournaments.core.dbf import read_records
from tournaments.core.errors import BadInput
from tournaments.entries.headings import kind_of
from tournaments.lists.imports.sheets import MAX_SHEETS, text_of

if not DEFUSEDXML:  # pragma: no cover
    raise ImportError("openpyxl must read XML with defusedxml")

MAX_WORKBOOK: Final = 64_000_000
MAX_UNPACKED: Final = 300_000_000
MAX_COLUMNS: Final = 100
MAX_ROWS: Final = 1_048_576
"""The rows of a sheet in Excel: openpyxl makes every blank row before a far cell."""
TOP: Final = 20
"""Rows at the top of a sheet among which the headings are."""


class Written:
    """A stream of *rows* as lines of text in UTF-8; only ``readline`` is there."""

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        self._lines = self._written(rows)
        self._ahead: list[bytes] = []

    def look_ahead(self, most: int) -> list[str]:
        """Return the first *most* lines, which are still to be read."""
        self._ahead = list(islice(self._lines, most))
        return [line.decode() for line in self._ahead]

    def readline(self, size: int = -1) -> bytes:
        """Return the next line, empty at the end; *size* is not looked at: cells are short."""
        return self._ahead.pop(0) if self._ahead else next(self._lines, b"")

    @staticmethod
    def _written(rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
        for row in rows:
            text = StringIO()
            csv.writer(text, delimiter=";", lineterminator="\n").writerow(
                [" ".join(cell.split()) for cell in row]
            )
            yield text.getvalue().encode()


def rows_of_dbf(stream: BinaryIO) -> Iterator[list[str]]:
    """Yield the names of the fields, then the cells of each record that is not deleted."""
    head, records = read_records(stream)
    yield head
    yield from records


def rows_of_xlsx(stream: BinaryIO) -> Iterator[list[str]]:
    """Yield the rows of the sheet with the most headings of a list of players.

    Rows are read one after the other; memory has the texts of the workbook. ``BadInput`` if the
    workbook is broken or too large.
    """
    data = stream.read(MAX_WORKBOOK + 1)
    _require_unpackable(data)
    try:
        with closing(
            load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        ) as book:
            sheets = book.worksheets[:MAX_SHEETS]
            best = max(sheets, key=lambda sheet: _headings_in(_rows(sheet, TOP)), default=None)
            if best is not None:
                yield from _rows(best, MAX_ROWS)
    except BadInput:
        raise
    except Exception as error:  # a damaged file ends in any exception of the reader
        raise BadInput("file.sheet_broken") from error


def _require_unpackable(data: bytes) -> None:
    """Raise ``BadInput`` unless the workbook *data* unpacks to a size that can be read.

    The archive never gives more of a part than its directory says.
    """
    if len(data) > MAX_WORKBOOK:
        raise BadInput("rating_list.too_large", limit=MAX_WORKBOOK // 1_000_000)
    with ZipFile(BytesIO(data)) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > MAX_UNPACKED:
        raise BadInput("rating_list.too_large", limit=MAX_UNPACKED // 1_000_000)


def _rows(sheet: Any, most: int) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # the size that the file declares can be anything
    for row in sheet.iter_rows(max_row=most, max_col=MAX_COLUMNS, values_only=True):
        yield [text_of(cell) for cell in row]


def _headings_in(rows: Iterable[Sequence[str]]) -> int:
    return max((sum(kind_of(cell) is not None for cell in row) for row in rows), default=0)
