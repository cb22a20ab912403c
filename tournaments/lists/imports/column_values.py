"""Read the cells of a column in one way: dates, letters of sexes, kinds of ratings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.core.birth_dates import birth_date_of, has_two_readings, order_of
from tournaments.core.cell_texts import plain, shortened
from tournaments.core.errors import BadInput
from tournaments.entries.cells import TITLES
from tournaments.lists.imports.columns import Columns
from tournaments.lists.imports.sheets import Sheet

_DAY_FIRST: Final = frozenset({"fr", "de", "es", "it", "nl", "pt", "pl"})
"""Languages in whose countries the day stands before the month."""


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """How the cells of some columns are read.

    ``dates`` is the first part of dates; empty if nothing decides it.
    """

    dates: str
    sexes: Mapping[str, str]
    asks_dates: bool
    """Whether the column has dates with two readings, so that the arbiter may choose."""
    no_titles: frozenset[str] = frozenset()
    """Letters that the column of titles does not mean as such:
    M and F beside GM can be the sexes.
    """

    @classmethod
    def from_sheet(cls, sheet: Sheet, columns: Columns, chosen: str = "") -> ColumnValues:
        """Return how to read *sheet*; *chosen*: the order of dates by the arbiter, or empty."""
        born = _cells(sheet, columns, "birth_date")
        # A semicolon says nothing about dates: programs in every country write it.
        day_first = columns.language in _DAY_FIRST
        return cls(
            dates=chosen or order_of(born, day_first=day_first),
            sexes=sexes_of(_cells(sheet, columns, "sex"), columns.language),
            asks_dates=any(map(has_two_readings, born)),
            no_titles=_no_titles(_cells(sheet, columns, "title")),
        )

    def read(self, values: dict[str, str]) -> list[BadInput]:
        """Rewrite *values* of a row so that each cell can be read alone.

        Return the problems of cells for which that is impossible.
        """
        if sex := self.sexes.get(plain(values.get("sex", ""))):
            values["sex"] = sex
        kind = values.pop("rating_type", "").strip().upper()
        if kind[:1] in ("F", "N", "E") and re.fullmatch("[0-9]+", values.get("fide_rating", "")):
            values["fide_rating"] += f" {kind[:1]}"
        problems = []
        title = values.get("title", "")
        if plain(title) in self.no_titles:
            problems.append(BadInput("csv.title_or_sex", field="title", value=shortened(title)))
        text = values.get("birth_date", "")
        if self.dates != "day" and has_two_readings(text):
            if not self.dates:
                day, month = (birth_or_text(text, order) for order in ("day", "month"))
                shown = shortened(text)
                problems.append(
                    BadInput(
                        "csv.birth_order", field="birth_date", value=shown, one=day, other=month
                    )
                )
            else:
                values["birth_date"] = birth_or_text(text, "month")
        return problems


def birth_or_text(text: str, order: str) -> str:
    """Return the date in *text* as ``YYYY-MM-DD``, day or month first; *text* if it is none."""
    try:
        return birth_date_of(text, "birth_date", order).replace("/", "-")
    except BadInput:
        return text


def sexes_of(cells: Collection[str], language: str) -> dict[str, str]:
    """Return what the letters of a column mean that have other meanings elsewhere.

    M beside H is a woman (Spanish), V beside M a woman (Dutch) or a man (Spanish), beside S a man
    (Latvian). In L and P alone P is a woman (Indonesian).
    """
    letters = {plain(cell) for cell in cells} - {""}
    if letters == {"h", "m"}:
        return {"h": "m", "m": "w"}
    if "v" in letters and "m" in letters and not letters & {"w", "f"}:
        return {"v": "m", "m": "w"} if language == "es" else {"v": "w", "m": "m"}
    if "v" in letters and "s" in letters:
        return {"v": "m", "s": "w"}
    if letters and letters <= {"l", "p"}:
        return {"l": "m", "p": "w"}
    return {"v": "w"} if language == "nl" else {}


def _no_titles(cells: Collection[str]) -> frozenset[str]:
    """Return the letters of a column of whole titles that cannot be titles there:
    in M, F, G or C alone they are.
    """
    titles = {plain(cell) for cell in cells} & TITLES.keys()
    if not any(title.upper() == TITLES[title] for title in titles) or titles & {
        "g",
        "c",
        "wg",
        "wm",
        "wf",
        "wc",
    }:
        return frozenset()
    return frozenset({"m", "f"})


def _cells(sheet: Sheet, columns: Columns, name: str) -> Sequence[str]:
    number = columns.places.get(name)
    if number is None:
        return ()
    return [
        cells[number]
        for _, cells in sheet.rows[columns.first :]
        if number < len(cells) and cells[number]
    ]
