"""Names as people search, compare and sort them: the one folding of the program.

The search of result entry in ``static/js/results.js`` does the same.
"""

from __future__ import annotations

import unicodedata
from typing import Final

# Letters that do not fall apart into a plain one and an accent; phones set the apostrophe as they like.
_PLAIN: Final = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "’": "'", "ʼ": "'"}
)


def fold(text: str) -> str:
    """*text* without accents, in lower case, spaces and commas alike: ``Łukasiewicz, J`` is ``lukasiewicz j``."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(plain.casefold().translate(_PLAIN).replace(",", " ").split())
