"""Serve an application with waitress: limits, sockets, and an end that loses nothing.

waitress reads a whole request before a thread starts on it, and keeps the answer until it is
fetched. So slow clients never occupy a thread; only work does. What it lacks is an end: it would
cancel requests that wait for a thread, and cut answers that are not fetched yet. So it goes on in a
thread of its own until nothing remains to do; it knows the rest from the calls of the
application and from the sockets.
"""

from __future__ import annotations

import contextlib
import errno
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from waitress.server import create_server

from pairing.call_stack import with_room
from tournaments.site.venue.certificate import Certificate
from tournaments.site.venue.tls import Tls

BACKLOG: Final = 1024
KEPT_OPEN: Final = 60  # Seconds; unused connections are closed then.
LONGEST_REQUEST: Final = 120.0  # seconds from its first byte to its last
LARGEST_HEADER: Final = 32 * 1024  # bytes
KEPT_IN_MEMORY: Final = 64 * 1024  # Bytes of a body; the rest goes to a temporary file.
LARGEST_BODY: Final = 65 * 1024 * 1024  # Bytes; uploads have smaller limits with better messages.
LAST_ANSWERS: Final = 20.0  # seconds after the stop for requests that have begun
OPEN_FILES: Final = 8192
"""The number of open files requested: a connection needs one, up to three while much data is in
transit, and three with https. Two processes share the connections of 2,000 phones."""
MOST_BY_SELECT: Final = 400
"""The limit for connections with ``select`` (Windows), which watches at most 512."""
TURN: Final = 0.1
"""Seconds between two looks whether it is over."""

Stop = Callable[[], bool]


class Connection(socket.socket):
    """A connection that knows if an answer is on its way, and since when a request comes."""

    def __init__(self, listener: Listener, made: socket.socket) -> None:
        super().__init__(made.family, made.type, made.proto, fileno=made.detach())
        self._listener = listener
        self._begun = 0.0

    def recv(self, size: int, flags: int = 0) -> bytes:
        """Return what has come; the end of the connection if the request takes too long."""
        data, now = super().recv(size, flags), time.monotonic()
        self._begun = self._begun or now
        return data if now - self._begun < LONGEST_REQUEST else b""

    def send(self, data: Any, flags: int = 0) -> int:
        """Send what fits. Where it is not everything, or nothing, waitress sends the rest later."""
        self._begun = 0.0
        self._listener.behind.add(self)
        sent = super().send(data, flags)
        if sent == len(data):
            self._listener.behind.discard(self)
        return sent

    def setsockopt(self, *given: Any) -> None:
        """Do it; behind TLS this is a pair of sockets, which has no options of TCP."""
        if self.family in (socket.AF_INET, socket.AF_INET6):
            super().setsockopt(*given)

    def close(self) -> None:
        self._listener.behind.discard(self)
        super().close()


class Listener(socket.socket):
    """The socket where visitors come in.

    ``behind``: the connections on which part of an answer waits.
    """

    def __init__(self, made: socket.socket) -> None:
        super().__init__(made.family, made.type, made.proto, fileno=made.detach())
        self.behind: set[Connection] = set()
        self.is_closing = False
        self.tls: Tls | None = None

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection; after the stop none: they are for the other processes."""
        if self.is_closing:
            time.sleep(TURN / 10)
            raise BlockingIOError(errno.EAGAIN, "the process ends")
        made, address = super().accept()
        return Connection(self, self.tls.plain(made) if self.tls else made), address


class Application:
    """*application*, which counts the requests it is at work on, and answers HEAD without a body.

    waitress sends whatever body it is given, and the next request on the connection would read it
    as its answer.
    """

    def __init__(self, application: Any) -> None:
        self._application = with_room(application)
        self._lock = threading.Lock()
        self.at_work = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self._count(1)
        try:
            body = self._application(environ, start_response)
        except BaseException:
            self._count(-1)
            raise
        answer = Answer(body, lambda: self._count(-1))
        if environ["REQUEST_METHOD"] == "HEAD":
            answer.close()
            return []
        if isinstance(body, environ["wsgi.file_wrapper"]):  # waitress sends it without a thread.
            self._count(-1)
            return body  # type: ignore[no-any-return]
        return answer

    def _count(self, more: int) -> None:
        with self._lock:
            self.at_work += more


class Answer:
    """The *body* of an answer; *done* is called when it has been read."""

    def __init__(self, body: Any, done: Callable[[], None]) -> None:
        self._body, self._done = body, done

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        try:
            if hasattr(self._body, "close"):
                self._body.close()
        finally:
            self._done()


def listen(host: str, port: int) -> Listener:
    """Return a socket that accepts connections at *host*; raise :class:`OSError` if it cannot."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    both = host == "::" and socket.has_dualstack_ipv6()
    return Listener(
        socket.create_server(address[:2], family=family, backlog=BACKLOG, dualstack_ipv6=both)
    )


def room_for_connections() -> int:
    """Return how many connections a process may have, after asking for :data:`OPEN_FILES`."""
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
    listener: Listener,
    room: int,
    stop: Stop,
    *,
    threads: int,
    https: Certificate | None = None,
) -> None:
    """Answer requests until *stop* returns True, then finish those that have begun.

    At most *room* connections are open at a time; with *https* they are encrypted. Raise
    :class:`RuntimeError` if waitress ends by itself.
    """
    counted = Application(application)
    listener.tls = Tls(https) if https else None
    server = create_server(
        counted,
        sockets=[listener],
        threads=threads,
        backlog=BACKLOG,
        connection_limit=room // 2 if https else room,
        channel_timeout=KEPT_OPEN,
        max_request_header_size=LARGEST_HEADER,
        max_request_body_size=LARGEST_BODY + 1,  # waitress refuses this size already.
        inbuf_overflow=KEPT_IN_MEMORY,
        clear_untrusted_proxy_headers=False,  # SWISS_TRUST_PROXY decides (config.middleware).
        log_socket_errors=False,  # A visitor who disconnects is not an error.
        ident=None,
        url_scheme="https" if https else "http",
        asyncore_use_poll=True,
    )
    running = threading.Thread(target=server.run, name="waitress", daemon=True)
    running.start()
    while not stop():
        time.sleep(TURN)
        if not running.is_alive():
            raise RuntimeError("the server has ended")
    finish(counted, listener)
    server.close()


def finish(application: Application, listener: Listener) -> None:
    """Wait at most :data:`LAST_ANSWERS` seconds until what has begun is answered and sent.

    A request that waits for a thread has begun too. While there is one all threads are at work,
    except in the moment in which one takes the next request: so rest must be seen several times.
    """
    listener.is_closing = True
    end, quiet = time.monotonic() + LAST_ANSWERS, 0
    while quiet < 5 and time.monotonic() < end:
        time.sleep(TURN / 10)
        is_encrypting = listener.tls is not None and listener.tls.is_behind
        quiet = 0 if application.at_work or listener.behind or is_encrypting else quiet + 1
    if listener.tls:
        listener.tls.close()
