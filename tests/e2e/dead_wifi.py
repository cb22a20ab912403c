"""A wifi that is connected but dead: a proxy that takes every connection and never answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

HOST: Final = "127.0.0.1"
PIECE: Final = 65_536


class Wifi:
    """Pass connections on to a server; once it :meth:`dies <die>`, take them and say nothing."""

    def __init__(self, server: str) -> None:
        self._server = (HOST, urlsplit(server).port or 80)
        self._door = socket.create_server((HOST, 0), backlog=64)
        self._open: list[socket.socket] = []
        self._is_dead = False
        threading.Thread(target=self._take, daemon=True).start()

    @property
    def url(self) -> str:
        """The address for browsers."""
        return f"http://{HOST}:{self._door.getsockname()[1]}"

    def die(self) -> None:
        """Pass nothing on any more, on open connections either."""
        self._is_dead = True

    def recover(self) -> None:
        """Close the dead connections, and pass new ones on."""
        self._is_dead = False
        self._close_open()

    def close(self) -> None:
        self._door.close()
        self._close_open()

    def _close_open(self) -> None:
        for each in self._open:
            each.close()
        self._open.clear()

    def _take(self) -> None:
        while True:
            try:
                phone, _ = self._door.accept()
            except OSError:
                return
            self._open.append(phone)
            if self._is_dead:
                continue
            server = socket.create_connection(self._server)
            self._open.append(server)
            for one, other in ((phone, server), (server, phone)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while piece := one.recv(PIECE):
                if self._is_dead:
                    return
                other.sendall(piece)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            return


@contextmanager
def wifi(server: str) -> Iterator[Wifi]:
    """Run a :class:`Wifi` in front of the *server* with this address."""
    proxy = Wifi(server)
    try:
        yield proxy
    finally:
        proxy.close()
