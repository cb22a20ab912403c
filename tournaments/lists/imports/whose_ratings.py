"""Find out whose ratings a column has if its heading, such as "Elo", does not say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.core.cell_texts import plain, without_quotes
from tournaments.lists.imports.column_contents import Samples, is_fide_id, is_long_id, is_mostly

_OF_FEDERATIONS: Final = frozenset(
    (
        "partidas", "nv", "kanji", "provinsi", "prov", "state", "zps", "vkz", "mgl nr", "st k", "st g", "rp k", "rp g",
        "selopeleja", "ikaryhma", "lisenssi", "unique no", "ligue", "landesverband", "k italia",
    )
)  # fmt: skip
"""Headings that only the lists of federations have."""
_EITHER: Final = frozenset(("twz", "dwz elo", "elo dwz"))
"""Headings of the rating that a program uses, of FIDE or of a federation."""
_ONLINE: Final = frozenset(("username", "user name", "nickname", "nick", "handle", "user"))
_NATION: Final = re.compile(
    r"\b(?:nation|nacional|nazional|nasional|narodow|krajow|land(?:es|elijk))"
)
_FEDERATION: Final = re.compile(
    r"\b(?:knsb|feda|uscf|us "
    r"chess|ecf|cfc|dsb|dwz|ffe|fsi|kbsb|frbe|osb|oesb|selo|cbx|fpx|nzcf|icu|jcf|dsu|chessa|"
    r"mcf|percasi|pzszach|nsf|lok|ssf|chess scotland)\b"
)
_RATINGS: Final = re.compile(r"\b(?:rating|elo|ranking|wertung|grading|dwz|selo|ratinglij)")
_HALF: Final = 0.5
"""The part of the cells below "FIDE ID" that are such;
the others can be totals and licence numbers.
"""
_NUMBER_OF_A_FEDERATION: Final = re.compile(r"[A-Za-z]{1,2}[0-9]{3,9}|[0-9]{4,9}[A-Za-z]?")


@dataclass(frozen=True, slots=True)
class Whose:
    """What a list says about its ratings: of FIDE, a federation, both, nothing, or others."""

    is_fide: bool
    is_national: bool
    is_other: bool

    @property
    def asks(self) -> bool:
        """Whether only the arbiter can say whose they are."""
        return self.is_other or (self.is_fide and self.is_national)

    @property
    def says_nothing(self) -> bool:
        """Whether nothing in the list says whose they are."""
        return not (self.is_fide or self.is_national or self.is_other)


def whose_ratings(
    headings: Sequence[str],
    samples: Samples,
    kinds: Mapping[str, Sequence[int]],
    titles: Sequence[str],
) -> Whose:
    """Return whose the ratings are, by *kinds* of columns and *titles* above headings.

    A line such as "National ratings" decides it. Otherwise it is a list of FIDE's ratings if it has
    FIDE IDs, and of a federation's if it has numbers of members, or a heading that only such lists
    have.
    """
    above = [text for text in map(plain, titles) if _RATINGS.search(text)]
    names_fide = any("fide" in text.split() for text in above)
    names_nation = any(_NATION.search(text) or _FEDERATION.search(text) for text in above)
    if names_fide != names_nation:
        return Whose(names_fide, names_nation, False)
    words = {plain(cell) for cell in headings}
    ids = _ids(kinds.get("id", ()), samples)
    return Whose(
        is_fide=any(
            is_mostly(_is_quoted_id, samples[number], _HALF) for number in kinds.get("fide_id", ())
        ),
        is_national=(
            not words.isdisjoint(_OF_FEDERATIONS)
            or any(samples[number] for number in kinds.get("national_id", ()))
            or "national" in ids
        ),
        is_other=not words.isdisjoint(_ONLINE)
        or ("unknown" in ids and words.isdisjoint(_OF_FEDERATIONS)),
    )


def can_be_either(heading: str) -> bool:
    """Return whether a rating of FIDE or of a federation may stand below *heading*."""
    return plain(heading) in _EITHER


def is_name_of_a_federation(heading: str) -> bool:
    """Return whether *heading* is only a federation's name: above members' numbers, or ratings."""
    return _FEDERATION.fullmatch(plain(heading)) is not None


def _ids(numbers: Collection[int], samples: Samples) -> set[str]:
    """Return whose the numbers in the columns *numbers* are:
    ``national``, or ``unknown`` if FIDE IDs look like them.

    The places 1, 2, 3 of a list are nobody's.
    """
    found = set()
    for number in numbers:
        if is_mostly(is_long_id, samples[number]):
            found.add("unknown")
        elif is_mostly(_is_national_number, samples[number]):
            found.add("national")
    return found


def is_number_of_a_member(cell: str) -> bool:
    """Return whether *cell* can be a member's number: ratings and years have fewer digits."""
    return len(cell) > 4 and _is_national_number(cell)


def _is_national_number(cell: str) -> bool:
    return _NUMBER_OF_A_FEDERATION.fullmatch(cell) is not None


def _is_quoted_id(cell: str) -> bool:
    return is_fide_id(without_quotes(cell).lstrip("0"))
