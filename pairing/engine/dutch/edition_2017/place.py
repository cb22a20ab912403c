"""Name the place of a bracket in the round-pairing [C.04.3/2017 A.9]."""

from __future__ import annotations

from enum import Enum, auto


class Place(Enum):
    """Name the place of a bracket in the round-pairing [C.04.3/2017 A.9]."""

    ORDINARY = auto()
    PENULTIMATE = auto()
    LAST = auto()
    """The last scoregroup, or the collapsed last bracket."""
