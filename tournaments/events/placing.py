"""Find the section of a player on a list: by its column, else by rating and year of birth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pairing.rules.initial_order import tournament_rating
from tournaments.core.cell_texts import plain, shortened
from tournaments.core.errors import BadInput
from tournaments.entries.cells import ImportRow
from tournaments.entries.headings import words_of_kind
from tournaments.events.moves import is_meant_for, narrowest_first
from tournaments.events.sections import LIMITS
from tournaments.models import Entry, RatingSource, Section

DECIDING: Final = frozenset({"fide_rating", "national_rating", "birth_date"})
"""The fields of a row that the limits of a section look at."""


def named_section(text: str, sections: Sequence[Section]) -> Section:
    """Return the section that a list calls *text*: its label, the name of its tournament,
    or for example “Open A”.

    Capitals, accents, blanks and punctuation make no difference unless two labels differ only by
    them. :class:`BadInput` for another text.
    """
    same = [each for each in sections if each.label.casefold() == text.strip().casefold()]
    wanted = _key(text)
    found = same or [
        each
        for each in sections
        if wanted
        in (
            _key(each.label),
            _key(each.tournament.name),
            *(_key(f"{word}{each.label}") for word in _WORDS),
        )
    ]
    if len(found) == 1:
        return found[0]
    labels = ", ".join(each.label for each in sections)
    raise BadInput("section.not_named", field="section", value=shortened(text), labels=labels)


_WORDS: Final = words_of_kind("section")


def _key(text: str) -> str:
    return plain(text).replace(" ", "")


def fitting_section(
    row: ImportRow, sections: Sequence[Section], entry: Entry | None = None
) -> Section | None:
    """Return the narrowest section that admits the player of *row*;
    *entry* is the player's entry, if there is one.

    Each section looks at the rating that ranks its players.
    """
    born = int((row.birth_date or (entry.birth_date if entry else ""))[:4] or 0)
    fitting = narrowest_first(sections)
    return next(
        (each for each in fitting if is_meant_for(_rating_in(each, row, entry), born, each)), None
    )


def section_of_row(row: ImportRow, sections: Sequence[Section]) -> Section:
    """Return the section of a new player: the section named in *row*, else the first that fits.

    :class:`BadInput` for an unknown name, a section whose standings are final, and if no section
    fits.
    """
    if row.section:
        section = named_section(row.section, sections)
        if section.tournament.final_at is not None:
            raise BadInput("section.final", field="section", label=section.label)
        return section
    found = fitting_section(row, open_sections(sections))
    if found is None:
        raise BadInput("section.none_fits", field="section")
    return found


def open_sections(sections: Sequence[Section]) -> list[Section]:
    """Return those of *sections* whose standings are not final."""
    return [each for each in sections if each.tournament.final_at is None]


def have_limits(sections: Sequence[Section]) -> bool:
    """Return whether one of *sections* has a limit of rating or age."""
    return any(getattr(section, limit) is not None for section in sections for limit in LIMITS)


def _rating_in(section: Section, row: ImportRow, entry: Entry | None) -> int:
    if entry is not None and entry.rating_source == RatingSource.ESTIMATE:
        return row.estimate or entry.rating
    fide = row.fide_rating or (entry.fide_rating if entry else None)
    national = row.national_rating or (entry.national_rating if entry else None)
    if not fide and not national:
        return row.estimate or 0
    return tournament_rating(section.tournament.rating_method, fide, national)[1]
