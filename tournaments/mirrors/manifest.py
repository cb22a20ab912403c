"""The manifest of a mirror: which version it shows, and the SHA-256 of each file, signed with the key of this site.

The file is ``{"signed": text, "signature": …, "key": …}``. The signature is over exactly the letters of ``text``, which
is JSON itself: so a browser checks it without writing it anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from pairing.record import signatures
from tournaments.core import signing
from tournaments.core.errors import BadInput

NAME: Final = "manifest.json"
FORMAT: Final = "swiss-arbiter-mirror-1"
LISTS: Final = 32
"""So many lists for each language have the pages of players: a phone fetches one of them, and a small manifest."""
_OF_PLAYER: Final = re.compile(r"([a-z-]+)/player-(\d+)\.html")


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version of a mirror.

    ``tournament`` is its random identity. ``counter`` grows with each manifest; ``version``, ``state`` and ``line`` are
    the public version, the key of the public pages and the fingerprint of the newest public line of the record.
    ``at`` is Unix time in seconds. ``folder`` is where visitors read; ``files`` has the SHA-256 of each file by its
    path in that folder, or from the root of the mirror (``/files/…``); those of players' pages are in the lists.
    """

    tournament: str
    name: str
    counter: int
    version: int
    state: str
    line: str
    build: str
    at: int
    folder: str
    pairings: int
    results: int
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """A manifest as it was found at a mirror: who signed it, and its SHA-256."""

    manifest: Manifest
    key: str
    digest: str


def lists_of(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the lists with the SHA-256 of the players' pages among *pages*, by their path: ``en/hashes-7.json``."""
    lists: dict[str, dict[str, str]] = {}
    for path, body in sorted(pages.items()):
        if (name := list_of(path)) is not None:
            lists.setdefault(name, {})[path] = hashlib.sha256(body).hexdigest()
    return {name: json.dumps(files, separators=(",", ":")).encode("ascii") for name, files in lists.items()}


def list_of(path: str) -> str | None:
    """Return the path of the list with the page at *path*; None if it is in the manifest itself."""
    found = _OF_PLAYER.fullmatch(path)
    return f"{found[1]}/hashes-{int(found[2]) % LISTS}.json" if found else None


def signed(manifest: Manifest) -> bytes:
    """Return the file with *manifest*, signed with the key of this site."""
    text = json.dumps({"format": FORMAT, **asdict(manifest)}, ensure_ascii=True, separators=(",", ":"), sort_keys=True)
    file = {"key": signing.public_key(), "signature": signing.sign(text), "signed": text}
    return json.dumps(file, separators=(",", ":")).encode("ascii")


def read(body: bytes) -> Found:
    """Return the manifest in the file *body*; ``BadInput`` unless it is one whose signature is right."""
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
    return Found(manifest, key, hashlib.sha256(body).hexdigest())
