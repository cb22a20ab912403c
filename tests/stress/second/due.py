"""Decide which pages are read after an action: those that must show something new, and some others.

What a page must show is computed from the exported file. While it is what the page showed when it
was read last, the page is read only at random, and when everything is read: at the beginning, at
the end of each round, and after a crash or a copy. So no page is left out because the program
believes that it has not changed.
"""

from __future__ import annotations

import random
from typing import Final

SPOT: Final = 0.06
"""The share of the pages that are read although they must show the same as before."""


class Due:
    """Remembers what each page had to show when it was read last."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.everything = True
        """Whether every page is read now."""
        self.shown: dict[str, object] = {}

    def __call__(self, page: str, expected: object, *, spot: float = SPOT) -> bool:
        """Return whether *page*, which must show *expected*, is read now;
        *spot* is its share if nothing is new.
        """
        has_changed = page not in self.shown or self.shown[page] != expected
        if not (self.everything or has_changed or self.chance.random() < spot):
            return False
        self.shown[page] = expected
        return True

    def often(self, share: float) -> bool:
        """Return True when everything is read, else for this *share* of the calls."""
        return self.everything or self.chance.random() < share
