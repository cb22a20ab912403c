"""Read the rating list of a federation from CSV; the columns are found by their headings."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from pairing.rules.names import fold
from tournaments.core.errors import BadInput
from tournaments.rating_lists.rows import Faults, Row, row_of

LONGEST: Final = 4_000

HEADINGS: Final[dict[str, tuple[str, ...]]] = {
    "name": ("name", "nom", "full name", "player", "joueur", "nom complet", "nom prenom", "nom et prenom"),
    "last_name": ("last name", "lastname", "surname", "family name", "nom de famille"),
    "first_name": ("first name", "firstname", "given name", "prenom"),
    "fide_id": ("fide id", "fideid", "id fide", "code fide", "fide code", "fide no", "fide number"),
    "national_id": (
        "code", "id", "national id", "id national", "nrffe", "nr ffe", "licence", "license", "code ffe", "number",
        "numero", "no",
    ),
    "federation": ("federation", "fed", "country", "pays", "nation"),
    "sex": ("sex", "sexe", "gender", "genre"),
    "title": ("title", "titre", "fide title", "titre fide"),
    "birth": (
        "birth", "birthday", "birth date", "date of birth", "born", "birth year", "year of birth", "naissance",
        "date de naissance", "ne le", "annee de naissance", "ne", "nee", "ne e", "ne e le",
    ),
    "club": ("club", "team", "club name", "nom du club", "equipe"),
    "standard": (
        "rating", "elo", "standard", "std", "national", "national rating", "elo national", "elo standard", "elo lent",
        "classement", "rtg nat",
    ),
    "rapid": ("rapid", "rapide", "elo rapide", "rapid rating", "elo rapid"),
    "blitz": ("blitz", "elo blitz", "blitz rating"),
}  # fmt: skip
"""Accepted headings without capitals, accents and punctuation; English and French."""


def read_national(stream: BinaryIO, faults: Faults) -> Iterator[Row]:
    """Yield the players of *stream*. A name and a rating column are needed; separators: comma, semicolon or tab.

    ``BadInput`` with the line if the headings are not found, or if the last line is cut off.
    """
    lines = _Lines(stream)
    head = next(lines, "")
    delimiter = max((";", "\t", ","), key=head.count)
    columns = _columns(next(csv.reader([head], delimiter=delimiter)))
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) < len(columns) and lines.cut_off:
                raise BadInput("rating_list.cut_off", line=lines.number)
            values = {name: cell.strip() for name, cell in zip(columns, cells, strict=False) if name}
            if "last_name" in values:
                values["name"] = ", ".join(filter(None, (values["last_name"], values.get("first_name", ""))))
            # Some federations write the letter of the source after a rating: 1500 F.
            for rate in ("standard", "rapid", "blitz"):
                values[rate] = re.sub(r"\s*[A-Za-z]$", "", values.get(rate, ""))
            try:
                yield row_of(values, lines.number)
            except BadInput as fault:
                faults.add(fault)
    except csv.Error as error:
        raise BadInput("csv.broken_cell", line=lines.number) from error


class _Lines:
    """The lines of a file as text, with the number of the last one; ``cut_off`` if that has no end of line."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.number = 0
        self.cut_off = False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        data = self.stream.readline(LONGEST + 1)
        if not data:
            raise StopIteration
        self.number += 1
        if len(data) > LONGEST:
            raise BadInput("rating_list.too_long", line=self.number)
        self.cut_off = not data.endswith(b"\n")
        if b"\0" in data:
            raise BadInput("file.nul", line=self.number)
        try:
            return data.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            return data.decode("cp1252", errors="replace")


def _columns(head: list[str]) -> list[str]:
    """Return the field of each column, empty for one that is not used."""
    plain = [" ".join(re.sub(r"[^a-z0-9]+", " ", fold(cell)).split()) for cell in head]
    columns = [next((name for name, known in HEADINGS.items() if cell in known), "") for cell in plain]
    for place, name in enumerate(columns):
        if name and name in columns[:place]:
            columns[place] = ""
    if "name" in columns and "first_name" in columns and "last_name" not in columns:
        columns[columns.index("name")] = "last_name"
    if not {"name", "last_name"} & set(columns):
        raise BadInput("csv.no_name_column", line=1, column=1, found=", ".join(filter(None, head))[:60])
    if not {"standard", "rapid", "blitz"} & set(columns):
        raise BadInput("rating_list.no_ratings", line=1, found=", ".join(filter(None, head))[:60])
    return columns
