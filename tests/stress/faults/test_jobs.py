"""Long work while its processes are killed: nothing is lost, nothing runs twice at once,
and nothing is saved twice.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.server import ROOT, Site
from tests.plugins.postgres import die_with_parent
from tests.polling import wait_until

pytestmark = pytest.mark.slow
ASK = """
from tournaments.core.jobs import enqueue
for key in {keys}:
    enqueue("trial", key, {arguments})
"""
JOBS = "SELECT key, state, attempt, log FROM tournaments_job ORDER BY key"
SAVED = "SELECT key FROM tournaments_requestcount ORDER BY key"


class Runners:
    """Runners on one database, with the notes of their jobs."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site, self.notes = site, folder / "notes"
        self.notes.touch()
        self.log = folder / "runners.log"
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, attempts: int = 100) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "tests.stress.faults.trial_runner", str(self.notes), str(attempts)],
                cwd=ROOT, env=self.site.environment, stdout=log, stderr=log,
                preexec_fn=die_with_parent if sys.platform == "linux" else None,
            )  # fmt: skip
        self.running.append(process)
        return process

    def ask(self, *keys: str, **arguments: int) -> None:
        self.site.python("manage.py", "shell", "-c", ASK.format(keys=keys, arguments=arguments))

    def state(self) -> tuple[dict[str, tuple[Any, ...]], list[str]]:
        """Return the state, the attempts and the log of each key, and the keys that were saved."""
        jobs, saved = (self._rows(sql) for sql in (JOBS, SAVED))
        return {key: rest for key, *rest in jobs}, [key for (key,) in saved]

    def _rows(self, sql: str) -> list[Any]:
        url = self.site.database_url
        if url.startswith("sqlite"):
            with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=20)) as database:
                return list(database.execute(sql))
        with psycopg.connect(url, autocommit=True) as server:
            return server.execute(sql.encode()).fetchall()

    def lines(self) -> list[tuple[float, str, str, int]]:
        parts = [line.split() for line in self.notes.read_text().splitlines()]
        return [(float(at), what, key, int(pid)) for at, what, key, pid in parts]

    def wait_for(self, what: Callable[[], bool]) -> None:
        wait_until(what, lambda: self.log.read_text()[-3000:])

    def count(self, what: str) -> int:
        return sum(each[1] == what for each in self.lines())


@pytest.fixture
def runners(
    database: SqliteDatabase | PostgresDatabase, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Runners]:
    name = f"jobs_{abs(hash(request.node.nodeid))}"
    site = Site(tmp_path, database.create(name))
    site.prepare()
    found = Runners(site, tmp_path)
    yield found
    for process in found.running:
        process.kill()
        process.wait()


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    return False


@pytest.mark.parametrize("seed", range(int(os.environ.get("CRASH_SEEDS", "1"))))
def test_runners_and_jobs_that_are_killed_at_any_moment_lose_and_repeat_nothing(
    runners: Runners, seed: int
) -> None:
    moments = random.Random(seed)
    keys = [f"key-{number}" for number in range(12)]
    for _ in range(2):
        runners.start()
    runners.ask(*keys)
    ended: dict[int, float] = {}  # when a process was gone, if it was killed
    for number in range(8):
        runners.wait_for(lambda number=number: runners.count("begins") > number)  # type: ignore[misc]
        time.sleep(moments.uniform(0, 0.6))
        alive = [each[3] for each in runners.lines() if each[1] == "begins" and is_alive(each[3])]
        if number % 2 and alive:
            victim = moments.choice(alive)
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
            ended[victim] = time.monotonic()
        else:
            runner = runners.running.pop(0)
            runner.kill()
            runner.wait()
            gone_with(runner.pid, runners, ended)
            runners.start()
    runners.wait_for(lambda: set(runners.state()[1]) == set(keys) and not waiting(runners))
    jobs, saved = runners.state()
    assert saved == sorted(keys), "each is saved once"
    assert {key: state for key, (state, *_) in jobs.items()} == dict.fromkeys(keys, "done")
    assert sum(attempt for _state, attempt, _log in jobs.values()) > len(keys), (
        "something was begun again"
    )
    assert at_the_same_time(runners.lines(), ended) == []


def gone_with(runner: int, runners: Runners, ended: dict[int, float]) -> None:
    """Wait until the processes of the killed *runner* have ended too, and note when."""
    runners.wait_for(lambda: not any(map(is_alive, children_of(runner, runners))))
    for pid in children_of(runner, runners):
        ended.setdefault(pid, time.monotonic())


def children_of(runner: int, runners: Runners) -> set[int]:
    """Return the processes of jobs, as far as the notes name them,
    that are gone or belong to nobody any more.
    """
    return {
        pid
        for _at, what, _key, pid in runners.lines()
        if what == "begins" and parent_of(pid) in (runner, 0, 1)
    }


def parent_of(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def waiting(runners: Runners) -> list[str]:
    return [
        key for key, (state, *_) in runners.state()[0].items() if state in ("waiting", "running")
    ]


def at_the_same_time(
    lines: list[tuple[float, str, str, int]], ended: dict[int, float]
) -> list[str]:
    """Return the keys that were worked on by two processes at once."""
    ends = {(key, pid): at for at, what, key, pid in lines if what == "ends"}
    spans = defaultdict(list)
    for at, what, key, pid in lines:
        if what == "begins":
            spans[key].append((at, ends.get((key, pid), ended.get(pid, at))))
    return [
        key
        for key, found in spans.items()
        for (_, end), (begin, _) in zip(sorted(found), sorted(found)[1:], strict=False)
        if begin < end
    ]


def test_a_runner_that_is_told_to_stop_gives_its_work_back_at_once(runners: Runners) -> None:
    first = runners.start()
    runners.ask("key", steps=100)
    runners.wait_for(lambda: runners.count("begins") == 1)
    first.terminate()
    assert first.wait(60) == 0
    assert [runners.state()[0]["key"][0], runners.state()[0]["key"][1], runners.state()[1]] == [
        "waiting",
        0,
        [],
    ]
    runners.start()
    runners.wait_for(lambda: runners.state()[0]["key"][0] == "done")
    assert runners.state()[0]["key"][1] == 1, "the first beginning does not count"


def test_work_that_crashes_its_process_fails_with_the_reason(runners: Runners) -> None:
    runners.start(attempts=2)
    runners.ask("key", crash=1)
    runners.wait_for(lambda: runners.state()[0]["key"][0] == "failed")
    assert runners.count("begins") == 2
    log = runners.state()[0]["key"][2]
    assert "exit code -6" in log
    assert "has failed" in runners.log.read_text()


def test_a_runner_outlives_a_database_that_is_away(
    runners: Runners, database: SqliteDatabase | PostgresDatabase
) -> None:
    runners.start()
    runners.ask("before")
    runners.wait_for(lambda: runners.state()[1] == ["before"])
    if isinstance(database, PostgresDatabase):
        name = (
            runners.site.database_url.partition("/swiss?")[0].rpartition("/")[2].partition("?")[0]
        )
        database.cut_connections(name)
    else:
        path = Path(runners.site.database_url.removeprefix("sqlite:///"))
        path.rename(path.with_suffix(".away"))
        time.sleep(1)
        path.with_suffix(".away").replace(path)
    runners.ask("after")
    runners.wait_for(lambda: "after" in runners.state()[1])
    assert runners.running[0].poll() is None
