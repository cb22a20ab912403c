"""Draw lots in a way that anybody can repeat [C.07/2026 4.2]."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from pairing.engine.model import TPN


def lot(seed: str, tpn: TPN) -> str:
    """Return the lot of *tpn*, hexadecimal: the smallest comes first.

    It is the SHA-256 of *seed*, a colon and the number. Anybody who knows the seed can repeat the
    draw, and nobody else can predict it.
    """
    return sha256(f"{seed}:{tpn}".encode()).hexdigest()


def in_order_of_lots(seed: str, tied: Iterable[TPN]) -> list[TPN]:
    """Return the *tied* in the order of their lots; their order in the argument does not matter."""
    return sorted(tied, key=lambda tpn: (lot(seed, tpn), tpn))
