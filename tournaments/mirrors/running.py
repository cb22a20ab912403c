"""Bring the mirror of a tournament or an event up to date in a process of its own, and try again until it is.

No request and no lock of the database waits for it. Of two processes for one mirror the second ends at once; a mark
in the folder of the mirror tells the first one that there is something newer. The mirror of an event follows those of
its sections, so that it links to pages that are there.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, MutableMapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial, update_wrapper
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction

from pairing.rules.hand_over import WHILE_AWAY
from tournaments.core.actions import OpenAction
from tournaments.core.errors import BadInput, Conflict
from tournaments.mirrors.kept import Fault, Kept, MirrorSettings, MirrorState
from tournaments.mirrors.owners import OfTournament, Owner, Version, event_of
from tournaments.mirrors.places import Place, place_of
from tournaments.mirrors.pushing import Snapshot, align, found_at, is_final, push, require_ours

logger = logging.getLogger(__name__)
Clock = Callable[[], datetime]

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
    """What a run gets from outside; tests have a clock and a place of their own."""

    clock: Clock
    sleep: Callable[[float], None] = time.sleep
    place: Callable[[MirrorSettings, str], Place] = place_of
    start: Callable[[Owner], None] = field(default_factory=lambda: start)


def follow(action: OpenAction) -> None:
    """Send a new version once *action* is committed, if there is a mirror and visitors see a change.

    No query, or one if an event on this site has a mirror. A copy that was handed over sends nothing; once it is the
    live one again, it sends what is new since.
    """
    is_back = any(line.action in WHILE_AWAY for line in action.lines)
    if action.tournament.handed_over_at is not None or not (is_back or any(line.is_public for line in action.lines)):
        return
    own = OfTournament(action.tournament.pk, action.tournament.identity)
    owner = own if own.kept.is_on else event_of(own.pk)
    if owner is not None:
        later = partial(start, owner)
        # Django logs a failure with the name of the function, which a partial has not by itself.
        update_wrapper(later, start)
        transaction.on_commit(later, robust=True)


def start(owner: Owner) -> None:
    """Let the mirror be brought up to date; return at once."""
    kept = owner.kept
    kept.want()
    with kept.turn() as is_free:
        pass
    if not is_free:
        return  # The process that sends looks for the mark before its end.
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "mirror", *owner.arguments]
    nothing = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=nothing, stdout=nothing, start_new_session=True)
    # Somebody must wait for the process, or it stays in the system's table after its end.
    threading.Thread(target=process.wait, daemon=True).start()


def run(owner: Owner, tools: Tools) -> MirrorState:
    """Bring the mirror of *owner* up to date, with new attempts; return how it ended.

    Raise ``DoesNotExist`` if the tournament or the event is deleted.
    """
    kept = owner.kept
    while True:
        with kept.turn() as is_ours:
            if is_ours:
                _run(owner, kept, tools)
        # A mark that was left after the last look: its process may have seen that the turn was not free.
        if not is_ours or not kept.is_wanted or not _sends(owner, kept):
            return kept.state


def _sends(owner: Owner, kept: Kept) -> bool:
    return kept.is_on and not owner.is_away()


def _run(owner: Owner, kept: Kept, tools: Tools) -> None:
    made: dict[str, Snapshot] = {}
    while _sends(owner, kept):
        kept.take_wish()
        snapshot = _attempt(owner, kept, tools, made)
        if snapshot is not None or kept.state.tries == 1:
            # Without success too: a section that was removed from the public list disappears.
            for other in owner.followers():
                tools.start(other)
        if (next_try := kept.state.next) is not None:
            _wait(kept, tools, (next_try - tools.clock()).total_seconds())
        elif snapshot is None or kept.state.fault:
            if not kept.is_wanted:
                return
        elif not _wait(kept, tools, PAUSE) and (not _sends(owner, kept) or _align(owner, kept, tools, snapshot)):
            return


def _wait(kept: Kept, tools: Tools, seconds: float) -> bool:
    """Wait for *seconds*, or until something newer is wanted; return whether it is."""
    until = tools.clock() + timedelta(seconds=seconds)
    while not kept.is_wanted and (left := (until - tools.clock()).total_seconds()) > 0:
        tools.sleep(min(1.0, left))
    return kept.is_wanted


def _attempt(owner: Owner, kept: Kept, tools: Tools, made: dict[str, Snapshot]) -> Snapshot | None:
    """Send the newest version; None if it is there already, or if it could not be sent. The state has the reason.

    *made* keeps its files for the next attempt.
    """
    chosen, state, now = kept.settings, kept.state, tools.clock()
    try:
        version = owner.version(now)
        if state.shown == version.shown and not state.fault:
            return None
        with closing(tools.place(chosen, owner.name())) as place:
            return _send(place, owner, version, tools, made)
    except (BadInput, Conflict) as error:
        _note_fault(kept, error, now)
    except (OSError, DatabaseError, InterfaceError) as error:  # the disk of this site
        _note_fault(kept, BadInput("mirror.not_made", problem=str(error) or type(error).__name__), now)
    return None


def _send(place: Place, owner: Owner, version: Version, tools: Tools, made: dict[str, Snapshot]) -> Snapshot:
    kept = owner.kept
    chosen, state = kept.settings, kept.state
    found = found_at(place)
    try:
        require_ours(found, owner.identity, version.knows, chosen.accepted)
    except Conflict:
        kept.save_state(replace(kept.state, refused=found.digest if found else ""))
        raise
    if version.shown not in made:
        made.clear()
        made[version.shown] = version.make()
    snapshot = made[version.shown]
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


def _align(owner: Owner, kept: Kept, tools: Tools, snapshot: Snapshot) -> bool:
    """Make the other folder equal; False if something newer is wanted. A fault here is only in the log."""
    chosen, sent = kept.settings, kept.sent(kept.settings.place)
    try:
        with closing(tools.place(chosen, owner.name())) as place:
            found = found_at(place)
            if found is None or found.manifest.counter != kept.state.counter:
                return True
            tick = _noting(kept, chosen.place, sent)
            return align(place, snapshot, found.manifest.folder, sent, tick, lambda: kept.is_wanted)
    except BadInput as error:
        logger.warning("The second folder of the mirror of %s is not up to date: %s", snapshot.name, error)
        return True
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
