"""Find out what the columns of a list contain: by their headings, else by their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from pairing.rules.names import fold
from tournaments.core.cell_texts import plain, shortened
from tournaments.core.errors import BadInput
from tournaments.entries.cells import FIELDS, label
from tournaments.entries.federations import are_regions
from tournaments.entries.headings import is_next_to_fide, is_unsure, kind_of, language_of, merged
from tournaments.lists.imports.column_contents import (
    LOOKS_LIKE,
    are_sexes,
    find_names,
    find_numbers,
    find_words,
    is_fide_id,
    is_long_id,
    is_low_number,
    is_mostly,
    is_rating_type,
    looks_like,
    samples_of,
)
from tournaments.lists.imports.heading_row import heading_row
from tournaments.lists.imports.sheets import Sheet, place
from tournaments.lists.imports.whose_ratings import (
    Whose,
    can_be_either,
    is_name_of_a_federation,
    is_number_of_a_member,
    whose_ratings,
)

_SAMPLE: Final = 200
_USED: Final = (*FIELDS, "section", "rating_type")
_NAMES: Final = ("name", "last_name", "first_name")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table: ``places`` has the column of each field, from 0,
    ``guessed`` those found by content.

    ``header`` is the index of the row with the headings among the rows of the sheet; None: there is
    none. ``unused`` are columns that are not used, with the reason, and ``exchanged`` pairs of
    columns with the contents of each other: they are read by their content. ``language`` is that of
    most headings. ``has_name`` is False if no column of names is found: the arbiter has to choose
    it.
    """

    header: int | None
    places: Mapping[str, int]
    guessed: frozenset[str]
    unused: Mapping[int, BadInput]
    headings: tuple[str, ...]
    width: int
    exchanged: tuple[tuple[int, int], ...] = ()
    language: str = ""
    assumed: int | None = None
    """The column of ratings that are taken for those of FIDE, although nothing says so."""

    @property
    def first(self) -> int:
        """Return the index of the first row with a participant."""
        return 0 if self.header is None else self.header + 1

    @property
    def has_name(self) -> bool:
        """Whether there is a column of names."""
        return "name" in self.places or "last_name" in self.places


@dataclass(slots=True)
class _Found:
    """The columns found so far: of fields, by content, and with a reason against them.

    ``headings`` are those of the list, ``samples`` the cells below them; none if the arbiter has
    chosen the columns.
    """

    headings: Sequence[str]
    samples: Mapping[int, Sequence[str]]
    places: dict[str, int] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)
    unused: dict[int, BadInput] = field(default_factory=dict)
    assumed: int | None = None

    def take(self, name: str, number: int) -> bool:
        """Use the column *number* for the field *name*, unless another one has it already."""
        if name in self.places:
            self.unused.setdefault(number, self.second(number, name, self.places[name]))
            return False
        self.places[name] = number
        return True

    def asks(self, number: int, one: str, other: str) -> BadInput:
        """Return the question which of two fields the column *number* has."""
        fields = f"{one} {other}"
        shown = self._shown(number)
        return BadInput(
            "csv.column_asks", column_name=shown, one=label(one), other=label(other), fields=fields
        )

    def second(self, number: int, name: str, first: int) -> BadInput:
        """Return the remark that column *first* already has the field *name* of *number*."""
        shown, other = self._shown(number), self._shown(first)
        return BadInput("csv.column_second", column_name=shown, other=other, field_name=label(name))

    def _shown(self, number: int) -> str:
        """Return the heading of the column *number*; without one, its place from 1."""
        has_heading = number < len(self.headings) and self.headings[number]
        return shortened(self.headings[number]) if has_heading else str(number + 1)


def match_columns(
    sheet: Sheet, chosen: Mapping[int, str] | None = None, *, has_sections: bool = False
) -> Columns:
    """Return the columns of *sheet*. *chosen* is the arbiter's choice:
    the field of each column, empty for none.

    A column with sections is used if *has_sections*. Raises :class:`BadInput` if two columns are
    chosen for one field.
    """
    first = heading_row(sheet)
    header, headings, has_groups = _headings(sheet, first)
    width = max((len(cells) for _, cells in sheet.rows), default=0)
    exchanged: tuple[tuple[int, int], ...] = ()
    rows = [cells for _, cells in sheet.rows[0 if header is None else header + 1 :][:_SAMPLE]]
    found = _Found(headings, samples_of(rows, width) if chosen is None else {})
    if chosen is not None:
        found.places = _by_choice(
            chosen, width, sheet.rows[header or 0][0] if sheet.rows else 1, sheet
        )
    else:
        _by_heading(found, _titles(sheet, first), has_groups=has_groups, has_sections=has_sections)
        exchanged = _exchange(found.samples, found.places)
        known = set(found.places)
        _by_content(header, rows, found)
        found.guessed |= found.places.keys() - known
        found.guessed |= {
            name
            for name, number in found.places.items()
            if any(number in pair for pair in exchanged)
        }
    _name_parts(found, rows)
    return Columns(
        header,
        found.places,
        frozenset(found.guessed),
        _unused(found),
        tuple(headings),
        width,
        exchanged,
        language_of(headings),
        assumed=found.assumed if found.places.get("fide_rating") == found.assumed else None,
    )


def _titles(sheet: Sheet, header: int | None) -> list[str]:
    """Return the name of *sheet*, and the cells above the row *header*."""
    above = sheet.rows[: header or 0]
    return [sheet.name, *(cell for _, cells in above for cell in cells if cell)]


def _headings(sheet: Sheet, header: int | None) -> tuple[int | None, Sequence[str], bool]:
    """Return the index of the last row with headings, the headings, and whether they are in groups.

    The first is the row *header*. Groups have a row of their own above the headings.
    """
    if header is None:
        return None, [], False
    headings = sheet.rows[header][1]
    for _, cells in sheet.rows[header + 1 :][:1]:
        if (whole := merged(headings, cells)) is not None:
            return header + 1, whole, True
    return header, headings, False


def _unused(found: _Found) -> dict[int, BadInput]:
    """Return the columns that are not used, in their order, with the reason.

    A column without a heading is one if its cells say something.
    """
    used = set(found.places.values())
    unused = {
        number: BadInput("csv.column_nameless") for number, cells in found.samples.items() if cells
    }
    unused |= {
        number: BadInput("csv.column_ignored", column_name=shortened(cell))
        for number, cell in enumerate(found.headings)
        if cell
    }
    unused |= found.unused
    return {number: problem for number, problem in sorted(unused.items()) if number not in used}


def _by_heading(
    found: _Found, titles: Sequence[str], *, has_groups: bool, has_sections: bool
) -> None:
    """Find the fields by the headings.

    Of two columns of one field the first one counts whose cells fit it.
    """
    headings, samples = found.headings, found.samples
    kinds: dict[str, list[int]] = {}
    for number, cell in enumerate(headings):
        kind = kind_of(cell)
        if kind is None or (kind == "section" and not has_sections):
            continue
        if is_unsure(cell) and kind != "id" and not looks_like(kind, samples[number]):
            continue
        if kind == "title" and are_sexes(samples[number]):
            found.unused[number] = found.asks(number, "title", "sex")
            continue
        if (
            kind == "national_id"
            and is_name_of_a_federation(cell)
            and is_mostly(is_low_number, samples[number])
        ):
            found.unused[number] = found.asks(number, "national_rating", "national_id")
            continue
        if kind == "category":
            reason = BadInput("csv.category_ignored", column_name=shortened(cell))
            found.unused[number] = reason
            continue
        kinds.setdefault(kind, []).append(number)
    whose = whose_ratings(headings, samples, kinds, titles)
    if has_groups and any(plain(cell).startswith("fide ") for cell in headings):
        whose = Whose(
            is_fide=False, is_national=True, is_other=False
        )  # The group of FIDE has no rating.
    whose = _without_regions(kinds, found, whose)
    for name in _USED:
        numbers = kinds.get(name, [])
        if name in LOOKS_LIKE:
            numbers = sorted(
                numbers, key=lambda number: not is_mostly(LOOKS_LIKE[name], samples[number])
            )
        for number in numbers:
            found.take(name, number)
    _fide(kinds, found)
    _rating(kinds, found, whose)
    _number(kinds, found)
    _number_called_nr(found)


def _without_regions(kinds: dict[str, list[int]], found: _Found, whose: Whose) -> Whose:
    """Remove columns of regions from *kinds*, and return whose the ratings are:
    only lists of federations have them.
    """
    language = language_of(found.headings)
    for number in list(kinds.get("federation", ())):
        if are_regions(found.samples[number], is_national=whose.is_national, language=language):
            kinds["federation"].remove(number)
            found.unused[number] = BadInput(
                "csv.column_regions", column_name=shortened(found.headings[number])
            )
            whose = replace(whose, is_national=True)
    return whose


def _fide(kinds: dict[str, list[int]], found: _Found) -> None:
    """Find out if a column "FIDE" has ratings, IDs or letters.

    The letters say whose the ratings beside are.
    """
    for number in list(kinds.get("fide", ())):
        if is_mostly(is_rating_type, found.samples[number]):
            kinds.pop("fide")
            found.take("rating_type", number)
            continue
        name = "fide_id" if is_mostly(is_fide_id, found.samples[number]) else "fide_rating"
        if found.take(name, number) and name == "fide_id":
            found.guessed.add(name)


def _rating(kinds: Mapping[str, list[int]], found: _Found, whose: Whose) -> None:
    """Find out whose rating a column "Elo" has: beside a FIDE rating the national one,
    else as *whose* says.

    With marks of US Chess in most cells it is the national one; with a few of them it can be
    either.
    """
    has_both = "fide_rating" in found.places or "fide" in kinds
    for position, number in enumerate(kinds.get("rating", [])):
        cells, can_be_both = found.samples[number], can_be_either(found.headings[number])
        asks = whose.asks or can_be_both or (any(map(_has_mark, cells)) and not whose.is_national)
        if has_both or is_mostly(_has_mark, cells):
            found.take("fide_rating" if position else "national_rating", number)
        elif (
            "national_rating" in found.places
            or "rating_type" in found.places
            or is_mostly(_has_letter, cells)
        ):
            found.take("fide_rating", number)
        elif cells and asks:
            found.unused[number] = found.asks(number, "fide_rating", "national_rating")
        elif whose.is_national:
            found.take("national_rating", number)
        elif found.take("fide_rating", number) and whose.says_nothing:
            found.assumed = number


def _has_letter(cell: str) -> bool:
    """Return whether a rating has a letter that says whose it is."""
    return re.fullmatch(r"[0-9]{3,4}\s*[FNEfne]", cell) is not None


def _has_mark(cell: str) -> bool:
    """Return whether a rating has a mark of US Chess: the games of a provisional one, or a star."""
    return re.fullmatch(r"[0-9]{3,4}(?:\s*[Pp/]\s*[0-9]{1,2}|\*)", cell) is not None


def _number(kinds: Mapping[str, list[int]], found: _Found) -> None:
    """Find out whose number a column "ID" has: beside a FIDE ID it is the national one."""
    # A list with national ratings only has the numbers of that federation.
    is_national = "national_id" in kinds or (
        "national_rating" in found.places and "fide_rating" not in found.places
    )
    for number in kinds.get("id", ()):
        if (
            "fide_id" not in found.places
            and not is_national
            and is_mostly(is_long_id, found.samples[number])
        ):
            if is_unsure(found.headings[number]):
                found.unused[number] = found.asks(number, "fide_id", "national_id")
                continue
            found.guessed.add("fide_id")
            found.take("fide_id", number)
        else:
            found.take("national_id", number)


def _number_called_nr(found: _Found) -> None:
    """Find out whose numbers are below "Nr" or "Code" unless they are places:
    right of "FIDE" that of FIDE.

    The others are of the federation if the list has FIDE IDs too; else the program asks.
    """
    samples = found.samples
    kinds = [
        "rank" if plain(cell) in ("code", "kode") else kind_of(cell) for cell in found.headings
    ]
    numbers = [
        number
        for number, kind in enumerate(kinds)
        if kind == "rank" and is_mostly(is_fide_id, samples[number])
    ]
    for number in [each for each in numbers if is_next_to_fide(kinds, each, samples[each])]:
        if "fide_id" not in found.places and found.take("fide_id", number):
            found.guessed.add("fide_id")
            numbers.remove(number)
    for number in numbers:
        if "fide_id" in found.places and "national_id" not in found.places:
            found.take("national_id", number)
        elif kind_of(found.headings[number]) == "rank":
            found.unused.setdefault(number, found.asks(number, "fide_id", "national_id"))


def _name_parts(found: _Found, rows: Sequence[Sequence[str]]) -> None:
    """Find the part of a name in each column: "Nom;Prénom", "Name;Nachname;Vorname"."""
    places = found.places
    if "name" not in places:
        return
    if "last_name" not in places:
        if "first_name" in places:
            # Here "nom" is the family name.
            places["last_name"] = places.pop("name")
        return
    name, last = places["name"], places["last_name"]
    pairs = [
        (cells[name], cells[last]) for cells in rows if max(name, last) < len(cells) and cells[last]
    ]
    whole = [_contains(each, part) for each, part in pairs]
    del places["name"]
    if "first_name" not in places and sum(whole) * 2 <= len(whole):
        places["first_name"] = name
    elif "first_name" not in places or not pairs:
        # The column with the whole name has more than the last name, or the parts are empty.
        places["name"] = name
        for part in ("last_name", "first_name"):
            if part in places:
                number = places.pop(part)
                found.unused[number] = found.second(number, "name", name)
        return
    else:
        found.unused[name] = found.second(name, "name", last)


def _contains(name: str, part: str) -> bool:
    return f" {fold(part)} " in f" {fold(name)} "


def _by_choice(chosen: Mapping[int, str], width: int, line: int, sheet: Sheet) -> dict[str, int]:
    places: dict[str, int] = {}
    for number, name in sorted(chosen.items()):
        if name not in _USED or number >= width:
            continue
        if name in places:
            problem = BadInput(
                "csv.column_twice",
                column_name=label(name),
                first=places[name] + 1,
                field_name=label(name),
            )
            raise place(problem, line, number + 1, sheet.name)
        places[name] = number
    return places


def _by_content(header: int | None, rows: Sequence[Sequence[str]], found: _Found) -> None:
    """Find the fields that columns without a known heading contain.

    A column with an unknown heading is only taken for a federation or a title: a number could be
    anything, such as a postal code or a telephone number.
    """
    headings, taken = found.headings, {*found.places.values(), *found.unused}
    free = {number: cells for number, cells in found.samples.items() if number not in taken}
    unknown = {
        number: cells
        for number, cells in free.items()
        if number >= len(headings)
        or is_unsure(headings[number])
        or kind_of(headings[number]) in (None, "id", "federation", "title")
    }
    find_words(unknown, found.places)
    bare = {
        number: cells
        for number, cells in free.items()
        if number >= len(headings) or not headings[number]
    }
    known = set(found.places)
    for number, (one, other) in find_numbers(bare, rows, found.places).items():
        found.unused[number] = found.asks(number, one, other)
    if header is None:
        _ask_whose_ratings(bare, found)
    is_new = "fide_rating" in found.places and "fide_rating" not in known
    if is_new and "fide_id" not in found.places:
        found.assumed = found.places["fide_rating"]
    if header is None:
        find_names(bare, found.places, has_header=False)
    elif not found.places.keys() & set(_NAMES):
        find_names({**unknown, **bare}, found.places, has_header=True)


def _ask_whose_ratings(bare: Mapping[int, Sequence[str]], found: _Found) -> None:
    """Ask whose the ratings are that were found by content beside numbers other than FIDE IDs."""
    number = found.places.get("fide_rating")
    if number is None or {"fide_id", "national_rating"} & found.places.keys():
        return
    taken = {*found.places.values(), *found.unused}
    others = [cells for each, cells in bare.items() if each not in taken]
    if any(is_mostly(is_number_of_a_member, cells) for cells in others):
        del found.places["fide_rating"]
        found.unused[number] = found.asks(number, "fide_rating", "national_rating")


def _exchange(
    samples: Mapping[int, Sequence[str]], places: dict[str, int]
) -> tuple[tuple[int, int], ...]:
    """Exchange two fields in *places* if each column has what the heading of the other says;
    return their columns.
    """
    cells_of = {name: samples[number] for name, number in places.items() if name in LOOKS_LIKE}
    wrong = [
        name for name, cells in cells_of.items() if cells and not is_mostly(LOOKS_LIKE[name], cells)
    ]
    exchanged = []
    for one, other in combinations(wrong, 2):
        if is_mostly(LOOKS_LIKE[one], cells_of[other]) and is_mostly(
            LOOKS_LIKE[other], cells_of[one]
        ):
            exchanged.append((places[one], places[other]))
            places[one], places[other] = places[other], places[one]
    return tuple(exchanged)
