"""Detect the encoding of a text file.

Pairing programs and spreadsheets do not only write UTF-8, and no file names its own.
"""

from __future__ import annotations

import codecs
from enum import Enum
from typing import NamedTuple


class Encoding(Enum):
    """The encoding used to read a file; the value is its common name."""

    UTF_8 = "UTF-8"
    UTF_16 = "UTF-16"
    WINDOWS_1252 = "Windows-1252"
    LATIN_1 = "Latin-1 (ISO 8859-1)"

    @property
    def is_assumed(self) -> bool:
        """Return whether the encoding is assumed: nothing in the file proves it, so other letters are possible."""
        return self in (Encoding.WINDOWS_1252, Encoding.LATIN_1)


class Decoded(NamedTuple):
    """The text of a file and its encoding. A byte order mark is kept as the first character of UTF-8."""

    text: str
    encoding: Encoding


def decoded(data: bytes) -> Decoded:
    """Return the text of *data*: UTF-16 with its byte order mark, else UTF-8 if the bytes are valid UTF-8.

    All other data are read as Windows-1252, or as Latin-1 if they have bytes that Windows-1252 does not define, or none
    of the bytes in which the two differ. Nothing is refused: an incomplete end of a UTF-16 file becomes U+FFFD.
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
    """Return *data* in UTF-8; the same bytes if it already is UTF-8."""
    text, encoding = decoded(data)
    return data if encoding is Encoding.UTF_8 else text.encode()
