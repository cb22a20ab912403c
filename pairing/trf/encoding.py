"""Which encoding a text file has: pairing programs and spreadsheets write others than UTF-8, and no file says which."""

from __future__ import annotations

import codecs
from enum import Enum
from typing import NamedTuple


class Encoding(Enum):
    """How the bytes of a file were read; the value is the name people know it by."""

    UTF_8 = "UTF-8"
    UTF_16 = "UTF-16"
    WINDOWS_1252 = "Windows-1252"
    LATIN_1 = "Latin-1 (ISO 8859-1)"

    @property
    def is_assumed(self) -> bool:
        """Whether the file could mean other letters: nothing in it says that this is its encoding."""
        return self in (Encoding.WINDOWS_1252, Encoding.LATIN_1)


class Decoded(NamedTuple):
    """The text of a file and how it was read. A byte order mark stays the first character of UTF-8."""

    text: str
    encoding: Encoding


def decoded(data: bytes) -> Decoded:
    """The text in *data*, whatever its bytes: UTF-16 where a byte order mark says so, else UTF-8 where it is that.

    Everything else is Windows-1252, or Latin-1 where it has bytes that Windows-1252 does not know or none of those in
    which the two differ. Nothing is refused: what a UTF-16 file breaks off in is shown as U+FFFD.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", errors="replace"), Encoding.UTF_16)
    try:
        return Decoded(data.decode("utf-8"), Encoding.UTF_8)
    except UnicodeDecodeError:
        pass
    latin = data.decode("latin-1")
    try:
        windows = data.decode("cp1252")
    except UnicodeDecodeError:
        return Decoded(latin, Encoding.LATIN_1)
    return Decoded(windows, Encoding.LATIN_1 if windows == latin else Encoding.WINDOWS_1252)


def as_utf8(data: bytes) -> bytes:
    """*data* in UTF-8: the same bytes where it is that already."""
    text, encoding = decoded(data)
    return data if encoding is Encoding.UTF_8 else text.encode()
