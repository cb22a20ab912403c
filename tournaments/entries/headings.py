"""The headings of columns in eight languages: ``headings.toml``, for all lists.

The kinds of columns are the fields of a participant (:data:`tournaments.entries.cells.FIELDS`) and:

- ``rating``: a rating without a word about whose it is, ``id``: a number likewise, ``fide``: the
  FIDE rating or ID;
- ``rapid`` and ``blitz``: only rating lists use them;
- ``category``, ``rank`` and ``other``: known, and never used; the first with its own reason.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tournaments.core.cell_texts import plain

LONGEST: Final = 60
_OF_GROUPS: Final = 2
"""Known headings of groups that a second row must have."""
_TABLE: Final[Mapping[str, Mapping[str, list[str]]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
KINDS: Final = tuple(_TABLE)
"""All kinds of columns."""
_KIND: Final = {
    word: kind for kind, by in _TABLE.items() for words in by.values() for word in words
}
_UNSURE: Final = frozenset(word for by in _TABLE.values() for word in by.get("unsure", ()))
_LANGUAGE: Final = {
    word: language
    for by in _TABLE.values()
    for language, words in reversed(list(by.items()))
    if language not in ("any", "unsure")
    for word in words
}


def words_of_kind(kind: str) -> tuple[str, ...]:
    """Return all words for columns of *kind*."""
    return tuple(word for words in _TABLE[kind].values() for word in words)


def kind_of(heading: str) -> str | None:
    """Return the kind of a column called *heading*; None if the heading is not known."""
    return _KIND.get(_word(heading))


def is_unsure(heading: str) -> bool:
    """Return whether *heading* can mean something else too: the cells must then look right."""
    return _word(heading) in _UNSURE


def language_of(headings: Iterable[str]) -> str:
    """Return the language of most *headings*, such as ``de``; empty if all are unknown."""
    times = Counter(language for each in headings if (language := _LANGUAGE.get(_word(each))))
    # English words such as Name and Club are in the lists of other languages too.
    return max(times, key=lambda language: (times[language], language != "en")) if times else ""


def merged(first: Sequence[str], second: Sequence[str]) -> list[str] | None:
    """Return the headings of two rows in one, ``FIDE`` above ``Code`` as ``FIDE Code``;
    None if *second* has none.

    It has words only, none below the name, and some below a blank cell: the heading before it is
    that of a group. A blank column beside "Name" with nothing in either row has the first names.
    """
    width = max(len(first), len(second))
    above, below = ([*row, *[""] * (width - len(row))] for row in (first, second))
    words = [cell for cell in below if cell]
    name = next(
        (number for number, cell in enumerate(above) if kind_of(cell) in ("name", "last_name")),
        None,
    )
    if (
        name is None
        or below[name]
        or any(re.search("[0-9]", cell) or len(cell) > LONGEST for cell in words)
    ):
        return None
    if not any(low and not high for high, low in zip(above, below, strict=True)):
        return None
    headings, group = [], ""
    for high, low in zip(above, below, strict=True):
        group = high or group
        headings.append(f"{group} {low}" if low else high)
    if (
        sum(
            bool(low) and kind_of(each) is not None
            for each, low in zip(headings, below, strict=True)
        )
        < _OF_GROUPS
    ):
        return None
    if kind_of(above[name]) == "name" and name + 1 < width and not headings[name + 1]:
        headings[name : name + 2] = ["Last name", "First name"]
    return headings


def is_next_to_fide(kinds: Sequence[str | None], number: int, cells: Iterable[str]) -> bool:
    """Return whether the column *number*, called "Nr", has FIDE IDs:
    right of one called FIDE, long numbers only.

    *cells* are those of the column; without a number in them it has none.
    """
    numbers = [cell for cell in cells if cell.strip("0- ")]
    is_right = number > 0 and kinds[number - 1] in ("fide", "fide_rating")
    return (
        is_right
        and bool(numbers)
        and all(re.fullmatch("[1-9][0-9]{4,8}", each) for each in numbers)
    )


def _word(heading: str) -> str:
    """Return *heading* as in the table, without brackets if the whole is not known."""
    if not heading or len(heading) > LONGEST:
        return ""
    whole = plain(heading)
    return whole if whole in _KIND else plain(re.sub(r"\([^)]*\)", " ", heading))
