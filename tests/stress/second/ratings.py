"""The tie-breaks of C.07 Article 10, with the tables of the
rating regulations (B.02 8.1.1 and 8.1.2).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from .table import Table

DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
)  # fmt: skip
"""8.1.1: the rating difference for 50 %, 51 % … 100 % of the points."""
LIMITS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
)  # fmt: skip
"""8.1.2: the largest difference with which the stronger player is expected to make 0.50,
0.51 … 0.99; beyond it 1.
"""
MADE = {
    "1": Fraction(1),
    "W": Fraction(1),
    "=": Fraction(1, 2),
    "D": Fraction(1, 2),
    "0": Fraction(0),
    "L": Fraction(0),
}


def rated_opponents(table: Table, tpn: int) -> list[int]:
    """Return the ratings of the opponents over the board; an adjourned game has begun."""
    return [
        table.ratings[one.opponent] for one in table.rows[tpn] if one.opponent and one.is_played
    ]


def _finished(table: Table, tpn: int) -> list[int]:
    """Return the ratings of the opponents against whom the game has a result."""
    return [
        table.ratings[one.opponent]
        for one in table.rows[tpn]
        if one.opponent and one.result in MADE
    ]


def rounded(values: list[int]) -> int | None:
    """Return the average, a half rounded up."""
    return (2 * sum(values) + len(values)) // (2 * len(values)) if values else None


def _made(table: Table, tpn: int) -> Fraction:
    return sum(
        (MADE[one.result] for one in table.rows[tpn] if one.opponent and one.result in MADE),
        Fraction(0),
    )


def performance(table: Table, tpn: int, _: list[str]) -> int | None:
    """Return TPR [10.2]."""
    met = _finished(table, tpn)
    average = rounded(met)
    if average is None:
        return None
    percent = int(100 * _made(table, tpn) / len(met) + Fraction(1, 2))
    return average + (DIFFERENCES[percent - 50] if percent >= 50 else -DIFFERENCES[50 - percent])


def _expected(difference: int) -> int:
    """Return the expected score against somebody rated *difference* points lower, in hundredths."""
    at_least = 50 + sum(abs(difference) > limit for limit in LIMITS)
    return at_least if difference >= 0 else 100 - at_least


def perfect_performance(table: Table, tpn: int, _: list[str]) -> int | None:
    """Return PTP: the lowest rating that expects the points made [10.3]."""
    met, made = _finished(table, tpn), _made(table, tpn)
    if not met:
        return None
    if made == 0:
        return min(met) - 800
    low, high = min(met) - 800, max(met) + 800  # One expects nothing, the other everything.
    while high - low > 1:
        middle = (low + high) // 2
        enough = sum(_expected(middle - rating) for rating in met) >= 100 * made
        low, high = (low, middle) if enough else (middle, high)
    return high


def average_of(
    tie_break: Callable[[Table, int, list[str]], int | None], table: Table, tpn: int
) -> int | None:
    """Return the average over the opponents [10.4, 10.5]."""
    met = [one.opponent for one in table.rows[tpn] if one.opponent and one.is_played]
    found = [tie_break(table, other, []) for other in met]
    return rounded([value for value in found if value is not None])
