"""Read the answers of the golden files as pairings;
:mod:`pairing.json_io` reads and writes positions.
"""

from __future__ import annotations

from typing import Any

from pairing.engine.model import TPN, Pairing

Json = dict[str, Any]


def pairing_of(answer: Json) -> Pairing:
    """Return the pairing of a golden answer."""
    pairs = tuple((TPN(white), TPN(black)) for white, black in answer["pairs"])
    return Pairing(pairs, None if answer["bye"] is None else TPN(answer["bye"]))
