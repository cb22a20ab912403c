"""Open a file with a rating list, packed or not, and find out what it is."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final, cast

from pairing.engine.errors import InputError
from pairing.trf.native_files import refuse_native
from tournaments.core.errors import BadInput, unreadable
from tournaments.lists.rating_lists.fide_text import MONTH, MONTHS, is_fide_text, read_text
from tournaments.lists.rating_lists.fide_xml import read_xml
from tournaments.lists.rating_lists.national_csv import read_national
from tournaments.lists.rating_lists.rows import Faults, Row

MAX_PACKED: Final = 300_000_000
MAX_UNPACKED: Final = 3_000_000_000
MAX_RATIO: Final = 100
"""How many times larger than its packed size a file may be: FIDE's lists are 20 times larger."""
HEAD: Final = 4_000
_REPORT: Final = re.compile(r"^(?:001 [ \d]{4} .{40}|012 |XXR )", re.MULTILINE)
"""A line of a tournament report."""


class Counted:
    """A stream that counts its bytes in ``read_so_far`` and
    refuses more than :data:`MAX_UNPACKED`.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.read_so_far = 0

    def read(self, size: int = -1) -> bytes:
        """Return up to *size* bytes."""
        return self._count(self._stream.read(size))

    def readline(self, size: int = -1) -> bytes:
        """Return a line, or its first *size* bytes."""
        return self._count(self._stream.readline(size))

    def _count(self, data: bytes) -> bytes:
        self.read_so_far += len(data)
        if self.read_so_far > MAX_UNPACKED:
            raise BadInput("rating_list.too_large", limit=MAX_UNPACKED // 1_000_000)
        return data


@dataclass(frozen=True, slots=True)
class OpenList:
    """An open file: its format, the bytes in it, and the month that its name or its head gives."""

    stream: Counted
    is_fide: bool
    is_xml: bool
    rate: str
    month: date | None
    size: int

    def rows(self, faults: Faults) -> Iterator[Row]:
        """Yield the players; ``BadInput`` with its line for a
        fault that concerns the whole file.
        """
        for row in self._read(faults):
            faults.look_at(row.name)
            yield row

    def _read(self, faults: Faults) -> Iterator[Row]:
        stream = cast(BinaryIO, self.stream)
        if not self.is_fide:
            return read_national(stream, faults)
        return (read_xml if self.is_xml else read_text)(stream, faults, rate=self.rate)


@contextmanager
def open_list(path: Path, name: str) -> Iterator[OpenList]:
    """Open the file at *path*, which was called *name*.

    ``BadInput`` if it is damaged or not a rating list.
    """
    if path.stat().st_size == 0:
        raise BadInput("file.empty")
    if path.stat().st_size > MAX_PACKED and zipfile.is_zipfile(path):
        raise BadInput("rating_list.too_large", limit=MAX_PACKED // 1_000_000)
    try:
        if not _is_packed(path):
            with path.open("rb") as stream, path.open("rb") as beginning:
                yield _opened(stream, beginning.read(HEAD), name, path.stat().st_size)
            return
        with zipfile.ZipFile(path) as archive:
            member = _member(archive)
            with archive.open(member) as stream, archive.open(member) as beginning:
                opened = _opened(
                    cast(BinaryIO, stream),
                    beginning.read(HEAD),
                    f"{name} {member.filename}",
                    member.file_size,
                )
                yield opened
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadInput("rating_list.not_unpacked") from error
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise BadInput("rating_list.not_unpacked") from error
        raise


def _is_packed(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def _member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the only list in *archive*; ``BadInput`` for none, several,
    or one that unpacks to too much.
    """
    if {"[Content_Types].xml", "content.xml"} & set(archive.namelist()):
        raise BadInput("rating_list.sheet")
    lists = [each for each in archive.infolist() if _may_be_a_list(Path(each.filename))]
    if len(lists) != 1:
        raise BadInput("rating_list.not_one_file", found=len(lists))
    (member,) = lists
    if member.file_size > MAX_UNPACKED or member.file_size > MAX_RATIO * max(
        member.compress_size, 1_000
    ):
        raise BadInput("rating_list.unpacks_too_far", limit=MAX_UNPACKED // 1_000_000)
    if member.flag_bits & 1:
        raise BadInput("rating_list.not_unpacked")
    return member


def _may_be_a_list(name: Path) -> bool:
    """Return whether *name* is that of a list;
    Macs add files with a dot in front of the same name.
    """
    return name.suffix.lower() in (".xml", ".txt", ".csv") and not name.name.startswith(".")


def _opened(stream: BinaryIO, head: bytes, name: str, size: int) -> OpenList:
    text = head.decode("utf-8", errors="replace").lstrip("\ufeff")
    first = next((line for line in text.splitlines() if line.strip()), "")
    is_xml = text.lstrip().startswith("<")
    is_fide = is_xml or is_fide_text(first)
    if not is_fide:
        _refuse_other_files(head, text)
    plain = name.lower()
    # A file with the ratings of one rate of play names the rate in its name alone.
    single = "" if "rapid_rating" in text or "rrtng" in first.lower() else "standard"
    rate = next((each for each in ("rapid", "blitz") if each in plain), single) if single else ""
    month = month_in(first) if is_fide and not is_xml else None
    return OpenList(
        Counted(stream), is_fide, is_xml, rate if is_fide else "", month or month_in(name), size
    )


def _refuse_other_files(head: bytes, text: str) -> None:
    """Raise ``BadInput`` if *head*, *text* in letters,
    begins a report or the own file of another program.
    """
    if _REPORT.search(text):
        raise BadInput("rating_list.report")
    try:
        refuse_native(head)
    except InputError as error:
        raise unreadable(error) from error


def month_in(text: str) -> date | None:
    """Return the first day of the month that *text* names as FIDE does, such as ``nov26``;
    None without one.
    """
    found = MONTH.search(text)
    return date(2000 + int(found[2]), MONTHS.index(found[1].upper()) + 1, 1) if found else None
