"""Pairing systems for tests of the code around them."""

from pairing.engine.systems import SYSTEMS, PairingSystem, PairRound


def paired_by(pair: PairRound, code: str = "dutch_2026") -> PairingSystem:
    """Return the system *code*, except *pair*, which pairs its rounds."""
    system = SYSTEMS[code]
    return system._replace(procedure=lambda: system.procedure()._replace(pair=pair))
