"""Read a list of participants from any file: a spreadsheet, a text with columns, or a TRF file.

Nothing here uses the database. A row is read or doubtful; a problem of a doubtful row has its
sheet, line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from tournaments.core.cell_texts import shortened
from tournaments.core.errors import BadInput
from tournaments.entries.cells import ImportRow, full_name, read_row, texts_of
from tournaments.entries.totals import is_footer, is_total
from tournaments.lists.imports.column_values import ColumnValues
from tournaments.lists.imports.columns import Columns, match_columns
from tournaments.lists.imports.csv_reading import text_of_file, text_sheet
from tournaments.lists.imports.heading_row import has_name_heading
from tournaments.lists.imports.native_files import refuse_native_file
from tournaments.lists.imports.ods import ods_sheets
from tournaments.lists.imports.sheets import MAX_BYTES, MAX_ROWS, Sheet, place
from tournaments.lists.imports.trf_entries import trf_rows
from tournaments.lists.imports.unpacking import part_names
from tournaments.lists.imports.xlsx import xlsx_sheets

_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = b"PK\x03\x04"
_SHOWN_ROWS: Final = 5


@dataclass(frozen=True, slots=True)
class DoubtfulRow:
    """A row that is not entered: its texts by field, and the reasons."""

    line: int
    values: Mapping[str, str]
    problems: tuple[BadInput, ...]

    @property
    def name(self) -> str:
        return full_name(self.values)


@dataclass(slots=True)
class Reading:
    """The result of reading: rows, doubtful rows, and remarks about the file.

    ``columns`` and ``sheet`` are None for a TRF file, whose columns are fixed.
    """

    rows: list[ImportRow] = field(default_factory=list)
    doubtful: list[DoubtfulRow] = field(default_factory=list)
    remarks: list[BadInput] = field(default_factory=list)
    columns: Columns | None = None
    sheet: Sheet | None = None
    values: ColumnValues | None = None
    source: str = "csv"
    """The kind of file, for the record: csv, sheet or trf."""
    refused: BadInput | None = None
    """Why the table cannot be read as a list; its columns are found, and no rows are read."""

    @property
    def file_remarks(self) -> list[BadInput]:
        """The remarks without those on columns that are not used (:attr:`unused`)."""
        return self.remarks[len(self.columns.unused) if self.columns else 0 :]

    @property
    def unused(self) -> list[tuple[int, str, BadInput]]:
        """Return the columns that are not used: number from 1, heading, and the reason."""
        if self.columns is None:
            return []
        headings = self.columns.headings
        return [
            (number + 1, headings[number] if number < len(headings) else "", reason)
            for number, reason in self.columns.unused.items()
        ]

    def require_ratings_known(self) -> None:
        """Raise :class:`BadInput` for a column that could have FIDE ratings.

        A program has to say what it contains.
        """
        for number, _heading, reason in self.unused:
            if reason.code == "csv.column_asks" and "fide_rating" in str(reason.params["fields"]):
                column_name, one, other = (
                    reason.params[name] for name in ("column_name", "one", "other")
                )
                unknown = BadInput(
                    "csv.column_not_chosen", column_name=column_name, one=one, other=other
                )
                raise place(unknown, reason.line, number, reason.sheet)

    @property
    def sample(self) -> list[list[str]]:
        """Return the cells of the first participants, each row as long as the table is wide."""
        assert self.columns is not None
        assert self.sheet is not None
        width, first = self.columns.width, self.columns.first
        return [
            (cells + [""] * width)[:width]
            for _, cells in self.sheet.rows[first : first + _SHOWN_ROWS]
        ]


def read_list(
    data: str | bytes,
    *,
    chosen: Mapping[int, str] | None = None,
    encoding: str = "",
    dates: str = "",
    has_sections: bool = False,
) -> Reading:
    """Return the participants in *data*; :class:`BadInput` as :func:`read_table`."""
    reading = read_table(
        data, chosen=chosen, encoding=encoding, dates=dates, has_sections=has_sections
    )
    if reading.refused is not None:
        raise reading.refused
    return reading


def read_table(
    data: str | bytes,
    *,
    chosen: Mapping[int, str] | None = None,
    encoding: str = "",
    dates: str = "",
    has_sections: bool = False,
) -> Reading:
    """Return the participants in *data*. *chosen* are the fields of its
    columns if the arbiter has corrected them.

    *dates* is the first part of dates such as 05/12/2010, ``day`` or ``month``; empty: as the
    column shows it. With *has_sections* a column can name the section of each player: the list is
    for an event. A table without a column of names, or that is not a list for another reason, has
    no rows: ``refused`` says why, and the arbiter can choose the columns. Raises :class:`BadInput`
    if it is not even a table: a damaged file, a file of another kind.
    """
    refuse_native_file(data.encode() if isinstance(data, str) else data, is_list=True)
    if len(data) > MAX_BYTES:
        raise BadInput("file.too_large", limit=MAX_BYTES // 1_000_000)
    if isinstance(data, bytes) and is_spreadsheet(data):
        sheet, others = _list_of(_sheets(data))
        reading = _table(sheet, chosen, dates, has_sections=has_sections)
        reading.source = "sheet"
        if others:
            reading.remarks.append(
                BadInput("csv.other_sheets", name=sheet.name, others=", ".join(others))
            )
        return reading
    # A TRF file begins with a record of three digits and a blank, or a remark.
    text = data if isinstance(data, str) else text_of_file(data, encoding)
    if re.match(r"\ufeff?(?:[0-9]{3} |XX[A-Z] |###)", text):
        return _checked(*trf_rows(text.encode() if isinstance(data, str) or encoding else data))
    return _table(text_sheet(data, encoding), chosen, dates, has_sections=has_sections)


def is_spreadsheet(data: bytes) -> bool:
    """Return whether *data* is a file of a spreadsheet program, and not a text."""
    return data.startswith((_ZIP, _OLD_OFFICE))


def _sheets(data: bytes) -> Iterator[Sheet]:
    if data.startswith(_OLD_OFFICE):
        raise BadInput("file.sheet_old")
    names = part_names(data)
    if "[Content_Types].xml" in names and any(name.lower().startswith("xl/") for name in names):
        return xlsx_sheets(data, has_name_heading)
    if "content.xml" in names:
        return ods_sheets(data, has_name_heading)
    raise BadInput("file.not_a_sheet")


def _list_of(sheets: Iterator[Sheet]) -> tuple[Sheet, list[str]]:
    """Return the first sheet with a name column, and the names of the other such sheets.

    Without one: the first sheet with any cell.
    """
    fallback: Sheet | None = None
    for sheet in sheets:
        if has_name_heading(sheet):
            return sheet, _other_lists(sheets)
        if fallback is None and (sheet.rows or sheet.problem):
            fallback = sheet
    if fallback is None:
        raise BadInput("file.empty")
    return fallback, []


def _other_lists(sheets: Iterator[Sheet]) -> list[str]:
    """Return the names of the *sheets* that have players too, up to one that cannot be read."""
    names: list[str] = []
    with suppress(BadInput):
        names.extend(
            shortened(sheet.name)
            for sheet in sheets
            if len(sheet.rows) > 1 and has_name_heading(sheet)
        )
    return names


def _table(
    sheet: Sheet, chosen: Mapping[int, str] | None, dates: str, *, has_sections: bool
) -> Reading:
    columns = match_columns(sheet, chosen, has_sections=has_sections)
    reading = Reading(
        columns=columns, sheet=sheet, values=ColumnValues.from_sheet(sheet, columns, dates)
    )
    header_line = sheet.rows[columns.header][0] if columns.header is not None else 0
    for number, reason in columns.unused.items():
        reading.remarks.append(place(reason, header_line or None, number + 1, sheet.name))
    for one, other in columns.exchanged:
        exchanged = BadInput(
            "csv.columns_exchanged", one=columns.headings[one], other=columns.headings[other]
        )
        reading.remarks.append(place(exchanged, header_line, one + 1, sheet.name))
    if columns.assumed is not None:
        heading = (
            columns.headings[columns.assumed] if columns.assumed < len(columns.headings) else ""
        )
        assumed = BadInput(
            "csv.rating_assumed", column_name=shortened(heading or str(columns.assumed + 1))
        )
        reading.remarks.append(place(assumed, header_line or None, columns.assumed + 1, sheet.name))
    for line, number in sorted(sheet.of_lines):
        if line <= header_line:
            reading.remarks.append(
                place(BadInput("csv.cell_of_lines"), line, number + 1, sheet.name)
            )
    reading.refused = sheet.problem or _without_name(sheet, columns)
    if reading.refused is None and columns.header is not None and header_line in sheet.broken:
        reading.refused = place(BadInput("csv.broken_cell"), header_line, 1, sheet.name)
    for line, cells in sheet.rows[columns.first :] if reading.refused is None else ():
        if is_footer(cells):
            continue
        _read(line, cells, columns, reading)
        if len(reading.rows) + len(reading.doubtful) > MAX_ROWS:
            reading.refused = place(
                BadInput("csv.too_many_rows", limit=MAX_ROWS), line, 1, sheet.name
            )
            break
    if reading.refused is None and not reading.rows and not reading.doubtful:
        reading.refused = place(BadInput("csv.no_rows"), header_line + 1, 1, sheet.name)
    if reading.refused is not None:
        reading.rows.clear()
        reading.doubtful.clear()
    return reading


def _without_name(sheet: Sheet, columns: Columns) -> BadInput | None:
    if columns.has_name or not sheet.rows:
        return None
    line = sheet.rows[columns.header or 0][0]
    found = ", ".join(cell for cell in columns.headings or sheet.rows[0][1] if cell)
    return place(BadInput("csv.no_name_column", found=shortened(found)), line, 1, sheet.name)


def _read(line: int, cells: list[str], columns: Columns, reading: Reading) -> None:
    """Add the row of *cells* to *reading*: to its rows, or with problems to its doubtful rows."""
    sheet = reading.sheet
    assert sheet is not None
    assert reading.values is not None
    values = {
        name: cells[number] if number < len(cells) else ""
        for name, number in columns.places.items()
    }
    problems = reading.values.read(values)
    row, found = read_row(values, line=line)
    problems += found
    for name, number in columns.places.items():
        if (line, number) in sheet.uncalculated:
            problems.append(BadInput("csv.uncalculated", field=name))
    for problem in problems:
        place(problem, line, columns.places.get(problem.field, 0) + 1, sheet.name)
    if is_total(values):
        problems.append(place(BadInput("csv.total", field="name"), line, 1, sheet.name))
    for number in (number for number in range(len(cells)) if (line, number) in sheet.of_lines):
        problems.append(
            place(BadInput("csv.cell_of_lines", field="name"), line, number + 1, sheet.name)
        )
    if line in sheet.broken:
        problems.append(place(BadInput("csv.broken_cell", field="name"), line, 1, sheet.name))
    if line in sheet.hidden:
        problems.append(place(BadInput("csv.row_hidden", field="name"), line, 1, sheet.name))
    width = len(columns.headings)
    if columns.header is not None and len(cells) > width:
        wide = BadInput("csv.too_many_cells", found=len(cells), expected=width)
        problems.append(place(wide, line, width + 1, sheet.name))
    if row is None or problems:
        problems.sort(key=lambda problem: problem.column or 0)
        reading.doubtful.append(DoubtfulRow(line, _one_name(values), tuple(problems)))
    else:
        reading.rows.append(row)


def _one_name(values: Mapping[str, str]) -> dict[str, str]:
    """Return *values* without empty ones, with last and first name as one text."""
    name = {"name": full_name(values)}
    return {
        key: text
        for key, text in (name | dict(values)).items()
        if text and key not in ("last_name", "first_name")
    }


def _checked(rows: list[ImportRow], remarks: list[BadInput]) -> Reading:
    """Return *rows* of a TRF file checked like the rows of other files."""
    reading = Reading(source="trf", remarks=remarks)
    for row in rows:
        texts = texts_of(row)
        read, problems = read_row(texts, line=row.line)
        if read is None:
            for problem in problems:
                problem.line = row.line
            reading.doubtful.append(DoubtfulRow(row.line, texts, tuple(problems)))
        else:
            reading.rows.append(read)
    return reading
