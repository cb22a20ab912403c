"""Fold names for searching, comparing and sorting. All code of the program uses this function.

The search of result entry in ``static/js/results.js`` does the same.
"""

from __future__ import annotations

import unicodedata
from typing import Final

# Letters that Unicode does not decompose into a plain letter and an accent, and the apostrophes that phones use.
_PLAIN: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "’": "'", "ʼ": "'"}
)


def fold(text: str) -> str:
    """Return *text* in lower case without accents, commas as spaces: ``Łukasiewicz, J`` gives ``lukasiewicz j``."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(plain.casefold().translate(_PLAIN).replace(",", " ").split())
