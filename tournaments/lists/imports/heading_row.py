"""Find the row of a table that has the headings of its columns."""

from __future__ import annotations

import re
from typing import Final

from pairing.rules.federations import FEDERATIONS
from tournaments.core.cell_texts import says_nothing
from tournaments.entries.headings import kind_of
from tournaments.lists.imports.column_contents import is_mostly
from tournaments.lists.imports.sheets import Sheet

_LOOKED_AT: Final = 20
"""Lines at the top of a table among which the header is searched."""
_MOST_HEADINGS: Final = 100
"""Columns that are looked at to find headings in a language that is not known."""


def has_name_heading(sheet: Sheet) -> bool:
    """Return whether *sheet* has a row of headings with a name column."""
    header = heading_row(sheet)
    return header is not None and bool(
        {"name", "last_name"} & {kind_of(cell) for cell in sheet.rows[header][1]}
    )


def heading_row(sheet: Sheet) -> int | None:
    """Return the index of the row with the most known headings:
    with a name column if there is one, then the first.

    Without one it is the first row of words above columns of numbers: headings in a language that
    is not known.
    """
    best, header = (0, 0), None
    for index, (_, cells) in enumerate(sheet.rows[:_LOOKED_AT]):
        known = [number for number, cell in enumerate(cells) if kind_of(cell) is not None]
        has_name = any(kind_of(cells[number]) in ("name", "last_name") for number in known)
        rank = (has_name, len(known))
        # A title line such as "Club" or a player called Club is not a row of headings.
        alone = len(known) == 1 and sum(map(bool, cells)) > 1 and not has_name
        if known and rank > best and not (alone and not _is_above_numbers(sheet, index)):
            best, header = rank, index
    if header is not None:
        return header
    return next(
        (
            index
            for index in range(min(_LOOKED_AT, len(sheet.rows)))
            if _is_above_numbers(sheet, index)
        ),
        None,
    )


def _is_above_numbers(sheet: Sheet, index: int) -> bool:
    """Return whether the row *index* has two or more words only, and one is above numbers.

    "Név, keresztnév" has to have two of them: "Alder, Ann" can be a player without a rating.
    """
    cells = sheet.rows[index][1]
    words = {number: cell for number, cell in enumerate(cells) if cell}
    if len(words) < 2 or any(
        re.search("[0-9@]", cell) or cell in FEDERATIONS for cell in words.values()
    ):
        return False
    below = [row for _, row in sheet.rows[index + 1 :][:_LOOKED_AT]]
    columns = (
        [row[number] for row in below if number < len(row) and row[number]]
        for number, cell in list(words.items())[:_MOST_HEADINGS]
        if not says_nothing(cell)
    )
    above = sum(
        is_mostly(lambda cell: re.search("[0-9]{2}", cell) is not None, column)
        for column in columns
    )
    return above > any("," in cell for cell in words.values())
