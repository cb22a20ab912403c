"""Give a paired round its colours and its board order."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine.basics.board_order import publication_order
from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Colour, Pairing

from .colours import colour_of_higher
from .field import Field


def publish(paired: Iterable[tuple[int, int]], unpaired: tuple[int, ...], field: Field) -> Pairing:
    """Give the colours [C.04.3/2026 Article 5] [C.04.3/2017 E] and sort the boards."""
    if len(unpaired) > 1:
        raise InvariantError(f"{len(unpaired)} players were left unpaired")
    tpns, colours = field.tpns, field.colours
    pairs: list[tuple[TPN, TPN]] = []
    for higher, lower in paired:
        colour = colour_of_higher(
            colours[higher], colours[lower], field.numbers[higher], field.initial_colour
        )
        white, black = (higher, lower) if colour is Colour.WHITE else (lower, higher)
        pairs.append((tpns[white], tpns[black]))
    scores = dict(zip(tpns, field.scores, strict=True))
    return Pairing(publication_order(pairs, scores), tpns[unpaired[0]] if unpaired else None)
