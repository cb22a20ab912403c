"""https in waitress: a connection that speaks TLS, without a thread of its own and without waiting for anybody.

The alternatives were a second server in front (another program to install and to trust with addresses of visitors), and
a server with a thread for each connection, which slow clients stop. Here a handshake is a few steps in the loop that
reads requests, and the limits of waitress on connections and idle time hold for it as well.

Who opens the port with ``http://`` is sent to ``https://``.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from config.channel import Channel
from config.venue.addresses import own_addresses, own_names
from config.venue.certificate import FILE, up_to_date

HANDSHAKE: Final = 0x16
"""The first byte of TLS."""
ASKED: Final = re.compile(rb"[A-Z]+ (/[!-~]*) HTTP/1\.[01]\r\n(?:.*\r\n)*?(?i:host): *([A-Za-z0-9.:\[\]_-]+)\r\n")


class Certificate:
    """The certificate in use. The first process renews it when an address changes; each process reads it again then.

    Connections that are open stay as they are.
    """

    LOOK_EVERY: Final = 30.0  # seconds

    def __init__(self, folder: Path, hosts: Collection[str]) -> None:
        self._folder = folder
        self._hosts = {host.strip("[]") for host in hosts if host[0] not in ".*"}
        self._next = 0.0
        self.keep_up_to_date()
        self._path = folder / FILE
        self._seen = self._path.stat().st_mtime_ns
        self.context = context_of(self._path)

    def keep_up_to_date(self) -> None:
        """Make another certificate if the machine has an address that this one lacks; at most every half minute."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self.LOOK_EVERY
            up_to_date(self._folder, {*self._hosts, *own_addresses(), *own_names()}, now=datetime.now(UTC))

    def read_again(self) -> None:
        """Use the certificate in the file, if it is another one."""
        with contextlib.suppress(OSError):
            changed = self._path.stat().st_mtime_ns
            if changed != self._seen:
                self._seen = changed
                self.context.load_cert_chain(self._path)


def context_of(path: Path) -> ssl.SSLContext:
    """Return what a server with key and certificate in the file *path* needs: TLS 1.2 or newer."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(path)
    return context


class TlsChannel(Channel):
    """A connection of waitress that begins with a handshake.

    OpenSSL's objects are not made for two threads at a time, and waitress reads in its loop while a worker writes: a
    lock is around each call. No call waits for the network.
    """

    socket: Any
    """The plain socket; after the first byte of a handshake the one that encrypts."""

    def __init__(self, context: ssl.SSLContext, *arguments: Any, **named: Any) -> None:
        self._context = context
        self._one_at_a_time = threading.Lock()
        self._is_wrapped = self._is_agreed = False
        super().__init__(*arguments, **named)

    def handle_read(self) -> None:
        """Go on with the handshake, or read what has come."""
        try:
            data = self._received()
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
            return  # The rest comes later; waitress closes connections on which nothing comes.
        except OSError:  # A browser that does not trust the certificate ends the handshake with an error.
            self.handle_close()
            return
        if not data:
            self.handle_close()
            return
        self.received(data)

    def received(self, data: bytes) -> bool:
        """Pass *data* on to the parser."""
        self.last_activity = time.time()
        return bool(super().received(data))

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much of *data* as the network takes now, and return how much; waitress repeats the rest."""
        with self._one_at_a_time:
            try:
                sent: int = self.socket.send(data)
                return sent
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                return 0
            except OSError:
                pass
        if do_close:
            self.handle_close()
        return 0

    def _received(self) -> bytes:
        with self._one_at_a_time:
            if not self._is_wrapped:
                first = self.socket.recv(1, socket.MSG_PEEK)
                if first and first[0] != HANDSHAKE:
                    self._send_to_https()
                    return b""
                self.socket = self._context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
                self._is_wrapped = True
            if not self._is_agreed:
                self.socket.do_handshake()
                self._is_agreed = True
            data: bytes = self.socket.recv(self.adj.recv_bytes)
            # What OpenSSL has decrypted already does not wake the loop again.
            while waiting := self.socket.pending():
                data += self.socket.recv(waiting)
            return data

    def _send_to_https(self) -> None:
        asked = ASKED.match(self.socket.recv(self.adj.recv_bytes))
        if asked:
            path, host = asked.groups()
            answer = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: https://%s%s\r\n" % (host, path)
            self.socket.send(answer + b"Content-Length: 0\r\nConnection: close\r\n\r\n")
