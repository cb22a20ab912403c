"""The runner: it takes waiting jobs, does each in a process of its own, and takes up what died.

``./run`` starts one beside the server, and docker-compose.yml as a service (``manage.py work``);
several do no harm. A runner that looks and finds nothing writes nothing. Its processes are forks of
itself, so Django is loaded once; where there is no fork, each loads it. They end when the runner
does, also if it is killed.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Final

from django.db import DatabaseError, InterfaceError, connections
from django.db.models import F, Q
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.processes import do_job, new_process
from tournaments.models import Job, JobState

logger = logging.getLogger(__name__)

LOOK_EVERY: Final = 1.0
"""Seconds between two looks; one query. The end of a process is seen at once."""
REPEATS_EVERY: Final = 60.0
ATTEMPTS: Final = 2
"""Work whose process dies is begun once more, and then fails:
all kinds can be repeated without harm.
"""
LONELY: Final = 45.0
"""Seconds without a sign of life after which the runner ends its processes:
another runner may take their work.
"""
FIRST_AFTER: Final = timedelta(seconds=30)
"""When work is done that nobody asks for: the first visitors have their pages by then."""
LAST_MOMENT: Final = 5.0
KEPT: Final = timedelta(days=1)


class Runner:
    """Do jobs until *stop* returns True."""

    def __init__(self, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._jobs: dict[BaseProcess, Job] = {}
        self._begun: dict[tuple[str, str], float] = {}
        now = time.monotonic()
        self._beaten = self._next_repeat = self._next_prune = now
        self._is_first, self._has_failed = True, False

    def run(self) -> None:
        """Look until it is stopped. A database that is away is logged once, and asked again."""
        while not self._stop():
            try:
                self._step()
                self._has_failed = False
            except (DatabaseError, InterfaceError):
                if not self._has_failed:
                    logger.exception(
                        "The runner of long work cannot use the database, and tries again"
                    )
                self._has_failed = True
                connections.close_all()
            if self._jobs:
                wait([process.sentinel for process in self._jobs], LOOK_EVERY)
            else:
                time.sleep(LOOK_EVERY)
        self._end()

    def _step(self) -> None:
        now = time.monotonic()
        self._bury()
        if self._jobs and now >= self._beaten + jobs.BEAT:
            self._beat(now)
        self._repeat(now)
        found = list(
            Job.objects.filter(state__in=jobs.ACTIVE)
            .order_by("due", "pk")
            .defer("arguments", "log", "result")
        )
        own = {job.token for job in self._jobs.values()}
        at = timezone.now()
        for job in found:
            is_silent = job.beat is None or job.beat < at - jobs.SILENT
            if job.state == JobState.RUNNING and is_silent and job.token not in own:
                self._lose(job, "its process ended with the program or the computer")
        running = Counter(job.kind for job in found if job.state == JobState.RUNNING)
        busy = {(job.kind, job.key) for job in found if job.state == JobState.RUNNING}
        for job in found:
            kind, name = jobs.KINDS.get(job.kind), (job.kind, job.key)
            if job.state != JobState.WAITING or job.due > at or kind is None or name in busy:
                continue
            is_paused = now < self._begun.get(name, float("-inf")) + kind.pause
            if (
                running[job.kind] < kind.slots
                and not is_paused
                and (token := jobs.take(job.pk, at))
            ):
                running[job.kind] += 1
                self._begun[name] = now
                job.token = token
                self._start(job, kind.nice)

    def _start(self, job: Job, nice: int) -> None:
        # A connection must not be shared with a fork.
        connections.close_all()
        process = new_process(do_job, job.pk, job.token, nice)
        process.start()
        if not self._jobs:
            self._beaten = time.monotonic()
        self._jobs[process] = job

    def _beat(self, now: float) -> None:
        if now > self._beaten + LONELY:
            for process in self._jobs:
                process.kill()
        jobs.beat([job.token for job in self._jobs.values()])
        self._beaten = now

    def _bury(self) -> None:
        for process in [process for process in self._jobs if not process.is_alive()]:
            self._lose(self._jobs[process], f"its process ended (exit code {process.exitcode})")
            process.join()
            del self._jobs[process]

    def _lose(self, job: Job, why: str) -> None:
        """Take up again a job whose process is gone, or let it fail, unless it wrote its end."""
        mine = jobs.held(job.pk, job.token)
        found = mine.values_list("attempt", "cancel").first()
        if found is None:
            return
        attempt, is_cancelled = found
        if is_cancelled:
            mine.update(**jobs.over(JobState.CANCELLED))
        elif attempt < ATTEMPTS:
            logger.warning("The job “%s” is begun again: %s", job, why)
            jobs.give_back(mine, log=why)
        else:
            logger.error("The job “%s” has failed: %s, for the second time", job, why)
            mine.update(log=f"{why}, for the second time", **jobs.over(JobState.FAILED))

    def _repeat(self, now: float) -> None:
        """Request the recurring jobs, and delete old rows."""
        if now < self._next_repeat:
            return
        for name, kind in jobs.KINDS.items():
            if self._is_first:
                kind.at_start(timezone.now())
            if every := kind.every():
                if (
                    self._is_first
                ):  # Without it one of yesterday would compete with the first visitors.
                    Job.objects.filter(kind=name, key="", state=JobState.WAITING).delete()
                if jobs.waiting(name) is None:
                    wanted = FIRST_AFTER if self._is_first else timedelta(seconds=every)
                    jobs.enqueue(name, due=timezone.now() + wanted)
        self._is_first, self._next_repeat = False, now + REPEATS_EVERY
        if now >= self._next_prune:
            Job.objects.filter(
                ~Q(state__in=jobs.ACTIVE), ended_at__lt=timezone.now() - KEPT
            ).delete()
            self._next_prune = now + KEPT.total_seconds()

    def _end(self) -> None:
        """End all processes, and let their work wait for the next runner as if it had not begun."""
        for process in self._jobs:
            process.terminate()
        end = time.monotonic() + LAST_MOMENT
        for process, job in self._jobs.items():
            process.join(max(0.0, end - time.monotonic()))
            process.kill()
            process.join()
            try:
                jobs.give_back(jobs.held(job.pk, job.token), attempt=F("attempt") - 1)
            except (DatabaseError, InterfaceError):
                logger.exception("The job “%s” is begun again later", job)
