"""Identify the build of the program: another build may show the same data differently."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import django
from django.conf import settings

PARTS: Final = ("config", "pairing", "tournaments", "templates", "static", "locale")
ENDINGS: Final = frozenset({".py", ".html", ".css", ".js", ".svg", ".mo"})
DIGITS: Final = 8


def build() -> str:
    """Return eight digits that depend on the version of the program, the version of Django and the
    settings that pages show, such as the time zone. The address of the site has a place in the
    names of the pages instead: it may change with the network of the venue
    (``web.public_page.name_of``).

    All processes of one server get the same digits, and a restart does not change them.
    """
    shown = (settings.VERSION, settings.OFFLINE_PAGES, settings.TIME_ZONE, settings.PRODUCTION)
    return _build(settings.BASE_DIR, shown)


@lru_cache(maxsize=16)
def _build(root: Path, shown: tuple[object, ...]) -> str:
    text = f"{django.__version__} {shown} {_digest(root)}"
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


@lru_cache(maxsize=4)
def _digest(root: Path) -> str:
    """Return the SHA-256 of the program's files; they are read once for each process."""
    found = hashlib.sha256()
    for path in _files(root):
        found.update(path.relative_to(root).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for part in PARTS:
        paths = sorted((root / part).rglob("*"))
        yield from (path for path in paths if path.suffix in ENDINGS and path.is_file())
