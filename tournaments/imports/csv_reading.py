"""Read a list of participants from CSV: identify the columns and check every cell.

Nothing here uses the database. Every problem has its line and column, and the expected value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.utils.translation import gettext

from pairing.rules.names import fold
from pairing.trf.encoding import decoded
from tournaments.core.errors import BadInput
from tournaments.models import Entry

MAX_BYTES: Final = 2_000_000
MAX_ROWS: Final = 5_000
MAX_COLUMNS: Final = 1_000
MAX_PROBLEMS: Final = 20
MAX_RATING: Final = 4_000
MAX_FIDE_ID: Final = 99_999_999_999

HEADERS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": (
        "name", "nom", "full name", "player", "player name", "participant", "joueur", "nom complet", "nom et prenom",
        "nom prenom", "name of player",
    ),
    "last_name": ("last name", "lastname", "surname", "family name", "nom de famille"),
    "first_name": ("first name", "firstname", "given name", "given names", "forename", "prenom"),
    "fide_rating": (
        "rating", "elo", "rtg", "fide", "fide rating", "rating fide", "elo fide", "fide elo", "rtg fide", "fide rtg",
        "rtgi", "irtg", "eloi", "rtg int", "standard", "std", "std rating", "classement", "classement fide",
        "elo standard",
    ),
    "national_rating": (
        "national", "national rating", "rating national", "nat rating", "nat", "rtg nat", "elo national",
        "classement national", "elo nat", "nro",
        "rtgn", "nrtg", "elon",
    ),
    "title": ("title", "titre", "fide title", "titre fide", "tit"),
    "federation": ("federation", "fed", "fide federation", "country", "pays", "nation"),
    "fide_id": (
        "fide id", "fideid", "id fide", "fide code", "code fide", "fide no", "fide number", "n fide", "no fide",
        "numero fide", "id no", "fin",
    ),
    "sex": ("sex", "gender", "sexe", "genre", "m w", "m f"),
    "birth_date": (
        "birth", "birth date", "birthdate", "birthday", "date of birth", "dob", "born", "birth year", "year of birth",
        "b day", "naissance", "date de naissance", "ne le", "annee de naissance", "ne e le",
    ),
    "club": ("club", "team", "club name", "equipe", "nom du club", "club city"),
}  # fmt: skip
"""Accepted names of columns, without capitals, accents and punctuation; English and French."""

TITLES: Final = {
    **{title.lower(): title for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")},
    "g": "GM",
    "m": "IM",
    "f": "FM",
    "c": "CM",
    "wg": "WGM",
    "wm": "WIM",
    "wf": "WFM",
    "wc": "WCM",
    "gmi": "GM",
    "mi": "IM",
    "mf": "FM",
    "gmf": "WGM",
    "mif": "WIM",
    "mff": "WFM",
    "cmf": "WCM",
}
SEXES: Final = {
    **dict.fromkeys(("m", "h", "male", "man", "homme", "masculin"), "m"),
    **dict.fromkeys(("w", "f", "female", "woman", "femme", "feminin"), "w"),
}
LENGTHS: Final = {"name": 120, "club": 100}


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One participant from the file; ``line`` is its line."""

    line: int
    name: str
    fide_id: int | None = None
    federation: str = ""
    club: str = ""
    sex: str = ""
    title: str = ""
    birth_date: str = ""
    fide_rating: int | None = None
    national_rating: int | None = None
    estimate: int | None = None
    """The rating that a federation or an arbiter estimates for an unrated player."""


@dataclass(slots=True)
class Reading:
    """The result of reading: rows, problems that prevent saving, and remarks that do not."""

    rows: list[ImportRow] = field(default_factory=list)
    problems: list[BadInput] = field(default_factory=list)
    remarks: list[BadInput] = field(default_factory=list)


def read_csv(data: str | bytes) -> Reading:
    """Return the participants in *data*, in any encoding of :func:`decoded`, separated by comma, semicolon or tab.

    Raises :class:`BadInput` if the whole file cannot be read (no column with names, for example); problems of single
    cells are collected.
    """
    text = _text(data)
    delimiter = _delimiter(text)
    lines = _cells(text, delimiter)
    header_line, header = next(lines)
    if len(header) > MAX_COLUMNS:
        raise _problem("csv.too_many_columns", header_line, MAX_COLUMNS + 1, found=len(header), limit=MAX_COLUMNS)
    reading = Reading()
    columns = _columns(header, header_line, reading)
    for line, cells in lines:
        if len(cells) > len(header) and any(cells[len(header) :]):
            reading.problems.append(
                _problem("csv.too_many_cells", line, len(header) + 1, found=len(cells), expected=len(header))
            )
            continue
        row = _row(line, cells, columns, reading)
        if row is not None:
            reading.rows.append(row)
        if len(reading.rows) > MAX_ROWS:
            raise _problem("csv.too_many_rows", line, 1, limit=MAX_ROWS)
        if len(reading.problems) >= MAX_PROBLEMS:
            break
    if not reading.rows and not reading.problems:
        raise _problem("csv.no_rows", header_line + 1, 1)
    return reading


def _text(data: str | bytes) -> str:
    if len(data) > MAX_BYTES:
        raise BadInput("file.too_large", limit=MAX_BYTES // 1_000_000)
    text = data if isinstance(data, str) else decoded(data).text
    text = text.removeprefix("\ufeff")
    zero = text.find("\0")
    if zero >= 0:
        raise _problem("file.nul", *_place(text, zero))
    if not text.strip():
        raise BadInput("file.empty", line=1, column=1)
    return text


def _place(text: str, position: int) -> tuple[int, int]:
    """Return line and column of a position, from 1; a position beyond the end is right after it."""
    before = text[:position]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _delimiter(text: str) -> str:
    """Return the delimiter with which the header has the most known columns, then the most columns."""
    first = next(line for line in text.splitlines() if line.strip())

    def found(delimiter: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([first], delimiter=delimiter))
        except csv.Error:  # a cell that is far too long: another delimiter, or not a list of participants
            return 0, 0
        return sum(_field_called(cell) is not None for cell in cells[:MAX_COLUMNS]), len(cells)

    return max((",", ";", "\t"), key=found)


def _cells(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) for every line that is not blank; a quoted cell may span several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _problem("csv.broken_cell", line, 1) from error
        stripped = [cell.strip() for cell in cells]
        if any(stripped):
            yield line, stripped
        line = reader.line_num + 1


def _columns(header: Sequence[str], line: int, reading: Reading) -> dict[str, int]:
    """Return the column (from 0) of each field. A name column, or last and first name, is required."""
    columns: dict[str, int] = {}
    for place, cell in enumerate(header):
        name = _field_called(cell)
        if name is None:
            if cell:
                reading.remarks.append(_problem("csv.column_ignored", line, place + 1, column_name=cell))
        elif name in columns:
            raise _problem(
                "csv.column_twice", line, place + 1, column_name=cell, first=columns[name] + 1, field_name=_label(name)
            )
        else:
            columns[name] = place
    if "name" in columns and "first_name" in columns and "last_name" not in columns:
        # "Nom;Prénom": here "nom" is the family name.
        columns["last_name"] = columns.pop("name")
    if "name" not in columns and "last_name" not in columns:
        found = ", ".join(cell for cell in header if cell)
        raise _problem("csv.no_name_column", line, 1, found=_shortened(found))
    return columns


def _field_called(header: str) -> str | None:
    words = _plain(header)
    return next((name for name, called in HEADERS.items() if words in called), None)


def _plain(text: str) -> str:
    """Return *text* without capitals, accents and punctuation, with one blank between words."""
    return " ".join(re.sub(r"[^a-z0-9]+", " ", fold(text)).split())


def _row(line: int, cells: Sequence[str], columns: Mapping[str, int], reading: Reading) -> ImportRow | None:
    def cell(name: str) -> str:
        place = columns.get(name)
        return cells[place] if place is not None and place < len(cells) else ""

    problems_before = len(reading.problems)
    values: dict[str, object] = {}
    for name, clean in _CLEANERS.items():
        try:
            values[name] = clean(cell(name), name)
        except BadInput as problem:
            problem.line, problem.column = line, columns[name] + 1
            reading.problems.append(problem)
    _sort_ratings(values, {name: cell(name)[-1:].upper() for name in ("fide_rating", "national_rating")})
    full_name = cell("name")
    if "last_name" in columns:
        full_name = ", ".join(part for part in (cell("last_name"), cell("first_name")) if part)
    name_column = columns["last_name"] if "last_name" in columns else columns["name"]
    if not full_name:
        reading.problems.append(_problem("csv.name_missing", line, name_column + 1))
    elif len(full_name) > LENGTHS["name"]:
        reading.problems.append(
            _problem("csv.too_long", line, name_column + 1, value=_shortened(full_name), limit=LENGTHS["name"])
        )
    if len(reading.problems) > problems_before:
        return None
    return ImportRow(line=line, name=full_name, **values)  # type: ignore[arg-type]  # each cleaner gives its field's type


def _sort_ratings(values: dict[str, object], letters: Mapping[str, str]) -> None:
    """Assign each rating by the letter after it, F for FIDE, N for national, E for an estimate: "1500 F".

    A value in the rating's own column has priority.
    """
    places = {"F": "fide_rating", "N": "national_rating", "E": "estimate"}
    moved = [(places[letter], values.pop(name, None)) for name, letter in letters.items() if letter in places]
    for place, rating in moved:
        values[place] = values.get(place) or rating
    if values.get("fide_rating") or values.get("national_rating"):
        values.pop("estimate", None)


def _whole_number(text: str, name: str, high: int) -> int | None:
    if not text or text in ("-", "—"):
        return None
    if not re.fullmatch(r"[+-]?[0-9]+([.,]0+)?", text):
        raise _problem("csv.not_a_number", value=_shortened(text), field_name=_label(name))
    digits = re.split("[.,]", text)[0]
    # Python refuses to read thousands of digits; no field here has more than eleven.
    number = int(digits) if len(digits) <= 20 else high + 1
    if not 0 <= number <= high:
        raise _problem("csv.number_range", value=_shortened(digits), low=0, high=high, field_name=_label(name))
    return number or None


def _rating(text: str, name: str) -> int | None:
    return _whole_number(re.sub(r"(?<=[0-9])\s*[FNE]$", "", text, flags=re.IGNORECASE), name, MAX_RATING)


def _fide_id(text: str, name: str) -> int | None:
    return _whole_number(text, name, MAX_FIDE_ID)


def _title(text: str, name: str) -> str:
    plain = _plain(text)
    if plain and plain not in TITLES:
        raise _problem("csv.title_unknown", value=_shortened(text))
    return TITLES.get(plain, "")


def _sex(text: str, name: str) -> str:
    plain = _plain(text)
    if plain and plain not in SEXES:
        raise _problem("csv.sex_unknown", value=_shortened(text))
    return SEXES.get(plain, "")


def _federation(text: str, name: str) -> str:
    if text and not re.fullmatch("[A-Za-z]{3}", text):
        raise _problem("csv.federation_unknown", value=_shortened(text))
    return text.upper()


def _club(text: str, name: str) -> str:
    if len(text) > LENGTHS["club"]:
        raise _problem("csv.too_long", value=_shortened(text), limit=LENGTHS["club"])
    return text


def birth_date_of(text: str, name: str) -> str:
    """Return ``YYYY/MM/DD`` as in the TRF; a year alone has 00 for the rest. ``BadInput`` for an invalid date."""
    if not text:
        return ""
    if re.fullmatch(r"(18|19|20)[0-9]{2}", text):
        return f"{text}/00/00"
    year_first = re.fullmatch(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})", text)
    day_first = re.fullmatch(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})", text)
    parts = year_first.groups() if year_first else day_first.groups()[::-1] if day_first else None
    if parts is None:
        raise _problem("csv.birth_unknown", value=_shortened(text))
    year, month, day = map(int, parts)
    try:
        # In the TRF, 00 means that the month or the day is unknown.
        date(year, month or 1, day or 1)
    except ValueError as error:
        raise _problem("csv.birth_unknown", value=_shortened(text)) from error
    return f"{year:04}/{month:02}/{day:02}"


_CLEANERS: Final[Mapping[str, Callable[[str, str], object]]] = {
    "fide_id": _fide_id,
    "federation": _federation,
    "club": _club,
    "sex": _sex,
    "title": _title,
    "birth_date": birth_date_of,
    "fide_rating": _rating,
    "national_rating": _rating,
}


def _label(name: str) -> str:
    """Return the label of the field *name* in the reader's language."""
    match name:
        case "last_name":
            return gettext("last name")
        case "first_name":
            return gettext("first name")
        case _:
            return str(Entry._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"


def _problem(code: str, line: int | None = None, column: int | None = None, **params: object) -> BadInput:
    problem = BadInput(code, line=line, column=column)
    problem.params = params
    return problem
