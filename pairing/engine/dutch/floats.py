"""Who has floated, and when [C.04.3/2026 1.4]."""

from __future__ import annotations

from enum import Enum


class Float(Enum):
    """The float of one round."""

    DOWN = "down"
    UP = "up"
    NONE = ""
