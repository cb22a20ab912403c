"""Numbers in mixed radix: one number that compares as its digits do, one after the other."""

from __future__ import annotations

from collections.abc import Sequence


def units(radices: Sequence[int]) -> list[int]:
    """The value of each digit of a mixed-radix number, most significant first, below them all one more: their
    range. ``units([3, 10]) == [10, 1]`` with digits 0-2 and 0-9."""
    values = [1]
    for radix in reversed(radices[1:]):
        values.append(values[-1] * radix)
    return values[::-1]
