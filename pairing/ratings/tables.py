"""The two tables of the FIDE Rating Regulations, for ratings, norms and the performance
tie-breaks [B.02/2024 8.1.1, 8.1.2].

Fractions and probabilities are hundredths, differences are rating points.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

# fmt: off
_DIFFERENCES: Final = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
"""The rating difference for a fraction of 0.50, 0.51, … 1.00 of the points [B.02/2024 8.1.1]."""

_LARGEST: Final = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)
"""The largest difference at which the higher rated player scores 0.50, 0.51, … 0.99;
above, 1.00 [B.02/2024 8.1.2].
"""
# fmt: on


def rating_difference(hundredths: int) -> int:
    """Return the rating difference for a fraction of points, 0 to 100 hundredths."""
    return _DIFFERENCES[hundredths - 50] if hundredths >= 50 else -_DIFFERENCES[50 - hundredths]


def expected_score(difference: int) -> int:
    """Return the expected score, in hundredths, of a player rated
    *difference* points higher (negative: lower).

    The full scale is used: no difference is cut to 400 [C.07/2026 10.3].
    """
    higher = 50 + bisect_left(_LARGEST, abs(difference))
    return higher if difference >= 0 else 100 - higher


ALWAYS_WINS: Final = _LARGEST[-1] + 1
"""From this difference on the higher rated player has an expected score of 1.00."""
