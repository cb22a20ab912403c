"""Draw by lot: nobody can try the result before, and everybody can check it later.

The secret of the draws is made with the tournament, and the record keeps its fingerprint
(:func:`commitment`) from the first line on. A draw is computed from the secret and a word or number
named by a witness (:func:`seed_of`). Arbiters do not know the secret, and the server cannot change
it any more. After the last draw the record publishes it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

# hashlib and hmac are imported in functions: readers of reports need only the form of a seed.
_SEED: Final = re.compile(r"[0-9a-f]{32}")


class Draw(StrEnum):
    """The two draws; their values are part of the computation."""

    COLOUR = "colour"
    """The initial colour [C.04.3/2026 5.1]."""
    LOTS = "lots"
    """The order of players who are equal in everything [C.07/2026 4.2]."""


def commitment(secret: str) -> str:
    """Return the SHA-256 of *secret*, in hexadecimal."""
    import hashlib

    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, draw: Draw, named: str) -> str:
    """Return the seed of *draw*, 32 hexadecimal digits.

    They are the first of HMAC-SHA256 of ``draw:named`` with the key *secret*.
    """
    import hashlib
    import hmac

    return hmac.new(secret.encode(), f"{draw}:{named}".encode(), hashlib.sha256).hexdigest()[:32]


def is_seed(text: str) -> bool:
    """Return whether *text* has the form of :func:`seed_of`.

    Everybody reads a seed: nothing else is taken as one.
    """
    return _SEED.fullmatch(text) is not None


def colour_of(seed: str) -> str:
    """Return the colour drawn with *seed*: ``"w"`` if its first digit is even, else ``"b"``."""
    return "wb"[int(seed[0], 16) % 2]
