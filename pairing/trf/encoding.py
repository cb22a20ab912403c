"""Detect the encoding of a text file.

Pairing programs and spreadsheets do not only write UTF-8, and no file names its own.
"""

from __future__ import annotations

import codecs
import re
from enum import Enum
from typing import Final, NamedTuple


class Encoding(Enum):
    """The encoding used to read a file; the value is its common name."""

    UTF_8 = "UTF-8"
    UTF_16 = "UTF-16"
    WINDOWS_1252 = "Windows-1252"
    LATIN_1 = "Latin-1 (ISO 8859-1)"
    WINDOWS_1251 = "Windows-1251"
    KOI8 = "KOI8-U"
    DOS_866 = "DOS 866"
    WINDOWS_1253 = "Windows-1253"
    DOS_850 = "DOS 850 (865)"

    @property
    def is_assumed(self) -> bool:
        """Return whether the encoding is assumed: nothing proves it, other letters are possible."""
        return self not in (Encoding.UTF_8, Encoding.UTF_16)

    @property
    def codec(self) -> str:
        """Return the name of the encoding in Python."""
        return _CODECS[self]


_CODECS: Final = {
    Encoding.UTF_8: "utf-8",
    Encoding.UTF_16: "utf-16",
    Encoding.WINDOWS_1252: "cp1252",
    Encoding.LATIN_1: "latin-1",
    Encoding.WINDOWS_1251: "cp1251",
    Encoding.KOI8: "koi8-u",
    Encoding.DOS_866: "cp866",
    Encoding.WINDOWS_1253: "cp1253",
    Encoding.DOS_850: "cp850",
}
# Texts, which re compiles when they are first used: most files are UTF-8 and need none of them.
_CYRILLIC: Final = "[А-ЯЀ-ЏҐ]?[а-яѐ-џґ]+|[А-ЯЀ-ЏҐ]+"
_GREEK: Final = "[Α-ΩΆΈ-Ώ]?[α-ωά-ώΐΰ]+|[Α-ΩΆΈ-Ώ]+"
_ALPHABETS: Final = {
    Encoding.WINDOWS_1251: _CYRILLIC,
    Encoding.KOI8: _CYRILLIC,
    Encoding.DOS_866: _CYRILLIC,
    Encoding.WINDOWS_1253: _GREEK,
}
_LOOKED_AT: Final = 200_000
_WORD: Final = rb"[\x80-\xff]{3,}"
_HIGH: Final = rb"[\x80-\xff]"
_OF_DOS: Final = (
    rb"(?<=[A-Za-z])[\x81\x82\x84\x86-\x89\x8b\x8d\x8f\x90\x94\x95\x98\x99\x9b\x9d\xa1-\xa5](?=[A-Za-z])"
    rb"|(?<![A-Za-z\x80-\xff])[\x8f\x90\x99\x9d\xa5](?=[a-z]{2})"
)
"""Letters of DOS that are signs in Windows-1252, where no sign stands:
within a word, or before a small letter.
"""
_OF_WINDOWS: Final = (
    rb"(?<=[A-Za-z])[\x8a\x8e\x9a\x9e\xc0-\xe0\xe2-\xff]|[\xc0-\xe0\xe2-\xff](?=[A-Za-z])"
)


class Decoded(NamedTuple):
    """The text of a file and its encoding.

    A byte order mark is kept as the first character of UTF-8.
    """

    text: str
    encoding: Encoding


def decoded(data: bytes) -> Decoded:
    """Return the text of *data*: UTF-16 by its mark, else UTF-8 if the bytes are valid.

    All other data are read in a Cyrillic or Greek encoding if most of their letters are words of
    one, or as DOS wrote the letters of western Europe; else as Windows-1252, or as Latin-1 if they
    have bytes that Windows-1252 does not define, or none of the bytes in which the two differ.
    Nothing is refused: an incomplete end of a UTF-16 file becomes U+FFFD. Cost: one look at the
    data.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Decoded(data.decode("utf-16", errors="replace"), Encoding.UTF_16)
    try:
        return Decoded(data.decode("utf-8"), Encoding.UTF_8)
    except UnicodeDecodeError:
        pass
    if (other := _other_alphabet(data) or _of_dos(data)) is not None:
        return Decoded(data.decode(other.codec, errors="replace"), other)
    latin = data.decode("latin-1")
    try:
        windows = data.decode("cp1252")
    except UnicodeDecodeError:
        return Decoded(latin, Encoding.LATIN_1)
    return Decoded(windows, Encoding.LATIN_1 if windows == latin else Encoding.WINDOWS_1252)


def _other_alphabet(data: bytes) -> Encoding | None:
    """Return the encoding in which *data* has words of another alphabet; None if it has none.

    Such a word has no Latin letters, and its capitals are first, or all are: in the other encodings
    they are not.
    """
    head = data[:_LOOKED_AT]
    words = re.findall(_WORD, head)
    if sum(map(len, words)) * 10 < len(re.findall(_HIGH, head)) * 7:
        return None
    words = [word for word in words if len(set(word)) > 1]

    def fitting(encoding: Encoding) -> int:
        texts = (
            word.decode(encoding.codec, errors="replace").strip("«»“”„–—…№ \xa0") for word in words
        )
        return sum(re.fullmatch(_ALPHABETS[encoding], text) is not None for text in texts)

    best = max(_ALPHABETS, key=fitting)
    return best if words and fitting(best) * 10 >= len(words) * 8 else None


def _of_dos(data: bytes) -> Encoding | None:
    head = data[:_LOOKED_AT]
    return (
        Encoding.DOS_850
        if len(re.findall(_OF_DOS, head)) > len(re.findall(_OF_WINDOWS, head))
        else None
    )


def as_utf8(data: bytes) -> bytes:
    """Return *data* in UTF-8; the same bytes if it already is UTF-8."""
    text, encoding = decoded(data)
    return data if encoding is Encoding.UTF_8 else text.encode()
