"""Store the public pages of a version when an action publishes it.

A hall of phones opens these pages within seconds: no visitor waits until they are rendered, and all processes send the
same bytes. Only publications store pages (pairings, results, a change under 4.4, a correction under 4.3, final
standings). After any other public action, such as a withdrawal, each process renders a page for its first visitor and
keeps it in its memory: a request that only reads never writes to the database.

All are stored in the transaction of the action, so they are there when the version is visible; on SQLite it keeps all
other writers waiting. Only the pages of players of an event with more than ``PLAYERS_STORED_AT_ONCE`` come later, from
a process of its own: neither the arbiter nor other writers wait for it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial, update_wrapper

from django.conf import settings
from django.db import connection, transaction
from django.urls import reverse
from django.utils import translation

from tournaments.core import own_process, stored_pages
from tournaments.core.actions import OpenAction
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.stored_pages import ENTRY, OWN, MadePage
from tournaments.models import Tournament
from tournaments.reports.published_lists import publishes
from tournaments.web import news
from tournaments.web.public_page import rendered
from tournaments.web.standings import player

logger = logging.getLogger(__name__)


def store(action: OpenAction) -> None:
    """Store the pages as visitors read them after *action*; those of many players after its commit.

    Nothing happens unless it publishes something. A fault in a page must not keep pairings from being published: it is
    logged, nothing is stored, and the pages are rendered for their visitors. One in the page of a player keeps only the
    pages of players from being stored. A fault that ends the transaction, such as a lost connection, is raised:
    otherwise nothing would be saved, and the arbiter would read that it was.
    """
    if not settings.STORE_PAGES or not publishes(action):
        return
    frame = _frame(action.tournament.pk, action.now)
    with _no_fault_prevents(action.tournament), transaction.atomic():
        stored_pages.save(frame, lists_of(frame), action.now)
        if frame.tournament.entries.count() > settings.PLAYERS_STORED_AT_ONCE:
            later = partial(own_process.start, "store_players", frame.tournament.pk, frame.public_key)
            # Django logs a failure with the name of the function, which a partial has not by itself.
            update_wrapper(later, own_process.start)
            transaction.on_commit(later, robust=True)
        else:
            with _no_fault_prevents(frame.tournament), transaction.atomic():
                stored_pages.add(frame, players_of(frame), action.now)


def store_players(tournament_id: int, key: str, now: datetime) -> None:
    """Store the pages of all players, unless the public state of the tournament is no longer *key*."""
    newest = _frame(tournament_id, now)
    with _no_fault_prevents(newest.tournament):
        if newest.public_key == key:
            stored_pages.add(newest, players_of(newest), now)


def _frame(tournament_id: int, now: datetime) -> Frame:
    tournament = Tournament.objects.select_related("section__event").get(pk=tournament_id)
    return tournament_frame(tournament, runs=False, now=now)


@contextmanager
def _no_fault_prevents(tournament: Tournament) -> Iterator[None]:
    try:
        yield
    except Exception:
        if connection.in_atomic_block and connection.needs_rollback:  # Not even the savepoint could be rolled back.
            raise
        logger.exception("The pages of %r could not be stored; they are made for their visitors", tournament.slug)


def lists_of(frame: Frame) -> Iterator[MadePage]:
    """Yield the lists and other pages of the version of *frame* in every language, and the news file."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for address in _addresses(frame):
                path, answers = rendered(frame, address)
                for is_part, answer in enumerate(answers):
                    yield MadePage(path, language, bool(is_part), dict(answer.headers), answer.content)
    content, _etag = news.content_of(frame.tournament.pk, frame.public_key)
    yield MadePage(_url("news", frame), "", is_part=False, headers={"Content-Type": news.JSON}, body=content)


def players_of(frame: Frame) -> Iterator[MadePage]:
    """Yield the parts of all players' pages, and the shells around them, in every language."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            yield from _pages_of_players(frame, language)


def _pages_of_players(frame: Frame, language: str) -> Iterator[MadePage]:
    folder = _url("player-page", frame, 0).removesuffix("0/")
    _path, answers = rendered(frame, f"{folder}{ENTRY}/", player.shell)
    for is_part, answer in enumerate(answers):
        headers = dict(answer.headers)
        yield MadePage(folder, language, bool(is_part), headers, answer.content, is_shell=True)
    before, after = answers[1].content.split(OWN.encode())
    for page, own in player.own_parts(frame):
        body = before + own.encode() + after
        path = f"{folder}{page.entry.pk}/"
        yield MadePage(path, language, is_part=True, headers=headers, body=body, title=page.entry.name)


def whole_players_of(frame: Frame) -> Iterator[tuple[str, str, bytes]]:
    """Yield path, language and bytes of all players' pages of the version of *frame*, rendered now."""
    shells: dict[tuple[str, bool], bytes] = {}
    for page in players_of(frame):
        if page.is_shell:
            shells[page.language, page.is_part] = page.body
        else:
            whole, part = shells[page.language, False], shells[page.language, True]
            yield page.path, page.language, stored_pages.put_together(page.body, whole, part, page.path, page.title)


def _addresses(frame: Frame) -> Iterator[str]:
    """Yield each address with its parameters: the first page of a long list, and the newest round."""
    yield _url("tournament", frame)
    yield _url("players", frame)
    if frame.latest_published:
        pairings = _url("pairings-public", frame, frame.latest_published)
        yield pairings
        yield f"{pairings}?order=name"
    yield _url("standings", frame)
    yield _url("crosstable", frame)
    yield _url("me", frame)
    yield _url("names", frame)


def _url(name: str, frame: Frame, *numbers: int) -> str:
    return reverse(name, args=[frame.tournament.slug, *numbers])
