"""Find out what the columns of a list contain: by their headings, else by their cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from tournaments.core.errors import BadInput
from tournaments.entries.cells import SEXES, TITLES, birth_date_of, label, plain, shortened
from tournaments.entries.federations import FEDERATIONS
from tournaments.imports.sheets import Sheet, place

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
        "b day", "naissance", "date de naissance", "ne le", "annee de naissance", "ne e le", "ne", "nee", "ne e",
    ),
    "club": ("club", "team", "club name", "equipe", "nom du club", "club city"),
    "initials": (
        "initials", "initials only", "only initials", "initiales", "initiales seulement", "anonymous", "anonyme",
    ),
    "phone": (
        "phone", "phone number", "telephone", "telephone number", "tel", "no tel", "n tel", "n de telephone",
        "numero de telephone", "mobile", "mobile phone", "mobile number", "cell phone", "portable", "tel portable",
        "tel mobile",
    ),
    "fee_paid": (
        "paid", "fee paid", "paid fee", "entry fee paid", "amount paid", "paye", "droits payes", "droit paye",
        "montant paye", "regle",
    ),
    "section": ("section", "group", "groupe", "tournament", "tournoi", "open", "division"),
}  # fmt: skip
"""Accepted names of columns, without capitals, accents and punctuation; English and French."""

_FIRST_COUNTS: Final = frozenset({"section", "phone", "fee_paid"})
"""Fields of which a list may have several columns, such as telephone and mobile; the others are not used."""
_LOOKED_AT: Final = 20
"""Lines at the top of a table among which the header is searched."""
_SAMPLE: Final = 200
_MOST: Final = 0.7
"""The part of the cells that must look like a value, so that a column is taken for it."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table: ``places`` has the column of each field, from 0, ``guessed`` those found by content.

    ``header`` is the index of the row with the headings among the rows of the sheet; None: there is none.
    ``ignored`` are columns with a heading that are not used, ``exchanged`` pairs of columns with the contents of each
    other: they are read by their content.
    """

    header: int | None
    places: Mapping[str, int]
    guessed: frozenset[str]
    ignored: tuple[int, ...]
    headings: tuple[str, ...]
    width: int
    exchanged: tuple[tuple[int, int], ...] = ()

    @property
    def first(self) -> int:
        """Return the index of the first row with a participant."""
        return 0 if self.header is None else self.header + 1


def match_columns(sheet: Sheet, chosen: Mapping[int, str] | None = None, *, has_sections: bool = False) -> Columns:
    """Return the columns of *sheet*. *chosen* is the arbiter's choice: the field of each column, empty for none.

    A column with sections is used if *has_sections*. Raises :class:`BadInput` without a name column, or if two columns
    have the same meaning.
    """
    header = _header(sheet)
    headings = sheet.rows[header][1] if header is not None else []
    width = max(len(cells) for _, cells in sheet.rows)
    line = sheet.rows[header or 0][0] if sheet.rows else 1
    exchanged: tuple[tuple[int, int], ...] = ()
    if chosen is not None:
        places = _by_choice(chosen, width, line, sheet)
        guessed: frozenset[str] = frozenset()
    else:
        places = _by_heading(headings, line, sheet, has_sections=has_sections)
        exchanged = _exchange(sheet, header, places)
        known = dict(places)
        _by_content(sheet, header, headings, width, places)
        guessed = frozenset(places.keys() - known.keys()) | {
            name for name, number in places.items() if any(number in pair for pair in exchanged)
        }
    if "name" in places and "first_name" in places and "last_name" not in places:
        # "Nom;Prénom": here "nom" is the family name.
        places["last_name"] = places.pop("name")
    if "name" not in places and "last_name" not in places:
        found = ", ".join(cell for cell in headings or sheet.rows[0][1] if cell)
        raise place(BadInput("csv.no_name_column", found=shortened(found)), line, 1, sheet.name)
    used = set(places.values())
    ignored = tuple(number for number, cell in enumerate(headings) if cell and number not in used)
    return Columns(header, places, guessed, ignored, tuple(headings), width, exchanged)


def has_name_heading(sheet: Sheet) -> bool:
    """Return whether *sheet* has a row of headings with a name column."""
    header = _header(sheet)
    return header is not None and bool({"name", "last_name"} & {field_called(cell) for cell in sheet.rows[header][1]})


def field_called(heading: str) -> str | None:
    """Return the field that a column with *heading* contains; None if the heading is not known."""
    return _FIELD_OF.get(plain(heading)) if len(heading) <= 60 else None


_FIELD_OF: Final = {words: name for name, called in HEADERS.items() for words in called}


def _header(sheet: Sheet) -> int | None:
    """Return the index of the row with the most known headings: with a name column if there is one, then the first."""
    best, header = (0, 0), None
    for index, (_, cells) in enumerate(sheet.rows[:_LOOKED_AT]):
        known = [found for cell in cells if (found := field_called(cell)) is not None]
        # A title line such as "Club" or a player called Club is not a row of headings.
        rank = (("name" in known or "last_name" in known), len(known))
        alone = len(known) == 1 and sum(bool(cell) for cell in cells) > 1 and not rank[0]
        if known and not alone and rank > best:
            best, header = rank, index
    return header


def _by_heading(headings: Sequence[str], line: int, sheet: Sheet, *, has_sections: bool) -> dict[str, int]:
    places: dict[str, int] = {}
    for number, cell in enumerate(headings):
        name = field_called(cell)
        if name is None or (name == "section" and not has_sections) or (name in _FIRST_COUNTS and name in places):
            continue
        if name in places:
            raise _twice(cell, name, places[name], place_of=(line, number, sheet.name))
        places[name] = number
    return places


def _by_choice(chosen: Mapping[int, str], width: int, line: int, sheet: Sheet) -> dict[str, int]:
    places: dict[str, int] = {}
    for number, name in sorted(chosen.items()):
        if name not in HEADERS or number >= width:
            continue
        if name in places:
            raise _twice(label(name), name, places[name], place_of=(line, number, sheet.name))
        places[name] = number
    return places


def _twice(heading: str, name: str, first: int, *, place_of: tuple[int, int, str]) -> BadInput:
    line, number, sheet = place_of
    problem = BadInput("csv.column_twice", column_name=heading, first=first + 1, field_name=label(name))
    return place(problem, line, number + 1, sheet)


def _by_content(sheet: Sheet, header: int | None, headings: Sequence[str], width: int, places: dict[str, int]) -> None:
    """Add to *places* the fields that columns without a known heading contain.

    A column with an unknown heading is only taken for a federation or a title: a number could be anything, such as a
    postal code or a telephone number.
    """
    rows = [cells for _, cells in sheet.rows[0 if header is None else header + 1 :][:_SAMPLE]]
    taken = set(places.values())
    samples = {
        number: [cells[number] for cells in rows if number < len(cells) and cells[number]]
        for number in range(width)
        if number not in taken
    }
    # "FIDE" above a column is the rating or the ID.
    rating = places.get("fide_rating")
    if rating is not None and "fide_id" not in places and plain(headings[rating]) == "fide":
        numbers = [cells[rating] for cells in rows if rating < len(cells) and cells[rating]]
        if _is_mostly(_is_fide_id, numbers):
            places["fide_id"] = places.pop("fide_rating")
    has_heading = {number for number in samples if number < len(headings) and headings[number]}
    for name, looks_like in _LOOKS_LIKE.items():
        if name in places:
            continue
        for number, cells in samples.items():
            open_to = number not in has_heading or name in ("federation", "title")
            if open_to and number not in places.values() and _is_mostly(looks_like, cells):
                places[name] = number
                break
    if header is None:
        _names(samples, places)


def _exchange(sheet: Sheet, header: int | None, places: dict[str, int]) -> tuple[tuple[int, int], ...]:
    """Exchange two fields in *places* if each column has what the heading of the other says; return their columns."""
    rows = [cells for _, cells in sheet.rows[0 if header is None else header + 1 :][:_SAMPLE]]
    cells_of = {
        name: [cells[number] for cells in rows if number < len(cells) and cells[number]]
        for name, number in places.items()
        if name in _LOOKS_LIKE
    }
    wrong = [name for name, cells in cells_of.items() if cells and not _is_mostly(_LOOKS_LIKE[name], cells)]
    found = []
    for one, other in combinations(wrong, 2):
        if _is_mostly(_LOOKS_LIKE[one], cells_of[other]) and _is_mostly(_LOOKS_LIKE[other], cells_of[one]):
            found.append((places[one], places[other]))
            places[one], places[other] = places[other], places[one]
    return tuple(found)


def _names(samples: Mapping[int, Sequence[str]], places: dict[str, int]) -> None:
    """Add the column with names of a list without headings: the first one of letters, with the next if it is short."""
    words = [
        number for number, cells in samples.items() if number not in places.values() and _is_mostly(_is_words, cells)
    ]
    if not words:
        return
    first = words[0]
    has_full_names = _is_mostly(lambda cell: " " in cell or "," in cell, samples[first])
    if not has_full_names and first + 1 in words:
        places["last_name"], places["first_name"] = first, first + 1
    else:
        places["name"] = first


def _is_mostly(looks_like: Callable[[str], bool], cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(looks_like, cells)) >= _MOST * len(cells)


def _is_federation(cell: str) -> bool:
    return cell in FEDERATIONS


def _is_title(cell: str) -> bool:
    return len(cell) > 1 and plain(cell) in TITLES


def _is_sex(cell: str) -> bool:
    return plain(cell) in SEXES


def _is_birth(cell: str) -> bool:
    try:
        return bool(birth_date_of(cell, "birth_date"))
    except BadInput:
        return False


def _is_rating(cell: str) -> bool:
    number = re.fullmatch(r"([0-9]{3,4})(?:[.,]0+)?\s*[FNEfne]?", cell)
    return number is not None and 800 <= int(number[1]) <= 2900


def _is_fide_id(cell: str) -> bool:
    return re.fullmatch("[1-9][0-9]{4,8}", cell) is not None


def _is_words(cell: str) -> bool:
    return len(cell) > 1 and re.search(r"[0-9@]", cell) is None


_LOOKS_LIKE: Final[Mapping[str, Callable[[str], bool]]] = {
    "federation": _is_federation,
    "title": _is_title,
    "sex": _is_sex,
    # Years of birth are numbers that could be ratings: a column of them alone is one of years.
    "birth_date": _is_birth,
    "fide_rating": _is_rating,
    "national_rating": _is_rating,
    "fide_id": _is_fide_id,
}
