"""Read the code of a round, as ``static/js/round_code.js`` does on a phone."""

from __future__ import annotations

from typing import Final

from pairing.record.round_code import BYE_KINDS, DIGITS, FORMAT, RoundCode

SIGNATURE_BYTES: Final = 64


def unpack(packed: bytes) -> RoundCode:
    """Return the content of *packed*, without signature;
    ValueError if it is not complete or of another format.
    """
    reader = Bits(packed)
    if reader.take(4) != FORMAT:
        raise ValueError("a code of another format")
    event = f"{reader.take(16):04x}"
    round_number, version, published, numbers = (reader.take(bits) for bits in (7, 6, 32, 32))
    part, parts, width = (reader.take(bits) + 1 for bits in (6, 6, 4))
    first, boards, byes, tables = (reader.take(bits) for bits in (13, 11, 11, 8))
    code = RoundCode(
        event=event,
        round_number=round_number,
        version=version,
        published=published,
        numbers=numbers,
        part=part,
        parts=parts,
        first_board=first,
        boards=tuple((reader.take(width), reader.take(width)) for _ in range(boards)),
        byes=tuple((reader.take(width), BYE_KINDS[reader.take(2)]) for _ in range(byes)),
        tables=tuple((first + reader.take(11), reader.take(13)) for _ in range(tables)),
    )
    if not 0 <= reader.left < 8 or reader.take(reader.left):
        raise ValueError("something follows the code of the round")
    return code


def from_digits(digits: str) -> bytes:
    """Return the bytes of ``round_code.to_digits``; ValueError for anything else."""
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError("not decimal digits")
    content = b""
    for start in range(0, len(digits), DIGITS[-1]):
        chunk = digits[start : start + DIGITS[-1]]
        length = DIGITS.index(len(chunk))
        if int(chunk) >= 1 << 8 * length:
            raise ValueError("too large a number")
        content += int(chunk).to_bytes(length, "big")
    return content


class Bits:
    """Take bits from the front; ValueError at the end."""

    def __init__(self, content: bytes) -> None:
        self._value = int.from_bytes(content, "big")
        self.left = 8 * len(content)

    def take(self, bits: int) -> int:
        self.left -= bits
        if self.left < 0:
            raise ValueError("the code of the round is cut off")
        return self._value >> self.left & (1 << bits) - 1
