"""Who gets which colour [C.04.3/2026 Article 5]."""

from __future__ import annotations

from pairing.engine.basics.colours import Strength
from pairing.engine.model import Colour

from .field import RankedPlayer


def white_of(higher: RankedPlayer, lower: RankedPlayer, initial_colour: Colour) -> RankedPlayer:
    """Which of two paired players gets White [C.04.3/2026 5.2].

    *higher* is the one ranked higher [C.04.3/2026 1.2]. The rules apply in order; each function answers
    the colour of *higher*, or None to leave it to the next.
    """
    colour = (
        _grant_preferences(higher, lower)
        or _alternate_latest_difference(higher, lower)
        or higher.colours.preference
        or _initial_colour_by_parity(higher, initial_colour)
    )
    return higher if colour is Colour.WHITE else lower


def _grant_preferences(higher: RankedPlayer, lower: RankedPlayer) -> Colour | None:
    """Both preferences, else the stronger one, else of two absolute ones the wider colour difference
    [C.04.3/2026 5.2.1, 5.2.2]; an opponent without preference yields [C.04.3/2026 1.7.4]."""
    own, theirs = higher.colours, lower.colours
    if own.preference is None:
        return None if theirs.preference is None else theirs.preference.opposite
    if theirs.preference is None or own.preference is not theirs.preference:
        return own.preference
    if own.strength is not theirs.strength:
        return own.preference if own.strength > theirs.strength else own.preference.opposite
    if own.strength is Strength.ABSOLUTE and abs(own.difference) != abs(theirs.difference):
        return own.preference if abs(own.difference) > abs(theirs.difference) else own.preference.opposite
    return None


def _alternate_latest_difference(higher: RankedPlayer, lower: RankedPlayer) -> Colour | None:
    """The other colour than in the most recent game, counted back over games played, in which one had White
    and the other Black [C.04.3/2026 5.2.3] [C.04.2/2026 3.4]."""
    for own, theirs in zip(reversed(higher.colours.history), reversed(lower.colours.history), strict=False):
        if own is not theirs:
            return own.opposite
    return None


def _initial_colour_by_parity(higher: RankedPlayer, initial_colour: Colour) -> Colour:
    """An odd number gets the initial colour, an even one the other [C.04.3/2026 5.2.5]."""
    return initial_colour if higher.number % 2 else initial_colour.opposite
