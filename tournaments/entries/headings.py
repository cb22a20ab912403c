"""The headings of columns in eight languages: one table, ``headings.toml``, for all lists of players.

The kinds of columns are the fields of a participant (:data:`tournaments.entries.cells.FIELDS`) and:

- ``rating``: a rating without a word about whose it is, ``id``: a number likewise, ``fide``: the FIDE rating or ID;
- ``rapid``, ``blitz`` and ``w_title``: only rating lists use them;
- ``rank`` and ``other``: known, and never used.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tournaments.entries.cell_texts import plain

LONGEST: Final = 60
_TABLE: Final[Mapping[str, Mapping[str, list[str]]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
KINDS: Final = tuple(_TABLE)
"""All kinds of columns."""
_KIND: Final = {word: kind for kind, by in _TABLE.items() for words in by.values() for word in words}
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
    """Return whether *heading* can mean something else too, so that the cells must look like its kind."""
    return _word(heading) in _UNSURE


def language_of(headings: Iterable[str]) -> str:
    """Return the language of most *headings*, such as ``de``; empty if none is known."""
    times = Counter(language for each in headings if (language := _LANGUAGE.get(_word(each))))
    # English words such as Name and Club are in the lists of other languages too.
    return max(times, key=lambda language: (times[language], language != "en")) if times else ""


def _word(heading: str) -> str:
    """Return *heading* as in the table; what stands in brackets is left out if the whole is not known."""
    if not heading or len(heading) > LONGEST:
        return ""
    whole = plain(heading)
    return whole if whole in _KIND else plain(re.sub(r"\([^)]*\)", " ", heading))
