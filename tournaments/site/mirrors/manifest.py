"""The manifest of a mirror: its version, and the SHA-256 of each file, signed.

The file is ``{"signed": text, "signature": …, "key": …}``. The signature is over exactly the
letters of ``text``, which is JSON itself: so a browser checks it without writing it anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from pairing.record import signatures
from tournaments.core import signing
from tournaments.core.errors import BadInput

NAME: Final = "manifest.json"
FORMAT: Final = "swiss-arbiter-mirror-1"
FOLDERS: Final = ("a", "b")
LISTS: Final = 32
"""So many lists for each language have the pages of players:
a phone fetches one, and a small manifest.
"""
_OF_PLAYER: Final = re.compile(r"([a-z-]+)/player-(\d+)\.html")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version of a mirror.

    ``tournament`` is its random identity; ``version``, ``state`` and ``line`` are the public
    version, the key of the public pages and the fingerprint of the newest public line of the
    record. ``counter`` grows with each manifest, ``at`` is Unix time in seconds, ``folder`` is
    where visitors read. ``files`` has the SHA-256 of each file by its path in that folder, or from
    the root of the mirror (``/files/…``); those of players' pages are in the lists.
    """

    tournament: str
    name: str
    version: int
    state: str
    line: str
    build: str
    pairings: int = 0
    results: int = 0
    counter: int = 0
    at: int = 0
    folder: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Export:
    """All files of a version.

    ``pages`` are in the folder of the version, ``files`` (styles and scripts) beside the folders,
    ``entrances`` at the root, by the folder to which they lead. ``news`` is what open pages ask
    for.
    """

    manifest: Manifest
    pages: Mapping[str, bytes]
    files: Mapping[str, bytes]
    entrances: Mapping[str, Mapping[str, bytes]]
    news: Mapping[str, Any]

    def in_folder(self, folder: str) -> dict[str, bytes]:
        """Return the pages by their path from the root."""
        return {f"{folder}/{name}": body for name, body in self.pages.items()}

    def manifest_in(self, folder: str, counter: int, at: int) -> Manifest:
        """Return the manifest with which visitors read the version in *folder*."""
        pages = {name: digest(body) for name, body in self.pages.items() if list_of(name) is None}
        files = {f"/{name}": digest(body) for name, body in self.files.items()}
        return replace(self.manifest, folder=folder, counter=counter, at=at, files=pages | files)


@dataclass(frozen=True, slots=True)
class Found:
    """A manifest as it was found at a mirror: its key, and its SHA-256."""

    manifest: Manifest
    key: str
    digest: str


def digest(body: bytes) -> str:
    """Return the SHA-256 of *body* in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


def lists_of(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the lists of SHA-256 of players' *pages*, by path: ``en/hashes-7.json``."""
    lists: dict[str, dict[str, str]] = {}
    for path, body in sorted(pages.items()):
        if (name := list_of(path)) is not None:
            lists.setdefault(name, {})[path] = digest(body)
    return {name: _json(files) for name, files in lists.items()}


def list_of(path: str) -> str | None:
    """Return the path of the list with the page at *path*; None if it is in the manifest itself."""
    found = _OF_PLAYER.fullmatch(path)
    return f"{found[1]}/hashes-{int(found[2]) % LISTS}.json" if found else None


def signed(manifest: Manifest) -> bytes:
    """Return the file with *manifest*, signed with the key of this site."""
    text = json.dumps({"format": FORMAT, **asdict(manifest)}, separators=(",", ":"), sort_keys=True)
    return _json({"key": signing.public_key(), "signature": signing.sign(text), "signed": text})


def read(body: bytes) -> Found:
    """Return the manifest in *body*; ``BadInput`` unless its signature is right."""
    try:
        file: dict[str, Any] = json.loads(body)
        key, signature, text = (str(file[name]) for name in ("key", "signature", "signed"))
        values: dict[str, Any] = json.loads(text)
        is_right = values.pop("format") == FORMAT and signatures.is_signed(key, text, signature)
        manifest = Manifest(**values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput("mirror.unreadable", file=NAME) from error
    if not is_right:
        raise BadInput("mirror.unreadable", file=NAME)
    return Found(manifest, key, digest(body))


def _json(values: Mapping[str, str]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode("ascii")
