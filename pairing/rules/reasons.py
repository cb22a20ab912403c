"""What counts as a reason: the record keeps it for people to read."""

from __future__ import annotations

from typing import Final

LETTERS: Final = 3


def is_reason(text: str) -> bool:
    """Whether *text* has words in it: at least three letters, of any script."""
    return sum(letter.isalpha() for letter in text) >= LETTERS
