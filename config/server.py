"""Serve the site: ``python -m config.server ADDRESS:PORT``, on Linux, macOS and Windows.

``--pages TEXT --since SECONDS``: print when the pages can be opened, and how long after that moment of the monotonic
clock. ``./run`` gives both.

waitress reads a whole request before a thread starts on it, and keeps the answer until it is fetched. So slow clients
never occupy a thread; only work does.

``WEB_CONCURRENCY`` processes of :data:`THREADS` threads each share one listening socket, so pages are answered while
another process pairs a round. The first process only supervises the others: it replaces a process that dies, and passes
on SIGTERM and Ctrl+C, after which requests that have begun are still answered. Windows has no ``fork``, so one process
serves there.

A thread of each process publishes what is announced for now (:mod:`pairing.rounds.automatic`).
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import mmap
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, cast
from weakref import WeakKeyDictionary

from waitress.server import TcpWSGIServer, create_server

from config.channel import Channel, Memory
from config.event_loop import Connections, new_connections
from config.terminal import in_words
from config.venue.tls import Certificate, TlsChannel
from pairing.call_stack import with_room

THREADS = {"sqlite": 4, "postgresql": 8}
"""By database. A publication occupies a thread for seconds, and with few threads all others wait for its end, those of
other events too. On SQLite more threads would only wait for the one writer, and be answered with 503 after two
seconds."""
BACKLOG = 1024
KEPT_OPEN = 60  # Seconds; unused connections are closed then.
LONGEST_REQUEST = 120.0  # seconds from its first byte to its last
LARGEST_HEADER = 32 * 1024  # bytes
KEPT_IN_MEMORY = 64 * 1024  # Bytes of a body; the rest goes to a temporary file.
LARGEST_BODY = 65 * 1024 * 1024  # Bytes; each upload has a smaller limit with a better message.
LAST_ANSWERS = 20.0  # seconds after SIGTERM for requests that have begun
CRASH_PAUSE = 1.0  # Seconds before a process that died early is replaced.
OPEN_FILES = 8192
"""The number of open files requested: a connection needs one, and up to three while much data is in transit. A process
keeps the connections of 2,000 phones, a quarter of this number (``config.channel``), while two processes share them."""
MOST_BY_SELECT = 400
"""The limit for connections with ``select`` (Windows), which watches at most 512."""

ANOTHER = (
    "  WARNING: another server uses {folder} already: both change the same tournaments, and only one of them makes the "
    "automatic copies, with its own settings (SWISS_BACKUP_DIR, SWISS_BACKUP_MINUTES). If you did not want two, stop "
    "one with Ctrl+C in its window."
)

Stop = Callable[[], bool]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m config.server", usage="%(prog)s ADDRESS:PORT")
    parser.add_argument("address")
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
    from config.repeats import for_this_server
    from config.unavailable import for_visitors
    from pairing.rounds.clock_watch import watch_beside

    if not may_serve():
        return 1
    for_visitors(connections.settings)
    # A visitor who comes while the program loads waits, instead of being refused.
    listener = listen(host.strip("[]"), int(port))
    load_ahead()
    # What is there now stays: the collector need not look through it again, and processes go on sharing its memory.
    gc.collect()
    gc.freeze()
    room = room_for_connections()
    signals = Signals()
    metrics = of_this_server()
    https = Certificate(settings.DATA_DIR, settings.ALLOWED_HOSTS) if settings.VENUE_HTTPS else None
    threads = THREADS[connections["default"].vendor]
    beside = work_beside(https)
    ready = Ready(options.pages, options.since)

    if settings.WORKERS == 1 or not hasattr(os, "fork"):

        def stop() -> bool:
            beside()
            return signals.is_over()

        watch_beside(signals.is_over)
        serve(application, listener, room, stop, https, threads, ready, for_this_server())
    else:

        def work(stop: Stop, place: int) -> None:
            if metrics is not None:
                metrics.take_place(place)
            watch_beside(stop)
            serve(application, listener, room, stop, https, threads, ready if place == 0 else None, for_this_server())

        Workers(settings.WORKERS, work).run(signals, beside)
    return 0


def may_serve() -> bool:
    """Hold the data folder; False if its database is being replaced. Say so, and whether another server uses it."""
    from django.conf import settings
    from django.db import connection

    from config.in_use import InUseError, is_first, serve_from

    try:
        serve_from(settings.DATA_DIR)
    except InUseError as error:
        print(error, file=sys.stderr)
        return False
    if not is_first(settings.DATA_DIR) and connection.vendor == "sqlite":
        print(ANOTHER.format(folder=settings.DATA_DIR), file=sys.stderr)
    return True


def work_beside(https: Certificate | None) -> Callable[[], None]:
    """Return what the first process calls while it supervises: it looks after copies, mirrors and the certificate."""
    from django.conf import settings

    from config.copies import Copies
    from config.mirrors import Mirrors

    copies = Copies(settings.DATA_DIR, settings.BACKUP_MINUTES if settings.BACKUP_BY_SERVER else 0)
    mirrors = Mirrors(settings.DATA_DIR)

    def look() -> None:
        copies.look()
        mirrors.look()
        if https is not None:
            https.keep_up_to_date()

    return look


def load_ahead() -> None:
    """Load what the first request would load: pages, templates, languages, the number of the build.

    Done before the processes, so each has it: the first visitors after a start do not wait a second of processor time
    for it, and the first publication does not keep others waiting. Opens no connection to the database.
    """
    from django.conf import settings
    from django.urls import get_resolver, resolve, reverse
    from django.utils import translation

    from config.template_loader import read_all
    from tournaments.core.build import build

    read_all()
    get_resolver().url_patterns  # noqa: B018 - a property that imports all pages
    build()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("Round")
            resolve(reverse("home"))  # Every language has a table of all addresses; 20 to 60 ms.


class Ready:
    """Print once that *pages* can be opened: when the first process answers, not when it begins to load."""

    def __init__(self, pages: str, since: float) -> None:
        self._pages = pages
        self._since = since
        self._said = mmap.mmap(-1, 1)  # Shared with the process that replaces another later.

    def say(self) -> None:
        """Print it, unless another process has, or there is nothing to print."""
        if self._pages and not self._said[0]:
            self._said[0] = 1
            with contextlib.suppress(BrokenPipeError):  # The site is served whether somebody reads that or not.
                print(f"Ready after {time.monotonic() - self._since:.1f} s: {self._pages} (Ctrl+C stops)", flush=True)


class Signals:
    """Remember that SIGTERM or Ctrl+C arrived."""

    def __init__(self) -> None:
        self.came = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.came = True

    def is_over(self) -> bool:
        return self.came


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that accepts connections at *host*; raise :class:`OSError` if that is not possible."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both)


def room_for_connections() -> int:
    """Return how many connections a process may have, after a request to the system for :data:`OPEN_FILES`."""
    if not hasattr(select, "poll"):
        return MOST_BY_SELECT
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(100, min(soft if soft > 0 else OPEN_FILES, OPEN_FILES) // 2)


def serve(
    application: Any,
    listener: socket.socket,
    room: int,
    stop: Stop,
    https: Certificate | None = None,
    threads: int = THREADS["sqlite"],
    ready: Ready | None = None,
    repeats: Memory | None = None,
) -> None:
    """Answer requests until *stop* returns True, then finish those that have begun. With *https* all are encrypted.

    *ready* hears when requests are answered. *repeats* answers some of them without *application*.
    """
    sockets = new_connections()
    server = _new_server(application, sockets, listener, room, threads, https, repeats)
    if repeats is not None:
        repeats.join(sockets)
    patience = Patience(server)

    def turn(seconds: float) -> None:
        sockets.turn(seconds)
        if repeats is not None:
            repeats.look()

    if ready:
        ready.say()
    while not stop():
        turn(0.5)
        patience.run_out()
        if https:
            https.read_again()
    # Accept no new connections, but leave the socket open for the other processes.
    server.accepting = False
    server.del_channel(sockets)
    end = time.monotonic() + LAST_ANSWERS
    while time.monotonic() < end and is_at_work(server):
        turn(0.1)
    server.task_dispatcher.shutdown(timeout=1)
    sockets.close()
    if repeats is not None:
        repeats.close()


def _new_server(
    application: Any,
    sockets: Connections,
    listener: socket.socket,
    room: int,
    threads: int,
    https: Certificate | None,
    repeats: Memory | None,
) -> TcpWSGIServer:
    """Return the server of waitress with our limits and our connections."""
    server = cast(
        TcpWSGIServer,
        create_server(
            with_room(without_body_for_head(application)),
            sockets,
            sockets=[listener],
            threads=threads,
            backlog=BACKLOG,
            connection_limit=room,
            channel_timeout=KEPT_OPEN,
            max_request_header_size=LARGEST_HEADER,
            max_request_body_size=LARGEST_BODY + 1,  # waitress refuses this size already.
            inbuf_overflow=KEPT_IN_MEMORY,
            clear_untrusted_proxy_headers=False,  # SWISS_TRUST_PROXY decides instead (config.middleware).
            log_socket_errors=False,  # A visitor who disconnects is not an error.
            ident=None,
            url_scheme="https" if https else "http",
        ),
    )
    channel: Callable[..., Channel] = partial(Channel, repeats)
    if https:
        channel = partial(TlsChannel, https.context, repeats)
    server.channel_class = channel  # type: ignore[assignment]  # it is only called
    return server


def without_body_for_head(application: Any) -> Any:
    """*application*, with the headers alone where HEAD asks for them.

    waitress sends whatever body it is given, and the next request on the connection would read it as its answer.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return body
        if hasattr(body, "close"):
            body.close()
        return []

    return answer


def channels_of(server: TcpWSGIServer) -> list[Channel]:
    """Return the open connections."""
    return list(cast("dict[int, Channel]", server.active_channels).values())


def is_at_work(server: TcpWSGIServer) -> bool:
    """Return whether an answer is being made or has not been fetched yet."""
    return any(each.requests or each.total_outbufs_len or each.is_asking for each in channels_of(server))


class Patience:
    """Close connections whose request is not complete after :data:`LONGEST_REQUEST`."""

    def __init__(self, server: TcpWSGIServer) -> None:
        self._server = server
        self._begun: WeakKeyDictionary[object, float] = WeakKeyDictionary()
        self._next = 0.0

    def run_out(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + LONGEST_REQUEST / 10
        for channel in channels_of(self._server):
            if channel.request is not None and now - self._begun.setdefault(channel.request, now) > LONGEST_REQUEST:
                channel.will_close = True


class Workers:
    """Run *number* processes that each do *work* until they receive a signal.

    Each has a place from 0 on; a process that replaces one that died has its place.
    """

    def __init__(self, number: int, work: Callable[[Stop, int], None]) -> None:
        self._number = number
        self._work = work
        self._begun: dict[int, float] = {}
        self._places: dict[int, int] = {}

    def run(self, signals: Signals, beside: Callable[[], None] = lambda: None) -> None:
        """Keep them running, and return when they have stopped after SIGTERM or Ctrl+C. *beside* is called often."""
        while not signals.came:
            beside()
            while len(self._begun) < self._number:
                self._start()
            self._bury(wait=0.1)
        for pid in self._begun:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        end = time.monotonic() + LAST_ANSWERS + 2
        while self._begun and time.monotonic() < end:
            self._bury(wait=0.05)
        for pid in self._begun:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _start(self) -> None:
        parent = os.getpid()
        place = min(set(range(self._number)) - {self._places[pid] for pid in self._begun})
        pid = os.fork()
        if pid:
            self._begun[pid] = time.monotonic()
            self._places[pid] = place
            return
        code = 1
        try:
            signals = Signals()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # The first process decides; the terminal signals all.
            self._work(lambda: signals.came or os.getppid() != parent, place)
            code = 0
        except BaseException:
            import logging

            logging.getLogger(__name__).exception("a process that serves the site has failed")
        finally:
            os._exit(code)

    def _bury(self, *, wait: float) -> None:
        """Remove processes that have ended, after waiting *wait* seconds."""
        time.sleep(wait)
        for pid in list(self._begun):
            if os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() - self._begun.pop(pid) < CRASH_PAUSE:
                time.sleep(CRASH_PAUSE)


if __name__ == "__main__":
    sys.exit(in_words(lambda: main(sys.argv[1:]), interrupted="Interrupted before the site was served."))
