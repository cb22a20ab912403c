"""A database that is locked, full, read-only or away, while the real server runs.

Each request is answered with 503 and ``Retry-After``, and when the fault is over the next one is
saved, without a restart.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from tests.live.books import Books
from tests.live.conftest import SLUG, copied
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Operator
from tests.live.event import PASSWORD
from tests.live.server import HOST, PATIENCE, Site

pytestmark = pytest.mark.slow
SMALL = 24 * 1024 * 1024
"""Bytes of the disk that becomes full."""


def answer(chief: Operator, board: dict[str, str]) -> tuple[int, str | None, float]:
    """Send a result once; return status, ``Retry-After`` and the seconds until the answer."""
    connection = HTTPConnection(HOST, chief.port, timeout=PATIENCE)
    headers = {
        "Cookie": "; ".join(f"{name}={value}" for name, value in chief.cookies.items()),
        "Content-Type": "application/x-www-form-urlencoded",
        "X-CSRFToken": chief.cookies["csrftoken"],
        "HX-Request": "true",
        "Accept": "application/json",
    }
    begin = time.monotonic()
    with closing(connection):
        form = urlencode({"result": "10", "seen_version": board["version"]})
        connection.request("POST", board["url"], form, headers)
        response = connection.getresponse()
        response.read()
        return response.status, response.headers["Retry-After"], time.monotonic() - begin


def is_over(chief: Operator, board: dict[str, str]) -> None:
    """Check that the result is saved now, as the page sends it again;
    a connection may be found broken once.
    """
    sent = chief.enter(board, "10", on_loss=lambda: time.sleep(0.5))
    assert sent.status == 200


@contextmanager
def locked_sqlite(site: Site, database: SqliteDatabase | PostgresDatabase) -> Iterator[None]:
    """Another process, this one, holds the write lock."""
    with closing(sqlite3.connect(urlsplit(site.database_url).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def locked_postgres(site: Site, database: SqliteDatabase | PostgresDatabase) -> Iterator[None]:
    with psycopg.connect(site.database_url) as other:
        other.execute("LOCK TABLE tournaments_tournament IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


@contextmanager
def read_only_postgres(site: Site, database: SqliteDatabase | PostgresDatabase) -> Iterator[None]:
    """As after a switch to a replica: every connection is new, and may only read."""
    assert isinstance(database, PostgresDatabase)
    name = urlsplit(site.database_url).path.removeprefix("/")
    for value in ("on", "off"):
        with psycopg.connect(database.url("postgres"), autocommit=True) as admin:
            admin.execute(
                f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}'.encode()
            )
        database.cut_connections(name)
        if value == "on":
            yield


@contextmanager
def no_postgres(site: Site, database: SqliteDatabase | PostgresDatabase) -> Iterator[None]:
    assert isinstance(database, PostgresDatabase)
    database.server.kill()
    yield
    database.server.start()


def test_a_database_that_cannot_be_used_is_503_and_comes_back_by_itself(
    site: Site, database: SqliteDatabase | PostgresDatabase, operators: list[Operator]
) -> None:
    sqlite = isinstance(database, SqliteDatabase)
    chief = operators[0]
    boards = chief.boards(SLUG, 1)
    faults = [locked_sqlite] if sqlite else [locked_postgres, read_only_postgres, no_postgres]
    for number, fault in enumerate(faults, start=1):
        with fault(site, database):
            # A connection that was cut is noticed by the first request of each thread.
            found = [answer(chief, boards[number]) for _ in range(3)]
        print(f"{fault.__name__}: {[(status, round(seconds, 1)) for status, _, seconds in found]}")
        assert [(status, again) for status, again, _ in found] == [(503, "5")] * 3
        is_over(chief, boards[number])
    assert Books.read(site.database_url).faults() == []
    assert "is whole" in site.python("manage.py", "verify_record", SLUG)


def test_a_full_disk_is_503_and_results_are_saved_when_there_is_room_again(
    database: SqliteDatabase | PostgresDatabase, prepared: Path, small_disk: Callable[[int], Path]
) -> None:
    if not isinstance(database, SqliteDatabase):
        pytest.skip("PostgreSQL stops when its log cannot grow: that is a server that is away")
    disk = small_disk(SMALL)
    with ExitStack() as stack:
        second = SqliteDatabase(disk)
        (disk / "prepared.sqlite3").write_bytes(
            Path(urlsplit(database.url("prepared")).path).read_bytes()
        )
        site = copied(second, prepared, disk, "site")
        stack.callback(site.kill)
        site.start()
        chief = Operator(site.port, "arbiter-1", PASSWORD)
        stack.callback(chief.close)
        boards = chief.boards(SLUG, 1)
        rest = disk / "rest"
        with rest.open("wb", buffering=0) as file, suppress(OSError):  # No space left on device.
            while True:
                file.write(bytes(4096))
        # The content of SQLite's files already has room.
        found = [answer(chief, boards[number]) for number in list(boards)[:-1]]
        print(f"full disk: {[status for status, *_ in found]}")
        assert {(status, again) for status, again, _ in found} <= {(200, None), (503, "5")}
        assert found[-1][0] == 503
        rest.unlink()
        is_over(chief, boards[max(boards)])
        saved = sum(status == 200 for status, *_ in found) + 1
        assert (
            sum(bool(result) for result, *_ in Books.read(site.database_url).games.values())
            == saved
        )
        assert "is whole" in site.python("manage.py", "verify_record", SLUG)
