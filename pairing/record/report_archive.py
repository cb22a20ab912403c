"""The report of an event as one ZIP archive with a signed summary.

``summary.json`` names every other file with its size and SHA-256, and is signed: with the key of
the installation an archive can be verified without the program. The same files make the same
bytes. docs/developer/record-format.md describes the summary.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from .chain import digest
from .file import read
from .signatures import is_signed
from .verify import first_fault

FORMAT: Final = "swiss-arbiter-report/1"
SUMMARY: Final = "summary.json"
RECORD: Final = "record.jsonl"
"""The name of the record of a section, in the folder of the section."""
MAX_FILES: Final = 10_000
MAX_BYTES: Final = 500_000_000
"""Of all files of an archive that is verified, unpacked."""
_UNREADABLE: Final = (
    *(zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, EOFError),
    *(RuntimeError, OSError),
)
"""Errors of a file that is no archive, or a damaged one, or has no summary of this form."""
_FIRST_YEAR: Final = 1980
"""A ZIP archive knows no earlier year."""


def write_archive(
    files: Mapping[str, bytes],
    about: Mapping[str, object],
    *,
    at: datetime,
    key: str,
    sign: Callable[[str], str],
) -> bytes:
    """Return the archive with *files* and a summary of them and of *about*.

    *at* is the time in the archive, and *sign* signs a text with the private part of *key*.
    """
    unsigned = {
        "format": FORMAT,
        **about,
        "files": [
            {"name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in sorted(files.items())
        ],
        "key": key,
    }
    signed = unsigned | {"signature": sign(digest(unsigned))}
    summary = json.dumps(signed, ensure_ascii=False, indent=2) + "\n"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in [(SUMMARY, summary.encode()), *sorted(files.items())]:
            archive.writestr(_entry(name, at), content)
    return made.getvalue()


def _entry(name: str, at: datetime) -> zipfile.ZipInfo:
    moment = at.astimezone(UTC)
    entry = zipfile.ZipInfo(name, moment.timetuple()[:6])
    if moment.year < _FIRST_YEAR:
        entry.date_time = (_FIRST_YEAR, 1, 1, 0, 0, 0)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Otherwise it is that of the computer.
    entry.external_attr = 0o644 << 16
    return entry


def archive_faults(
    data: bytes, *, keys: Collection[str] = (), check_signatures: bool = True
) -> tuple[dict[str, Any], list[str]]:
    """Return the summary of the archive *data*, and what is wrong with it: no fault, it is whole.

    *keys* are public keys known from elsewhere; without any, the key in the summary is taken. The
    records in it are verified as :func:`~pairing.record.verify.first_fault` does. Cost: a hash of
    all files, and that of the records.
    """
    try:
        files = _files(data)
        summary = json.loads(files.pop(SUMMARY).decode())
        named = {each["name"]: (each["size"], each["sha256"]) for each in summary["files"]}
        key, signature = str(summary["key"]), str(summary["signature"])
        if summary["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
    except _UNREADABLE as error:
        return {}, [f"It is no archive of a report: {error}."]
    faults = []
    unsigned = {name: value for name, value in summary.items() if name != "signature"}
    if check_signatures and not is_signed(key, digest(unsigned), signature):
        faults.append("The summary is not signed with the key that it names.")
    if keys and key not in keys:
        faults.append(f"The summary is signed with another key: {key}.")
    faults += [f"{name} is missing." for name in named if name not in files]
    for name, content in files.items():
        if name not in named:
            faults.append(f"{name} is not in the summary.")
        elif named[name] != (len(content), hashlib.sha256(content).hexdigest()):
            faults.append(f"{name} has been changed.")
        elif name.rpartition("/")[2] == RECORD:
            record = read(content.splitlines(keepends=True))
            fault = first_fault(record, keys=keys, check_signatures=check_signatures)
            faults += [f"{name}: {fault}"] if fault else []
    return summary, faults


def _files(data: bytes) -> dict[str, bytes]:
    """Return the files of the archive by name; ValueError for too many, or two with one name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if len(entries) > MAX_FILES or sum(each.file_size for each in entries) > MAX_BYTES:
            raise ValueError("it is too large")
        files = {each.filename: archive.read(each) for each in entries}
    if len(files) != len(entries):
        raise ValueError("two files have the same name")
    return files
