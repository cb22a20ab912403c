"""Read the states of tournaments from PostgreSQL in the loop of the server, which must never wait.

A query is sent, and its answer is read when it has come. Whoever asks for the same tournament meanwhile shares the next
query. So nobody gets a state that was read before they asked, and a hall of phones costs a few queries.

The connection is made in a thread, because names and passwords take their time. Without one, and if an answer does not
come for :data:`PATIENCE` seconds, the state is None: then the program answers, or says that the database is away. The
query goes to PostgreSQL's own library, without Django's cursor and psycopg's: 7 µs instead of 120.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, MutableMapping
from threading import Thread
from typing import Any, Final

import psycopg
from django.db import DatabaseError, connections
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn

from config.repeats import State
from tournaments.web import front

Told = Callable[[State | None], None]

PATIENCE: Final = 0.5
"""Seconds that an answer of PostgreSQL may take."""
PAUSE: Final = 1.0
"""Seconds between two attempts to connect."""
_QUERY: Final = front.QUERY.replace("%s", "$1").encode()

logger = logging.getLogger(__name__)


class PostgresStates:
    """One connection to PostgreSQL among the sockets of a server; one thread uses it, that of the loop."""

    accepting = False
    """What waitress asks each of its sockets: this is not the one where visitors come in."""

    def __init__(self) -> None:
        self._sockets: MutableMapping[int, Any] = {}
        self._connection: psycopg.Connection[Any] | None = None
        self._made: psycopg.Connection[Any] | None = None
        self._maker: Thread | None = None
        self._made_at = 0.0
        self._waiting: dict[str, list[Told]] = {}
        self._asked: list[Told] = []
        self._asked_at = 0.0
        self._read: State | None = None
        self._is_unsent = False
        self._number = -1

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        """Belong to the *sockets* of a loop from now on, and begin to connect."""
        self._sockets = sockets
        self._connect()

    def ask(self, slug: str, told: Told) -> None:
        """Read the state of the tournament *slug* and call *told* with it, now or in a later turn of the loop.

        With None if there is no such tournament or its state cannot be read now.
        """
        if self._connection is None and not self._is_connected():
            told(None)
            return
        self._waiting.setdefault(slug, []).append(told)
        if not self._asked:
            self._send()

    @property
    def is_ready(self) -> bool:
        """Whether a state can be asked for."""
        return self._connection is not None or self._made is not None

    # What the loop calls.

    def readable(self) -> bool:
        """Whether the loop shall call :meth:`handle_read_event`: an answer can come, or the end of the connection."""
        return True

    def writable(self) -> bool:
        """Whether the loop shall call :meth:`handle_write_event` at once."""
        return self._is_unsent

    def look(self) -> None:
        """Give up an answer that does not come; the loop calls it in each turn, at least twice a second."""
        if self._asked and time.monotonic() > self._asked_at + PATIENCE:
            self.handle_close()

    def handle_write_event(self) -> None:
        """Send the rest of a query."""
        try:
            self._flush()
        except psycopg.Error:
            self.handle_close()

    def handle_read_event(self) -> None:
        """Read what has come; hand on a state that is complete, after the next query was sent."""
        try:
            is_complete = self._read_more()
        except psycopg.Error:
            self.handle_close()
            return
        if is_complete:
            asked, self._asked = self._asked, []
            state, self._read = self._read, None
            if self._waiting:
                self._send()
            _tell(asked, state)

    def handle_expt_event(self) -> None:
        """Nothing urgent comes from PostgreSQL."""

    def handle_close(self) -> None:
        """Give the connection up; whoever waits for a state gets None."""
        lost, self._connection, self._read, self._is_unsent = self._connection, None, None, False
        if lost is not None:
            if self._sockets.get(self._number) is self:
                del self._sockets[self._number]  # While it is open: the next socket may have the same number.
            lost.close()
        unanswered = [*self._asked, *(told for each in self._waiting.values() for told in each)]
        self._asked, self._waiting = [], {}
        _tell(unanswered, None)

    def handle_error(self) -> None:
        """Give the connection up after an error that nobody expects."""
        logger.exception("The states of tournaments cannot be read in the loop")
        self.handle_close()

    def close(self) -> None:
        """End the connection, also one that is just being made."""
        if self._maker is not None:
            self._maker.join()
        if self._made is not None:
            self._made.close()
            self._made = None
        self.handle_close()

    # The connection.

    def _is_connected(self) -> bool:
        """Take the connection that was made; if there is none, begin to make one, not more often than once a second."""
        if self._made is None:
            self._connect()
            return False
        self._connection, self._made = self._made, None
        self._number = self._connection.pgconn.socket
        self._sockets[self._number] = self
        return True

    def _connect(self) -> None:
        if self._maker is not None and (self._maker.is_alive() or time.monotonic() < self._made_at + PAUSE):
            return
        self._made_at = time.monotonic()
        self._maker = Thread(target=self._make, name="states", daemon=True)
        self._maker.start()

    def _make(self) -> None:
        django = connections["default"].copy()
        try:
            django.ensure_connection()
        except DatabaseError:
            return  # The program says so to everybody who asks.
        self._made = django.connection

    # The query.

    def _send(self) -> None:
        slug = next(iter(self._waiting))
        self._asked, self._asked_at = self._waiting.pop(slug), time.monotonic()
        try:
            self._pgconn.send_query_params(_QUERY, [slug.encode()])
            self._flush()
        except psycopg.Error:
            self.handle_close()

    def _flush(self) -> None:
        self._is_unsent = bool(self._pgconn.flush())

    def _read_more(self) -> bool:
        """Return whether the answer is complete. Raise :class:`psycopg.Error` for a lost connection."""
        pgconn = self._pgconn
        pgconn.consume_input()
        if pgconn.status != ConnStatus.OK:
            raise psycopg.OperationalError("the connection is lost")
        while self._asked and not pgconn.is_busy():
            if (rows := pgconn.get_result()) is None:
                return True
            if rows.status == ExecStatus.TUPLES_OK and rows.ntuples:
                number, version, fingerprint = (rows.get_value(0, column) or b"" for column in range(3))
                self._read = front.state_of((int(number), int(version), fingerprint.decode()))
        return False

    @property
    def _pgconn(self) -> PGconn:
        if self._connection is None:
            raise psycopg.OperationalError("there is no connection")
        return self._connection.pgconn


def _tell(those: list[Told], state: State | None) -> None:
    for told in those:
        try:
            told(state)
        except Exception:  # Of one visitor's connection: the others wait for their answer.
            logger.exception("An answer could not be given")
