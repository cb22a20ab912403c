"""Lists of fixed places without headings, as in FIDE's old text: the Irish list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

HEADINGS: Final = ("ID", "Name", "Title", "Fed", "Rating", "Games", "Born", "Sex", "Club")
"""What the cells of :func:`fixed_cells` contain."""
_LINE: Final = re.compile(
    r"\s{0,9}(?P<id>\d{3,9})\s{1,12}(?P<name>[^\s\d][^\d]{0,60}?)\s{2,40}(?:(?P<title>w?[gmfc]|W?GM|W?IM|W?FM|W?CM)\s+)?"
    r"(?P<fed>[A-Z]{3})(?P<numbers>(?:\s{1,12}\d{1,4}){0,3})(?P<rest>\s.{0,60}|)",
    re.ASCII,
)
_MOST: Final = 0.8
_LETTERS_OF_FLAG: Final = 3


def has_fixed_columns(lines: Sequence[str]) -> bool:
    """Return whether most of *lines*, those at the top of a file, are such players."""
    filled = [line for line in lines if line.strip()]
    return bool(filled) and sum(fixed_cells(line) is not None for line in filled) >= _MOST * len(
        filled
    )


def fixed_cells(line: str) -> list[str] | None:
    """Return the cells of *line* as :data:`HEADINGS` calls them; None for any other line.

    After the federation stand rating, games and year of birth, then a flag with ``w`` for a woman,
    then the club. One number alone is the rating; without games the last of two is the year.
    """
    found = _LINE.fullmatch(_ascii_blanks(line.rstrip()))
    if found is None:
        return None
    numbers = found["numbers"].split()
    born = numbers.pop() if len(numbers) > 1 and len(numbers[-1]) == 4 else ""
    rating, games = (*numbers, "", "")[:2]
    flag, _, club = found["rest"].strip().partition(" ")
    if len(flag) > _LETTERS_OF_FLAG:
        flag, club = "", f"{flag} {club}".strip()
    sex = "w" if "w" in flag else ""
    name = " ".join(found["name"].split())
    return [
        found["id"],
        name,
        found["title"] or "",
        found["fed"],
        rating,
        games,
        born,
        sex,
        club.strip(),
    ]


def _ascii_blanks(line: str) -> str:
    return line.replace("\xa0", " ")
