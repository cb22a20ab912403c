"""Many simultaneous writers: each gets a turn, and a writer with
a short time limit soon gets an error.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.db.backends.signals import connection_created

from config.env import database_from_url
from config.unavailable import for_visitors, is_unavailable
from config.web_sqlite.base import SHORT, DatabaseWrapper, hurry

pytestmark = pytest.mark.django_db
WRITERS, WRITES = 10, 20
HANG = 60.0  # seconds
Connect = Callable[..., DatabaseWrapper]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Return a function that opens a connection to one file, with a time limit in seconds."""

    def open_one(patience: float) -> DatabaseWrapper:
        settings = database_from_url(f"sqlite:///{tmp_path}/numbers.sqlite3", base_dir=Path("/"))
        for_visitors({"default": settings})
        assert settings["ENGINE"] == "config.web_sqlite"
        settings["OPTIONS"]["timeout"] = patience
        defaults: dict[str, Any] = {"TIME_ZONE": None, "AUTOCOMMIT": True, "ATOMIC_REQUESTS": False}
        return DatabaseWrapper(
            {**connections["default"].settings_dict, **settings, **defaults}, "numbers"
        )

    first = open_one(HANG)
    with first.cursor() as cursor:
        cursor.execute("CREATE TABLE numbers (writer INTEGER, number INTEGER)")
    first.close()
    yield open_one
    hurry.end()
    connection_created.disconnect(dispatch_uid="config.unavailable")


def begin(connection: DatabaseWrapper) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: DatabaseWrapper) -> None:
    connection.commit()
    connection.set_autocommit(True)


def test_ten_continuous_writers_all_get_their_turn(connect: Connect) -> None:
    errors: list[Exception] = []

    def write(writer: int) -> None:
        connection = connect(HANG)
        try:
            for number in range(WRITES):
                begin(connection)
                with connection.cursor() as cursor:
                    cursor.execute("INSERT INTO numbers VALUES (%s, %s)", [writer, number])
                end(connection)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=[writer]) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert errors == []
    connection = connect(HANG)
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM numbers")
        assert cursor.fetchone() == (WRITERS * WRITES,)
    connection.close()


def test_a_writer_gets_an_error_after_its_time_limit_without_delaying_the_next_one(
    connect: Connect,
) -> None:
    holder, other = connect(HANG), connect(0)
    begin(holder)
    for _ in range(2):
        with pytest.raises(OperationalError, match="locked") as found:
            begin(other)
        assert is_unavailable(found.value)
    end(holder)
    begin(other)
    end(other)
    holder.close()
    other.close()


def test_after_one_has_waited_in_vain_the_next_ones_hardly_wait_until_the_lock_is_free(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four threads as in a process, with five requests each:
    each thread waits its whole time at most once.
    """
    monkeypatch.setattr("config.web_sqlite.base.HURRY", HANG)  # on a slow machine too
    patience, allowed = 1.0, []
    holder = connect(HANG)
    begin(holder)
    usual_patience = hurry.patience

    def noted(usual: float) -> float:
        allowed.append(usual_patience(usual))
        return allowed[-1]

    monkeypatch.setattr(hurry, "patience", noted)

    def work() -> None:
        connection = connect(patience)
        for _ in range(5):
            with pytest.raises(OperationalError, match="locked"):
                begin(connection)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert len(allowed) == 20
    assert 1 <= allowed.count(patience) <= 4
    assert allowed.count(SHORT) == 20 - allowed.count(patience)
    assert hurry.patience(patience) == SHORT
    end(holder)
    other = connect(patience)
    begin(other)
    end(other)
    assert hurry.patience(patience) == patience
    holder.close()
    other.close()


def test_the_hurry_ends_by_itself_and_does_not_prolong_itself(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.web_sqlite.base.HURRY", HANG)
    holder, other = connect(HANG), connect(0.3)
    begin(holder)
    ends = []
    for _ in range(2):
        with pytest.raises(OperationalError, match="locked"):
            begin(other)
        ends.append(hurry.ends)
    assert ends[0] == ends[1] > 0
    hurry.ends = 0.0
    assert hurry.patience(0.3) == 0.3
    holder.close()
    other.close()
