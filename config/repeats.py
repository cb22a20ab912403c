"""Answer a request that came before, byte by byte, with the answer that it got: the questions of open pages.

Proof that this is the answer that the program would give. It is only remembered where ``tournaments.web.front`` gave it
from its memory, and marked it with the state of the tournament. Then it depends on nothing but the header of the
request (the address, the language, cookies, what the phone has), this state, the settings that :func:`build` counts,
and three headers that are made anew here: date, number of the request, and when to ask again. The header is the same,
except for lines that the front does not read (:data:`NOT_READ`). The state is read again for each request, in one
query, so a publication in any process is seen by the next request.

Another state, another line in the header, a body, an answer after which the connection ends: the program answers.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, local
from typing import Any, Final

import psycopg
from django.conf import settings
from django.db import DatabaseError, connections
from psycopg.pq import ExecStatus
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


class Repeats:
    """The answers of one process. *state* reads the state of a tournament; with *at_once* it never waits."""

    def __init__(self, state: Callable[[str], State | None], *, at_once: bool) -> None:
        self.at_once = at_once
        self._state = state
        self._observer = metrics.observe if (metrics := of_this_server()) is not None else None
        self._known: OrderedDict[bytes, Known] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def answer(self, head: bytes, address: str) -> bytes | None:
        """Return the answer to the request with the header *head* from *address*; None if it is not known. One query.

        The metrics count it.
        """
        begin = time.perf_counter()
        with self._lock:
            known = self._known.get(key := _key(head))
            if known is None:
                return None
            self._known.move_to_end(key)
        if self._state(known.slug) != known.state or known.build != build():
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


class PostgresStates:
    """Read states from PostgreSQL, which takes time: over the connection that Django has for the thread.

    The query goes to PostgreSQL's own library, without Django's cursor and psycopg's: 7 µs instead of 120.
    """

    def __call__(self, slug: str) -> State | None:
        """Return the state of the tournament *slug*, None if there is none or it cannot be read now. One query."""
        django = connections["default"]
        try:
            django.close_if_unusable_or_obsolete()
            django.ensure_connection()
            rows = django.connection.pgconn.exec_params(_POSTGRES_QUERY, [slug.encode()])
        except (DatabaseError, psycopg.Error):
            rows = None
        if rows is None or rows.status != ExecStatus.TUPLES_OK:
            django.errors_occurred = True  # Django tries the connection before the next request.
            return None
        if not rows.ntuples:
            return None
        number, version, fingerprint = (rows.get_value(0, column) or b"" for column in range(3))
        return front.state_of((int(number), int(version), fingerprint.decode()))


_SQLITE_QUERY: Final = front.QUERY.replace("%s", "?")
_POSTGRES_QUERY: Final = front.QUERY.replace("%s", "$1").encode()


def for_this_server() -> Repeats | None:
    """Return the memory for this process; None where each request must be seen by the program.

    That is so behind a proxy, whose requests all differ in the number and the address that it adds, and with an access
    log, whose lines could make the loop wait.
    """
    if settings.TRUST_PROXY or settings.ACCESS_LOG != "no":
        return None
    database = connections["default"]
    if database.vendor == "sqlite":
        return Repeats(SqliteStates(Path(database.settings_dict["NAME"])), at_once=True)
    return Repeats(PostgresStates(), at_once=False)
