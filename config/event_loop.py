"""Wait for the connections of waitress; the cost of a turn does not grow with the number of connections.

waitress asks every connection before every wait whether it wants to read or to write, and hands all to ``poll``.
With 1,500 phones connected that was four fifths of the processor time of a request.
"""

from __future__ import annotations

import contextlib
import select
import time
from typing import Any, Final

from waitress import wasyncore

READS: Final = select.POLLIN | select.POLLPRI if hasattr(select, "poll") else 0
ASK_ALL: Final = 1.0  # seconds


class Connections(dict[int, Any]):
    """The sockets of a server by their descriptor: the ``map`` of waitress, which adds and removes them."""

    def turn(self, timeout: float) -> None:
        """Wait at most *timeout* seconds for events, and handle them. Asks every connection what it waits for."""
        wasyncore.loop(timeout=timeout, use_poll=hasattr(select, "poll"), map=self, count=1)

    def close(self) -> None:
        """Close all sockets."""
        wasyncore.close_all(self)


class EpollConnections(Connections):
    """The same with ``epoll`` of Linux: asks only connections that may wait for something else than before.

    Why no other need be asked: a connection is *quiet* if it wants to read and not to write. waitress changes that in
    four places. Its own event is handled (``handle_read``, ``handle_write``): then it is asked in the next turn. A
    thread works on its request: then it has a request, does not want to read, and is not quiet; these are asked in each
    turn, and the thread wakes the loop. It was added just now: then it is asked. It is told to close after a long
    silence (``maintenance``, ``Patience``): this is seen within :data:`ASK_ALL` seconds, when all are asked. One that
    waits for a state (``config.channel``) does not want to read either: it is asked in each turn, and the state is an
    event of another socket. The listening socket counts as not quiet, because ``maintenance`` is done when it is asked.
    """

    def __init__(self) -> None:
        super().__init__()
        self._epoll = select.epoll()
        self._watched: dict[int, int] = {}
        self._touched: set[int] = set()
        self._restless: set[int] = set()
        self._all_at = 0.0

    def __setitem__(self, descriptor: int, connection: Any) -> None:
        super().__setitem__(descriptor, connection)
        self._touched.add(descriptor)

    def __delitem__(self, descriptor: int) -> None:
        """Remove it while its socket is still open: the next one may have the same descriptor."""
        super().__delitem__(descriptor)
        self._restless.discard(descriptor)
        self._watch(descriptor, 0)

    def turn(self, timeout: float) -> None:
        """As ``Connections.turn``; costs a microsecond for each connection with work, and for all once a second."""
        for descriptor in self._to_ask():
            self._ask(descriptor)
        for descriptor, events in self._epoll.poll(timeout):
            if (connection := self.get(descriptor)) is not None:
                self._touched.add(descriptor)
                wasyncore.readwrite(connection, events)

    def close(self) -> None:
        super().close()
        self._epoll.close()

    def _to_ask(self) -> set[int]:
        touched, self._touched = self._touched, set()
        if (now := time.monotonic()) < self._all_at:
            return touched | self._restless
        self._all_at = now + ASK_ALL
        return set(self)

    def _ask(self, descriptor: int) -> None:
        connection = self.get(descriptor)
        if connection is None:
            return
        wanted = READS if connection.readable() else 0
        if not connection.accepting and connection.writable():
            wanted |= select.EPOLLOUT
        is_quiet = wanted == READS and not connection.accepting
        (self._restless.discard if is_quiet else self._restless.add)(descriptor)
        self._watch(descriptor, wanted)

    def _watch(self, descriptor: int, wanted: int) -> None:
        """Watch for *wanted*; 0: for nothing, not even for the end of the connection, as waitress does."""
        before = self._watched.pop(descriptor, 0)
        if wanted == before:
            pass
        elif not wanted:
            with contextlib.suppress(OSError):  # It was closed before it was removed.
                self._epoll.unregister(descriptor)
        elif before:
            self._epoll.modify(descriptor, wanted)
        else:
            self._epoll.register(descriptor, wanted)
        if wanted:
            self._watched[descriptor] = wanted


def new_connections() -> Connections:
    """Return an empty map of the best kind that this system has."""
    return EpollConnections() if hasattr(select, "epoll") else Connections()
