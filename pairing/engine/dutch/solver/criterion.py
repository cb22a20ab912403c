"""Define the form in which every edition gives its quality criteria.

A criterion returns what one pair (the higher ranked player first) or one downfloater adds to it.
Some criteria are counts. The others are lists of score differences or scores "taken in descending
order", to which a pair or a downfloater adds one item, or None. A candidate is better the smaller
its counts are, and the smaller its lists, compared item by item from the largest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.field import RankedPlayer
from pairing.engine.model import Colour

ONE_POINT = 10
"""In tenths."""


class View(NamedTuple):
    """Hold the bracket and the initial colour: all that a criterion uses besides the players."""

    bracket: Bracket
    initial_colour: Colour


PairMeasure = Callable[[View, RankedPlayer, RankedPlayer], int | None]


DownfloaterMeasure = Callable[[View, RankedPlayer], int | None]


def _nothing(_view: View, *_players: RankedPlayer) -> int | None:
    return None


class Criterion(NamedTuple):
    """Describe one quality criterion.

    ``is_list``: its items are compared in descending order instead of summed.
    """

    name: str
    article: str
    of_pair: PairMeasure = _nothing
    of_downfloater: DownfloaterMeasure = _nothing
    is_list: bool = False
