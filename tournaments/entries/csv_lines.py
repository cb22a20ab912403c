"""Single lines of a list with delimiters, if a quotation mark is where it does not belong."""

from __future__ import annotations

import csv


def whole_line(line: str, delimiter: str, width: int) -> list[str] | None:
    """Return the cells of *line*; None if a quotation mark in it is stray,
    so that no cell can be told from the next.

    Names such as ``"Bo" Birch`` are read: no cell of such a line has the *delimiter* in it. So is
    one cell with a mark too many, such as ``"Toronto""``, if the line has as many cells as the
    headings, *width*.
    """
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        plain_cells = line.rstrip("\r\n").split(delimiter)
        odd = [cell for cell in plain_cells if cell.count('"') % 2]
        if len(plain_cells) != width or len(odd) > 1 or not all(map(_is_enclosed, odd)):
            return None
        return [
            cell[1:-1].strip('"') if odd and _is_enclosed(cell) else cell for cell in plain_cells
        ]
    has_swallowed = len(cells) < width and any(delimiter in cell and '"' in cell for cell in cells)
    return None if has_swallowed else cells


def _is_enclosed(cell: str) -> bool:
    return len(cell) > 3 and cell.startswith('"') and cell.endswith('"')
