"""The lines of a rating list as text, whatever its encoding, and their cells."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final

from pairing.trf.encoding import Encoding, decoded
from tournaments.core.errors import BadInput
from tournaments.entries.csv_lines import whole_line

LONGEST: Final = 4_000
MOST_LINES_OF_A_CELL: Final = 5


class Lines:
    """The lines of a file, and the number of the last one; ``cut_off`` if it has no end of line."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.number = 0
        self.cut_off = False
        self._ahead: list[bytes] = []
        self._codec = "cp1252"

    def use_encoding(self, codec: str) -> None:
        """Read with *codec* the lines that are not in UTF-8."""
        self._codec = codec

    def find_encoding(self, most: int) -> BadInput | None:
        """Find out by the next *most* lines in which encoding those are read that are not in UTF-8.

        Return the remark about it; None for UTF-8 and the letters of western Europe.
        """
        self.look_ahead(most)
        data = b"".join(line for line in self._ahead if not _is_utf_8(line))
        encoding = decoded(data).encoding
        if encoding in (Encoding.UTF_8, Encoding.UTF_16, Encoding.WINDOWS_1252, Encoding.LATIN_1):
            return None
        self._codec = encoding.codec
        return BadInput("rating_list.encoding_assumed", value=encoding.value)

    def look_ahead(self, most: int) -> list[str]:
        """Return the next *most* lines, still to be read; none after a far too long one."""
        while len(self._ahead) < most and (data := self.stream.readline(LONGEST + 1)):
            self._ahead.append(data)
            if len(data) > LONGEST:
                break
        return [
            self._text(data, number)
            for number, data in enumerate(self._ahead, 1)
            if len(data) <= LONGEST
        ]

    def joined(self, line: str, delimiter: str, width: int) -> list[str] | None:
        """Return the cells of *line* and those after it, of which one cell has lines of its own;
        None if none does.

        Lines that are whole players by themselves are never taken: before them is a stray quotation
        mark. The lines that were not taken are still to be read.
        """
        text = line
        following = self.look_ahead(MOST_LINES_OF_A_CELL)
        for count, more in enumerate(following, 1):
            text += more
            if len(cells_of(more, delimiter)) >= width:
                break
            if (cells := whole_line(text, delimiter, width)) is not None and len(cells) == width:
                for _ in range(count):
                    next(self)
                return cells
        return None

    def filled(
        self, delimiter: str, columns: int, width: int
    ) -> Iterator[tuple[int, list[str] | None]]:
        """Yield number and cells of the next lines, without blank ones; None for the cells of a
        line with a stray quotation mark.

        ``BadInput`` if the last line is cut off: it has fewer than *columns* cells.
        """
        for line in self:
            number = self.number
            cells = whole_line(line, delimiter, width)
            if cells is None:
                cells = self.joined(line, delimiter, width)
            if cells is not None and not any(cells):
                continue
            if self.cut_off and (cells is None or len(cells) < columns):
                raise BadInput("rating_list.cut_off", line=self.number)
            yield number, cells

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        data = self._ahead.pop(0) if self._ahead else self.stream.readline(LONGEST + 1)
        if not data:
            raise StopIteration
        self.number += 1
        if len(data) > LONGEST:
            raise BadInput("rating_list.too_long", line=self.number)
        self.cut_off = not data.endswith(b"\n")
        if b"\0" in data:
            raise BadInput("file.nul", line=self.number)
        return self._text(data, self.number)

    def _text(self, data: bytes, number: int) -> str:
        try:
            return data.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            return data.decode(self._codec, errors="replace")


class Recoded:
    """The lines of a text in UTF-16, or with line ends of an old Mac (CR alone), as others have
    them: in UTF-8, or in the encoding of the file, with LF.
    """

    def __init__(self, stream: BinaryIO, codec: str) -> None:
        self._lines = codecs.getreader(codec)(stream, "replace")
        self._codec = "utf-8" if codec == "utf-16" else codec

    def readline(self, size: int = -1) -> bytes:
        """Return a line, or its beginning of about *size* bytes."""
        line = self._lines.readline(size)
        return (f"{line[:-1]}\n" if line.endswith("\r") else line).encode(self._codec)


def codec_of(head: bytes) -> str:
    """Return the codec for :class:`Recoded` of a file with *head*; empty if not needed."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "latin-1" if b"\r" in head and b"\n" not in head else ""


def text_of(head: bytes) -> str:
    """Return *head*, the beginning of a file, as text: the last letter may be cut off."""
    if codec_of(head) == "utf-16":
        return head.decode("utf-16", errors="ignore")
    letters = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        return letters.decode(head)
    except UnicodeDecodeError:
        return head.decode("cp1252", errors="replace")


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def cells_of(line: str, delimiter: str) -> list[str]:
    with suppress(csv.Error):
        return next(csv.reader([line], delimiter=delimiter), [])
    return []
