"""A list as a table of texts, from whatever file: the limits and places of its cells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from tournaments.core.errors import BadInput

MAX_BYTES: Final = 2_000_000
MAX_ROWS: Final = 5_000
MAX_COLUMNS: Final = 1_000
MAX_LINES: Final = MAX_ROWS + 50
"""Lines that are read: the participants, with the header and the lines above it."""
MAX_SHEETS: Final = 20
BEGINNING: Final = 50
"""Lines that tell whether a sheet is a list."""

_ERROR: Final = re.compile(r"#(?:REF|N/A|VALUE|NAME|DIV/0|NUM|NULL)[!?]?|Err:[0-9]+")


@dataclass(slots=True)
class Sheet:
    """A table: each row has its line in the file, from 1, and its cells as single lines.

    Blank rows are left out. ``name`` is empty for a text file, ``delimiter`` for a spreadsheet.
    ``hidden`` are the lines that a spreadsheet does not show. ``uncalculated`` are the places
    (line, column from 0) of formulas without a stored value and of formulas with an error.
    ``of_lines`` are those of cells over several lines with the delimiter in them, which can be
    other rows. ``broken`` are the lines in which a quotation mark is where it does not belong, so
    that their cells cannot be told. ``problem`` is a limit that the table exceeds.
    """

    name: str = ""
    delimiter: str = ""
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    uncalculated: set[tuple[int, int]] = field(default_factory=set)
    hidden: set[int] = field(default_factory=set)
    of_lines: set[tuple[int, int]] = field(default_factory=set)
    broken: set[int] = field(default_factory=set)
    problem: BadInput | None = None

    def add(self, line: int, cells: Iterable[str]) -> bool:
        """Add a row unless it is blank; return False if a limit is reached."""
        tidy = [" ".join(cell.split()) for cell in cells]
        while tidy and not tidy[-1] and (line, len(tidy) - 1) not in self.uncalculated:
            tidy.pop()
        if not tidy:
            return True
        if len(tidy) > MAX_COLUMNS:
            self.problem = place(
                BadInput("csv.too_many_columns", found=len(tidy), limit=MAX_COLUMNS),
                line,
                MAX_COLUMNS + 1,
                self.name,
            )
        elif len(self.rows) >= MAX_LINES:
            self.problem = place(BadInput("csv.too_many_rows", limit=MAX_ROWS), line, 1, self.name)
        else:
            for number, cell in enumerate(tidy):
                if cell[:1] in ("#", "E") and _ERROR.fullmatch(cell):
                    self.uncalculated.add((line, number))
                    tidy[number] = ""
            self.rows.append((line, tidy))
        return self.problem is None


def place(
    problem: BadInput, line: int | None, column: int | None = None, sheet: str = ""
) -> BadInput:
    """Return *problem* with its *line* and *column* from 1, and the name of a *sheet*."""
    problem.line, problem.column, problem.sheet = line, column, sheet
    return problem


def text_of(value: object) -> str:
    """Return a cell as text: a date as YYYY-MM-DD, and a whole number without decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if hasattr(value, "strftime"):
        return str(value)[:10]
    return str(value)
