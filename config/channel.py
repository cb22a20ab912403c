"""The connections of the server: waitress, with less work for each answer.

A request that was answered before is answered by :class:`config.repeats.Repeats`, without a parser, an environment and
Django. waitress ends the connection after an answer without a body (204, 304), as if its end could not be known; here
it stays open. And header and body are sent together, in one call of the system instead of two. When half of the
connections that a process may have are open, each ends after its answer: so there is always room for the next visitor.
Whether the process runs is answered in the loop too, because all threads may be waiting for the database.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sized
from functools import partial
from typing import Any, Final, Protocol

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask

SENT_TOGETHER: Final = 256 * 1024
"""Bytes: a longer body is not copied behind its header."""
ASKED: Final = b"GET /t/"
"""How requests begin that may be repeats."""
IS_ALIVE: Final = (b"GET /livez ", b"HEAD /livez ")
"""How a request begins that the program answers at once, without the database (:func:`config.health.alive`)."""


class Memory(Protocol):
    """What :class:`config.repeats.Repeats` does for a connection."""

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        """Belong to the *sockets* of a loop from now on; its thread calls :meth:`ask`."""

    def ask(self, head: bytes, address: str, told: Callable[[bytes | None], None]) -> bool:
        """Return whether the request with the header *head* from *address* is known, and never wait.

        Then *told* is called, now or in a later turn of the loop: with the whole answer, or with None if the program
        must give it.
        """

    def learn(self, head: bytes, environ: dict[str, Any], status: str, answer: bytes, body: bytes) -> None:
        """Remember the header *answer* and the *body* that were sent, if the same request may get them again."""

    def look(self) -> None:
        """Give up what does not come. Called in each turn of the loop."""

    def close(self) -> None:
        """Close what was opened for the loop."""


class Request(HTTPRequestParser):
    """A request that knows its header as it came."""

    head = b""

    def parse_header(self, header_plus: bytes) -> None:
        self.head = header_plus
        super().parse_header(header_plus)


class Task(WSGITask):
    """The answer to one request, made by the program or known from before."""

    channel: Channel
    request: Request  # type: ignore[assignment]  # Channel makes no other
    _header = b""
    _body = b""

    def service(self) -> None:
        """Answer the request in this thread, and remember the answer."""
        super().service()
        repeats, head = self.channel.repeats, self.request.head
        if repeats is None or not head.startswith(ASKED):
            return
        if not self.close_on_finish and self.environ is not None and not self.request.body_rcv:
            repeats.learn(head, self.environ, self.status, self._header, self._body)

    def build_response_header(self) -> bytes:
        """Return the header; the connection stays open after an answer that has no body."""
        if self.channel.is_crowded and self.version == "1.1" and not self.close_on_finish:
            self.set_close_on_finish()
        wants_end = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or self.close_on_finish or self.version != "1.1" or wants_end:
            self._header = super().build_response_header()
        else:
            self.close_on_finish = True  # Otherwise it is set there, and the header says so.
            self._header = super().build_response_header()
            self.close_on_finish = False
        return self._header

    def write(self, data: bytes) -> None:
        """Send *data*, behind the header if that has not been sent."""
        self._body = data
        is_whole = self.content_length == len(data) <= SENT_TOGETHER
        if self.wrote_header or not self.complete or not data or not self.has_body or not is_whole:
            super().write(data)
            return
        self.channel.write_soon(self.build_response_header() + data)
        self.wrote_header = True
        self.content_bytes_written = len(data)


class Channel(HTTPChannel):
    """A connection that answers repeats itself, in the loop."""

    task_class = Task
    parser_class = Request
    addr: Any
    requests: list[HTTPRequestParser]
    requests_lock: Any
    _map: Sized

    def __init__(self, repeats: Memory | None, *arguments: Any, **named: Any) -> None:
        self.repeats = repeats
        self.is_asking = False
        super().__init__(*arguments, **named)

    def readable(self) -> bool:
        """Whether to read more: nothing while it is being asked whether a request is a repeat."""
        return not self.is_asking and bool(super().readable())

    @property
    def is_crowded(self) -> bool:
        """Whether half of the connections that this process may have are open."""
        return 2 * len(self._map) > self.adj.connection_limit

    def received(self, data: bytes) -> bool:
        """Answer *data* if it is a whole request that is known; otherwise pass it on to the parser.

        No thread works on this connection then, because it has no request, and everything has been sent; and nothing
        more is read until it is clear who answers. So the order of the answers stays.
        """
        if self.repeats is not None and data.startswith(ASKED) and self._is_free():
            self.is_asking = True
            if self.repeats.ask(data, self.addr[0], partial(self._told, data)):
                return True
            self.is_asking = False
        if data.startswith(IS_ALIVE) and self._is_free() and self._answer_in_the_loop(data):
            return True
        return super().received(data)

    def _answer_in_the_loop(self, data: bytes) -> bool:
        """Let the program answer *data* without a thread; False if it is not one whole request without a fault."""
        request = self.parser_class(self.adj)
        is_whole = request.received(data) == len(data) and request.completed and not request.empty
        if not is_whole or request.error:
            return False
        with self.requests_lock:
            self.requests.append(request)
        self.service()
        return True

    def _is_free(self) -> bool:
        with self.requests_lock:
            is_free = self.request is None and not self.requests and not self.total_outbufs_len
            return is_free and not self.will_close and not self.close_when_flushed

    def _told(self, data: bytes, answer: bytes | None) -> None:
        self.is_asking = False
        if answer is None:
            super().received(data)
        elif self.connected:
            self._send_now(answer)

    def _send_now(self, answer: bytes) -> None:
        is_last = self.is_crowded
        answer = _last(answer) if is_last else answer
        sent = self.send(answer)  # closes the connection if the visitor has gone
        if self.connected and sent < len(answer):
            self.write_soon(answer[sent:])
            self.current_outbuf_count = self.adj.outbuf_high_watermark  # as after every request: a buffer of its own
        self.close_when_flushed = is_last


def _last(answer: bytes) -> bytes:
    """Return *answer* with the line that says that the connection ends."""
    return answer.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
