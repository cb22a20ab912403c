"""The copies that the server makes by itself: after each publication,
and every ten minutes while something changes.

An action only asks for a job (:mod:`tournaments.core.jobs`). No request and no lock waits for a
copy, and a copy that fails stops nothing: the reason is in the log and on the pages of the
arbiters.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.actions import OpenAction
from tournaments.core.jobs import Work
from tournaments.models import Action
from tournaments.site.backups import state as states
from tournaments.site.backups.change import mark_of_change
from tournaments.site.backups.copy_file import (
    CopyError,
    is_full,
    pieces,
    read_manifest,
    sync_folder,
)
from tournaments.site.backups.copying import ENDING, copies_folder, make_copy, name_for
from tournaments.site.backups.restoring import prepare
from tournaments.site.backups.state import Problem, State

if sys.platform != "win32":
    import fcntl

logger = logging.getLogger(__name__)
Clock = Callable[[], datetime]

PREFIX: Final = "auto"
JOB: Final = "copy"
PAUSE: Final = 20.0
"""Seconds from one start to the next, whatever is wanted."""
PUBLICATIONS: Final = frozenset(
    {
        Action.PAIRINGS_PUBLISHED,
        Action.RESULTS_PUBLISHED,
        Action.ROUND_CHANGED,
        Action.STANDINGS_MADE_FINAL,
        Action.STANDINGS_REOPENED,
        Action.TOURNAMENT_IMPORTED,
    }
)
PAIRING_TIME: Final = 20.0
"""Seconds for pairing rounds again in the check of a copy."""
FULL_EVERY: Final = timedelta(hours=6)
"""When records are checked again that were checked in an earlier copy,
because a disk can fail in between.
"""
NEWEST_STAY: Final = 10
"""As many copies stay whatever the clock says, which may have been wrong."""
_STAMP: Final = re.compile(rf"{PREFIX}-(\d{{4}}-\d\d-\d\d-\d{{6}})(?:-\d+)?{re.escape(ENDING)}")


def follow(action: OpenAction) -> None:
    """Ask for a copy once *action* is committed, if it published something."""
    if any(line.action in PUBLICATIONS for line in action.lines):
        want_soon()


def want_soon() -> None:
    """Ask for a copy once the transaction is committed, if there are automatic copies."""
    if settings.BACKUP_MINUTES:
        jobs.enqueue(JOB)


def copy_job(work: Work) -> None:
    """Make a copy, as a job.

    What goes wrong is in the state of the copies, and the next one tries again.
    """
    if settings.BACKUP_MINUTES and not copy_automatically(clock=timezone.now):
        logger.error("The automatic copy failed; the line above says why.")


def copy_automatically(*, clock: Clock) -> bool:
    """Make a copy if something has changed since the last one, check it, and remove old ones.

    Then the second folder. Return whether all went well. Another process that is started meanwhile
    waits.
    """
    try:
        folder = copies_folder()
        with one_at_a_time(folder):
            return _copy_all(folder, clock)
    except OSError as error:
        _log_problem("the copies of the site cannot be made", _problem(error, None, clock()))
        return False


def _copy_all(folder: Path, clock: Clock) -> bool:
    for left in (*folder.glob(".*.part"), *folder.glob(".copying-*"), *folder.glob(".checking-*")):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    state = states.read()
    mark = mark_of_change()
    if mark != state.mark or state.problem or not (folder / state.file).is_file():
        _copy(folder, state, mark, clock)
        states.save(state)
    if settings.BACKUP_DIR:
        _copy_to_second(folder, state, clock)
    else:
        state.second_problem = None
    states.save(state)
    return not (state.problem or state.second_problem)


def _copy(folder: Path, state: State, mark: str, clock: Clock) -> None:
    """Make a copy and restore it as a trial; the outcome goes into *state*."""
    now = clock()
    is_full = not state.full_at or now - datetime.fromisoformat(state.full_at) >= FULL_EVERY
    try:
        path = name_for(PREFIX, now, folder)
        manifest = make_copy(path, now=now)
        unchanged = set() if is_full else {(identity, last) for identity, last in state.checked}
        with tempfile.TemporaryDirectory(prefix=".checking-", dir=folder) as work:
            report = prepare(path, Path(work), seconds=PAIRING_TIME, unchanged=unchanged)
    except (CopyError, OSError, DatabaseError, InterfaceError) as error:
        state.problem = _problem(error, state.problem, now)
        _log_problem("there is no new copy of the site", state.problem)
        return
    state.at, state.file, state.mark, state.faults = (
        now.isoformat(),
        path.name,
        mark,
        report.faults[:20],
    )
    if report.faults:
        state.problem = Problem("faults", report.faults[0], _since(state.problem, "faults", now))
        _log_problem("the check of the newest copy found faults", state.problem)
    else:
        state.problem = None
        if is_full:
            state.full_at = now.isoformat()
        state.checked = [[event.identity, event.fingerprint] for event in manifest.events]
        logger.info("Copied the site to %s: %s", path.name, report)
    rotate(folder, now)


def _copy_to_second(folder: Path, state: State, clock: Clock) -> None:
    """Let the second folder have the newest copy too; the outcome goes into *state*."""
    target, newest = Path(settings.BACKUP_DIR).expanduser(), folder / state.file
    try:
        if not target.is_dir():
            # Never made: without the stick the folder would be on the first disk.
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target))
        if state.file and not (target / state.file).exists():
            copy_file(newest, target / state.file)
            rotate(target, clock())
        state.second_at, state.second_problem = clock().isoformat(), None
    except (OSError, CopyError) as error:
        state.second_problem = _problem(error, state.second_problem, clock())
        _log_problem(f"the second folder {target} has no new copy", state.second_problem)


def copy_file(source: Path, target: Path) -> None:
    """Copy the copy *source* to *target*, and read it again from there.

    Raise ``OSError`` or :class:`CopyError`.
    """
    draft = target.with_name(f".{target.name}.part")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            for piece in pieces(source):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            if hasattr(
                os, "posix_fadvise"
            ):  # So that it is read from the stick and not from memory.
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        read_manifest(draft)
        draft.replace(target)
        sync_folder(target.parent)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def rotate(folder: Path, now: datetime) -> None:
    """Remove the automatic copies in *folder* that are no longer needed. Raise ``OSError``."""
    named = {path: _made_at(path) for path in folder.glob(f"{PREFIX}-*{ENDING}")}
    dated = {path: at for path, at in named.items() if at is not None}
    for path in dated.keys() - copies_to_keep(dated.items(), now):
        path.unlink()


def copies_to_keep(copies: Iterable[tuple[Path, datetime]], now: datetime) -> set[Path]:
    """Return which copies stay: all of the last hour, the last of each hour for a day,
    of each day for 31 days.

    The newest ten stay, and those that are from the future by a clock that was wrong.
    """
    newest_first = sorted(copies, key=lambda copy: (copy[1], copy[0].name), reverse=True)
    stay = {path for path, _ in newest_first[:NEWEST_STAY]}
    hours: set[datetime] = set()
    days: set[object] = set()
    for path, at in newest_first:
        age, local = now - at, timezone.localtime(at)
        hour = local.replace(minute=0, second=0, microsecond=0)
        is_last_of_hour = age <= timedelta(days=1) and hour not in hours
        is_last_of_day = age <= timedelta(days=31) and local.date() not in days
        if age <= timedelta(hours=1) or is_last_of_hour or is_last_of_day:
            stay.add(path)
        hours.add(hour)
        days.add(local.date())
    return stay


def _made_at(path: Path) -> datetime | None:
    if not (found := _STAMP.fullmatch(path.name)):
        return None
    with contextlib.suppress(ValueError):
        return timezone.make_aware(datetime.strptime(found[1], "%Y-%m-%d-%H%M%S"))  # noqa: DTZ007 - local time
    return None


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process makes a copy in *folder*: each removes leftovers."""
    if sys.platform == "win32":
        yield
        return
    with (folder / ".running").open("a") as running:
        fcntl.flock(running, fcntl.LOCK_EX)
        yield


def _problem(error: BaseException, before: Problem | None, now: datetime) -> Problem:
    """Return *error* as the pages show it, with the time at which it began."""
    code, text = "other", " ".join(str(error).split())
    number = error.errno if isinstance(error, OSError) else None
    if is_full(error) or number == errno.EFBIG:
        code = "full"
    elif (
        number in (errno.EROFS, errno.EACCES, errno.EPERM)
        or "readonly" in text
        or "Read-only" in text
    ):
        code = "read_only"
    elif number in (errno.ENOENT, errno.ENODEV, errno.EIO):
        code = "missing"
    return Problem(code, text, _since(before, code, now))


def _since(before: Problem | None, code: str, now: datetime) -> str:
    return (
        before.since
        if before is not None and before.code == code
        else now.astimezone(UTC).isoformat()
    )


def _log_problem(what: str, problem: Problem) -> None:
    logger.error("%s: %s", what[:1].upper() + what[1:], problem.detail)
