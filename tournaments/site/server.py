"""Serve the site: ``python -m tournaments.site.server ADDRESS:PORT``, on Linux, macOS and Windows.

With ``--pages TEXT --since SECONDS`` (of the monotonic clock) it prints when they can be opened.
``WEB_CONCURRENCY`` processes share one listening socket (:mod:`tournaments.site.serving`), so pages
are answered while another process pairs a round. The first process loads the program once and
supervises the others: it replaces a process that dies, and passes on SIGTERM and Ctrl+C. Windows
has no ``fork``, so one process serves there.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, NoReturn

from config.terminal import in_words
from tournaments.site.serving import LAST_ANSWERS, TURN, Stop, listen, room_for_connections, serve

THREADS: Final = {"sqlite": 16, "postgresql": 8}
"""By database. A publication occupies a thread for seconds, and each visitor who waits for a page
one (web/public_page.py): arbiters need the others. On SQLite still more would wait too long for the
one writer; PostgreSQL allows a hundred connections, and each thread has one."""
CRASH_PAUSE: Final = 1.0  # Seconds before a process that died early is replaced.


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.site.server")
    parser.add_argument("address", metavar="ADDRESS:PORT")
    parser.add_argument("--pages", default="")
    parser.add_argument("--since", type=float, default=0.0)
    options = parser.parse_args(arguments)
    host, _, port = options.address.rpartition(":")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.db import connections

    try:
        from config.wsgi import application
    except ImproperlyConfigured as error:
        print(error, file=sys.stderr)
        return 1
    from config.metrics import of_this_server
    from config.unavailable import for_visitors
    from pairing.rounds.clock_watch import start_watch
    from tournaments.site.start import load_ahead, may_serve, upkeep_of
    from tournaments.site.venue.certificate import Certificate

    if not may_serve():
        return 1
    for_visitors(connections.settings)
    # A visitor who comes while the program loads waits, instead of being refused.
    listener = listen(host.strip("[]"), int(port))
    load_ahead()
    room, metrics, is_stopped = room_for_connections(), of_this_server(), signals()
    https = Certificate(settings.DATA_DIR, settings.ALLOWED_HOSTS) if settings.VENUE_HTTPS else None
    upkeep = upkeep_of(https)

    def is_over() -> bool:
        upkeep()
        return is_stopped()

    def work(stop: Stop, place: int) -> None:
        if metrics is not None:
            metrics.take_place(place)
        start_watch(stop)  # It publishes what is announced for now.
        serve(
            application,
            listener,
            room,
            stop,
            threads=THREADS[connections["default"].vendor],
            https=https,
        )

    if options.pages:  # A request now waits for the first process, a few milliseconds.
        with contextlib.suppress(BrokenPipeError):  # Perhaps nobody reads it.
            seconds = time.monotonic() - options.since
            print(f"Ready after {seconds:.1f} s: {options.pages} (Ctrl+C stops)", flush=True)
    if settings.WORKERS == 1 or not hasattr(os, "fork"):
        work(is_over, 0)
    else:
        Workers(settings.WORKERS, work).run(is_over)
    return 0


def signals() -> Stop:
    """Return a function that says whether SIGTERM or Ctrl+C has come since this call."""
    came: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: came.append(number))
    return lambda: bool(came)


class Workers:
    """Run *number* processes that do *work*, in places from 0 on, until SIGTERM or our own end."""

    def __init__(self, number: int, work: Callable[[Stop, int], None]) -> None:
        self._number, self._work = number, work
        self._begun: dict[int, tuple[int, float]] = {}

    def run(self, is_over: Stop) -> None:
        """Keep them running until *is_over*, which is called often; then wait for their end."""
        self._start_missing()
        while not is_over():
            self._bury(wait=TURN)
            self._start_missing()
        self._send(signal.SIGTERM)
        end = time.monotonic() + LAST_ANSWERS + 2 * CRASH_PAUSE
        while self._begun and time.monotonic() < end:
            self._bury(wait=TURN / 2)
        self._send(signal.SIGKILL)

    def _start_missing(self) -> None:
        for place in set(range(self._number)) - {place for place, _ in self._begun.values()}:
            parent = os.getpid()
            pid = os.fork()
            if not pid:
                self._be_one(place, parent)
            self._begun[pid] = place, time.monotonic()

    def _be_one(self, place: int, parent: int) -> NoReturn:
        try:
            is_stopped = signals()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # The terminal sends it to all.
            self._work(lambda: is_stopped() or os.getppid() != parent, place)
            os._exit(0)
        except BaseException:
            logging.getLogger(__name__).exception("a process that serves the site has failed")
        finally:
            os._exit(1)

    def _bury(self, *, wait: float) -> None:
        """Forget processes that have ended, after waiting *wait* seconds."""
        time.sleep(wait)
        for pid, (_, begun) in list(self._begun.items()):
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self._begun[pid]
                time.sleep(CRASH_PAUSE if time.monotonic() - begun < CRASH_PAUSE else 0)

    def _send(self, number: int) -> None:
        for pid in self._begun:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


if __name__ == "__main__":
    sys.exit(
        in_words(lambda: main(sys.argv[1:]), interrupted="Interrupted before the site was served.")
    )
