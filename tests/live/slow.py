"""Slow clients: connections that send a request, or read its answer, in pieces, or ask and stay."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self

from .server import HOST

Kind = Literal["headers", "body", "reading", "idle"]
PAUSE = 3.0  # Seconds between two pieces.


class SlowClients:
    """Simultaneous connections that each send or read a piece every :data:`PAUSE` seconds;
    use it with ``with``.

    *number* is the number of connections. ``headers``: one more header line each time, without end.
    ``body``: a form of 10,000 characters, one at a time. ``reading``: whole requests for *path* one
    after the other, whose answers are read a kilobyte at a time. ``idle``: one request for *path*
    each, whose connection stays open.
    """

    def __init__(
        self, port: int, number: int, kind: Kind, *, path: str = "/accounts/login/"
    ) -> None:
        self.port, self.number, self.kind, self.path = port, number, kind, path
        self.reconnected = 0
        self._open: list[socket.socket] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def __enter__(self) -> Self:
        self._open = [self._connect() for _ in range(self.number)]
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        for connection in self._open:
            connection.close()

    def _connect(self) -> socket.socket:
        connection = socket.socket()
        if self.kind == "reading":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(5)
        connection.connect((HOST, self.port))
        connection.sendall(self._beginning())
        return connection

    def _beginning(self) -> bytes:
        match self.kind:
            case "headers":
                return f"GET {self.path} HTTP/1.1\r\nHost: {HOST}\r\n".encode()
            case "body":
                # With a cookie Django looks for the token in the form, so it has to read the form.
                form = (
                    f"Cookie: csrftoken={32 * 'a'}\r\nContent-Type: "
                    f"application/x-www-form-urlencoded"
                )
                return (
                    f"POST {self.path} HTTP/1.1\r\nHost: {HOST}\r\n{form}\r\nContent-Length: "
                    f"10000\r\n\r\na".encode()
                )
            case "reading":
                return f"GET {self.path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode() * 5
            case "idle":
                return f"GET {self.path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()

    def _go_on(self) -> None:
        pieces: dict[str, Callable[[socket.socket], object]] = {
            "headers": lambda connection: connection.sendall(b"X-Slow: yes\r\n"),
            "body": lambda connection: connection.sendall(b"a"),
            "reading": lambda connection: connection.recv(1024) or self._refuse(),
            "idle": lambda connection: self._drain(connection) or self._refuse(),
        }
        while not self._over.wait(PAUSE):
            for place, connection in enumerate(self._open):
                try:
                    pieces[self.kind](connection)
                except OSError:  # The server has closed it; the next one follows.
                    connection.close()
                    try:
                        self._open[place] = self._connect()
                        self.reconnected += 1
                    except OSError:
                        continue

    @staticmethod
    def _drain(connection: socket.socket) -> bool:
        """Return whether *connection* is open; read what has come."""
        with suppress(BlockingIOError):
            return bool(connection.recv(1 << 16, socket.MSG_DONTWAIT))
        return True

    @staticmethod
    def _refuse() -> None:
        raise ConnectionResetError
