"""Find and save the stored pages of a tournament; ``tournaments.web.storing`` makes them.

The pages of players are stored in pieces, because 300 players would make 600 of them in two languages. What is a
player's own is stored once, in the part that open pages ask for; the rest of the page and of the part are two shells,
the same for all players, with :data:`OWN`, :data:`NAME` and :data:`ENTRY` in their places.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

import brotli
from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.html import escape

from tournaments.core.build import build
from tournaments.core.frame import Frame, state_key
from tournaments.models import StoredPage, Tournament

OWN: Final = "\x00own\x00"
NAME: Final = "\x00name\x00"
"""Nothing that a person types contains a NUL."""
ENTRY: Final = 907_199_254_740_991_907
"""No entry has this number."""

AT_ONCE: Final = 1_000
"""So many rows are saved in one transaction."""


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page to be stored, with the columns of :class:`StoredPage`."""

    path: str
    language: str
    is_part: bool
    headers: Mapping[str, str]
    body: bytes
    title: str = ""
    is_shell: bool = False


def newest_pages(tournament: Tournament) -> Iterator[StoredPage]:
    """Yield all stored pages of the newest public version of *tournament*, in the order in which they were made.

    Each has ``path``, ``language``, ``is_part``, ``headers``, ``body`` (``gzip``, ``brotli``) and ``sha256``. The pages
    of players are put together here, so their objects are not rows. There are none if the newest public action did not
    publish anything (a withdrawal, say), if another build of the program stored them, or if the site stores no pages:
    their first visitors make these pages then. Two queries.
    """
    pages, shells = _newest(tournament)
    for page in pages:
        yield page
        if page.title:
            whole, part = (shells[page.key, page.language, is_part] for is_part in (False, True))
            yield _put_together(page, whole, part)


def newest_bodies(tournament: Tournament) -> Iterator[tuple[str, str, bytes]]:
    """Yield path, language and bytes of all whole pages of :func:`newest_pages`, without compressing them again."""
    pages, shells = _newest(tournament)
    around = {key: shell.body for key, shell in shells.items()}
    for page in pages:
        if page.title:
            whole, part = (around[page.key, page.language, is_part] for is_part in (False, True))
            yield page.path, page.language, put_together(page.body, whole, part, page.path, page.title)
        elif not page.is_part:
            yield page.path, page.language, page.body


def _newest(tournament: Tournament) -> tuple[QuerySet[StoredPage], dict[tuple[str, str, bool], StoredPage]]:
    """Return the rows of the newest version that are pages, and its shells."""
    rows = StoredPage.objects.filter(tournament=tournament, version=tournament.public_version, build=build())
    rows = rows.filter(key=state_key(tournament, runs=False))
    shells = {(shell.key, shell.language, shell.is_part): shell for shell in rows.filter(is_shell=True)}
    return rows.filter(is_shell=False), shells


def find(
    tournament_id: int, key: str, path: str, language: str, *, is_part: bool, has_shell: bool = False
) -> StoredPage | None:
    """Return the page at *path* in *language* as it is stored for the state *key*; None if there is none. One query.

    *has_shell*: if it is a whole page, it is put together with its shell.
    """
    pages = StoredPage.objects.filter(tournament_id=tournament_id, key=key, build=build(), language=language)
    # In the order of the table, SQLite would read all pages of the tournament until it finds this one.
    pages = pages.defer("sha256", "stored_at", "build").order_by()
    if is_part or not has_shell:
        return next(iter(pages.filter(path=path, is_part=is_part)), None)
    found = list(pages.filter(path__in=(path, _folder(path))))
    if len(found) != 3:
        return None
    whole, part, own = sorted(found, key=lambda page: (page.path, page.is_part))
    return _put_together(own, whole, part)


def _folder(path: str) -> str:
    """Return the path of the shell: ``/t/open/player/`` for ``/t/open/player/7/``."""
    return f"{path.rstrip('/').rpartition('/')[0]}/"


def _put_together(own: StoredPage, whole: StoredPage, part: StoredPage) -> StoredPage:
    """Return the whole page of the player whose part is *own*; *whole* and *part* are the shells."""
    body = put_together(own.body, whole.body, part.body, own.path, own.title)
    return StoredPage(
        tournament_id=own.tournament_id,
        key=own.key,
        version=own.version,
        path=own.path,
        language=own.language,
        is_part=False,
        title=own.title,
        round_number=own.round_number,
        headers=whole.headers,
        gzip=packed(body),
        brotli=packed_more(body),
        sha256=hashlib.sha256(body).hexdigest(),
    )


def put_together(own: bytes, whole: bytes, part: bytes, path: str, title: str) -> bytes:
    """Return the whole page at *path* of the player whose part is *own*; *whole* and *part* are the shells."""
    before, after = part.split(OWN.encode())
    inside = own[len(before) : len(own) - len(after)]
    return in_shell(whole, inside, number=path.rstrip("/").rpartition("/")[2], title=title)


def in_shell(shell: bytes, own: bytes, *, number: object, title: str) -> bytes:
    """Return the page of one player: *own* in the *shell* of the whole page."""
    page = shell.replace(str(ENTRY).encode(), str(number).encode())
    return page.replace(NAME.encode(), shown_title(title).encode()).replace(OWN.encode(), own)


def shown_title(title: str) -> str:
    """Return *title* as the head of a page has it: escaped, on one line."""
    return " ".join(escape(title).split())


def save(frame: Frame, pages: Iterable[MadePage], now: datetime) -> None:
    """Save *pages* as those of the version of *frame*, instead of any that were saved for it, and remove old ones.

    Belongs into the transaction that makes the version.
    """
    tournament = frame.tournament
    StoredPage.objects.filter(tournament=tournament, key=frame.public_key, build=build()).delete()
    StoredPage.objects.bulk_create(_rows(frame, pages, now))
    _prune(tournament, now)


def add(frame: Frame, pages: Iterable[MadePage], now: datetime) -> None:
    """Add *pages* to those saved for the version of *frame*, unless another version is public by now.

    They are made and compressed before the lock, :data:`AT_ONCE` at a time.
    """
    seen, made = state_key(frame.tournament, runs=False), iter(pages)
    while rows := _rows(frame, islice(made, AT_ONCE), now):
        with transaction.atomic():
            newest = Tournament.objects.select_for_update().get(pk=frame.tournament.pk)
            if state_key(newest, runs=False) != seen:
                return
            StoredPage.objects.bulk_create(rows, ignore_conflicts=True)


def _rows(frame: Frame, pages: Iterable[MadePage], now: datetime) -> list[StoredPage]:
    return [
        StoredPage(
            tournament=frame.tournament,
            key=frame.public_key,
            version=frame.tournament.public_version,
            build=build(),
            path=page.path,
            language=page.language,
            is_part=page.is_part,
            is_shell=page.is_shell,
            title=page.title,
            round_number=frame.latest_published or 0,
            headers=dict(page.headers),
            gzip=packed(page.body),
            brotli=packed_more(page.body),
            sha256=hashlib.sha256(page.body).hexdigest(),
            stored_at=now,
        )
        for page in pages
    ]


def _prune(tournament: Tournament, now: datetime) -> None:
    """Remove versions stored more than ``KEEP_PAGES_DAYS`` before *now*, but never the last one of a round.

    Three queries.
    """
    pages = StoredPage.objects.filter(tournament=tournament)
    last_rows = pages.order_by().values("round_number").annotate(last=Max("pk")).values_list("last", flat=True)
    last = set(pages.filter(pk__in=list(last_rows)).values_list("key", flat=True))
    pages.filter(stored_at__lt=now - timedelta(days=settings.KEEP_PAGES_DAYS)).exclude(key__in=last).delete()


def forget(tournament: Tournament) -> None:
    """Remove all pages: they have names or data that are no longer shown. Those of the new version are made again.

    Belongs into the transaction of that action. One query.
    """
    StoredPage.objects.filter(tournament=tournament).delete()


def packed(body: bytes) -> bytes:
    """Return *body* compressed with gzip; the same bytes every time."""
    return gzip.compress(body, compresslevel=6, mtime=0)


def packed_more(body: bytes) -> bytes:
    """Return *body* compressed with Brotli: a fifth less than with gzip, for twice its time."""
    found: bytes = brotli.compress(body, mode=brotli.MODE_TEXT, quality=5)
    return found
