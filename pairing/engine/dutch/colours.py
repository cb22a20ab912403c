"""Who gets which colour [C.04.3/2026 Article 5]."""

from __future__ import annotations

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.model import Colour


def colour_of_higher(own: ColourRecord, theirs: ColourRecord, number: int, initial_colour: Colour) -> Colour:
    """The colour that the higher ranked [C.04.3/2026 1.2] of two paired players gets [C.04.3/2026 5.2].

    *own* and *theirs* are the colours played by the higher and the lower ranked; *number* is what the parity of
    5.2.5 is taken of, for the higher. The rules apply in order; each function answers the colour of the higher
    ranked player, or None to leave it to the next; 5.2.4 is the preference of the higher ranked itself.
    """
    return (
        _grant_preferences(own, theirs)
        or _alternate_latest_difference(own, theirs)
        or own.preference
        or _initial_colour_by_parity(number, initial_colour)
    )


def _grant_preferences(own: ColourRecord, theirs: ColourRecord) -> Colour | None:
    """Both preferences, else the stronger one, else of two absolute ones the wider colour difference
    [C.04.3/2026 5.2.1, 5.2.2]; an opponent without preference yields [C.04.3/2026 1.7.4]."""
    if own.preference is None:
        return None if theirs.preference is None else theirs.preference.opposite
    if own.preference is not theirs.preference:
        return own.preference
    if own.strength is not theirs.strength:
        return own.preference if own.strength > theirs.strength else own.preference.opposite
    if own.strength is Strength.ABSOLUTE and abs(own.difference) != abs(theirs.difference):
        return own.preference if abs(own.difference) > abs(theirs.difference) else own.preference.opposite
    return None


def _alternate_latest_difference(own: ColourRecord, theirs: ColourRecord) -> Colour | None:
    """The other colour than in the most recent game, counted back over games played, in which one had White
    and the other Black [C.04.3/2026 5.2.3] [C.04.2/2026 3.4]."""
    for mine, other in zip(reversed(own.history), reversed(theirs.history), strict=False):
        if mine != other:
            return Colour(other)
    return None


def _initial_colour_by_parity(number: int, initial_colour: Colour) -> Colour:
    """An odd number gets the initial colour, an even one the other [C.04.3/2026 5.2.5]."""
    return initial_colour if number % 2 else initial_colour.opposite
