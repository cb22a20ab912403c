"""Read the rating list of a federation from CSV; the columns are found by their headings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import BinaryIO, Final

from pairing.rules.federations import FEDERATIONS
from tournaments.core.birth_dates import birth_date_of, has_two_readings, order_of
from tournaments.core.cell_texts import plain, says_nothing, without_quotes
from tournaments.core.errors import BadInput
from tournaments.entries.cells import SEXES, rating_number
from tournaments.entries.federations import are_regions, read_as
from tournaments.entries.fixed_columns import HEADINGS, fixed_cells, has_fixed_columns
from tournaments.entries.headings import is_next_to_fide, kind_of, language_of, merged
from tournaments.entries.totals import is_total
from tournaments.lists.rating_lists.lines import Lines, cells_of
from tournaments.lists.rating_lists.rows import Faults, Row, row_of

_LOOKED_AT: Final = 300
"""Lines that show where the headings are and in which order the dates have day and month."""
_TITLES: Final = 20
"""Lines at the top among which the headings are searched."""
_RATES: Final = ("standard", "rapid", "blitz")
_FIELDS: Final = {
    "name": ("name",),
    "last_name": ("last_name",),
    "first_name": ("first_name",),
    "fide_id": ("fide_id",),
    # The first kind of these that the list has; a list of a federation has its own numbers under
    # any of them.
    "national_id": ("national_id", "id", "code", "rank"),
    "federation": ("federation",),
    "sex": ("sex",),
    "title": ("title",),
    "women_title": ("women_title",),
    "birth": ("birth_date",),
    "club": ("club",),
    "standard": ("national_rating", "rating"),
    "rapid": ("rapid",),
    "blitz": ("blitz",),
}
"""By field of a row the kinds of columns that have it (:mod:`tournaments.entries.headings`)."""
_FIXED: Final = {
    "ID": "national_id",
    "Name": "name",
    "Title": "title",
    "Fed": "federation",
    "Rating": "standard",
    "Games": "",
    "Born": "birth",
    "Sex": "sex",
    "Club": "club",
}
"""By heading of a list with fixed columns the field of a row."""


def read_national(stream: BinaryIO, faults: Faults) -> Iterator[Row]:
    """Yield the players of *stream*. A name and a rating column are needed; separators:
    comma, semicolon or tab.

    Lines above the headings are left out. ``BadInput`` with the line if the headings are not found,
    or if the last line is cut off.
    """
    lines = Lines(stream)
    faults.assumed = lines.find_encoding(_LOOKED_AT)
    ahead = lines.look_ahead(_LOOKED_AT)
    if has_fixed_columns(ahead[:_TITLES]):
        yield from _fixed(lines, faults)
        return
    delimiter, above = _head(ahead)
    head = cells_of(ahead[above], delimiter) if ahead else []
    rows = [cells_of(line, delimiter) for line in ahead[above + 1 :]]
    if rows and (whole := merged(head, rows[0])) is not None:
        head, rows, above = whole, rows[1:], above + 1
    for _ in range(above + 1):
        next(lines, "")
    columns = _columns(head, rows)
    _leave_out_regions(columns, ahead[above:], delimiter)
    order = _order(ahead[above:], columns, delimiter)
    width = _width(len(columns), ahead[above + 1 :], delimiter)
    for number, cells in lines.filled(delimiter, len(columns), width):
        try:
            yield _row(columns, cells, number, width=width, order=order)
        except BadInput as fault:
            faults.add(fault)


def _fixed(lines: Lines, faults: Faults) -> Iterator[Row]:
    """Yield the players of a list without headings whose columns have fixed places."""
    columns = [_FIXED[heading] for heading in HEADINGS]
    for line in lines:
        cells = fixed_cells(line)
        if not line.strip():
            continue
        try:
            if cells is None:
                raise BadInput("rating_list.no_columns", line=lines.number)
            yield _row(columns, cells, lines.number, width=len(columns), order="")
        except BadInput as fault:
            faults.add(fault)


def _row(
    columns: list[str], cells: list[str] | None, number: int, *, width: int, order: str
) -> Row:
    """Return the player in *cells*, None for a line with a stray quotation mark;
    ``BadInput`` for cells without a player.
    """
    if cells is None:
        raise BadInput("csv.broken_cell", line=number)
    if any(cells[width:]):
        raise BadInput(
            "csv.too_many_cells", line=number, column=width + 1, found=len(cells), expected=width
        )
    values = {name: cell.strip() for name, cell in zip(columns, cells, strict=False) if name}
    _tidy(values, order)
    known = values.get("birth", "") or values.get("national_id", "")
    if is_total(
        {"name": values.get("name", ""), "fide_id": values["fide_id"], "birth_date": known}
    ):
        raise BadInput("csv.total", line=number)
    return row_of(values, number)


def _width(width: int, lines: Sequence[str], delimiter: str) -> int:
    """Return the number of cells of a line: *width*, or more if half of
    *lines* or more have more than the headings.
    """
    widths = sorted(len(cells_of(line, delimiter)) for line in lines)
    return max(width, widths[len(widths) // 2]) if widths else width


def _tidy(values: dict[str, str], order: str) -> None:
    """Rewrite *values* for :func:`row_of`: one name, plain numbers, dates with the year first."""
    if "last_name" in values:
        values["name"] = ", ".join(
            filter(None, (values["last_name"], values.get("first_name", "")))
        )
    for rate in _RATES:
        # Some federations write the letter of the source after a rating: 1500 F.
        _replace(
            values, rate, lambda text: str(rating_number(text.rstrip("?*"), "fide_rating") or "")
        )
    if says_nothing(fide_id := without_quotes(values.get("fide_id", ""))):
        fide_id = ""
    values["fide_id"] = fide_id
    values["sex"] = SEXES.get(plain(values.get("sex", "")), values.get("sex", ""))
    federation = values.get("federation", "").upper()
    values["federation"] = federation if federation in FEDERATIONS else read_as(federation)
    born = values.get("birth", "")
    if not order and has_two_readings(born):
        # Day and month are not certain, but the year is right in either order.
        values["birth"] = birth[:4] if (birth := _date(born, "day")) else ""
    elif len(born) != 4:
        values["birth"] = _date(born, order or "day")


def _date(text: str, order: str) -> str:
    try:
        return birth_date_of(text, "birth_date", order).removesuffix("/00/00")
    except BadInput:
        return ""


def _replace(values: dict[str, str], name: str, read: Callable[[str], str]) -> None:
    # An unreadable value stays, and the row says so.
    with suppress(BadInput):
        values[name] = read(values.get(name, ""))


def _head(lines: Sequence[str]) -> tuple[str, int]:
    """Return the delimiter, and how many lines stand above the headings."""
    best, known, delimiter = 0, 0, ";"
    for number, line in enumerate(lines[:_TITLES]):
        own = max((";", "\t", ","), key=line.count)
        kinds = {kind_of(cell) for cell in cells_of(line, own)} - {None}
        if (count := len(kinds)) > known:
            best, known, delimiter = number, count, own
    if not known and lines:
        delimiter = max((";", "\t", ","), key=lines[0].count)
    return delimiter, best


def _columns(head: list[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the field of each column, or empty; *rows* show what "FIDE" means."""
    kinds = ["code" if plain(cell) == "code" else kind_of(cell) for cell in head]
    if "fide" in kinds and "fide_id" not in kinds:
        place = kinds.index("fide")
        numbers = [cell for cell in _column(rows, place) if cell.strip("0- ")]
        if numbers and all(len(each) > 4 and each.isdecimal() for each in numbers):
            kinds[place] = "fide_id"
    for place, kind in enumerate(kinds):
        if (
            kind == "rank"
            and is_next_to_fide(kinds, place, _column(rows, place))
            and "fide_id" not in kinds
        ):
            kinds[place] = "fide_id"
    columns = [""] * len(head)
    for name, wanted in _FIELDS.items():
        found = next((kinds.index(kind) for kind in wanted if kind in kinds), None)
        if found is not None:
            columns[found] = name
    if "name" in columns and "first_name" in columns and "last_name" not in columns:
        columns[columns.index("name")] = "last_name"
    if "name" in columns and "last_name" in columns:
        other = "first_name" if "first_name" not in columns else ""
        columns[columns.index("name")] = other
    if not {"name", "last_name"} & set(columns):
        raise BadInput(
            "csv.no_name_column", line=1, column=1, found=", ".join(filter(None, head))[:60]
        )
    if not set(_RATES) & set(columns):
        raise BadInput("rating_list.no_ratings", line=1, found=", ".join(filter(None, head))[:60])
    return columns


def _column(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    """Return the cells of the column *place*; shorter rows have none."""
    return [cells[place] for cells in rows if place < len(cells)]


def _leave_out_regions(columns: list[str], lines: Sequence[str], delimiter: str) -> None:
    """Take the field from a column of regions' codes; the first of *lines* has headings."""
    if "federation" in columns:
        place = columns.index("federation")
        rows = [cells_of(line, delimiter) for line in lines[1:]]
        codes = [code for cell in _column(rows, place) if (code := cell.strip())]
        if are_regions(
            codes, is_national=True, language=language_of(cells_of(lines[0], delimiter))
        ):
            columns[place] = ""


def _order(lines: Sequence[str], columns: list[str], delimiter: str) -> str:
    """Return what is first in dates of birth, ``day`` or ``month``; empty if undecided."""
    if "birth" not in columns or not lines:
        return "day"
    place = columns.index("birth")
    rows = [cells_of(line, delimiter) for line in lines[1:]]
    born = [cells[place].strip() for cells in rows if place < len(cells)]
    is_european = delimiter == ";" or language_of(cells_of(lines[0], delimiter)) not in ("", "en")
    return order_of(born, day_first=is_european)
