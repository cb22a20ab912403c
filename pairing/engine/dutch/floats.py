"""Define the float of one round [C.04.3/2026 1.4]."""

from __future__ import annotations

from enum import Enum


class Float(Enum):
    """Name the float of one round."""

    DOWN = "down"
    UP = "up"
    NONE = ""
