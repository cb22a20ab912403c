"""A runner with a kind of work for tests: ``python -m tests.stress.faults.trial_runner FILE
ATTEMPTS``.

A job notes in FILE when it begins and ends, with its key and its process. In between it says for a
while how far it is; at its end it saves a row in the table of counted requests, which has room for
one row of each key.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

STEPS = 6


def note(what: str, key: str) -> None:
    with Path(sys.argv[1]).open("a") as file:
        file.write(f"{time.monotonic()} {what} {key} {os.getpid()}\n")


def trial(work: Any) -> None:
    from django.db import transaction
    from django.utils import timezone

    from tournaments.models import RequestCount

    note("begins", work.key)
    for step in range(work.arguments.get("steps", STEPS)):
        work.progress(done=step)
        time.sleep(0.05)
    if work.arguments.get("crash"):
        os.abort()
    with transaction.atomic():
        RequestCount.objects.create(key=work.key, since=timezone.now(), count=1)
        time.sleep(0.1)
        work.done()
    time.sleep(0.1)
    note("ends", work.key)


def set_up() -> None:
    """Know the kind, and find out soon that a process is gone."""
    from tournaments.core import jobs, runner

    jobs.KINDS.clear()
    jobs.KINDS["trial"] = jobs.Kind(trial, slots=3)
    jobs.BEAT = 0.3  # type: ignore[misc]
    jobs.SILENT = timedelta(seconds=3)  # type: ignore[misc]
    runner.LONELY = 2.0  # type: ignore[misc]
    runner.LOOK_EVERY = 0.1  # type: ignore[misc]
    runner.ATTEMPTS = int(sys.argv[2])  # type: ignore[misc]


def main() -> None:
    import django

    django.setup()
    set_up()
    from tournaments.core import processes as work

    work.run()


if __name__ == "__main__":
    main()
