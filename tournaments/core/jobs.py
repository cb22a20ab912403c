"""Long work: ask for it, follow it, cancel it, and do it.

    enqueue ── WAITING ── RUNNING ── DONE, FAILED or CANCELLED
                  ↑          │
                  └──────────┘  the process or the computer died

A row is written in the transaction of the caller: with a rollback it is gone, and nobody sees it
before the commit. Each arrow is one conditional update, so two runners never do the same work; the
process that does it has a token, and what it writes counts only as long as the row has this token.
:mod:`.runner` does the work.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, connection, connections, transaction
from django.db.models import Exists, F, QuerySet
from django.utils import timezone, translation

from tournaments.models import Job, JobState

logger = logging.getLogger(__name__)

ACTIVE: Final = (JobState.WAITING, JobState.RUNNING)
BEAT: Final = 5.0
"""Seconds between two signs of life."""
SILENT: Final = timedelta(seconds=60)
"""Work without a sign of life for so long has ended with its process;
SQLite waits up to 20 s for another writer.
"""
LATE: Final = timedelta(seconds=30)
"""If work waits for so long and no other is done, no runner works."""
LAST_WRITE: Final = 60.0
"""Seconds during which the end of a job is written again and again
while the database is locked or away.
"""
_BEGUN: Final = time.monotonic()


class Cancelled(Exception):  # noqa: N818  somebody asked for it
    """Somebody cancelled the work, or another process does it by now: nothing more may be saved."""


class Work:
    """A job while it is done, by the process that has its token."""

    def __init__(self, job: Job, token: str) -> None:
        self.key, self.arguments = job.key, job.arguments
        self._row = held(job.pk, token)

    def progress(self, **values: object) -> None:
        """Save how far it is, for the page that waits. Raise :class:`Cancelled`."""
        self._require(progress=values)

    def done(self) -> None:
        """Write that the work is done, in the transaction that saves what was made:
        it is saved once, or not at all.

        Raise :class:`Cancelled` unless this process may save.
        """
        self._require(**over(JobState.DONE))

    def _require(self, **values: object) -> None:
        if not self._row.filter(cancel=False).update(**values):
            raise Cancelled


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of work is done.

    ``work`` returns what the row keeps as its result, for JSON. ``nice`` is for its process,
    ``slots`` how many of the kind run at once, ``pause`` the seconds from one start to the next
    with the same key. ``every`` returns the seconds between two runs that nobody asks for (0: there
    are none), and ``at_start`` is called when a runner starts.
    """

    work: Callable[[Work], Any]
    nice: int = 10
    slots: int = 1
    pause: float = 0.0
    every: Callable[[], float] = lambda: 0.0
    at_start: Callable[[datetime], None] = lambda now: None


KINDS: Final[dict[str, Kind]] = {}
"""All kinds by name; :mod:`tournaments.apps` fills it."""


def enqueue(
    kind: str,
    key: str = "",
    arguments: Mapping[str, Any] | None = None,
    *,
    due: datetime | None = None,
    owner: User | None = None,
    language: str = "",
) -> None:
    """Ask for work of *kind* about *key*, from *due* on, in *language*. One statement.

    If it waits already, it gets the new arguments, and keeps an earlier time. While it runs, it is
    done once more.
    """
    job = Job(
        kind=kind,
        key=key,
        arguments=dict(arguments or {}),
        due=due or timezone.now(),
        owner=owner,
        language=language,
    )
    fields = [field for field in Job._meta.concrete_fields if not field.primary_key]
    values = [field.get_db_prep_save(getattr(job, field.attname), connection) for field in fields]
    columns = [connection.ops.quote_name(str(field.column)) for field in fields]
    newer = ", ".join(f"{name} = excluded.{name}" for name in columns if name.strip('"') != "due")
    # One statement also means: whoever asks at the same moment waits for it, and then updates the
    # row.
    sql = (
        f"INSERT INTO tournaments_job ({', '.join(columns)}) VALUES "  # noqa: S608
        f"({', '.join(['%s'] * len(columns))}) "
        f"ON CONFLICT (kind, key) WHERE state = 'waiting' DO UPDATE SET {newer}, "
        "due = CASE WHEN excluded.due < tournaments_job.due THEN excluded.due ELSE "
        "tournaments_job.due END"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def held(job_id: int, token: str) -> QuerySet[Job]:
    """Return the row of a running job; none if it no longer belongs to the process with *token*."""
    return Job.objects.filter(pk=job_id, token=token, state=JobState.RUNNING)


def over(state: JobState) -> dict[str, Any]:
    """Return the columns of a job that ends now in *state*."""
    return {"state": state, "token": "", "ended_at": timezone.now()}


def waiting(kind: str, key: str = "") -> Job | None:
    """Return the job that waits. One query."""
    return Job.objects.filter(kind=kind, key=key, state=JobState.WAITING).first()


def newest(kind: str, key: str = "") -> Job | None:
    """Return the job requested last, whatever its outcome. One query."""
    return Job.objects.filter(kind=kind, key=key).order_by("-pk").first()


def is_active(kind: str, key: str = "") -> bool:
    """Return whether the work waits or is being done. One query."""
    return Job.objects.filter(kind=kind, key=key, state__in=ACTIVE, cancel=False).exists()


def cancel(kind: str, key: str = "") -> bool:
    """Cancel the work that waits or runs; return whether there was any.

    What runs ends at its next step.
    """
    rows = Job.objects.filter(kind=kind, key=key, cancel=False)
    ended = rows.filter(state=JobState.WAITING).update(**over(JobState.CANCELLED))
    return bool(ended + rows.filter(state=JobState.RUNNING).update(cancel=True))


def is_no_runner_working(now: datetime) -> bool:
    """Return whether work waits and nobody does it. One query; no alarm while the server starts."""
    late = Job.objects.filter(state=JobState.WAITING, due__lt=now - LATE)
    is_late = late.filter(
        ~Exists(Job.objects.filter(state=JobState.RUNNING, beat__gte=now - LATE))
    ).exists()
    return is_late and time.monotonic() - _BEGUN >= LATE.total_seconds()


def take(job_id: int, now: datetime) -> str | None:
    """Begin the job that waits, and return the token.

    None if another runner was faster, or the same work runs.
    """
    token = secrets.token_hex(8)
    row = Job.objects.filter(pk=job_id, state=JobState.WAITING)
    try:
        with transaction.atomic():
            taken = row.update(
                state=JobState.RUNNING, token=token, beat=now, attempt=F("attempt") + 1, progress={}
            )
    except IntegrityError:
        return None
    return token if taken else None


def give_back(mine: QuerySet[Job], **values: Any) -> None:
    """Let the running job wait again, to be done at once.

    It ends instead if somebody has cancelled it, or if the same work was requested since: that is
    enough.
    """
    try:
        with transaction.atomic():
            waits = mine.filter(cancel=False).update(
                state=JobState.WAITING, due=timezone.now(), token="", beat=None, **values
            )
    except IntegrityError:
        waits = 0
    if not waits:
        mine.update(**over(JobState.CANCELLED))


def perform(job_id: int, token: str, do: Callable[[Work], Any] | None = None) -> JobState:
    """Do the job in this process and write how it ended; an error goes to the log and the row."""
    job = Job.objects.get(pk=job_id)
    do = do or KINDS[job.kind].work
    result, state, log = None, JobState.DONE, ""
    try:
        with translation.override(job.language) if job.language else nullcontext():
            result = do(Work(job, token))
    except Cancelled:
        state = JobState.CANCELLED
    except Exception:
        logger.exception("The job “%s” has failed", job)
        state, log = JobState.FAILED, traceback.format_exc()
    end = time.monotonic() + LAST_WRITE
    while True:
        try:
            held(job_id, token).update(result=result, log=log, **over(state))
            return state
        except OperationalError:
            if time.monotonic() > end or connection.in_atomic_block:
                raise
            connections.close_all()
            time.sleep(1)


def take_here(kind: str, key: str = "") -> tuple[int, str] | None:
    """Begin the work that waits, for :func:`do_here`; None if it is being done already.

    In the transaction that asked for the work no runner is faster.
    """
    job = waiting(kind, key)
    token = take(job.pk, timezone.now()) if job is not None else None
    return (job.pk, token) if job is not None and token is not None else None


def do_here(job_id: int, token: str, work: Callable[[Work], Any] | None = None) -> JobState:
    """Do the job in this process, for a person at the terminal.

    *work* is done instead of what its kind does. A thread says that the process is alive.
    """
    ended = threading.Event()
    threading.Thread(target=_beat_until, args=(ended, token), daemon=True).start()
    try:
        return perform(job_id, token, work)
    except KeyboardInterrupt:
        held(job_id, token).update(**over(JobState.CANCELLED))
        raise
    finally:
        ended.set()


def _beat_until(ended: threading.Event, token: str) -> None:
    while not ended.wait(BEAT):
        try:
            beat([token])
        except Exception:
            logger.warning("No sign of life could be written", exc_info=True)
        finally:
            connections.close_all()


def beat(tokens: list[str]) -> None:
    """Say that the processes with *tokens* are alive."""
    Job.objects.filter(state=JobState.RUNNING, token__in=tokens).update(beat=timezone.now())
