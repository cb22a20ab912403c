"""Combine several counts into one number that compares like the counts in order."""

from __future__ import annotations

from collections.abc import Sequence


def units(radices: Sequence[int]) -> list[int]:
    """Return the value of each digit of a mixed-radix number, most significant first.

    Each value is one more than the largest number that the digits below can form. ``units([3, 10])
    == [10, 1]`` with digits 0-2 and 0-9.
    """
    values = [1]
    for radix in reversed(radices[1:]):
        values.append(values[-1] * radix)
    return values[::-1]
