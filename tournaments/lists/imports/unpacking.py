"""Unpack the parts of a spreadsheet, which is a zip archive, within limits.

A small archive can contain gigabytes. The bytes are counted while they are unpacked; the sizes in
the directory of the archive are not trusted.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Final
from zipfile import BadZipFile, ZipFile

from tournaments.core.errors import BadInput

MAX_UNPACKED: Final = 20_000_000
MAX_TAGS: Final = 1_500_000
"""A tag of four bytes takes a hundred in memory."""
MAX_PARTS: Final = 1_000
_CHUNK: Final = 65_536


def part_names(data: bytes) -> list[str]:
    """Return the names of the parts of the archive *data*.

    ``BadInput`` if it is broken or has too many.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise BadInput("file.sheet_broken") from error
    if len(names) > MAX_PARTS:
        raise BadInput("file.sheet_too_large", limit=MAX_UNPACKED // 1_000_000)
    return names


def parts(data: bytes, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Return the parts of the archive *data* that are wanted, by name.

    ``BadInput`` if the archive is broken, or if the parts have more than :data:`MAX_UNPACKED` bytes
    or :data:`MAX_TAGS` tags: unpacking stops there.
    """
    unpacked: dict[str, bytes] = {}
    bytes_left, tags_left = MAX_UNPACKED, MAX_TAGS
    try:
        with ZipFile(BytesIO(data)) as archive:
            for info in archive.infolist():
                if not is_wanted(info.filename):
                    continue
                chunks = []
                with archive.open(info) as part:
                    while chunk := part.read(_CHUNK):
                        bytes_left -= len(chunk)
                        tags_left -= chunk.count(b"<")
                        if bytes_left < 0 or tags_left < 0:
                            raise BadInput("file.sheet_too_large", limit=MAX_UNPACKED // 1_000_000)
                        chunks.append(chunk)
                unpacked[info.filename] = b"".join(chunks)
    # RuntimeError: a part has a password.
    except (
        BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        OSError,
        RuntimeError,
    ) as error:
        raise BadInput("file.sheet_broken") from error
    return unpacked
