"""A copy as one file: a ZIP with a manifest and a digest of all its bytes at the end.

Any program opens the file. Its comment, the last thing in it, is the SHA-256 of everything before:
a file that was cut off or altered anywhere is refused. The manifest has the SHA-256 of each part
too.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from django.db import DatabaseError

FORMATS: Final = {"site": "swiss-arbiter-backup/1", "event": "swiss-arbiter-event/1"}
MANIFEST: Final = "manifest.json"
_MARK: Final = b"sha256:"
_DIGITS: Final = 64
_PIECE: Final = 1 << 20
_LARGEST_MANIFEST: Final = 1 << 24
_MANIFEST: Final[Mapping[str, type]] = {
    **dict.fromkeys(("format", "program", "build", "at", "database", "content", "key"), str),
    "has_keys": bool,
    "migrations": list,
    "events": list,
    "parts": dict,
}
_EVENT: Final[Mapping[str, type]] = {
    **dict.fromkeys(("slug", "name", "identity", "fingerprint"), str),
    "lines": int,
}


class CopyError(Exception):
    """A copy that cannot be made, read or used; the text says what happened and what to do.

    ``code`` and ``params`` say it to a page, which has a sentence in each language
    (``take_over.…``); empty: it has none.
    """

    def __init__(self, text: str, code: str = "", **params: object) -> None:
        super().__init__(text)
        self.code = code
        self.params = params


class NoRoomError(OSError):
    """The disk of *folder* is full. The text is a sentence without its end, for the terminal.

    *has_site*: the site is there too, so another folder for the copy does not help.
    """

    def __init__(self, folder: Path, *, has_site: bool = False) -> None:
        super().__init__(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
        self._or_else = "" if has_site else ", or choose another folder"

    def __str__(self) -> str:
        return (
            f"the disk of {self.filename} is full. Delete files there that nobody "
            f"needs{self._or_else}"
        )


@contextlib.contextmanager
def room_in(folder: Path) -> Iterator[None]:
    """Raise :class:`NoRoomError` with *folder*, where files are written, if its disk is full."""
    try:
        yield
    except (OSError, sqlite3.OperationalError, DatabaseError) as error:
        if is_full(error) and not isinstance(error, NoRoomError):
            raise NoRoomError(folder) from error
        raise


def is_full(error: BaseException) -> bool:
    """Return whether *error* says that a disk is full."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return "disk is full" in str(error) or "No space left" in str(error)  # SQLite, PostgreSQL


@dataclass(frozen=True, slots=True)
class EventSummary:
    """A tournament in a copy: the number of lines of its record and the fingerprint of the last."""

    slug: str
    name: str
    identity: str
    lines: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """Describe the contents of a copy.

    ``at`` is UTC in ISO form. ``database`` is the kind it was made from; ``content`` is ``sqlite``
    (a database file) or ``rows`` (:mod:`.rows`). ``migrations`` are those applied, as ``app.name``.
    ``key`` is the public key of the installation. ``parts`` are the files with their SHA-256.
    """

    format: str
    program: str
    build: str
    at: str
    database: str
    content: str
    migrations: tuple[str, ...]
    events: tuple[EventSummary, ...]
    key: str
    has_keys: bool
    parts: Mapping[str, str] = field(default_factory=dict)


def write(path: Path, manifest: Manifest, parts: Mapping[str, Path | bytes]) -> Manifest:
    """Write the copy *path*, readable by its owner only, and return its
    manifest. It appears complete or not at all.

    Raise :class:`CopyError` if there is such a file already, and ``OSError`` if the disk is full or
    read-only.
    """
    if path.exists():
        raise CopyError(f"There is a file {path} already. Choose another name.")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file:
            manifest = _write_parts(file, manifest, parts)
            _seal(file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)
    return manifest


def _write_parts(
    file: IO[bytes], manifest: Manifest, parts: Mapping[str, Path | bytes]
) -> Manifest:
    digests = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, part in parts.items():
            digest = hashlib.sha256()
            with archive.open(name, "w", force_zip64=True) as target:
                for piece in [part] if isinstance(part, bytes) else pieces(part):
                    digest.update(piece)
                    target.write(piece)
            digests[name] = digest.hexdigest()
        manifest = Manifest(**{**_plain(manifest), "events": manifest.events, "parts": digests})
        archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1, ensure_ascii=False))
        archive.comment = _MARK + b"0" * _DIGITS
    return manifest


def _plain(manifest: Manifest) -> dict[str, Any]:
    return {name: getattr(manifest, name) for name in Manifest.__dataclass_fields__}


def _seal(file: IO[bytes]) -> None:
    """Replace the zeros at the end by the digest of the bytes before them."""
    size = file.seek(0, os.SEEK_END) - _DIGITS
    digest = _digest_of_beginning(file, size)
    file.seek(size)
    file.write(digest.encode("ascii"))


def _digest_of_beginning(file: IO[bytes], size: int) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while size > 0 and (piece := file.read(min(_PIECE, size))):
        digest.update(piece)
        size -= len(piece)
    return digest.hexdigest()


def pieces(path: Path) -> Iterator[bytes]:
    """Yield the bytes of the file *path*."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def sync_folder(folder: Path) -> None:
    """Let the names of new files in *folder* survive a power cut; not possible on Windows."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_manifest(path: Path, kind: str = "site") -> Manifest:
    """Return the manifest of the copy *path* after the check of all its bytes.

    Raise :class:`CopyError`.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END) - _DIGITS
            file.seek(max(0, size - len(_MARK)))
            end = file.read()
            if size < len(_MARK) or not end.startswith(_MARK):
                raise CopyError(
                    f"{path} is no copy of Swiss Arbiter, or its end is missing. Take another "
                    f"copy, or copy it again "
                    "from where it came from.",
                    "take_over.no_file",
                )
            if _digest_of_beginning(file, size).encode("ascii") != end[len(_MARK) :]:
                raise CopyError(
                    f"{path} was altered or damaged after it was made. Take another copy, or copy "
                    f"it again from where "
                    "it came from.",
                    "take_over.damaged",
                )
            with zipfile.ZipFile(file) as archive:
                values = _read_manifest(archive)
    except OSError as error:
        raise CopyError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise CopyError(
            f"{path} is no copy of Swiss Arbiter ({error}).", "take_over.no_file"
        ) from error
    if values.get("format") != FORMATS[kind]:
        file_format = values.get("format")
        other = next((name for name, text in FORMATS.items() if text == file_format), "")
        hint = {
            "site": "It is a copy of the whole site: ./run restore FILE.",
            "event": "It has one event: ./run manage import_event FILE.",
        }.get(other, "A newer version of the program may have made it.")
        message = (
            f"{path} has the format {file_format!r}, and {FORMATS[kind]!r} was expected. {hint}"
        )
        raise (
            CopyError(message, "take_over.whole_site")
            if other == "site"
            else CopyError(message, "take_over.no_file")
        )
    try:
        _require_form(values, _MANIFEST, "")
        for event in values["events"]:
            _require_form(event, _EVENT, "events, ")
        migrations = values["migrations"]
        if {type(name) for name in migrations} - {str} or (kind == "event" and not migrations):
            raise ValueError("migrations")
        values["events"] = tuple(EventSummary(**event) for event in values["events"])
        values["migrations"] = tuple(values["migrations"])
        return Manifest(**values)
    except (KeyError, TypeError, ValueError) as error:
        message = f"{path} has a manifest in another form ({error})."
        raise CopyError(message, "take_over.unreadable", problem=f"{MANIFEST}: {error}") from error


def _require_form(values: Any, form: Mapping[str, type], where: str) -> None:
    """Raise ``ValueError`` unless *values* has the types of *form*:
    a truth value does not count as a number, and no text has NUL.
    """
    for name, kind in form.items():
        value = values.get(name) if isinstance(values, dict) else None
        if type(value) is not kind or (isinstance(value, str) and "\x00" in value):
            raise ValueError(f"{where}{name}")


def _read_manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Return the manifest in *archive*. Raise ``KeyError`` or ``ValueError`` if it is none."""
    if archive.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
        raise ValueError("its manifest is too long")
    values = json.loads(archive.read(MANIFEST))
    if not isinstance(values, dict):
        raise ValueError("its manifest has another form")
    return values


def extract(path: Path, name: str, target: Path, *, most: int | None = None) -> None:
    """Write part *name* of the copy *path*, whose bytes were checked,
    to the new file *target* for its owner only.

    Raise :class:`CopyError`, also if it has more than *most* bytes: a small file can unpack to a
    full disk.
    """
    with zipfile.ZipFile(path) as archive:
        if name not in archive.namelist():
            raise CopyError(f"{path} has no part {name}.")
        # Unpacking ends at this size, whatever follows.
        if most is not None and archive.getinfo(name).file_size > most:
            message = (
                f"{name} in {path} unpacks to more than {most:,} bytes: it is no event of "
                f"this program."
            )
            raise CopyError(message, "take_over.too_large", limit=most >> 20)
        with (
            archive.open(name) as source,
            os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
        ):
            shutil.copyfileobj(source, file, _PIECE)
            file.flush()
            os.fsync(file.fileno())
