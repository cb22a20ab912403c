"""Open a file with a rating list, packed or not, and find out what it is."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final, cast

from pairing.engine.errors import InputError
from pairing.trf.native_files import native_kind, refuse_native
from tournaments.core.errors import BadInput, unreadable
from tournaments.lists.rating_lists.adapted import Reading, clubs_in, known_federation, recognise
from tournaments.lists.rating_lists.adapters import ADAPTERS, Adapter
from tournaments.lists.rating_lists.fide_text import MONTH, MONTHS, is_fide_text, read_text
from tournaments.lists.rating_lists.fide_xml import read_xml
from tournaments.lists.rating_lists.lines import Lines, Recoded, codec_of, text_of
from tournaments.lists.rating_lists.national_csv import read_national
from tournaments.lists.rating_lists.rows import Faults, Row
from tournaments.lists.rating_lists.tables import Written, rows_of_dbf, rows_of_xlsx

MAX_PACKED: Final = 300_000_000
MAX_UNPACKED: Final = 3_000_000_000
MAX_RATIO: Final = 100
"""How many times larger than its packed size a file may be: FIDE's lists are 20 times larger."""
HEAD: Final = 4_000
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""The first bytes of an archive; the first heading of a list can be PKZ, a number of the DSB."""
SUFFIXES: Final = (".xml", ".txt", ".csv", ".tsv", ".lst", ".dbf", ".xlsx")
"""The endings of lists in an archive."""
_LOOKED_AT: Final = 20
"""Lines at the top of a file that show which list it is."""
_REPORT: Final = re.compile(r"^(?:001 [ \d]{4} .{40}|012 |XXR )", re.MULTILINE)
"""A line of a tournament report."""


class Counted:
    """A stream that counts bytes in ``read_so_far`` and refuses more than :data:`MAX_UNPACKED`."""

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
    """An open file: the list it is, the bytes in it, and the month that its name or its head gives.

    ``stream`` counts the bytes of the file, ``text`` has its lines: a workbook has others.
    """

    stream: Counted
    text: BinaryIO
    adapter: Adapter | None
    reading: Reading | None
    rate: str
    month: date | None
    size: int

    @property
    def is_fide(self) -> bool:
        """Whether it is FIDE's list."""
        return self.adapter is not None and self.adapter.is_fide

    def rows(self, faults: Faults) -> Iterator[Row]:
        """Yield the players; ``BadInput`` with its line for a fault of the whole file."""
        for row in self._read(faults):
            faults.look_at(row)
            yield row

    def _read(self, faults: Faults) -> Iterator[Row]:
        if self.reading is not None:
            return self.reading.rows(Lines(self.text), faults)
        match self.adapter and self.adapter.format:
            case "fide_xml":
                return read_xml(self.text, faults, rate=self.rate)
            case "fide_text":
                return read_text(self.text, faults, rate=self.rate)
        return read_national(self.text, faults)


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
        if not _is_packed(path) or _is_workbook(path):
            with path.open("rb") as stream, path.open("rb") as beginning:
                yield _opened(stream, beginning, name, path.stat().st_size)
            return
        with zipfile.ZipFile(path) as archive:
            member, clubs = _members(archive)
            with archive.open(member) as stream, archive.open(member) as beginning:
                opened = _opened(
                    cast(BinaryIO, stream),
                    cast(BinaryIO, beginning),
                    f"{name} {member.filename}",
                    member.file_size,
                    clubs,
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
        return file.read(4).startswith(_ZIP)


def _is_workbook(path: Path) -> bool:
    """Return whether the archive at *path* is a workbook of Excel."""
    with zipfile.ZipFile(path) as archive:
        return "[Content_Types].xml" in archive.namelist()


def _members(archive: zipfile.ZipFile) -> tuple[zipfile.ZipInfo, dict[str, str]]:
    """Return the only list in *archive*, and the names of clubs by code from another file in it.

    ``BadInput`` for no list, several, or one that unpacks to too much.
    """
    if "content.xml" in archive.namelist():
        raise BadInput("rating_list.sheet")
    lists = [each for each in archive.infolist() if _may_be_a_list(Path(each.filename))]
    clubs: dict[str, str] = {}
    if len(lists) > 1:
        known = [each for each in lists if _is_known(archive, each)]
        for each in lists:
            if len(known) == 1 and each not in known:
                _require_unpackable(each)
                with archive.open(each) as stream:
                    clubs |= clubs_in(Lines(cast(BinaryIO, stream)))
        lists = known or lists
    if len(lists) != 1:
        raise BadInput("rating_list.not_one_file", found=len(lists))
    (member,) = lists
    _require_unpackable(member)
    return member, clubs


def _is_known(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bool:
    _require_unpackable(member)
    with archive.open(member) as stream:
        return recognise(Lines(cast(BinaryIO, stream)).look_ahead(20), member.filename) is not None


def _require_unpackable(member: zipfile.ZipInfo) -> None:
    if member.file_size > MAX_UNPACKED or member.file_size > MAX_RATIO * max(
        member.compress_size, 1_000
    ):
        raise BadInput("rating_list.unpacks_too_far", limit=MAX_UNPACKED // 1_000_000)
    if member.flag_bits & 1:
        raise BadInput("rating_list.not_unpacked")


def _may_be_a_list(name: Path) -> bool:
    """Return whether *name* is that of a list; Macs add files of the same name with a dot."""
    return name.suffix.lower() in SUFFIXES and not name.name.startswith(".")


def _opened(
    stream: BinaryIO,
    beginning: BinaryIO,
    name: str,
    size: int,
    clubs: Mapping[str, str] | None = None,
) -> OpenList:
    """Return *stream*, which was called *name*; *beginning* is the same file, to look into it."""
    head = beginning.read(HEAD)
    counted = Counted(stream)
    is_workbook = head.startswith(_ZIP)
    is_table = is_workbook or native_kind(head) == "dbf"
    if is_table:
        rows = rows_of_xlsx if is_workbook else rows_of_dbf
        written = Written(rows(cast(BinaryIO, counted)))
        text, ahead = cast(BinaryIO, written), written.look_ahead(_LOOKED_AT)
    else:
        codec = codec_of(head)
        text = cast(BinaryIO, Recoded(cast(BinaryIO, counted), codec) if codec else counted)
        ahead = text_of(head).splitlines()
    if native_kind(head) == "web_page":
        raise BadInput("rating_list.web_page")
    first = next((line for line in ahead if line.strip()), "")
    if first.lstrip().startswith("<") or is_fide_text(first):
        return _of_fide(counted, name, size, ahead, first)
    if not is_table:
        _refuse_other_files(head, "\n".join(ahead))
    recognised = recognise(ahead, name)
    adapter = recognised.adapter if recognised else known_federation(ahead[:_LOOKED_AT])
    rate = adapter.rate_of(name) if adapter else ""
    reading = Reading(recognised, rate, clubs or {}) if recognised else None
    return OpenList(counted, text, adapter, reading, rate, month_in(name), size)


def _of_fide(counted: Counted, name: str, size: int, ahead: Sequence[str], first: str) -> OpenList:
    is_xml = first.lstrip().startswith("<")
    plain = name.lower()
    has_all = "rapid_rating" in "".join(ahead) or "rrtng" in first.lower()
    # A file with the ratings of one rate of play names the rate in its name alone.
    single = "" if has_all else "standard"
    rate = next((each for each in ("rapid", "blitz") if each in plain), single) if single else ""
    month = None if is_xml else month_in(first)
    adapter = ADAPTERS["fide" if is_xml else "fide_text"]
    text = cast(BinaryIO, counted)
    return OpenList(counted, text, adapter, None, rate, month or month_in(name), size)


def _refuse_other_files(head: bytes, text: str) -> None:
    """Raise ``BadInput`` if *head*, as *text*, begins a report or another program's file."""
    if _REPORT.search(text):
        raise BadInput("rating_list.report")
    try:
        refuse_native(head)
    except InputError as error:
        raise unreadable(error) from error


def month_in(text: str) -> date | None:
    """Return the first day of the month in *text*, such as ``nov26``; None without one."""
    found = MONTH.search(text)
    return date(2000 + int(found[2]), MONTHS.index(found[1].upper()) + 1, 1) if found else None
