"""Store the lists that an action publishes, before anybody can ask for them.

A hall of phones opens these lists within seconds: no visitor waits until they are rendered. They
are made in the transaction of the action, so they are there when the state is visible, and only in
the languages in which the state before was read. All other pages are made for their first visitor
(``web.public_page``).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper

from django.conf import settings
from django.db import connection, transaction
from django.urls import reverse
from django.utils import translation

from tournaments.core import page_store
from tournaments.core.actions import OpenAction, Publication
from tournaments.core.frame import Frame
from tournaments.models import PublishedList, Tournament
from tournaments.standings.prospects import prospects
from tournaments.standings.standings import places
from tournaments.web import news
from tournaments.web.public_page import rendered

logger = logging.getLogger(__name__)

Kind = PublishedList.Kind


def store(action: OpenAction) -> None:
    """Store the lists that *action* has published or changed, as visitors read them from now on.

    Nothing happens unless it publishes something. A fault in a page must not keep pairings from
    being published: it is logged, and the pages are rendered for their visitors. One that ends the
    transaction, such as a lost connection, is raised: otherwise nothing would be saved, and the
    arbiter would read that it was.
    """
    for published in action.publications:
        with _no_fault_prevents(published.frame.tournament), transaction.atomic():
            store_lists(published)
        drop = partial(page_store.drop_others, published.frame.state)
        # Django logs a failure with the name of the function, which a partial has not by itself.
        transaction.on_commit(update_wrapper(drop, page_store.drop_others), robust=True)


def store_lists(published: Publication) -> None:
    """Store the lists of *published*, the index of names, the news and the ranks."""
    frame = published.frame
    places(frame, frame.latest_results)  # hundreds of players open their own pages
    prospects(frame)
    state = frame.state
    addresses = [
        address for kind, number in published.lists for address in _addresses(frame, kind, number)
    ]
    for language in _languages(state.owner):
        with translation.override(language):
            for address in [*addresses, _url("names", frame)]:
                for name, answer in rendered(frame, address):
                    page_store.put(state, name, answer.headers, answer.content)
    news.content_of(state)


@contextmanager
def _no_fault_prevents(tournament: Tournament) -> Iterator[None]:
    try:
        yield
    except Exception:
        if (
            connection.in_atomic_block and connection.needs_rollback
        ):  # Not even the savepoint could be rolled back.
            raise
        logger.exception(
            "The pages of %r could not be stored; they are made for their visitors", tournament.slug
        )


def _languages(owner: str) -> set[str]:
    """Return the languages in which lists are stored at publication.

    These are the site's language and those of arbiters, as far as somebody reads them. In any
    other language the first reader waits for the list, not the arbiter who publishes it.
    """
    stored = {settings.LANGUAGE_CODE, *settings.ARBITER_LANGUAGES}
    return page_store.noted_languages(owner) & stored or {settings.LANGUAGE_CODE}


def _addresses(frame: Frame, kind: str, number: int) -> Iterator[str]:
    """Yield each address with its parameters: the first page of a long list."""
    match Kind(kind):
        case Kind.PAIRINGS:
            pairings = _url("pairings-public", frame, number)
            yield pairings
            yield f"{pairings}?order=name"
        case Kind.STANDINGS:
            yield _url("standings", frame)
        case Kind.CROSSTABLE:
            yield _url("crosstable", frame)


def _url(name: str, frame: Frame, *numbers: int) -> str:
    return reverse(name, args=[frame.tournament.slug, *numbers])
