"""Small pictures for tests, made byte by byte."""

from __future__ import annotations

import struct
import zlib


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int = 4, height: int = 2, *, more: bytes = b"") -> bytes:
    """Return a red picture; *more* are chunks between its head and its pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xc0\x20\x20" * width) * height)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", rows) + chunk(b"IEND")
    )


def jpeg(width: int = 4, height: int = 2) -> bytes:
    """Return a JPEG with a head and pixels that nobody decodes."""
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0"
    parts = (
        (b"\xff\xe0", b"JFIF\0\1\1\0\0\1\0\1\0\0"),
        (b"\xff\xc0", frame),
        (b"\xff\xda", b"\1\1\0\0\x3f\0"),
    )
    heads = b"".join(mark + struct.pack(">H", len(data) + 2) + data for mark, data in parts)
    return b"\xff\xd8" + heads + b"\x12\xff\x00\x34\xff\xd0\x56" + b"\xff\xd9"


def webp(width: int = 4, height: int = 2, *, kind: str = "VP8 ", moves: bool = False) -> bytes:
    """Return a WebP file of *kind* whose pixels nobody decodes."""
    match kind:
        case "VP8X":
            sizes = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
            data = bytes([2 if moves else 0, 0, 0, 0]) + sizes
        case "VP8L":
            data = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0"
        case _:
            data = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    inner = b"WEBP" + kind.encode() + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(inner)) + inner
