"""Bring mirrors up to date, as jobs, until visitors have the newest version.

No request and no lock of the database waits for it. One job is one attempt; after a fault the next
one is due later, and a new publication makes it due at once. The mirror of an event follows those
of its sections, so that it links to pages that are there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.utils import timezone

from pairing.rules.hand_over import WHILE_AWAY
from tournaments.core import jobs
from tournaments.core.actions import OpenAction
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.jobs import Work
from tournaments.models import DeletedTournament, Event, Tournament
from tournaments.site.mirrors.destinations import destination_of
from tournaments.site.mirrors.sources import Source, event_with_mirror, source_named, source_of
from tournaments.site.mirrors.store import Fault, MirrorState, all_stores
from tournaments.site.mirrors.transfer import Clock, Transfer, found_at, next_counter, require_ours

logger = logging.getLogger(__name__)

JOB: Final = "mirror"
FIRST_AFTER: Final = timedelta(seconds=60)
"""After the start: after a restore from a backup an arbiter can look first."""
WAITS: Final = (5, 10, 20, 40, 80, 160, 300)
"""Seconds before each new attempt; the last one again and again."""
GIVES_UP: Final = timedelta(hours=24)
"""After so long without success nobody is waiting; the next publication begins again."""
PAUSE: Final = timedelta(seconds=20)
"""From the new version to the work on the folder that visitors have left by then."""
FINAL: Final = frozenset(
    f"mirror.{code}"
    for code in (
        *("address", "private_address", "not_encrypted", "user", "no_folder"),
        *("not_allowed", "no_put", "redirect", "unreadable"),
    )
)
"""Codes of errors that another attempt would meet again."""


def follow(action: OpenAction) -> None:
    """Send a new version once *action* is committed,
    if visitors see a change and there is a mirror.

    One statement if there is one, and a query if an event on this site has one. A copy that was
    handed over sends nothing; once it is the live one again, it sends what is new since.
    """
    tournament = action.tournament
    is_seen = any(line.is_public or line.action in WHILE_AWAY for line in action.lines)
    if tournament.handed_over_at is not None or not is_seen:
        return
    own = source_of(tournament)
    source = own if own.store.is_on else event_with_mirror(own.pk)
    if source is not None:
        start(source)


def start(source: Source, due: datetime | None = None) -> None:
    """Let the mirror be brought up to date, now or when it is *due*."""
    jobs.enqueue(JOB, source.key, due=due)


def start_all(now: datetime) -> None:
    """Look after every mirror a minute after the start, and forget those of deleted tournaments.

    The program may be another one, or the site one that was restored.
    """
    for is_event in (False, True):
        for store in all_stores(is_event=is_event):
            row = (
                (Event if is_event else Tournament).objects.filter(identity=store.identity).first()
            )
            if row is not None and source_of(row).sends:
                start(source_of(row), now + FIRST_AFTER)
            elif row is None and DeletedTournament.objects.filter(identity=store.identity).exists():
                store.remove()


def mirror_job(work: Work) -> None:
    """Make one attempt, as a job; the state of the mirror has the reason if it did not succeed."""
    source = source_named(work.key)
    if source is None or not source.sends:
        return
    due = bring_up_to_date(source, timezone.now, lambda: jobs.waiting(JOB, work.key) is not None)
    if due is not None:
        start(source, due)


def bring_up_to_date(
    source: Source,
    clock: Clock = timezone.now,
    is_newer_waiting: Callable[[], bool] = lambda: False,
) -> datetime | None:
    """Make one attempt; return when the next one is due, or None.

    Send the newest version if it is not there yet; the next attempt then makes the folder equal
    that visitors have left. That ends early if *is_newer_waiting*, which has a job of its own.
    """
    before = source.store.state.at
    try:
        due = _attempt(source, clock, is_newer_waiting)
    except (BadInput, Conflict) as error:
        due = _note_fault(source, error, clock())
    except (
        Exception
    ) as error:  # the disk, the database, a fault of a page: written to the page, too
        logger.exception("The mirror of %s was not made", source.key)
        problem = str(error) or type(error).__name__
        due = _note_fault(source, BadInput("mirror.not_made", problem=problem), clock())
    state = source.store.state
    # Without success too: a section that was removed from the public list disappears.
    is_first_failure = state.tries == 1 and state.fault is not None
    if state.at != before or is_first_failure:
        _follow_section(source)
    return due


def _attempt(source: Source, clock: Clock, is_newer_waiting: Callable[[], bool]) -> datetime | None:
    store = source.store
    chosen, state, version = store.settings, store.state, source.version(clock())
    is_shown = state.shown == version.shown
    if is_shown and state.in_both and state.fault is None:
        return None
    with closing(destination_of(chosen, source.folder())) as destination:
        found = found_at(destination)
        try:
            require_ours(found, source, chosen.accepted)
        except Conflict:
            store.save_state(replace(state, refused=found.digest if found else ""))
            raise
        export = version.make()
        # If somebody else has written there, or emptied the folder, nothing is known about its
        # files.
        is_known = found is not None and found.manifest.counter == state.counter
        sent = store.sent(chosen.destination) if is_known else {}
        transfer = Transfer(destination, sent, partial(store.save_sent, chosen.destination))
        if is_shown and is_known:
            is_complete = transfer.complete(export, state.folder, is_newer_waiting)
            store.save_state(replace(state.without_fault(), in_both=is_complete))
            return None
        store.save_state(replace(state, in_both=False))  # in case this process is killed
        new = transfer.publish(export, found, next_counter(source, clock()), clock)
    store.save_state(
        MirrorState(
            counter=new.counter,
            shown=version.shown,
            version=new.version,
            folder=new.folder,
            at=clock().isoformat(),
            files=len(export.pages) + len(export.files),
        )
    )
    logger.info("The mirror of %s has version %s", new.name, new.version)
    return clock() + PAUSE


def _follow_section(source: Source) -> None:
    """Let the mirror of the event of *source* be brought up to date, if there is one."""
    event = None if source.is_event else event_with_mirror(source.pk)
    if event is not None:
        start(event)


def _note_fault(source: Source, error: BadInput | Conflict, now: datetime) -> datetime | None:
    """Write *error* to the state; return when another attempt is due."""
    state = source.store.state
    since = state.fault.since if state.fault is not None else now.isoformat()
    if state.fault is None or state.fault.code != error.code:
        logger.error("The mirror is not up to date: %s", error)
    # A whole number stays one: the sentence chooses between singular and plural by it.
    params = {
        name: value if isinstance(value, int) else str(value)
        for name, value in error.params.items()
    }
    fault = Fault(error.code, params, since)
    source.store.save_state(replace(state, fault=fault, tries=state.tries + 1))
    is_final = isinstance(error, Conflict) or error.code in FINAL
    if is_final or now - datetime.fromisoformat(since) > GIVES_UP:
        return None
    return now + timedelta(seconds=WAITS[min(state.tries, len(WAITS) - 1)])
