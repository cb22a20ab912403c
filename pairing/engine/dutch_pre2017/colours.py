"""Who has White [C.04.3/pre2017 E]."""

from __future__ import annotations

from pairing.engine.model import Colour

from .field import RankedPlayer


def colour_of_higher(higher: RankedPlayer, lower: RankedPlayer, initial_colour: Colour) -> Colour:
    """The colour of the higher ranked [C.04.3/pre2017 A2] of two paired players, by the first rule that decides.

    Two absolute preferences are equally strong, whatever the colour differences: a topscorer's opponent counts as
    a topscorer, and E2 knows three strengths only [C.04.3/pre2017 A7, B2, E2].
    """
    own, theirs = higher.colours.preference, lower.colours.preference
    if own is not theirs:  # E1; who has no preference yields (A7.f)
        if own is not None:
            return own
        if theirs is not None:
            return theirs.opposite
    if own is None:  # E5
        return initial_colour if higher.number % 2 else initial_colour.opposite
    if higher.colours.strength is not lower.colours.strength:  # E2
        return own if higher.colours.strength > lower.colours.strength else own.opposite
    for mine, other in zip(reversed(higher.colours.history), reversed(lower.colours.history), strict=False):
        if mine != other:  # E3, unplayed rounds removed (F3)
            return Colour(other)
    return own  # E4
