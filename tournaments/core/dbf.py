"""Read and write dBASE III files: tables of texts with fields of fixed width.

Every field is written as text (C), left-aligned, in ASCII, as the accepted rating reports of US
Chess are. A file has the header with a description of 32 bytes for each field, then the records,
each after a blank, and an end mark.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import BinaryIO, Final

from tournaments.core.errors import BadInput

MAX_FIELDS: Final = 255
_HEADER: Final = struct.Struct("<BBBBLHH20x")
_FIELD: Final = struct.Struct("<11sc4xBB14x")
_END_OF_HEADER: Final = b"\r"
_END: Final = b"\x1a"
_DELETED: Final = b"*"


def write_dbf(
    fields: Sequence[tuple[str, int]], records: Sequence[Mapping[str, object]], today: date
) -> bytes:
    """Return a file with *fields*, each a name and a width, and *records*.

    ``ValueError`` for a value that is wider than its field: it is never shortened here.
    """
    length = 1 + sum(width for _, width in fields)
    header = _HEADER.size + _FIELD.size * len(fields) + len(_END_OF_HEADER)
    parts = [
        _HEADER.pack(3, today.year - 1900, today.month, today.day, len(records), header, length)
    ]
    parts += [_FIELD.pack(name.encode("ascii"), b"C", width, 0) for name, width in fields]
    parts.append(_END_OF_HEADER)
    for record in records:
        parts.append(b" ")
        for name, width in fields:
            text = str(record.get(name, ""))
            if len(text) > width:
                raise ValueError(f"{name}: {text!r} is longer than {width}")
            parts.append(text.ljust(width).encode("ascii"))
    return b"".join([*parts, _END])


def read_records(stream: BinaryIO) -> tuple[list[str], Iterator[list[str]]]:
    """Return the names of the fields in *stream*, and its records as texts, without deleted ones.

    ``BadInput`` if the file is damaged; a record that is cut off when it is read.
    """
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size or header[0] & 7 != 3:
        raise BadInput("rating_list.not_dbf")
    _, _, _, _, number, length, width = _HEADER.unpack(header)
    described = stream.read(length - _HEADER.size) if length > _HEADER.size else b""
    names: list[str] = []
    widths: list[int] = []
    while len(described) >= _FIELD.size and not described.startswith(_END_OF_HEADER):
        name, _, size, _ = _FIELD.unpack(described[: _FIELD.size])
        names.append(name.split(b"\0")[0].decode("ascii", errors="replace"))
        widths.append(size)
        described = described[_FIELD.size :]
    if not names or len(names) > MAX_FIELDS or 1 + sum(widths) != width:
        raise BadInput("rating_list.not_dbf")
    return names, _records(stream, number, widths)


def _records(stream: BinaryIO, number: int, widths: Sequence[int]) -> Iterator[list[str]]:
    for line in range(number):
        record = stream.read(1 + sum(widths))
        if len(record) < 1 + sum(widths):
            raise BadInput("rating_list.cut_off", line=line + 1)
        if record.startswith(_DELETED):
            continue
        cells, place = [], 1
        for width in widths:
            cells.append(record[place : place + width].decode("cp1252", errors="replace").strip())
            place += width
        yield cells
