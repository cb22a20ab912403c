"""``python -m tests.second --events 2000 --seed 1``: play random events, compare, and print a report.

``--db sqlite|postgres`` chooses the database, ``--server N`` plays N more events on the real server with SIGKILL,
``--jobs`` shares the events among processes, ``--only SEED`` repeats one event and prints its requests.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psycopg

from tests.live.server import Site
from tests.plugins.postgres import Server

from .play import Report, on_a_server
from .process import until_the_end, work


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.second", description=__doc__)
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument("--server", type=int, default=0, help="events on the real server, which is killed at random")
    parser.add_argument("--kills", type=float, default=0.02, help="the share of requests during which it is killed")
    parser.add_argument("--seed", type=int, default=1, help="the first event; the others follow")
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="stop after this time")
    parser.add_argument("--only", type=int, default=None, help="repeat one event and print its requests")
    options = parser.parse_args()
    if options.only is not None:
        options.seed, options.events, options.server = options.only, 1, 0
    began = time.monotonic()
    total = Report()
    with tempfile.TemporaryDirectory(prefix="swiss-second-") as folder:
        Path(folder).chmod(0o755)
        server = Postgres() if options.db == "postgres" else None
        try:
            for report in _reports(options, Path(folder), server):
                total.add(report)
        finally:
            if server is not None:
                server.close()
    _print(total, time.monotonic() - began)
    return 1 if total.differences else 0


class Postgres:
    """A PostgreSQL server of our own that need not survive a power cut: only the site is killed."""

    def __init__(self) -> None:
        self.server = Server()

    def create(self, name: str) -> str:
        with psycopg.connect(self.server.url.replace("/swiss?", "/postgres?"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return self.server.url.replace("/swiss?", f"/{name}?")

    def close(self) -> None:
        self.server.stop()


def _reports(options: argparse.Namespace, folder: Path, server: Any) -> list[Report]:
    """Return a report for each process and one for the real server."""
    until = time.monotonic() + 60 * options.minutes if options.minutes else 0.0
    found: multiprocessing.Queue[Report] = multiprocessing.get_context("spawn").Queue()
    jobs = []
    for job in range(options.jobs if options.events else 0):
        seeds = list(range(options.seed + job, options.seed + options.events, options.jobs))
        place = _database(folder / f"job-{job}", f"job_{job}", server)
        arguments = (seeds, *place, found, until, options.only is not None)
        jobs.append(multiprocessing.get_context("spawn").Process(target=work, args=arguments))
        jobs[-1].start()
    reports = []
    if options.server:
        place = _database(folder / "site", "site", server)
        seeds = range(options.seed + 1_000_000, options.seed + 1_000_000 + options.server)
        _serve(iter(seeds), *place, reports, until, options.kills)
    waiting = len(jobs)
    while waiting:
        report = found.get()
        waiting -= report.events == 0
        reports.append(report)
    for job in jobs:
        job.join()
    return reports


def _database(folder: Path, name: str, server: Any) -> tuple[str, str]:
    folder.mkdir()
    return str(folder), server.create(name) if server is not None else f"sqlite:///{folder}/second.sqlite3"


def _serve(seeds: Any, folder: str, url: str, reports: list[Report], until: float, share: float) -> None:
    site = Site(Path(folder), url)
    site.prepare()
    site.python("-c", "import django; django.setup(); from tests.second.process import make_accounts; make_accounts()")
    site.start()
    try:
        on_a_server(site, site.port, until_the_end(seeds, until), reports.append, share)
    finally:
        site.kill()


def _print(total: Report, seconds: float) -> None:
    print(
        f"{total.events} events, {sum(total.done.values())} actions, {total.states} compared states, "
        f"{total.checks} comparisons, {total.kills} kills, {seconds:.0f} s, {len(total.differences)} differences"
    )
    taken: Counter[str] = Counter()
    for name, count in total.done.items():
        taken[name] += count
    for name, count in sorted(taken.items()):
        print(f"  {count:6} {name}")
    for words in total.differences:
        print(words)


if __name__ == "__main__":
    sys.exit(main())
