"""QR codes as SVG paths."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Any

import segno
from segno.consts import MODE_BYTE, MODE_NUMERIC


@lru_cache(maxsize=64)
def qr_path(text: str, digits: str = "") -> tuple[int, str]:
    """Return the QR code of *text* and *digits*: modules per side, and an SVG path.

    The path covers the dark modules, with one unit per module.
    """
    # A fragment of digits takes 10 bits for three of them, in a part of its own.
    content: Any = [(text, MODE_BYTE, "utf-8"), (digits, MODE_NUMERIC, None)] if digits else text
    rows = [
        list(row)
        for row in segno.make(content, error="m", micro=False, boost_error=not digits).matrix
    ]
    drawn = []
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                drawn.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return len(rows), "".join(drawn)
