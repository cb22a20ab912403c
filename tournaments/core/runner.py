"""The runner: it takes waiting jobs, does each in a process of its own, and takes up what died.

``./run`` starts one beside the server, and docker-compose.yml as a service (``manage.py work``); several do no harm.
A runner that looks and finds nothing writes nothing. Its processes are forks of itself, so Django is loaded once; where
there is no fork, each loads it. They end when the runner does, also if it is killed.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Final

from django.db import DatabaseError, InterfaceError, connections
from django.db.models import Q
from django.utils import timezone

from config.work import do_job, new_process
from tournaments.core import jobs
from tournaments.models import Job, JobState

logger = logging.getLogger(__name__)

LOOK_EVERY: Final = 1.0
"""Seconds between two looks; one query. The end of a process is seen at once."""
REPEATS_EVERY: Final = 60.0
ATTEMPTS: Final = 2
"""Work whose process dies is begun once more, and then fails: all kinds can be repeated without harm."""
LONELY: Final = 45.0
"""Seconds without a sign of life after which the runner ends its processes: another runner may take their work."""
FIRST_AFTER: Final = timedelta(seconds=30)
"""When work is done that nobody asks for: the first visitors have their pages by then."""
LAST_MOMENT: Final = 5.0
KEPT: Final = timedelta(days=1)


@dataclass(slots=True)
class Child:
    """A process with its job."""

    process: BaseProcess
    job_id: int
    name: str
    token: str


class Runner:
    """Do jobs until *stop* returns True."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._children: list[Child] = []
        self._begun: dict[tuple[str, str], float] = {}
        now = time.monotonic()
        self._beaten = self._next_beat = self._next_repeat = self._next_prune = now
        self._is_first, self._has_failed = True, False

    def run(self) -> None:
        """Look until it is stopped. A database that is away is logged once, and asked again."""
        while not self._stop():
            try:
                self._step()
                self._has_failed = False
            except (DatabaseError, InterfaceError):
                if not self._has_failed:
                    logger.exception("The runner of long work cannot use the database, and tries again")
                self._has_failed = True
                connections.close_all()
            if self._children:
                wait([each.process.sentinel for each in self._children], LOOK_EVERY)
            else:
                time.sleep(LOOK_EVERY)
        self._end()

    def _step(self) -> None:
        now = time.monotonic()
        self._bury()
        if self._children and now >= self._next_beat:
            self._beat(now)
        self._repeat(now)
        found = list(
            Job.objects.filter(state__in=jobs.ACTIVE).order_by("due", "pk").defer("arguments", "log", "result")
        )
        own = {each.token for each in self._children}
        at = timezone.now()
        for job in found:
            is_silent = job.beat is None or job.beat < at - jobs.SILENT
            if job.state == JobState.RUNNING and is_silent and job.token not in own:
                self._lose(job.pk, job.token, str(job), "its process ended with the program or the computer")
        running = Counter(job.kind for job in found if job.state == JobState.RUNNING)
        busy = {(job.kind, job.key) for job in found if job.state == JobState.RUNNING}
        for job in found:
            kind, name = jobs.KINDS.get(job.kind), (job.kind, job.key)
            if job.state != JobState.WAITING or job.due > at or kind is None or name in busy:
                continue
            is_paused = now < self._begun.get(name, float("-inf")) + kind.pause
            if running[job.kind] < kind.slots and not is_paused and (token := jobs.take(job.pk, at)):
                running[job.kind] += 1
                self._begun[name] = now
                self._start(job, token, kind.nice)

    def _start(self, job: Job, token: str, nice: int) -> None:
        # A connection must not be shared with a fork.
        connections.close_all()
        process = new_process(do_job, job.pk, token, nice)
        process.start()
        self._children.append(Child(process, job.pk, str(job), token))
        self._beaten = time.monotonic()

    def _beat(self, now: float) -> None:
        if now > self._beaten + LONELY:
            for each in self._children:
                each.process.kill()
        jobs.beat([each.token for each in self._children])
        self._beaten, self._next_beat = now, now + jobs.BEAT

    def _bury(self) -> None:
        for each in [each for each in self._children if not each.process.is_alive()]:
            self._lose(each.job_id, each.token, each.name, f"its process ended (exit code {each.process.exitcode})")
            each.process.join()
            self._children.remove(each)

    def _lose(self, job_id: int, token: str, name: str, why: str) -> None:
        """Take up the job again whose process is gone, or let it fail; nothing to do if it wrote its end."""
        mine = Job.objects.filter(pk=job_id, token=token, state=JobState.RUNNING)
        found = mine.values_list("attempt", "cancel").first()
        if found is None:
            return
        attempt, is_cancelled = found
        if is_cancelled:
            mine.update(state=JobState.CANCELLED, token="", ended_at=timezone.now())
        elif attempt < ATTEMPTS:
            logger.warning("The job “%s” is begun again: %s", name, why)
            jobs.give_back(mine, timezone.now(), log=why)
        else:
            logger.error("The job “%s” has failed: %s, for the second time", name, why)
            mine.update(state=JobState.FAILED, log=f"{why}, for the second time", token="", ended_at=timezone.now())

    def _repeat(self, now: float) -> None:
        """Ask for what is done again and again, and delete old rows."""
        if now < self._next_repeat:
            return
        for name, kind in jobs.KINDS.items():
            if self._is_first:
                kind.at_start(timezone.now())
            if every := kind.every():
                if self._is_first:  # Without it one of yesterday would compete with the first visitors.
                    Job.objects.filter(kind=name, key="", state=JobState.WAITING).delete()
                if jobs.waiting(name) is None:
                    wanted = FIRST_AFTER if self._is_first else timedelta(seconds=every)
                    jobs.enqueue(name, due=timezone.now() + wanted)
        self._is_first, self._next_repeat = False, now + REPEATS_EVERY
        if now >= self._next_prune:
            old = Job.objects.filter(~Q(state__in=jobs.ACTIVE), ended_at__lt=timezone.now() - KEPT)
            if old.exists():
                old.delete()
            self._next_prune = now + KEPT.total_seconds()

    def _end(self) -> None:
        """End all processes, and let their work wait for the next runner as if it had not begun."""
        for each in self._children:
            each.process.terminate()
        end = time.monotonic() + LAST_MOMENT
        for each in self._children:
            each.process.join(max(0.0, end - time.monotonic()))
            if each.process.is_alive():
                each.process.kill()
                each.process.join()
            try:
                mine = Job.objects.filter(pk=each.job_id, token=each.token, state=JobState.RUNNING)
                attempt = mine.values_list("attempt", flat=True).first() or 1
                jobs.give_back(mine, timezone.now(), attempt=attempt - 1)
            except (DatabaseError, InterfaceError):
                logger.exception("The job “%s” is begun again later", each.name)
