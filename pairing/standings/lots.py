"""Drawing of lots that anybody can repeat [C.07/2026 4.2]."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from pairing.engine.model import TPN


def lot(seed: str, tpn: TPN) -> str:
    """The lot of *tpn*, hexadecimal: the smallest comes first.

    It is the SHA-256 of *seed*, a colon and the number. Whoever knows the seed can draw again; who does not, cannot
    foresee it.
    """
    return sha256(f"{seed}:{tpn}".encode()).hexdigest()


def in_order_of_lots(seed: str, tied: Iterable[TPN]) -> list[TPN]:
    """The *tied* as the lots put them; the order in which they are given does not matter."""
    return sorted(tied, key=lambda tpn: (lot(seed, tpn), tpn))
