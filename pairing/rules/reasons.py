"""Recognise a reason given by an arbiter. The record keeps it for people to read."""

from __future__ import annotations

from typing import Final

LETTERS: Final = 3


def is_reason(text: str) -> bool:
    """Return whether *text* contains words: at least three letters, of any script."""
    return sum(letter.isalpha() for letter in text) >= LETTERS
