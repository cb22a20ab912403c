"""What a site and its PostgreSQL server use while something is done."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from .databases import PostgresDatabase
from .during import processor_time
from .server import Site

SAMPLE_EVERY = 0.05
WAITS = """SELECT COALESCE(wait_event_type, 'processor') FROM pg_stat_activity
    WHERE datname = %s AND state = 'active' AND pid <> pg_backend_pid()"""


@dataclass
class Used:
    """What a part has used: seconds by the clock and of the processor, and bytes of PostgreSQL."""

    seconds: float = 0.0
    server: float = 0.0
    database: float = 0.0
    clients: float = 0.0
    log: int = 0
    """Bytes of the write-ahead log."""
    growth: int = 0
    """Bytes of the database's files."""
    waits: dict[str, float] = field(default_factory=dict)
    """Connections that were at work or waiting, in the mean, by what they waited for."""


class Meter:
    """Measures the processes of *site* and of its PostgreSQL server."""

    def __init__(self, site: Site, database: PostgresDatabase, name: str) -> None:
        self.site, self.name = site, name
        self.postmaster = database.server.process.pid
        self.connection = psycopg.connect(database.url(name), autocommit=True)

    def close(self) -> None:
        self.connection.close()

    def during(self, work: Callable[[], None], *, sampling: bool = True) -> Used:
        """Do *work*, and return what it used."""
        assert self.site.process is not None
        over, found, samples = threading.Event(), dict[str, int](), 0

        def sample() -> None:
            nonlocal samples
            while not over.wait(SAMPLE_EVERY):
                samples += 1
                for (kind,) in self.connection.execute(WAITS, [self.name]).fetchall():
                    found[kind] = found.get(kind, 0) + 1

        thread = threading.Thread(target=sample)
        server = [self.site.process.pid, *self.site.workers()]
        used = Used(log=-self._log(), growth=-self._size())
        before, begin = self._now(server), time.monotonic()
        if sampling:
            thread.start()
        work()
        used.seconds = time.monotonic() - begin
        after = self._now(server)
        over.set()
        if sampling:
            thread.join()
        used.server, used.database, used.clients = (late - early for early, late in zip(before, after, strict=True))
        used.waits = {kind: number / max(samples, 1) for kind, number in sorted(found.items())}
        used.log += self._log()
        used.growth += self._size()
        return used

    def _now(self, server: list[int]) -> tuple[float, float, float]:
        return processor_time(server), seconds_with_children(self.postmaster), time.process_time()

    def _log(self) -> int:
        return int(self._value("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))

    def _size(self) -> int:
        return int(self._value("SELECT pg_database_size(current_database())"))

    def _value(self, query: str) -> Any:
        (value,) = self.connection.execute(query.encode()).fetchone() or (0,)
        return value


def seconds_with_children(pid: int) -> float:
    """Return the processor seconds of the process *pid*, of its children, and of those that it has waited for."""
    done = subprocess.run(["pgrep", "--parent", str(pid)], capture_output=True, text=True)
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
    found = ended + processor_time([pid])
    for child in map(int, done.stdout.split()):
        try:
            found += processor_time([child])
        except OSError:  # It has just ended.
            continue
    return found
