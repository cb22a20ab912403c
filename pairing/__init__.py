"""Pairing for Swiss tournaments: ``pair(state)`` and its data
classes. Nothing imported here needs Django.

The Django part of this package (``apps``, ``rounds``) is imported by its full name only.
"""

from .engine.errors import EngineError, InputError, InvariantError, NoLegalPairingError
from .engine.model import (
    TPN,
    Colour,
    Pairability,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from .engine.systems import SYSTEMS, PairingSystem, pair, pairable, system_by_code

__all__ = [
    "SYSTEMS",
    "TPN",
    "Colour",
    "EngineError",
    "InputError",
    "InvariantError",
    "NoLegalPairingError",
    "Pairability",
    "Pairing",
    "PairingSystem",
    "Player",
    "PointSystem",
    "Points",
    "Result",
    "RoundRecord",
    "TournamentState",
    "pair",
    "pairable",
    "system_by_code",
]
