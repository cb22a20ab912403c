"""``python -m tests.stress.second --events 2000 --seed 1``:
play random events, compare, and print a report.

``--db sqlite|postgres`` chooses the database, ``--server N`` plays N more events on the real server with SIGKILL,
``--jobs`` shares the events among processes, ``--only SEED`` repeats one event and prints its
requests. ``--broken`` plays up to ``--events`` events on the program with each of several defects,
and says which event finds it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.server import Site

from .play import Report, on_a_server
from .process import start_django, until_the_end, work

ACCOUNTS: Final = (
    "import django; django.setup(); from tests.stress.second.process import "
    "make_accounts; make_accounts()"
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.stress.second", description=__doc__)
    parser.add_argument("--events", type=int, default=20)
    parser.add_argument(
        "--server", type=int, default=0, help="events on the real server, which is killed at random"
    )
    parser.add_argument(
        "--kills", type=float, default=0.02, help="the share of requests during which it is killed"
    )
    parser.add_argument("--seed", type=int, default=1, help="the first event; the others follow")
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="stop after this time")
    parser.add_argument(
        "--only", type=int, default=None, help="repeat one event and print its requests"
    )
    parser.add_argument(
        "--broken", action="store_true", help="break the program, and see whether it is found"
    )
    options = parser.parse_args()
    if options.only is not None:
        options.seed, options.events, options.server = options.only, 1, 0
    began = time.monotonic()
    total = Report()
    with tempfile.TemporaryDirectory(prefix="swiss-second-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(folder)
        try:
            if options.broken:
                return _search(options, folder, database)
            for report in _reports(options, folder, database):
                total.add(report)
                if total.events % 50 == 0 and report.events:
                    print(f"{total.events} events, {time.monotonic() - began:.0f} s", flush=True)
        finally:
            database.close()
    _print(total, time.monotonic() - began)
    return 1 if total.differences else 0


def _reports(
    options: argparse.Namespace, folder: Path, database: SqliteDatabase | PostgresDatabase
) -> Iterator[Report]:
    """Yield the reports of all events: those of the processes as they come,
    then those on the real server.
    """
    _prepare(folder, database)
    until = time.monotonic() + 60 * options.minutes if options.minutes else 0.0
    context = multiprocessing.get_context("spawn")
    found: multiprocessing.Queue[Report] = context.Queue()
    jobs = []
    for job in range(options.jobs if options.events else 0):
        seeds = list(range(options.seed + job, options.seed + options.events, options.jobs))
        place = (str(_folder(folder, f"job-{job}")), database.copy(f"job_{job}", "empty"))
        jobs.append(
            context.Process(
                target=work, args=(seeds, *place, found, until, options.only is not None)
            )
        )
        jobs[-1].start()
    waiting = len(jobs)
    while waiting:
        report = found.get()
        waiting -= report.events == 0
        yield report
    for job in jobs:
        job.join()
    if options.server:
        site = Site(_folder(folder, "site"), database.copy("site", "empty"))
        first = options.seed + 1_000_000
        yield from _served(
            site, until_the_end(range(first, first + options.server), until), options.kills
        )


def _prepare(folder: Path, database: SqliteDatabase | PostgresDatabase) -> None:
    """Make the database ``empty``, with the accounts."""
    prepared = Site(_folder(folder, "prepared"), database.create("empty"))
    prepared.python("manage.py", "migrate", "--noinput", "--verbosity", "0")
    prepared.python("-c", ACCOUNTS)


def _search(
    options: argparse.Namespace, folder: Path, database: SqliteDatabase | PostgresDatabase
) -> int:
    """Look for each defect in this process; return 1 if one was not found."""
    _prepare(folder, database)
    start_django(str(_folder(folder, "broken")), database.copy("broken", "empty"))
    from .broken import DEFECTS, search

    missed = 0
    for name in DEFECTS:
        began = time.process_time()
        tried = search(name, range(options.seed, options.seed + options.events))
        missed += not tried.found
        print(
            f"{name}: {'found in' if tried.found else 'NOT FOUND in'} {tried.events} events, "
            f"{tried.actions} actions, "
            f"{tried.comparisons} comparisons, {time.process_time() - began:.1f} s\n    "
            f"{tried.found[:200]}",
            flush=True,
        )
    return 1 if missed else 0


def _folder(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def _served(site: Site, seeds: Iterator[int], share: float) -> Iterator[Report]:
    site.prepare()
    site.start()
    try:
        yield from on_a_server(site, seeds, share)
    finally:
        site.kill()


def _print(total: Report, seconds: float) -> None:
    print(
        f"{total.events} events, {sum(total.done.values())} actions, {total.states} compared states, "
        f"{total.checks} comparisons, {total.kills} kills, {seconds:.0f} s, "
        f"{len(total.differences)} differences"
    )
    for name, count in sorted(total.done.items()):
        print(f"  {count:6} {name}")
    for words in total.differences:
        print(words)


if __name__ == "__main__":
    sys.exit(main())
