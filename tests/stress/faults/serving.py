"""The faults that hit a site while results are entered;
each is a hit at a random moment, with its end.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.live.databases import PostgresDatabase

from . import disk
from .stage import Stage, file_of

Hit = Callable[[Stage, random.Random], list[str]]
"""Do the fault and end it; return what was wrong in between."""


def server(stage: Stage, chance: random.Random) -> list[str]:
    """SIGKILL for the server and its processes; the database is read as it was left,
    then the server starts again.
    """
    stage.site.kill()
    found = stage.check_pages(is_quiet=False)
    stage.restart()
    return found


def worker(stage: Stage, chance: random.Random) -> list[str]:
    os.kill(chance.choice(stage.site.workers()), signal.SIGKILL)
    return []


def postgres(stage: Stage, chance: random.Random) -> list[str]:
    """SIGKILL for PostgreSQL and all its processes, as when the power fails."""
    _postgres_of(stage).server.kill()
    time.sleep(chance.uniform(0, 0.5))
    stage.restart()
    return []


def postmaster(stage: Stage, chance: random.Random) -> list[str]:
    """SIGKILL for the first process of PostgreSQL alone; its children notice it and end."""
    _postgres_of(stage).server.kill_the_first()
    stage.restart()
    return []


def backend(stage: Stage, chance: random.Random) -> list[str]:
    """SIGKILL for one process of PostgreSQL that serves a connection;
    PostgreSQL then ends them all and recovers.
    """
    with psycopg.connect(_postgres_of(stage).url("postgres"), autocommit=True) as admin:
        query = "SELECT pid FROM pg_stat_activity WHERE datname = %s"
        pids = [pid for (pid,) in admin.execute(query, [_name_of(stage)]).fetchall()]
    if pids:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(pids), signal.SIGKILL)
    return []


def connections(stage: Stage, chance: random.Random) -> list[str]:
    """An operator of PostgreSQL ends all connections."""
    _postgres_of(stage).cut_connections(_name_of(stage))
    return []


def everything(stage: Stage, chance: random.Random) -> list[str]:
    _postgres_of(stage).server.kill()
    stage.site.kill()
    stage.restart()
    return []


def network(stage: Stage, chance: random.Random) -> list[str]:
    """Questions and answers are cut off, swallowed, held back or refused for a while.

    Between visitors and server, or between server and PostgreSQL.
    """
    relay = stage.relay
    assert relay is not None
    relay.set(chance.choice(["cut", "half", "swallow", "swallow", "stall", "refuse"]))
    time.sleep(chance.choice([chance.uniform(0.01, 0.3), chance.uniform(0.5, 5)]))
    relay.set(chance.choice(["pass", "pass", "cut"]))
    relay.set("pass")
    return []


def clock(stage: Stage, chance: random.Random) -> list[str]:
    """The clock of the server jumps, and stays there."""
    (stage.folder / "clock").write_text(
        chance.choice(["-3h", "+26h", "-40d", "+400d", "-1s", "+0"])
    )
    return []


def on_disk(kind: str) -> Hit:
    """Return the hit that gives the database a disk of this *kind* for a moment."""

    def hit(stage: Stage, chance: random.Random) -> list[str]:
        if isinstance(stage.database, PostgresDatabase):
            pids, paths = stage.database.server.processes(), []
        else:
            name = file_of(stage.url)
            pids = stage.site.workers()
            paths = [name, *(Path(f"{name}-{end}") for end in ("wal", "journal"))]
        with suppress(RuntimeError), disk.injected(pids, kind, paths):
            time.sleep(chance.uniform(0.1, 1.5))
        if isinstance(stage.database, PostgresDatabase):
            _wait_or_restart(stage)
        return []

    return hit


def _wait_or_restart(stage: Stage) -> None:
    """PostgreSQL ends when it cannot write its log, and its own
    attempt to start again may have failed too.
    """
    running = _postgres_of(stage).server
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if running.process.poll() is not None:
            stage.restart()
            return
        with suppress(psycopg.OperationalError):
            psycopg.connect(stage.url, connect_timeout=2).close()
            return
        time.sleep(0.05)


def _postgres_of(stage: Stage) -> PostgresDatabase:
    assert isinstance(stage.database, PostgresDatabase)
    return stage.database


def _name_of(stage: Stage) -> str:
    return urlsplit(stage.url).path.removeprefix("/")


ON_BOTH: dict[str, Hit] = {
    "server": server,
    "worker": worker,
    "network-visitor": network,
    "clock": clock,
    **{kind: on_disk(kind) for kind in disk.INJECTED},
}
ON_POSTGRES: dict[str, Hit] = {
    "postgres": postgres,
    "postmaster": postmaster,
    "backend": backend,
    "connections": connections,
    "everything": everything,
    "network-database": network,
}
