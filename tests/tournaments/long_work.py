"""Do the long work that waits, in the process of the test and its transaction,
as the runner does it elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.jobs import Work
from tournaments.models import Job, JobState


def do(kind: str, key: object = "", at: Callable[[int], object] | None = None) -> int:
    """Do the job that waits; call *at* with the number of each mark before it is made;
    return how many there were.

    A mark is a sign of progress, or the end. Without a job that waits nothing is done; without *at*
    nothing is counted.
    """
    job = jobs.waiting(kind, str(key))
    token = jobs.take(job.pk, timezone.now()) if job is not None else None
    if job is None or token is None:
        return 0
    return go_on(job, token, at)


def go_on(job: Job, token: str, at: Callable[[int], object] | None = None) -> int:
    """Do *job*, which was taken."""
    if at is None:
        jobs.perform(job.pk, token)
        return 0
    marks, require = 0, Work._require

    def mark(work: Work, **values: Any) -> None:
        nonlocal marks
        marks += 1
        at(marks)
        require(work, **values)

    with patch.object(Work, "_require", mark):
        jobs.perform(job.pk, token)
    return marks


def lose() -> None:
    """Let the work that runs have failed with its process, as the runner finds it."""
    rows = Job.objects.filter(state=JobState.RUNNING)
    rows.update(
        state=JobState.FAILED, token="", log="its process ended (exit code -9), for the second time"
    )


def queued(kind: str) -> list[str]:
    """Return the keys of the jobs of *kind* that wait."""
    return sorted(
        Job.objects.filter(kind=kind, state=JobState.WAITING).values_list("key", flat=True)
    )
