"""Answers of the golden files as pairings; positions are read and written by :mod:`pairing.json_io`."""

from __future__ import annotations

from typing import Any

from pairing.engine.model import TPN, Pairing

Json = dict[str, Any]


def pairing_of(answer: Json) -> Pairing:
    """The pairing a golden answer names."""
    pairs = tuple((TPN(white), TPN(black)) for white, black in answer["pairs"])
    return Pairing(pairs, None if answer["bye"] is None else TPN(answer["bye"]))
