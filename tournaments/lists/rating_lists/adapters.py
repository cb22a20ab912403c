"""The rating lists that are recognised, as data: ``adapters.toml`` has one table for each.

``format`` is ``table`` (headings), ``no_headings``, ``fixed_columns``, ``fide_xml`` or
``fide_text``. A table is recognised by the headings in ``recognised_by``; ``without`` excludes a
heading, and ``file_name`` must be in the name of the file. A list without headings is recognised by
the ``pattern`` of its lines. ``columns`` has for each field of a player its heading, or the place
of its cell from 0; the second of two equal headings is called ``Nr 2``. The fields are those of
:class:`~.rows.Row`, and:

- ``last_name`` and ``first_name``: the two parts of the name;
- ``standard_kind``, ``rapid_kind``, ``blitz_kind``: a letter for the rating, F for one of FIDE;
- ``club_code``: the key of the club in another file of the archive, see ``clubs``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tournaments.core.cell_texts import plain


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one list is recognised and read; the keys of ``adapters.toml``."""

    id: str
    name: str
    where: str
    """Where it is to be had; no address is opened unless somebody enters it."""
    federation: str = ""
    """Whose list it is; empty for FIDE's, and for a layout that several federations use."""
    published: str = ""
    format: str = "table"
    encoding: str = "utf-8"
    """How lines are read that are not valid UTF-8."""
    recognised_by: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    file_name: str = ""
    pattern: str = ""
    columns: Mapping[str, str | int] = field(default_factory=dict)
    names: str = ""
    """``last first`` for family names first without a comma; empty: as FIDE writes them."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """What letters mean that other lists do not use."""
    titles_in_names: bool = False
    sexes: Mapping[str, str] = field(default_factory=dict)
    dates: str = "day"
    """What is first in dates of birth without the year first."""
    rates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a list with one rating: the rate of play by words in the name of the file."""
    required: tuple[str, ...] = ()
    """Fields without which a row is no player, but fills the file."""
    repeated: Mapping[str, str] = field(default_factory=dict)
    """A player has a row for each club: the column and cell of the row that counts."""
    clubs: Mapping[str, Any] = field(default_factory=dict)
    """The file of the archive with the names of the clubs."""
    blank_clubs: tuple[str, ...] = ()
    inactive: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_fide(self) -> bool:
        """Whether this is FIDE's own list."""
        return self.format.startswith("fide_")

    def rate_of(self, file_name: str) -> str:
        """Return the rate of play of a file with one rating; empty if it has several."""
        if not self.rates:
            return ""
        plain_name = file_name.lower()
        return next(
            (
                rate
                for rate, words in self.rates.items()
                if any(map(plain_name.__contains__, words))
            ),
            "standard",
        )


def _read() -> dict[str, Adapter]:
    tables: dict[str, dict[str, Any]] = tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    )
    found = {}
    for name, table in tables.items():
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
        }
        found[name] = Adapter(id=name, **values)
    return found


ADAPTERS: Final[Mapping[str, Adapter]] = _read()
"""All by identifier."""


def recognised_table(head: Sequence[str], file_name: str) -> Adapter | None:
    """Return the list whose headings *head* has, the one with the most; None if it is unknown."""
    headings = set(map(plain, head))
    plain_name = file_name.lower()
    found = [
        each
        for each in ADAPTERS.values()
        if each.recognised_by
        and each.file_name in plain_name
        and headings.issuperset(map(plain, each.recognised_by))
        and headings.isdisjoint(map(plain, each.without))
    ]
    return max(
        found,
        key=lambda each: (bool(each.file_name), bool(each.federation), len(each.recognised_by)),
        default=None,
    )


def recognised_lines(lines: Sequence[str]) -> tuple[Adapter, int] | None:
    """Return the list without headings of which *lines* are, and the number of lines above it."""
    for each in ADAPTERS.values():
        if each.format == "no_headings":
            for number, line in enumerate(lines[:3]):
                if re.fullmatch(each.pattern, line.strip()):
                    return each, number
    return None


def club_names_of(head: Sequence[str]) -> Adapter | None:
    """Return the list whose file of clubs has the headings *head*; None for any other file."""
    headings = set(map(plain, head))
    return next(
        (
            each
            for each in ADAPTERS.values()
            if each.clubs and headings.issuperset(map(plain, each.clubs["recognised_by"]))
        ),
        None,
    )
