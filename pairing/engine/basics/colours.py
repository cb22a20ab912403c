"""Colour differences and preferences [C.04.3/2026 1.6, 1.7]."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from pairing.engine.model import Colour


class Strength(IntEnum):
    """How strong a colour preference is; a larger value is stronger."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True, eq=False)
class ColourRecord:
    """Summarise the colours of the games played.

    ``history`` has the colour letters of the games played, oldest first, without the unplayed
    rounds [C.04.2/2026 3.4]; ``difference`` is Whites minus Blacks [C.04.3/2026 1.6];
    ``preference`` is None before the first game [C.04.3/2026 1.7.4].
    """

    history: str
    difference: int
    preference: Colour | None
    strength: Strength

    @property
    def is_absolute(self) -> bool:
        return self.strength is Strength.ABSOLUTE


def colour_record(history: str) -> ColourRecord:
    """The colour difference and preference after *history* [C.04.3/2026 1.6, 1.7]."""
    difference = 2 * history.count("w") - len(history)
    preference, strength = _preference(history, difference)
    return ColourRecord(history, difference, preference, strength)


def _preference(history: str, difference: int) -> tuple[Colour | None, Strength]:
    """Absolute, then strong, then mild. A difference beyond ±1 decides before the last two games
    do: the text has both as absolute, and only one of the two can be owed [C.04.3/2026 1.7.1]."""
    if not history:
        return None, Strength.NONE
    if difference > 1:
        return Colour.BLACK, Strength.ABSOLUTE
    if difference < -1:
        return Colour.WHITE, Strength.ABSOLUTE
    last = Colour(history[-1])
    if history[-2:-1] == history[-1]:
        return last.opposite, Strength.ABSOLUTE
    if difference:
        return (Colour.BLACK if difference > 0 else Colour.WHITE), Strength.STRONG
    return last.opposite, Strength.MILD
