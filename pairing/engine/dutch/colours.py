"""Allocate the colours of a pair [C.04.3/2026 Article 5] [C.04.1/2026 8]."""

from __future__ import annotations

from enum import Enum

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.model import Colour


class ColourRule(Enum):
    """Name the rule that decided the colours of a pair, by its article."""

    BOTH_PREFERENCES = "5.2.1"
    STRONGER_PREFERENCE = "5.2.2"
    LATEST_DIFFERENCE = "5.2.3"
    HIGHER_RANKED = "5.2.4"
    INITIAL_COLOUR = "5.2.5"


# By name: looking a member up in its class costs more than all the rest of a decision.
_BOTH, _STRONGER, _LATEST, _HIGHER, _INITIAL = ColourRule
_ABSOLUTE = Strength.ABSOLUTE


def colour_of_higher(
    own: ColourRecord, theirs: ColourRecord, number: int, initial_colour: Colour
) -> Colour:
    """Return the higher ranked player's colour in a pair [C.04.3/2026 1.2] [C.04.3/2026 5.2]."""
    return colour_and_rule(own, theirs, number, initial_colour)[0]


def colour_and_rule(
    own: ColourRecord, theirs: ColourRecord, number: int, initial_colour: Colour
) -> tuple[Colour, ColourRule]:
    """Return the colour of the higher ranked of a pair, and the rule for it [C.04.3/2026 5.2].

    *own* and *theirs* are the colours played by the higher and the lower ranked player. *number* is
    the pairing number of the higher ranked player, whose parity decides under 5.2.5. The rules
    apply in order. An opponent without a preference yields [C.04.3/2026 1.7.4].
    """
    wanted, other = own.preference, theirs.preference
    if wanted is None:
        if other is None:
            return _initial_colour_by_parity(number, initial_colour), _INITIAL
        return other.opposite, _BOTH
    if wanted is not other:
        return wanted, _BOTH
    stronger = _own_is_stronger(own, theirs)
    if stronger is not None:
        return (wanted if stronger else wanted.opposite), _STRONGER
    alternated = _alternate_latest_difference(own, theirs)
    if alternated is not None:
        return alternated, _LATEST
    return wanted, _HIGHER


def _own_is_stronger(own: ColourRecord, theirs: ColourRecord) -> bool | None:
    """Tell which of two preferences for the same colour is stronger [C.04.3/2026 5.2.2].

    Between two absolute preferences the wider colour difference is stronger. None means that they
    are equal.
    """
    if own.strength is not theirs.strength:
        return own.strength > theirs.strength
    if own.strength is _ABSOLUTE and abs(own.difference) != abs(theirs.difference):
        return abs(own.difference) > abs(theirs.difference)
    return None


def _alternate_latest_difference(own: ColourRecord, theirs: ColourRecord) -> Colour | None:
    """Return the opposite of the colour in the most recent game in which
    one player had White and the other Black.

    Only games that were played count [C.04.3/2026 5.2.3] [C.04.2/2026 3.4].
    """
    for mine, other in zip(reversed(own.history), reversed(theirs.history), strict=False):
        if mine != other:
            return Colour(other)
    return None


def _initial_colour_by_parity(number: int, initial_colour: Colour) -> Colour:
    """Give an odd number the initial colour, an even one the other [C.04.3/2026 5.2.5]."""
    return initial_colour if number % 2 else initial_colour.opposite
