"""https at the venue: TLS in front of the server, in a thread of each of its processes.

The server gets one end of a pair of sockets instead of a connection; the other end belongs to this
thread, which decrypts and encrypts with asyncio. So the server needs no TLS, its limits on
connections and silence hold for encrypted ones as well, and it knows the address of the visitor:
there is no second port that somebody else could open.

Who opens the port with ``http://`` is sent to ``https://``.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
import time
from typing import Any, Final

from tournaments.site.venue.certificate import Certificate

HANDSHAKE: Final = 0x16
"""The first byte of TLS."""
PLAIN_REQUEST: Final = re.compile(
    rb"[A-Z]+ (/[!-~]*) HTTP/1\.[01]\r\n(?:.*\r\n)*?"
    rb"(?i:host): *([A-Za-z0-9.:\[\]_-]+)\r\n"
)
"""A request without TLS: its path and the name of the server."""
PATIENCE: Final = 30.0
"""Seconds for the first byte, for a handshake, and for its end."""
UNREAD: Final = 60.0
"""Seconds after which a visitor is given up who reads nothing of an answer."""
KEPT: Final = 64 * 1024
"""Bytes of a connection that wait here in each direction; no more is read then."""
LAST_BYTES: Final = 2.0
"""Seconds for the ends of connections when the process stops."""
logger = logging.getLogger(__name__)


class Tls:
    """The encrypted connections of one process."""

    def __init__(self, certificate: Certificate) -> None:
        self._certificate = certificate
        self._open: set[Side] = set()
        self._loop = asyncio.SelectorEventLoop()  # The usual one of Windows has no add_reader.
        threading.Thread(target=self._loop.run_forever, name="tls", daemon=True).start()

    def plain(self, outside: socket.socket) -> socket.socket:
        """Return a socket that gives what *outside* sends, decrypted, and takes what is for it."""
        inside, ours = socket.socketpair()
        outside.setblocking(False)
        ours.setblocking(False)
        asyncio.run_coroutine_threadsafe(self._connect(outside, ours), self._loop)
        return inside

    @property
    def is_behind(self) -> bool:
        """Whether a visitor does not read as fast as the server answers."""
        return any(side.end is not None for side in list(self._open))

    def close(self) -> None:
        """End all connections, and wait a moment until they have sent their last bytes."""
        for side in list(self._open):
            self._loop.call_soon_threadsafe(side.transport.close)
        end = time.monotonic() + LAST_BYTES
        while self._open and time.monotonic() < end:
            time.sleep(0.01)

    async def _connect(self, outside: socket.socket, ours: socket.socket) -> None:
        server, visitor = Side(self._open, is_visitor=False), Side(self._open, is_visitor=True)
        server.other, visitor.other = visitor, server
        await self._loop.connect_accepted_socket(lambda: server, ours)
        try:
            async with asyncio.timeout(PATIENCE):
                first = await self._first_byte(outside)
            if first != HANDSHAKE:
                _send_to_https(outside)
                raise ConnectionAbortedError
            await self._loop.connect_accepted_socket(
                lambda: visitor,
                outside,
                ssl=self._certificate.context(),
                ssl_handshake_timeout=PATIENCE,
                ssl_shutdown_timeout=UNREAD,
            )
        except Exception as error:  # OSError: a browser that does not trust the certificate, say.
            if not isinstance(error, OSError):
                logger.exception("a connection cannot be encrypted")
            outside.close()
            visitor.connection_lost(None)
        if server.transport is None or server.transport.is_closing():
            server.connection_lost(None)

    async def _first_byte(self, outside: socket.socket) -> int:
        has_come = self._loop.create_future()
        self._loop.add_reader(outside, has_come.set_result, None)
        try:
            await has_come
        finally:
            self._loop.remove_reader(outside)
        return (outside.recv(1, socket.MSG_PEEK) or b"\0")[0]


class Side(asyncio.Protocol):
    """One of two sides between which bytes are handed on. ``end`` is set while it takes no more."""

    other: Side

    def __init__(self, open_ones: set[Side], *, is_visitor: bool) -> None:
        self._open, self._is_visitor = open_ones, is_visitor
        self.transport: Any = None
        self.end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.transport.set_write_buffer_limits(KEPT)
        self._open.add(self)

    def data_received(self, data: bytes) -> None:
        """Hand it on; nobody wants what comes after the other side has gone."""
        if self.other.transport and not self.other.transport.is_closing():
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        self.end = asyncio.get_running_loop().call_later(UNREAD, self.transport.abort)
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        self._go_on()
        self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """End the other side; the server still reads, and answers, what the visitor has sent."""
        self._go_on()
        self._open.discard(self)
        if self.other.transport is None or self.other.transport.is_closing():
            return
        if self._is_visitor:
            self.other.transport.resume_reading()
            self.other.transport.write_eof()
        else:
            self.other.transport.close()

    def _go_on(self) -> None:
        if self.end is not None:
            self.end.cancel()
            self.end = None


def _send_to_https(outside: socket.socket) -> None:
    if request := PLAIN_REQUEST.match(outside.recv(8192)):
        path, host = request.groups()
        answer = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s\r\n" % (host, path)
        outside.send(answer + b"Content-Length: 0\r\nConnection: close\r\n\r\n")
