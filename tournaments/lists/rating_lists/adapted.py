"""Read a rating list of a federation whose layout is known (:mod:`.adapters`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pairing.rules.federations import FEDERATIONS
from tournaments.core.birth_dates import birth_date_of
from tournaments.core.cell_texts import plain, says_nothing, without_quotes
from tournaments.core.errors import BadInput
from tournaments.entries.cells import SEXES, rating_number
from tournaments.entries.federations import read_as
from tournaments.entries.headings import merged
from tournaments.lists.rating_lists.adapters import (
    ADAPTERS,
    Adapter,
    club_names_of,
    recognised_lines,
    recognised_table,
)
from tournaments.lists.rating_lists.lines import Lines, cells_of
from tournaments.lists.rating_lists.rows import RANK, RATES_OF_PLAY, TITLES, Faults, Row, row_of

TITLES_ABOVE: Final = 20
"""Lines at the top among which the headings are."""
MAX_CLUBS: Final = 50_000
_SEPARATORS: Final = (";", ",", "\t")
_OF_FIDE: Final = "F"
"""The letter of a rating of FIDE in the list of a federation."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A known list in a file: its separator, the headings, and the lines before the players."""

    adapter: Adapter
    separator: str = ";"
    head: tuple[str, ...] = ()
    above: int = 0

    @property
    def places(self) -> dict[str, int]:
        """The place of the cell of each field; fields whose heading is not there are left out."""
        numbered = _numbered(self.head)
        found = {
            name: where if isinstance(where, int) else numbered.get(plain(where), -1)
            for name, where in self.adapter.columns.items()
        }
        return {name: place for name, place in found.items() if place >= 0}

    @property
    def unused(self) -> list[str]:
        """The headings whose cells are not read, for the documentation."""
        used = set(self.places.values()) | {
            place
            for heading in (
                self.adapter.repeated.get("heading"),
                self.adapter.inactive.get("heading"),
            )
            if heading and (place := self.place(heading)) is not None
        }
        return [cell for number, cell in enumerate(self.head) if cell and number not in used]

    def place(self, heading: str) -> int | None:
        """Return the place of the column *heading*; None if it is not there."""
        return _numbered(self.head).get(plain(heading))


def recognise(lines: Sequence[str], file_name: str) -> Recognised | None:
    """Return the list that begins with *lines*; None if its layout is not known."""
    for number, line in enumerate(lines[:TITLES_ABOVE]):
        for separator in _SEPARATORS:
            if line.count(separator):
                head = cells_of(line, separator)
                if (adapter := recognised_table(head, file_name)) is None:
                    continue
                following = lines[number + 1 : number + 2]
                second = merged(head, cells_of(following[0], separator)) if following else None
                return Recognised(
                    adapter, separator, tuple(second or head), number + (2 if second else 1)
                )
    if (found := recognised_lines(lines)) is not None:
        return Recognised(found[0], above=found[1])
    return None


def clubs_in(lines: Lines) -> dict[str, str]:
    """Return the names of the clubs by code, if *lines* are the file of clubs of a known list."""
    ahead = lines.look_ahead(2)
    for separator in _SEPARATORS:
        head = cells_of(ahead[0], separator) if ahead else []
        if (adapter := club_names_of(head)) is not None:
            lines.use_encoding(adapter.encoding)
            numbered = _numbered(head)
            code, name = (numbered[plain(adapter.clubs[key])] for key in ("code", "name"))
            next(lines, "")
            found: dict[str, str] = {}
            for line in lines:
                cells = cells_of(line, separator)
                if len(cells) > max(code, name) and len(found) < MAX_CLUBS:
                    found[cells[code].strip()] = cells[name].strip()
            return found
    return {}


@dataclass(slots=True)
class Reading:
    """The reading of a known list; ``rate`` is that of a file with one rating, else empty."""

    recognised: Recognised
    rate: str = ""
    clubs: Mapping[str, str] = field(default_factory=dict)
    _places: dict[str, int] = field(init=False)
    _width: int = field(init=False)
    _deciding: dict[str, int | None] = field(init=False)
    """The place of each column that decides about a row, by its heading."""

    def __post_init__(self) -> None:
        rules = (self.recognised.adapter.repeated, self.recognised.adapter.inactive)
        self._places = self.recognised.places
        self._width = len(self.recognised.head) or 1 + max(self._places.values())
        self._deciding = {
            rule["heading"]: self.recognised.place(rule["heading"]) for rule in rules if rule
        }

    def rows(self, lines: Lines, faults: Faults) -> Iterator[Row]:
        """Yield the players of *lines*; ``BadInput`` if the last line is cut off.

        Of a player with a row for each of several clubs, only the row that counts is yielded.
        Memory grows with the number of these players only, and by a short text for each other.
        """
        recognised, adapter = self.recognised, self.recognised.adapter
        lines.use_encoding(adapter.encoding)
        for _ in range(recognised.above):
            next(lines, "")
        found: set[str] = set()
        postponed: dict[str, Row] = {}
        for number, cells in lines.filled(recognised.separator, self._width - 1, self._width):
            try:
                row = self._row(cells, number)
            except BadInput as fault:
                faults.add(fault)
                continue
            if row is None:
                continue
            if adapter.repeated and row.national_id:
                if row.national_id in found:
                    continue
                if not self._holds(cells or [], adapter.repeated, "preferred"):
                    postponed.setdefault(row.national_id, row)
                    continue
                found.add(row.national_id)
                postponed.pop(row.national_id, None)
            yield row
        yield from postponed.values()

    def _row(self, cells: Sequence[str] | None, number: int) -> Row | None:
        """Return the player in *cells*; None for a row that only fills the file."""
        if cells is None:
            raise BadInput("csv.broken_cell", line=number)
        if self.recognised.head and any(cells[self._width :]):
            raise BadInput(
                "csv.too_many_cells",
                line=number,
                column=self._width + 1,
                found=len(cells),
                expected=self._width,
            )
        adapter = self.recognised.adapter
        values = {
            name: " ".join(cells[place].split()) if place < len(cells) else ""
            for name, place in self._places.items()
        }
        if any(not values.get(name) for name in adapter.required):
            return None
        self._tidy_name(values)
        if values["name"].strip(" ,-") == "":
            return None
        self._tidy_ratings(values)
        self._tidy_person(values)
        if adapter.inactive and self._holds(cells, adapter.inactive, "holds"):
            values["flag"] = "i"
        return row_of(values, number)

    def _holds(self, cells: Sequence[str], rule: Mapping[str, str], key: str) -> bool:
        place = self._deciding[rule["heading"]]
        return place is not None and place < len(cells) and rule[key] in cells[place]

    def _tidy_name(self, values: dict[str, str]) -> None:
        adapter = self.recognised.adapter
        if "last_name" in values:
            parts = (values["last_name"], values.get("first_name", ""))
            values["name"] = ", ".join(filter(None, parts))
            return
        name = values.get("name", "")
        if adapter.titles_in_names:
            words = name.split()
            while words and all(part in adapter.titles for part in words[-1].lower().split("/")):
                titles = [adapter.titles[part] for part in words.pop().lower().split("/")]
                values["title"] = next(filter(None, titles), values.get("title", ""))
            name = " ".join(words)
        values["name"] = _with_comma(name) if adapter.names == "last first" else _with_blank(name)

    def _tidy_ratings(self, values: dict[str, str]) -> None:
        for rate in RATES_OF_PLAY:
            if values.get(f"{rate}_kind", "").upper() == _OF_FIDE:
                values[f"fide_{rate}"] = values.pop(rate, "")
        if self.rate and self.rate != "standard":
            values[self.rate] = values.pop("standard", "")
            # The list of rapid or blitz does not say whose rate its rating of FIDE is.
            values.pop("fide_standard", None)
        for name in [*RATES_OF_PLAY, *(f"fide_{rate}" for rate in RATES_OF_PLAY)]:
            if name in values:
                values[name] = _rating(values[name])

    def _tidy_person(self, values: dict[str, str]) -> None:
        adapter = self.recognised.adapter
        for name in ("fide_id", "national_id"):
            text = without_quotes(values.get(name, ""))
            values[name] = "" if says_nothing(text) else text.removesuffix(".0")
        sex = values.get("sex", "")
        values["sex"] = adapter.sexes.get(sex, SEXES.get(plain(sex)[:1], ""))
        federation = values.get("federation", "").upper()
        values["federation"] = federation if federation in FEDERATIONS else read_as(federation)
        values["birth"] = self._birth(values.get("birth", ""))
        titles = _titles(values.get("title", ""), adapter.titles)
        values["title"] = min(titles, key=RANK.__getitem__, default="")
        if not values.get("women_title"):
            values["women_title"] = next((each for each in titles if each.startswith("W")), "")
        if "club_code" in values:
            values["club"] = self.clubs.get(values["club_code"], "")
        if values.get("club") in adapter.blank_clubs:
            values["club"] = ""

    def _birth(self, text: str) -> str:
        try:
            born = birth_date_of(
                text.removesuffix(".0"), "birth_date", self.recognised.adapter.dates
            )
        except BadInput:
            return ""
        return born.removesuffix("/00/00")


def known_federation(lines: Sequence[str]) -> Adapter | None:
    """Return the known list with fixed columns of which most *lines* are players."""
    for each in ADAPTERS.values():
        if each.format == "fixed_columns" and each.federation:
            own = sum(f" {each.federation} " in line for line in lines)
            if lines and 2 * own > len(lines):
                return each
    return None


def _rating(text: str) -> str:
    try:
        return str(rating_number(text.rstrip("?*").removesuffix(".0"), "fide_rating") or "")
    except BadInput:
        return text  # the row says that it is not a rating


def _titles(text: str, meant: Mapping[str, str]) -> list[str]:
    """Return the titles in *text*, such as ``IM/WGM``; *meant*: the letters of the list."""
    parts = re.split("[/,]", text.lower())
    return [title for part in parts if (title := meant.get(part, TITLES.get(part, "")))]


def _with_blank(name: str) -> str:
    """Return *name* with a blank after its comma."""
    return re.sub(r"\s*,\s*", ", ", name).strip(", ")


def _with_comma(name: str) -> str:
    """Return *name*, family name first, with a comma after it; unchanged if it is not certain.

    Capitals show a family name of several words; of two words it is the first.
    """
    if "," in name:
        return _with_blank(name)
    words = name.split()
    capitals = 0
    while capitals < len(words) and words[capitals].isupper() and len(words[capitals]) > 1:
        capitals += 1
    if not 0 < capitals < len(words):
        capitals = 1 if len(words) == 2 and not name.isupper() else 0
    if not capitals:
        return name
    return f"{' '.join(words[:capitals])}, {' '.join(words[capitals:])}"


def _numbered(head: Sequence[str]) -> dict[str, int]:
    """Return the places of the headings; the second of two equal ones is called ``nr 2``."""
    places: dict[str, int] = {}
    for place, cell in enumerate(head):
        name = plain(cell)
        places.setdefault(f"{name} 2" if name in places else name, place)
    return places
