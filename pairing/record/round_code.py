"""A round in a few hundred bytes, for the QR codes that phones read without network.

A code is complete in itself: its boards, and a signature. A long round has several, of at most
:data:`MOST_BOARDS`. The bits, the first one of a field always the highest::

      4  format: 1
     16  the first bits of the identity of the tournament
      7  round
      6  version: 1 as published, one more for each change of the pairings [C.04.2 4.4]; 63: 63 or
      more
     32  time of the publication or of the change, in seconds since 1970
     32  mark of the pairing numbers (:func:`numbers_mark`)
      6  number of this code, less one
      6  number of codes, less one
      4  n, the bits of a pairing number, less one
     13  first board
     11  boards
     11  players without a game
      8  boards whose table has another number
    2 n  for each board: pairing numbers of White (in the first game, if a round is a match) and
    Black
   n + 2  for each player without a game: pairing number; 0 pairing-allocated, 1 full-point, 2
   half-point bye, 3 absent
     24  for each such board: its place among the boards of this code (11 bits), its table (13 bits)
         zeros up to a whole byte
    512  Ed25519 signature of :func:`message`

In the address these bytes are decimal digits, which a QR code stores in 10 bits for three: 17
digits for each 7 bytes, and for the 1 to 6 bytes at the end 3, 5, 8, 10, 13 or 15.
``docs/developer/offline.md`` says more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

FORMAT: Final = 1
MOST_BOARDS: Final = 100
"""The boards in one code: with it, the code has at most 77 modules a side for numbers below 512."""
MOST_CODES: Final = 64
EVENT_DIGITS: Final = 4
"""The hexadecimal digits of the identity that are in a code."""
BYE_KINDS: Final = "UFHZ"
"""The letters of byes, as in a report file: pairing-allocated, full point, half point, absent."""
_CHUNK: Final = 7
DIGITS: Final = (0, 3, 5, 8, 10, 13, 15, 17)
"""The decimal digits for so many bytes."""


@dataclass(frozen=True, slots=True)
class RoundCode:
    """The content of one code; ``boards`` are pairs of pairing numbers (TPN), White first,
    from ``first_board`` on.

    ``event`` are the first four hexadecimal digits of the identity of the tournament, ``published``
    is in seconds, and ``numbers`` the mark of the pairing numbers. ``byes`` are pairs of a number
    and a letter of :data:`BYE_KINDS`. ``tables`` are pairs of a board and its table, where they
    differ [C.04.2/2026 3.6].
    """

    event: str
    round_number: int
    version: int
    published: int
    numbers: int
    part: int
    parts: int
    first_board: int
    boards: tuple[tuple[int, int], ...]
    byes: tuple[tuple[int, str], ...] = ()
    tables: tuple[tuple[int, int], ...] = ()


def shares(boards: int) -> list[range]:
    """Return the places of the boards of each code, shared equally; one code without boards."""
    count = max(1, -(-boards // MOST_BOARDS))
    ends = [boards * part // count for part in range(count + 1)]
    return [range(start, end) for start, end in pairwise(ends)]


def numbers_mark(players: Iterable[tuple[int, int]]) -> int:
    """Return the 32-bit FNV-1a hash of ``number:entry;`` of all *players* (pairing number,
    id of the entry) by number.

    Only with the same mark do the numbers of a code and an index of names belong together.
    """
    mark = 0x811C9DC5
    for byte in "".join(f"{number}:{entry};" for number, entry in sorted(players)).encode("ascii"):
        mark = (mark ^ byte) * 0x01000193 & 0xFFFFFFFF
    return mark


def message(identity: str, packed: bytes) -> str:
    """Return the text that is signed: a code of another tournament cannot pass for one of this."""
    return f"round-code {identity} {packed.hex()}"


def pack(code: RoundCode) -> bytes:
    """Return *code* as bytes, without signature; ValueError for a value that has no room."""
    width = max([1, *(number.bit_length() for number in _numbers(code))])
    fields = [
        (FORMAT, 4),
        (int(code.event, 16), 16),
        (code.round_number, 7),
        (min(code.version, 63), 6),
        (code.published, 32),
        (code.numbers, 32),
        (code.part - 1, 6),
        (code.parts - 1, 6),
        (width - 1, 4),
        (code.first_board, 13),
        (len(code.boards), 11),
        (len(code.byes), 11),
        (len(code.tables), 8),
        *((number, width) for board in code.boards for number in board),
    ]
    for number, kind in code.byes:
        fields += [(number, width), (BYE_KINDS.index(kind), 2)]
    for board, table in code.tables:
        fields += [(board - code.first_board, 11), (table, 13)]
    value = bits = 0
    for field, width_of_field in fields:
        if not 0 <= field < 1 << width_of_field:
            raise ValueError(f"{field} has no room in {width_of_field} bits of the code of a round")
        value = value << width_of_field | field
        bits += width_of_field
    spare = -bits % 8
    return (value << spare).to_bytes((bits + spare) // 8, "big")


def to_digits(content: bytes) -> str:
    """Return *content* as decimal digits."""
    chunks = (content[start : start + _CHUNK] for start in range(0, len(content), _CHUNK))
    return "".join(str(int.from_bytes(chunk, "big")).zfill(DIGITS[len(chunk)]) for chunk in chunks)


def _numbers(code: RoundCode) -> list[int]:
    return [
        *(number for board in code.boards for number in board),
        *(number for number, _ in code.byes),
    ]
