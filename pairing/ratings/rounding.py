"""Round whole-number fractions exactly: binary floats take wrong rows of the tables."""

from __future__ import annotations

_HALVES = {0: "", 1: "½"}


def half_up(numerator: int, denominator: int) -> int:
    """Return the nearest whole number, a half upwards [B.01/2024 1.4.7b, 1.4.9]."""
    return (2 * numerator + denominator) // (2 * denominator)


def half_away(numerator: int, denominator: int) -> int:
    """Return the nearest whole number, a half away from zero [B.02/2024 8.3.4]."""
    nearest = half_up(abs(numerator), denominator)
    return nearest if numerator >= 0 else -nearest


def up(numerator: int, denominator: int) -> int:
    """Return the smallest whole number that is not below the fraction."""
    return -(-numerator // denominator)


def score_text(halves: int) -> str:
    """Return a score of half points as written: 7, 3½, ½."""
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{_HALVES[half]}"
