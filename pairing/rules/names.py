"""Fold names for searching, comparing and sorting. All code of the program uses this function.

The search of result entry in ``static/js/results.js`` does the same.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

# Letters that Unicode does not decompose into a plain letter and an accent, and the apostrophes that phones use.
_PLAIN: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "’": "'", "ʼ": "'"}
)


def fold(text: str) -> str:
    """Return *text* in lower case without accents, commas as spaces: ``Łukasiewicz, J`` gives ``lukasiewicz j``."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(plain.casefold().translate(_PLAIN).replace(",", " ").split())


def words_of(text: str) -> list[str]:
    """Return the folded words of *text*, without apostrophes; O'Brien has "obrien", and "brien" too."""
    words = fold(text).replace("-", " ").split()
    return [part for word in words for part in (word.replace("'", ""), *word.split("'")[1:]) if part]


def search_words(text: str) -> list[str]:
    """Return the folded words that somebody typed to search, without apostrophes."""
    return fold(text).replace("-", " ").replace("'", "").split()


def begins(words: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether each of *wanted* (:func:`search_words`) is the beginning of one of *words* (:func:`words_of`)."""
    have = list(words)
    return all(any(word.startswith(begin) for word in have) for begin in wanted)
