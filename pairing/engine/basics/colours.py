"""Colour differences and preferences [C.04.3/2026 1.6, 1.7]."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from pairing.engine.model import Colour, Player


class Strength(IntEnum):
    """How strong a colour preference is; a larger value is stronger."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class ColourRecord:
    """What the games played say about colours.

    ``history`` has the colours of the games played, oldest first, without the unplayed rounds
    [C.04.2/2026 3.4]; ``difference`` is Whites minus Blacks [C.04.3/2026 1.6]; ``preference`` is None for
    who has not played [C.04.3/2026 1.7.4].
    """

    history: tuple[Colour, ...]
    difference: int
    preference: Colour | None
    strength: Strength

    @property
    def is_absolute(self) -> bool:
        return self.strength is Strength.ABSOLUTE

    @property
    def is_at_least_strong(self) -> bool:
        """Strong or absolute: what [C13] counts (docs/rules.md, R4)."""
        return self.strength >= Strength.STRONG


def colour_record(player: Player) -> ColourRecord:
    """The colour difference and preference of *player* after the rounds so far [C.04.3/2026 1.6, 1.7]."""
    history = tuple(record.colour for record in player.rounds if record.is_played and record.colour is not None)
    whites = history.count(Colour.WHITE)
    difference = 2 * whites - len(history)
    preference, strength = _preference(history, difference)
    return ColourRecord(history, difference, preference, strength)


def _preference(history: tuple[Colour, ...], difference: int) -> tuple[Colour | None, Strength]:
    """Absolute, then strong, then mild. A difference beyond ±1 decides before the last two games do: the
    text has both as absolute, and only the wider one can be owed a colour [C.04.3/2026 1.7.1]."""
    if not history:
        return None, Strength.NONE
    if difference > 1:
        return Colour.BLACK, Strength.ABSOLUTE
    if difference < -1:
        return Colour.WHITE, Strength.ABSOLUTE
    last = history[-1]
    if len(history) > 1 and history[-2] is last:
        return last.opposite, Strength.ABSOLUTE
    if difference:
        return (Colour.BLACK if difference > 0 else Colour.WHITE), Strength.STRONG
    return last.opposite, Strength.MILD
