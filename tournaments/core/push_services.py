"""The push services of browsers: which there are, and how messages are handed to them.

The address of a subscription is typed by whoever sends it: only https, known hosts and public
addresses are used, and no redirect is followed.
"""

from __future__ import annotations

import contextlib
import http.client
import logging
import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from tournaments.core.errors import BadInput, ServiceError
from tournaments.core.web_address import connection_to
from tournaments.core.web_push import BrowserKeys, authorization, encrypt

logger = logging.getLogger(__name__)

HOSTS: Final = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
"""The services of Chromium, Firefox, Safari and Edge; a star is for any name before it."""
LONGEST_ADDRESS: Final = 1_000
PATIENCE: Final = 5.0
"""Seconds without any answer of a service."""
TOGETHER: Final = 4
"""Connections to one service at a time."""
FAILURES: Final = 4
"""After so many failures in a row a service is left alone until the next attempt."""
ALL_OF_THEM: Final = 30.0
"""Seconds for all messages of an attempt; what is not sent by then is sent later."""
LONGEST_WAIT: Final = 3_600
_REFUSED: Final = BadInput("push.service")


@dataclass(frozen=True, slots=True)
class Parcel:
    """A message for the browser at ``endpoint``; ``name`` is what the sender knows it by.

    A service keeps it for ``ttl`` seconds while the phone cannot be reached [RFC 8030 5.2].
    """

    name: int
    endpoint: str
    keys: BrowserKeys
    message: bytes
    ttl: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a service; ``status`` is 0 if there was none.

    ``wait`` are the seconds after which it wants to be asked again, if it said so.
    """

    status: int
    wait: int | None = None

    @property
    def is_sent(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether this subscription will never work again."""
        return self.status in (404, 410)

    @property
    def is_refused(self) -> bool:
        """Whether the signature was refused: the clock of this server is wrong, or the browser has
        subscribed for another key. The phone tells the server of its new key (push_sync.js).
        """
        return self.status in (401, 403)

    @property
    def may_work_later(self) -> bool:
        return self.status in (0, 408, 425, 429) or self.status >= 500


def is_known_service(endpoint: str) -> bool:
    """Return whether messages may be sent to *endpoint*, which a visitor has sent."""
    if len(endpoint) > LONGEST_ADDRESS or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if " " in endpoint or parts.username is not None or parts.fragment:
        return False
    if _origin(parts) in settings.PUSH_SERVICES:
        return True
    is_plain = parts.scheme == "https" and port in (None, 443)
    return is_plain and any(_fits(host, each) for each in (*HOSTS, *settings.PUSH_SERVICES))


def _fits(host: str, pattern: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"


def send(parcels: Iterable[Parcel]) -> Iterator[tuple[int, Answer]]:
    """Hand *parcels* to their services, and yield each name with its answer, in any order.

    Services are independent: one that is silent or fails delays no other. Each parcel is yielded
    once, within :data:`ALL_OF_THEM`.
    """
    by_origin: defaultdict[str, list[Parcel]] = defaultdict(list)
    for parcel in parcels:
        by_origin[_origin(urlsplit(parcel.endpoint))].append(parcel)
    waiting = {parcel.name for own in by_origin.values() for parcel in own}
    answers: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()
    for origin, own in by_origin.items():
        service = _Service(origin, own, answers.put)
        for _ in range(min(TOGETHER, len(own))):
            # A daemon: a service that answers a byte a second must not keep the process.
            threading.Thread(target=service.work, daemon=True).start()
    end = time.monotonic() + ALL_OF_THEM
    while waiting and (left := end - time.monotonic()) > 0:
        with contextlib.suppress(queue.Empty):
            name, answer = answers.get(timeout=left)
            waiting.discard(name)
            yield name, answer
    for name in waiting:
        yield name, Answer(0)


class _Service:
    """One push service in one attempt: its parcels, and how often it has failed in a row."""

    def __init__(
        self, origin: str, parcels: list[Parcel], put: Callable[[tuple[int, Answer]], None]
    ) -> None:
        self._origin, self._put = origin, put
        self._parcels: queue.SimpleQueue[Parcel] = queue.SimpleQueue()
        for parcel in parcels:
            self._parcels.put(parcel)
        self._signature = authorization(origin, time.time())
        self._is_own = origin in settings.PUSH_SERVICES
        self._failures = 0
        self._end = time.monotonic() + ALL_OF_THEM

    def work(self) -> None:
        connection = None
        while time.monotonic() < self._end:
            try:
                parcel = self._parcels.get_nowait()
            except queue.Empty:
                break
            if self._failures >= FAILURES:
                self._put((parcel.name, Answer(0)))
                continue
            try:
                connection = connection or self._connection()
                answer = self._answer(connection, parcel)
            except (OSError, http.client.HTTPException, ServiceError, ValueError) as error:
                # The path of the address is a secret: only the host is in the log.
                logger.info("%s did not take a message: %s", self._origin, type(error).__name__)
                answer = Answer(0)
            if not answer.status:
                _close(connection)
                connection = None
            self._failures = 0 if 0 < answer.status < 500 else self._failures + 1
            self._put((parcel.name, answer))
        _close(connection)

    def _connection(self) -> http.client.HTTPConnection:
        # An address that the operator named in full may be in the own network.
        return connection_to(
            urlsplit(self._origin), _REFUSED, allow_private=self._is_own, patience=PATIENCE
        )

    def _answer(self, connection: http.client.HTTPConnection, parcel: Parcel) -> Answer:
        parts = urlsplit(parcel.endpoint)
        body = encrypt(parcel.message, parcel.keys)
        headers = {
            "TTL": str(parcel.ttl),
            "Urgency": "high",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": self._signature,
        }
        connection.request("POST", parts._replace(scheme="", netloc="").geturl(), body, headers)
        response = connection.getresponse()
        response.read(65_536)
        if response.length:
            connection.close()
        return Answer(response.status, seconds_of(response.getheader("Retry-After", "")))


def _close(connection: http.client.HTTPConnection | None) -> None:
    if connection is not None:
        connection.close()


def seconds_of(text: str) -> int | None:
    """Return the seconds of a ``Retry-After``, a number or a date, up to an hour."""
    if text.isascii() and text.isdecimal() and len(text) < 9:
        return min(int(text), LONGEST_WAIT)
    try:
        wait = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(int(wait), 0), LONGEST_WAIT)
