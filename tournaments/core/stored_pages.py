"""Find and save the stored pages of a tournament; ``tournaments.web.storing`` makes them."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from tournaments.core.build import build
from tournaments.core.frame import Frame, state_key
from tournaments.models import StoredPage, Tournament


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page to be stored: ``path`` with its parameters; ``language`` is empty for a file without words."""

    path: str
    language: str
    is_part: bool
    headers: Mapping[str, str]
    body: bytes


def newest_pages(tournament: Tournament) -> QuerySet[StoredPage]:
    """Return all stored pages of the newest public version of *tournament*, in the order in which they were made.

    Each has ``path``, ``language``, ``is_part``, ``headers``, ``body`` (``gzip``, ``brotli``) and ``sha256``. There
    are none if the newest public action did not publish anything (a withdrawal, say), if another build of the program
    stored them, or if the site stores no pages: their first visitors make these pages then. One query.
    """
    pages = StoredPage.objects.filter(tournament=tournament, version=tournament.public_version, build=build())
    return pages.filter(key__startswith=state_key(tournament, runs=False))


def find(tournament_id: int, key: str, path: str, language: str, *, is_part: bool) -> StoredPage | None:
    """Return the page at *path* in *language* as it is stored for the state *key*; None if there is none. One query."""
    pages = StoredPage.objects.filter(tournament_id=tournament_id, key=key, build=build(), path=path)
    return pages.filter(language=language, is_part=is_part).only("headers", "gzip", "brotli").first()


def save(frame: Frame, pages: list[MadePage], now: datetime) -> None:
    """Save *pages* as those of the version of *frame*, instead of any that were saved for it. Two queries."""
    tournament, key = frame.tournament, frame.public_key
    StoredPage.objects.filter(tournament=tournament, key=key, build=build()).delete()
    StoredPage.objects.bulk_create(
        StoredPage(
            tournament=tournament,
            key=key,
            version=tournament.public_version,
            build=build(),
            path=page.path,
            language=page.language,
            is_part=page.is_part,
            round_number=frame.latest_published or 0,
            headers=dict(page.headers),
            gzip=packed(page.body),
            sha256=hashlib.sha256(page.body).hexdigest(),
            stored_at=now,
        )
        for page in pages
    )


def packed(body: bytes) -> bytes:
    """Return *body* compressed with gzip; the same bytes every time."""
    return gzip.compress(body, compresslevel=6, mtime=0)
