"""Allocate the colours of the first game of a match [C.04.5/2026 Article 4];
the second game reverses them.
"""

from __future__ import annotations

from enum import Enum

from pairing.engine.model import TPN, Colour


class ColourRule(Enum):
    """The rule that decided the colours of a pair, valued by its article."""

    INITIAL_COLOUR = "4.3.1"
    FEWER_WHITES = "4.3.2"
    LATEST_DIFFERENCE = "4.3.3"
    HIGHER_RANKED = "4.3.4"
    OPPONENT = "4.3.5"


def colour_and_rule(
    own: str, theirs: str, tpn: TPN, initial_colour: Colour
) -> tuple[Colour, ColourRule]:
    """Return the colour of the higher ranked player of a pair [C.04.5/2026 4.2],
    and the rule of 4.3 that gives it.

    *own* and *theirs* are the colours of the higher ranked player and the opponent so far, oldest
    first, without the unplayed rounds [C.04.2/2026 3.4]; *tpn* is the pairing number of the higher
    ranked player.

    "Yet to play a match" (4.3.1) is read as "yet to have a colour". A match in which each player
    forfeited one game counts as played but gives no colour, and after it no other rule would decide
    between two players without colours.
    """
    if not own and not theirs:
        return (initial_colour if tpn % 2 else initial_colour.opposite), ColourRule.INITIAL_COLOUR
    whites, other_whites = own.count(Colour.WHITE.letter), theirs.count(Colour.WHITE.letter)
    if whites != other_whites:
        return (Colour.WHITE if whites < other_whites else Colour.BLACK), ColourRule.FEWER_WHITES
    for mine, other in zip(reversed(own), reversed(theirs), strict=False):
        if mine != other:
            return Colour(other), ColourRule.LATEST_DIFFERENCE
    if own:
        return Colour(own[-1]).opposite, ColourRule.HIGHER_RANKED
    return Colour(theirs[-1]), ColourRule.OPPONENT
