"""Allocate White [C.04.3/pre2017 E]."""

from __future__ import annotations

from pairing.engine.model import Colour

from .field import RankedPlayer


def colour_of_higher(higher: RankedPlayer, lower: RankedPlayer, initial_colour: Colour) -> Colour:
    """The colour of the higher ranked [C.04.3/pre2017 A2] of two paired players."""
    return colour_and_rule(higher, lower, initial_colour)[0]


def colour_and_rule(
    higher: RankedPlayer, lower: RankedPlayer, initial_colour: Colour
) -> tuple[Colour, str]:
    """The colour of the higher ranked of a pair, and the first rule of E that decided.

    Two absolute preferences are equally strong, whatever the colour differences: a topscorer's
    opponent counts as a topscorer, and E2 knows three strengths only [C.04.3/pre2017 A7, B2, E2].
    """
    own, theirs = higher.colours.preference, lower.colours.preference
    if own is not theirs:  # A player without a preference yields (A7.f).
        if own is not None:
            return own, "E1"
        if theirs is not None:
            return theirs.opposite, "E1"
    if own is None:
        return (initial_colour if higher.number % 2 else initial_colour.opposite), "E5"
    if higher.colours.strength is not lower.colours.strength:
        return (own if higher.colours.strength > lower.colours.strength else own.opposite), "E2"
    for mine, other in zip(
        reversed(higher.colours.history), reversed(lower.colours.history), strict=False
    ):
        if mine != other:  # unplayed rounds removed (F3)
            return Colour(other), "E3"
    return own, "E4"
