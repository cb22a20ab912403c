"""Bring the mirror of a tournament or an event up to date, as a job, and try again until it is.

No request and no lock of the database waits for it. One job is one attempt; after a fault the next one is due later,
and a new publication makes it due at once. The mirror of an event follows those of its sections, so that it links to
pages that are there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, MutableMapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from pairing.rules.hand_over import WHILE_AWAY
from tournaments.core import jobs
from tournaments.core.actions import OpenAction
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.jobs import Work
from tournaments.mirrors.kept import Fault, Kept, MirrorSettings, MirrorState, all_kept
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner, Version, event_of
from tournaments.mirrors.places import Place, place_of
from tournaments.mirrors.pushing import Snapshot, align, found_at, is_final, push, require_ours
from tournaments.models import DeletedTournament, Event, Tournament

logger = logging.getLogger(__name__)
Clock = Callable[[], datetime]

JOB: Final = "mirror"
FIRST_AFTER: Final = timedelta(seconds=60)
"""After the start: after a restore from a backup an arbiter can look first."""
WAITS: Final = (5, 10, 20, 40, 80, 160, 300)
"""Seconds before each new attempt; the last one again and again."""
GIVES_UP: Final = timedelta(hours=24)
"""After so long without success nobody is waiting; the next publication begins again."""
PAUSE: Final = 20.0
"""Seconds between the new version and the work on the folder that visitors have left by then."""
SAVE_EVERY: Final = 20
"""Files sent between two notes of what was sent, so that an attempt that is cut off is continued."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What an attempt gets from outside; tests have a clock and a place of their own.

    ``is_newer_waiting`` tells whether there was another publication since.
    """

    clock: Clock
    is_newer_waiting: Callable[[], bool]
    sleep: Callable[[float], None] = time.sleep
    place: Callable[[MirrorSettings, str], Place] = place_of


def follow(action: OpenAction) -> None:
    """Send a new version once *action* is committed, if there is a mirror and visitors see a change.

    One statement if there is a mirror, and a query if an event on this site has one. A copy that was handed over sends
    nothing; once it is the live one again, it sends what is new since.
    """
    is_back = any(line.action in WHILE_AWAY for line in action.lines)
    if action.tournament.handed_over_at is not None or not (is_back or any(line.is_public for line in action.lines)):
        return
    own = OfTournament(action.tournament.pk, action.tournament.identity)
    owner = own if own.kept.is_on else event_of(own.pk)
    if owner is not None:
        start(owner)


def start(owner: Owner, due: datetime | None = None) -> None:
    """Let the mirror be brought up to date, now or when it is *due*."""
    jobs.enqueue(JOB, owner.key, due=due)


def start_all(now: datetime) -> None:
    """Look after every mirror a minute after the start, and forget those of deleted tournaments.

    The program may be another one, or the site one that was restored.
    """
    due = now + FIRST_AFTER
    for kept in all_kept():
        row = Tournament.objects.filter(identity=kept.folder.name).only("identity").first()
        if row is None and DeletedTournament.objects.filter(identity=kept.folder.name).exists():
            kept.remove()
        elif row is not None and sends(owner := OfTournament(row.pk, row.identity)):
            start(owner, due)
    for kept in all_kept(events=True):
        event = Event.objects.filter(identity=kept.folder.name).first()
        if event is not None and sends(of_event := OfEvent(event.pk, event.identity)):
            start(of_event, due)


def mirror_job(work: Work) -> None:
    """Make one attempt, as a job; the state of the mirror has the reason why another one is needed."""
    if (owner := owner_of(work.key)) is None:
        return
    try:
        attempt(owner, Tools(timezone.now, lambda: jobs.waiting(JOB, owner.key) is not None))
    except Exception as error:
        _note_fault(owner.kept, BadInput("mirror.not_made", problem=str(error) or type(error).__name__), timezone.now())
        raise
    finally:
        if owner.kept.state.next is not None and sends(owner):
            start(owner, owner.kept.state.next)


def owner_of(key: str) -> Owner | None:
    """Return the owner that the key of a job names; None if it is deleted."""
    kind, _, number = key.partition(" ")
    rows = (Event if kind == "event" else Tournament).objects.filter(pk=int(number))
    found = rows.values_list("pk", "identity").first()
    if found is None:
        return None
    return OfEvent(*found) if kind == "event" else OfTournament(*found)


def sends(owner: Owner) -> bool:
    """Return whether the mirror is on and this is the live copy. One query."""
    return owner.kept.is_on and not owner.is_away()


def attempt(owner: Owner, tools: Tools) -> MirrorState:
    """Send the newest version if it is not there yet, then make the folder equal that visitors have left.

    Return how it ended. Raise ``DoesNotExist`` if the tournament or the event is deleted meanwhile.
    """
    kept = owner.kept
    if not sends(owner):
        return kept.state
    snapshot = _attempt(owner, kept, tools)
    if snapshot is not None or kept.state.tries == 1:
        # Without success too: a section that was removed from the public list disappears.
        for other in owner.followers():
            start(other)
    if snapshot is not None and not _wait(tools) and sends(owner):
        _align(owner, kept, tools, snapshot)
    return kept.state


def _wait(tools: Tools) -> bool:
    """Wait until visitors have left the other folder; return True as soon as something newer is to be sent."""
    until = tools.clock() + timedelta(seconds=PAUSE)
    while not (is_newer := tools.is_newer_waiting()) and (left := (until - tools.clock()).total_seconds()) > 0:
        tools.sleep(min(1.0, left))
    return is_newer


def _attempt(owner: Owner, kept: Kept, tools: Tools) -> Snapshot | None:
    """Send the newest version; None if it is there already, or if it could not be sent. The state has the reason."""
    chosen, state, now = kept.settings, kept.state, tools.clock()
    try:
        version = owner.version(now)
        if state.shown == version.shown and not state.fault:
            return None
        with closing(tools.place(chosen, owner.name())) as place:
            return _send(place, owner, version, tools)
    except (BadInput, Conflict) as error:
        _note_fault(kept, error, now)
    except (OSError, DatabaseError, InterfaceError) as error:  # the disk of this site
        _note_fault(kept, BadInput("mirror.not_made", problem=str(error) or type(error).__name__), now)
    return None


def _send(place: Place, owner: Owner, version: Version, tools: Tools) -> Snapshot:
    kept = owner.kept
    chosen, state = kept.settings, kept.state
    found = found_at(place)
    try:
        require_ours(found, owner.identity, version.knows, chosen.accepted)
    except Conflict:
        kept.save_state(replace(kept.state, refused=found.digest if found else ""))
        raise
    snapshot = version.make()
    # If somebody else has written there, or emptied the folder, nothing is known about its files.
    sent = kept.sent(chosen.place) if found and found.manifest.counter == state.counter else {}
    counter = max(state.counter, found.manifest.counter if found else 0) + 1
    try:
        new = push(
            place,
            snapshot,
            found,
            counter=counter,
            now=tools.clock(),
            sent=sent,
            tick=_noting(kept, chosen.place, sent),
        )
    finally:
        kept.save_sent(chosen.place, sent)
    done = MirrorState(
        counter=counter,
        shown=version.shown,
        version=snapshot.version,
        folder=new.folder,
        at=tools.clock().isoformat(),
        files=len(snapshot.pages) + len(snapshot.files),
    )
    kept.save_state(done)
    logger.info("The mirror of %s has version %s (%s files)", snapshot.name, done.version, done.files)
    return snapshot


def _align(owner: Owner, kept: Kept, tools: Tools, snapshot: Snapshot) -> None:
    """Make the other folder equal, unless something newer is wanted. A fault here is only in the log."""
    chosen, sent = kept.settings, kept.sent(kept.settings.place)
    try:
        with closing(tools.place(chosen, owner.name())) as place:
            found = found_at(place)
            if found is not None and found.manifest.counter == kept.state.counter:
                tick = _noting(kept, chosen.place, sent)
                align(place, snapshot, found.manifest.folder, sent, tick, tools.is_newer_waiting)
    except BadInput as error:
        logger.warning("The second folder of the mirror of %s is not up to date: %s", snapshot.name, error)
    finally:
        kept.save_sent(chosen.place, sent)


def _noting(kept: Kept, place: str, sent: MutableMapping[str, str]) -> Callable[[], None]:
    count = 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count % SAVE_EVERY == 0:
            kept.save_sent(place, sent)

    return tick


def _note_fault(kept: Kept, error: BadInput | Conflict, now: datetime) -> None:
    before = kept.state
    is_same = before.fault is not None and before.fault.code == error.code
    since = before.fault.since if before.fault is not None else now.isoformat()
    is_late = now - datetime.fromisoformat(since) > GIVES_UP
    next_try = "" if is_final(error) or is_late else (now + _pause(before.tries)).isoformat()
    # A whole number stays one: the sentence chooses between singular and plural by it.
    params = {name: value if isinstance(value, int) else str(value) for name, value in error.params.items()}
    fault = Fault(error.code, params, since)
    kept.save_state(replace(before, fault=fault, next_try=next_try, tries=before.tries + 1))
    if not is_same:
        logger.error("The mirror is not up to date: %s", error)


def _pause(tries: int) -> timedelta:
    return timedelta(seconds=WAITS[min(tries, len(WAITS) - 1)])
