"""Read what a picture is from its first bytes: PNG, JPEG or WebP, and its width and height.

The program shows pictures and never decodes them, so it needs no library. The parts of the file are
followed to their end, which cuts off what somebody has put behind the picture.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_FRAMES_OF_JPEG: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH: Final = frozenset(range(0xD0, 0xD8)) | {0x01}
CONTENT_TYPES: Final = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp"}
"""By the ending of the name of the file."""


class NoPictureError(ValueError):
    """The bytes are not one of the known pictures, or a damaged one."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of ``width`` times ``height`` pixels: ``ending`` is one of :data:`CONTENT_TYPES`,
    ``data`` are its bytes and no others, and ``moves`` says that it is animated.
    """

    ending: str
    width: int
    height: int
    data: bytes
    moves: bool = False


def read_picture(data: bytes) -> Picture:
    """Return the picture at the beginning of *data*; raise :class:`NoPictureError` if there is
    none. Time grows with the length of *data*.
    """
    reader = next((reader for start, reader in _READERS if data.startswith(start)), None)
    if reader is None:
        raise NoPictureError("not PNG, JPEG or WebP")
    try:
        picture = reader(data)
    except (IndexError, struct.error) as error:
        raise NoPictureError("the file ends too early") from error
    if not picture.width or not picture.height:
        raise NoPictureError("a side of no pixels")
    return picture


def _png(data: bytes) -> Picture:
    at, kinds = len(_PNG), list[bytes]()
    width, height = struct.unpack_from(">II", data, at + 8)
    while not kinds or kinds[-1] != b"IEND":
        (length,) = struct.unpack_from(">I", data, at)
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(data[at + 4 : at + 8 + length]) != checksum:
            raise NoPictureError("a wrong checksum")
        kinds.append(data[at + 4 : at + 8])
        at += 12 + length
    if kinds[0] != b"IHDR" or b"IDAT" not in kinds:
        raise NoPictureError("no head or no pixels")
    return Picture("png", width, height, data[:at], moves=b"acTL" in kinds)


def _jpeg(data: bytes) -> Picture:
    at, size = 2, (0, 0)
    while True:
        if data[at] != 0xFF:
            raise NoPictureError("no marker where one must be")
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
        elif marker == 0xD9:
            return Picture("jpg", size[1], size[0], data[: at + 2])
        elif marker in _WITHOUT_LENGTH:
            at += 2
        else:
            (length,) = struct.unpack_from(">H", data, at + 2)
            if marker in _FRAMES_OF_JPEG:
                size = struct.unpack_from(">HH", data, at + 5)
            at += 2 + length
            if marker == 0xDA:
                at = _end_of_scan(data, at)


def _end_of_scan(data: bytes, at: int) -> int:
    """Return where the pixels that begin at *at* end: at the next marker."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0:
            raise NoPictureError("the file ends too early")
        if data[at + 1] != 0 and data[at + 1] not in _WITHOUT_LENGTH:
            return at
        at += 2


def _webp(data: bytes) -> Picture:
    (length,) = struct.unpack_from("<I", data, 4)
    end = 8 + length
    if len(data) < end or data[8:12] != b"WEBP":
        raise NoPictureError("no WebP, or not all of it")
    kind, moves = data[12:16], False
    if kind == b"VP8X":
        moves = bool(data[20] & 2)
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L" and data[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = (each & 0x3FFF for each in struct.unpack_from("<HH", data, 26))
    else:
        raise NoPictureError("no pixels")
    return Picture("webp", width, height, data[:end], moves)


_READERS: Final[tuple[tuple[bytes, Callable[[bytes], Picture]], ...]] = (
    (_PNG, _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"RIFF", _webp),
)
