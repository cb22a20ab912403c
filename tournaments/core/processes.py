"""The processes for long work: the runner beside the server, and one for each job.

The functions that a process begins with are here and not in :mod:`tournaments.core.runner`, because
where there is no fork a new interpreter imports this module before Django is set up.
"""

from __future__ import annotations

import multiprocessing

# Its wait for all children at the exit comes after what is registered later.
import multiprocessing.util
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Final

from config.in_use import hold

NAME: Final = "runner"
"""Held by the server with the runner."""
AGAIN_AFTER: Final = 5.0
"""Seconds before a runner that died is replaced."""
PATIENCE: Final = 10.0
"""Seconds that the runner has to end its processes."""


class RunnerProcess:
    """The process of the runner. The server calls :meth:`keep_running` often.

    Of several servers on one data *folder* only one has a runner, the first; when it has ended,
    another. So all copies have the same settings, and none says that all is well with a second
    folder that it does not know.
    """

    def __init__(self, folder: Path) -> None:
        self._process: BaseProcess | None = None
        self._folder = folder
        self._is_chosen = False
        self._due = time.monotonic()

    def keep_running(self) -> None:
        """Start the runner, or start it again if it has died."""
        now = time.monotonic()
        if now < self._due or (self._process is not None and self._process.is_alive()):
            return
        self._due = now + AGAIN_AFTER
        self._is_chosen = self._is_chosen or hold(self._folder / NAME)
        if not self._is_chosen:
            return
        self._process = new_process(run)
        self._process.start()

    def end(self) -> None:
        """End the runner; what it did is begun again by the next one."""
        if self._process is not None:
            self._process.terminate()
            self._process.join(PATIENCE)
            self._process.kill()
            self._process.join()


def new_process(target: Callable[..., None], *arguments: object) -> BaseProcess:
    """Return a process for *target*: a fork, if this one has no threads and forks exist."""
    can_fork = hasattr(os, "fork") and threading.active_count() == 1
    if can_fork:
        return multiprocessing.get_context("fork").Process(target=target, args=arguments)
    return multiprocessing.get_context("spawn").Process(target=target, args=arguments)


def run() -> None:
    """Be a runner until SIGTERM or Ctrl+C, or until the process ends that has started this one."""
    _set_up()
    from tournaments.core.runner import Runner

    came = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        came.set()

    parent = multiprocessing.parent_process()
    signal.signal(signal.SIGTERM, note)
    # Ctrl+C in the terminal reaches all processes; the server decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN if parent else note)
    Runner(lambda: came.is_set() or (parent is not None and not parent.is_alive())).run()


def do_job(job_id: int, token: str, nice: int) -> None:
    """Do a job in the process that the runner has made for it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(nice)
    _set_up()
    from tournaments.core.jobs import perform

    perform(job_id, token)


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _set_up() -> None:
    import django
    from django.apps import apps

    if not apps.ready:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
