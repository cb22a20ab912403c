"""Read the text of an undamaged QR code from its modules, by ISO/IEC 18004,
without the library that makes it.

Errors are not corrected: the blocks are taken apart and read as they are. Level M, versions 7 to
40.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Modules = Sequence[Sequence[int]]

BLOCKS_M: Final = {
    7: (4, 18), 8: (4, 22), 9: (5, 22), 10: (5, 26), 11: (5, 30), 12: (8, 22), 13: (9, 22), 14: (9, 24), 15: (10, 24),
    16: (10, 28), 17: (11, 28),
}  # fmt: skip
"""The blocks of each version at level M, and the correction codewords of one block."""
ALIGNED: Final = {
    7: (6, 22, 38), 8: (6, 24, 42), 9: (6, 26, 46), 10: (6, 28, 50), 11: (6, 30, 54), 12: (6, 32, 58), 13: (6, 34, 62),
    14: (6, 26, 46, 66), 15: (6, 26, 48, 70), 16: (6, 26, 50, 74), 17: (6, 30, 54, 78),
}  # fmt: skip
"""The centres of the alignment patterns of each version."""
MASKS: Final = (
    lambda y, x: (y + x) % 2,
    lambda y, _: y % 2,
    lambda _, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
)


def text_of(modules: Modules) -> str:
    """Return the text: parts of bytes and of digits."""
    version = (len(modules) - 17) // 4
    mask = _mask(modules)
    stream = "".join(
        str(modules[y][x] ^ (MASKS[mask](y, x) == 0))
        for y, x in _order(len(modules))
        if not _is_fixed(y, x, version)
    )
    words = [int(stream[at : at + 8], 2) for at in range(0, len(stream) - 7, 8)]
    return _parts("".join(f"{word:08b}" for word in _data(words, version)), version)


def _mask(modules: Modules) -> int:
    """Return the mask that the format beside the upper left corner names; only level M is read."""
    row = [modules[8][x] for x in range(5)]
    level, mask = row[0] * 2 + row[1], row[2] * 4 + row[3] * 2 + row[4]
    assert level ^ 0b10 == 0, "not level M"
    return mask ^ 0b101


def _order(size: int) -> list[tuple[int, int]]:
    """Return all modules in the order of the bits:
    two columns at a time, up and down, from the right.
    """
    places = []
    upwards = True
    for right in [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]:
        rows = range(size - 1, -1, -1) if upwards else range(size)
        places += [(y, x) for y in rows for x in (right, right - 1)]
        upwards = not upwards
    return places


def _is_fixed(y: int, x: int, version: int) -> bool:
    size = 4 * version + 17
    if (y < 9 and (x < 9 or x >= size - 8)) or (y >= size - 8 and x < 9) or 6 in (y, x):
        return True
    if (y < 6 and x >= size - 11) or (x < 6 and y >= size - 11):  # the number of the version
        return True
    near = [
        (cy, cx)
        for cy in ALIGNED[version]
        for cx in ALIGNED[version]
        if abs(cy - y) < 3 and abs(cx - x) < 3
    ]
    ends = (6, size - 7)
    return any(
        not (cy in ends and cx in ends and (cy, cx) != (size - 7, size - 7)) for cy, cx in near
    )


def _data(words: list[int], version: int) -> list[int]:
    """Return the data codewords: the blocks are interleaved, the shorter ones first."""
    blocks, correction = BLOCKS_M[version]
    count = len(words) - blocks * correction
    lengths = [count // blocks + (block >= blocks - count % blocks) for block in range(blocks)]
    found: list[list[int]] = [[] for _ in range(blocks)]
    rest = iter(words)
    for place in range(max(lengths)):
        for block, length in enumerate(lengths):
            if place < length:
                found[block].append(next(rest))
    return [word for block in found for word in block]


def _parts(bits: str, version: int) -> str:
    text, at = "", 0

    def take(count: int) -> int:
        nonlocal at
        at += count
        return int(bits[at - count : at], 2)

    while at + 4 <= len(bits) and (mode := take(4)):
        if mode == 4:
            count = take(8 if version < 10 else 16)
            text += bytes(take(8) for _ in range(count)).decode()
        elif mode == 1:
            left = take(10 if version < 10 else 12)
            while left:
                digits = min(3, left)
                text += str(take((0, 4, 7, 10)[digits])).zfill(digits)
                left -= digits
        else:
            raise AssertionError(f"mode {mode}")
    return text
