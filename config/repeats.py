"""Answer a request that came before, byte by byte, with the answer that it got: the questions of open pages.

Proof that this is the answer that the program would give. It is only remembered where ``tournaments.web.front`` gave it
from its memory, and marked it with the state of the tournament. Then it depends on nothing but the header of the
request (the address, the language, cookies, what the phone has), this state, the settings that :func:`build` counts,
and three headers that are made anew here: date, number of the request, and when to ask again. The header is the same,
except for lines that the front does not read (:data:`NOT_READ`). The state is read again for each request, in one
query, so a publication in any process is seen by the next request. The loop of the server never waits for it.

Another state, another line in the header, a body, an answer after which the connection ends: the program answers.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, local
from typing import Any, Final, Protocol

from django.conf import settings
from django.db import connections
from waitress.utilities import build_http_date

from config.metrics import of_this_server
from config.request_log import HEADER, new_id
from tournaments.core.build import build
from tournaments.web import front
from tournaments.web.pace import PACE, PACE_HEADER, REPEATED

MOST: Final = 10_000
"""So many answers are remembered in each process."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""The limit for all of them together."""
NOT_READ: Final = re.compile(
    rb"\r\n(?:user-agent|accept|referer|priority|dnt|cache-control|pragma|upgrade-insecure-requests|sec-[a-z-]+"
    rb"|hx-current-url|hx-target|hx-trigger|hx-trigger-name):[\t -~]*(?=\r\n[^\t ])",
    re.IGNORECASE,
)
"""Whole lines of a header that no middleware before the front reads, nor the front: phones differ in them. The last
line of a header stays, and so does a line that goes on in the next."""
_NEW: Final = {name.title().encode(): name for name in ("Date", HEADER, PACE_HEADER)}
_CHANGES: Final = re.compile(rb"(?<=\r\n)(" + b"|".join(_NEW) + rb"): [^\r\n]*")

State = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Known:
    """An answer. ``header`` has a place for each line that is new each time."""

    slug: str
    state: State
    build: str
    path: str
    status: str
    header: bytes
    body: bytes
    asks_again: bool

    @property
    def size(self) -> int:
        return len(self.header) + len(self.body)


class States(Protocol):
    """What reads the states of tournaments, and never waits."""

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        """Belong to the *sockets* of a loop from now on."""

    def ask(self, slug: str, told: Callable[[State | None], None]) -> None:
        """Call *told* with the state of the tournament *slug*, now or in a later turn of the loop; None for no answer.

        What another process has confirmed before the call is seen.
        """

    def look(self) -> None:
        """Give up what does not come. Called in each turn of the loop."""

    def close(self) -> None:
        """Close what is open."""


class Repeats:
    """The answers of one process, and the *states* of the tournaments to which they belong."""

    def __init__(self, states: States) -> None:
        self.states = states
        self._observer = metrics.observe if (metrics := of_this_server()) is not None else None
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        """Belong to the *sockets* of a loop from now on; its thread calls :meth:`ask`."""
        self.states.join(sockets)

    def look(self) -> None:
        """Give up a state that does not come. Called in each turn of the loop."""
        self.states.look()

    def close(self) -> None:
        """Close the connection to the database."""
        self.states.close()

    def ask(self, head: bytes, address: str, told: Callable[[bytes | None], None]) -> bool:
        """Return whether the request with the header *head* from *address* is known.

        Then *told* is called, now or in a later turn of the loop: with the answer, or with None if it belongs to
        another state. One query, which others share.
        """
        begin = time.perf_counter()
        with self._lock:
            known = self._known.get(key := _key(head))
            if known is None:
                return False
            self._known.move_to_end(key)
        self.states.ask(known.slug, lambda state: told(self._answer(known, state, address, begin)))
        return True

    def _answer(self, known: Known, state: State | None, address: str, begin: float) -> bytes | None:
        """Return the answer, if it belongs to *state* and to this build. The metrics count it."""
        if state != known.state or known.build != build():
            return None
        new = {b"Date": build_http_date(int(time.time())).encode(), b"X-Request-Id": new_id().encode()}
        if known.asks_again:
            new[b"X-Ask-Again"] = f"{PACE.asked(time.monotonic(), REPEATED):.1f}".encode()
        if self._observer is not None:
            environ = {"REQUEST_METHOD": "GET", "PATH_INFO": known.path, "REMOTE_ADDR": address}
            self._observer(environ, known.status, len(known.body), time.perf_counter() - begin)
        return known.header % new + known.body

    def learn(self, head: bytes, environ: dict[str, Any], status: str, answer: bytes, body: bytes) -> None:
        """Remember *answer*, a header, and *body*, if the front has marked them in *environ*."""
        marked = environ.get(front.ANSWERED_FOR)
        if marked is None or "HTTP_EXPECT" in environ or len(body) > front.LARGEST:
            return
        slug, state = marked
        header = _CHANGES.sub(rb"\1: %(\1)b", answer.replace(b"%", b"%%"))
        asks_again = PACE_HEADER.title().encode() in header
        known = Known(slug, state, build(), environ["PATH_INFO"], status, header, body, asks_again)
        with self._lock:
            self._forget(key := _key(head))
            self._known[key] = known
            self._bytes += len(key) + known.size
            while len(self._known) > MOST or self._bytes > MOST_BYTES:
                self._forget(next(iter(self._known)))

    def __len__(self) -> int:
        return len(self._known)

    def _forget(self, key: bytes) -> None:
        if (known := self._known.pop(key, None)) is not None:
            self._bytes -= len(key) + known.size


def _key(head: bytes) -> bytes:
    return NOT_READ.sub(b"", head)


class SqliteStates:
    """Read states without waiting: in WAL mode no reader waits for the writer.

    Where SQLite would wait all the same (it repairs the file after a power cut) the answer is None.
    """

    def __init__(self, path: Path) -> None:
        self._address = f"{path.absolute().as_uri()}?mode=rw"  # makes no file
        self._own = local()

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        """Nothing: a file is not among the sockets of a loop."""

    def look(self) -> None:
        """Nothing: a state is read at once."""

    def close(self) -> None:
        """Close the connection of this thread."""
        if (connection := getattr(self._own, "connection", None)) is not None:
            self._own.connection = None
            connection.close()

    def ask(self, slug: str, told: Callable[[State | None], None]) -> None:
        """Call *told* with the state of the tournament *slug*, at once."""
        told(self(slug))

    def __call__(self, slug: str) -> State | None:
        """Return the state of the tournament *slug*, None if there is none or it cannot be read now. One query."""
        try:
            if (connection := getattr(self._own, "connection", None)) is None:
                connection = self._own.connection = sqlite3.connect(self._address, uri=True, timeout=0)
            rows = connection.execute(_SQLITE_QUERY, (slug,)).fetchall()  # all: else the snapshot stays
        except sqlite3.Error:
            self._own.connection = None
            return None
        return front.state_of(rows[0]) if rows else None


_SQLITE_QUERY: Final = front.QUERY.replace("%s", "?")


def for_this_server() -> Repeats | None:
    """Return the memory for this process; None where each request must be seen by the program.

    That is so behind a proxy, whose requests all differ in the number and the address that it adds, and with an access
    log, whose lines could make the loop wait.
    """
    if settings.TRUST_PROXY or settings.ACCESS_LOG != "no":
        return None
    database = connections["default"]
    if database.vendor == "sqlite":
        return Repeats(SqliteStates(Path(database.settings_dict["NAME"])))
    from config.postgres_states import PostgresStates

    return Repeats(PostgresStates())
