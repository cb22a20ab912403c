"""``python -m tests.stress.load``: a hall full of phones, on SQLite and on PostgreSQL.

For each database, an event of 300 players whose round 9 was just published, on the server as
``./run`` starts it:

- *hall*: 200 pages a second for a minute, from cold, while an arbiter enters a result a second;
- *polling*: 500 phones that ask for news as open pages do;
- *burst*: 2,000 phones within two seconds;
- *nginx*: the hall again, and 2,000 phones polling, through ``deploy/nginx``;
- *slow*: desk and pages while 200 slow and 2,000 idle connections are open.

It prints a table. A wrong status, a missing answer or a lost result ends the command with 1.
``--brief`` takes a few seconds for each part: enough to see that all works, too little for figures.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.live.books import Books, lost
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Operator, percentile
from tests.live.event import PASSWORD, RESULTS
from tests.live.server import Site
from tests.live.slow import SlowClients

from .phones import PAGES, Answer, Event, Phones, Request
from .proxy import Proxy, is_installed
from .report import Row, machine, ms, processor_seconds, table

PARTS = ("hall", "polling", "burst", "nginx", "slow")
AIM, SLOW_AIM = "300 ms", "1000 ms"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done; the defaults are those of the requirement."""

    players: int = 300
    played: int = 8
    seconds: float = 60
    rate: float = 200
    enter_every: float = 1
    polling: int = 500
    behind_proxy: int = 2000
    burst: int = 2000
    slow: int = 200
    idle: int = 2000
    readers: int = 64


BRIEF = Sizes(played=2, seconds=5, rate=40, behind_proxy=100, burst=100, slow=20, idle=50)


@contextmanager
def entering(desk: Operator, slug: str, number: int, every: float) -> Iterator[list[float]]:
    """Enter results at intervals of *every* seconds; yield the seconds until confirmation."""
    taken: list[float] = []
    over = threading.Event()

    def enter() -> None:
        boards = list(desk.boards(slug, number).values())
        turn = 0
        while not over.wait(every):
            board = boards[turn % len(boards)]
            result = RESULTS[(turn + turn // len(boards)) % len(RESULTS)]
            taken.append(desk.enter(board, result, on_loss=lambda: None).seconds)
            turn += 1

    thread = threading.Thread(target=enter)
    thread.start()
    try:
        yield taken
    finally:
        over.set()
        thread.join()


class Measurement:
    """The parts on the running *site*; ``rows`` is the table so far, ``faults`` what was wrong."""

    def __init__(self, site: Site, event: Event, sizes: Sizes, say: Callable[[str], None]) -> None:
        self.site, self.event, self.sizes, self.say = site, event, sizes, say
        self.chance = random.Random(1)
        self.rows: list[Row] = []
        self.faults: list[str] = []
        self.desk = Operator(site.port, "arbiter-1", PASSWORD)

    def run(self, parts: tuple[str, ...] = PARTS) -> None:
        """Do *parts*, and check that no result is lost; the first needs a server just started."""
        if "hall" in parts:
            self.with_arbiter("hall", self._visits(), AIM)
        if "polling" in parts:
            self._poll("polling", Phones(self.site.port), self.sizes.polling)
        if "burst" in parts:
            visits = self.event.visits(self.sizes.burst / 2, 2, self.chance, self.sizes.burst)
            phones = Phones(self.site.port)
            self.measure("burst", lambda: phones.send(visits, 4 * self.sizes.readers))
        if "nginx" in parts and is_installed():
            self.behind_proxy()
        if "slow" in parts:
            self.with_slow_clients()
        self.desk.close()
        books = Books.read(self.site.database_url)
        self.faults += books.faults()
        self.faults += [f"lost: {one}" for one in lost(books, self.event.number, self.desk.diary)]

    def _visits(self) -> list[Request]:
        return self.event.visits(self.sizes.rate, self.sizes.seconds, self.chance)

    def with_arbiter(self, name: str, visits: list[Request], aim: str) -> None:
        """Send *visits* while an arbiter enters results."""
        event, phones = self.event, Phones(self.site.port)
        with entering(self.desk, event.slug, event.number, self.sizes.enter_every) as taken:
            found = self.measure(name, lambda: phones.send(visits, self.sizes.readers), aim)
        for kind in PAGES:
            some = [answer.seconds for answer in found if answer.kind == kind]
            if some:
                self._add(Row(f"{name}: {kind}, p95", ms(percentile(some, 0.95))))
        if taken:
            title = f"{name}: a result is confirmed, p95 of {len(taken)}"
            self._add(Row(title, ms(percentile(taken, 0.95)), AIM))

    def _poll(self, name: str, phones: Phones, number: int) -> list[Answer]:
        """Poll with *number* phones."""
        sizes = self.sizes
        return self.measure(
            f"{name}, {number} phones",
            lambda: phones.poll(self.event, number, sizes.seconds, sizes.readers, self.chance),
        )

    def behind_proxy(self) -> None:
        """The hall and polling phones through nginx; how many requests reach the program."""
        with Proxy(self.site.log.parent / "nginx", self.site.port) as proxy:
            phones, visits = Phones(proxy.port), self._visits()
            parts: dict[str, Callable[[str], list[Answer]]] = {
                "nginx: hall": lambda name: self.measure(
                    name, lambda: phones.send(visits, self.sizes.readers)
                ),
                "nginx: polling": lambda name: self._poll(name, phones, self.sizes.behind_proxy),
            }
            for name, work in parts.items():
                before = proxy.reached()
                number = len(work(name))
                share = f"{proxy.reached() - before} of {number}"
                self._add(Row(f"{name}, requests that reach the program", share))

    def with_slow_clients(self) -> None:
        """A tenth of the pages and the arbiter, while slow and idle connections are open."""
        sizes, port = self.sizes, self.site.port
        visits = self.event.visits(sizes.rate / 10, sizes.seconds, self.chance)
        with ExitStack() as stack:
            stack.enter_context(SlowClients(port, sizes.idle, "idle", path=self.event.news))
            stack.enter_context(SlowClients(port, sizes.slow // 2, "headers"))
            stack.enter_context(SlowClients(port, sizes.slow // 2, "body"))
            name = f"{sizes.slow} slow and {sizes.idle} idle connections"
            self.with_arbiter(name, visits, SLOW_AIM)

    def measure(self, name: str, work: Callable[[], list[Answer]], aim: str = "") -> list[Answer]:
        """Add a line with the waiting times and the server's processor time for *work*."""
        pids = self.site.processes()
        before, begin = processor_seconds(pids), time.monotonic()
        found = work()
        seconds, used = time.monotonic() - begin, processor_seconds(pids) - before
        times = [answer.seconds for answer in found]
        errors = sum(not answer.is_good for answer in found)
        if errors or not found:
            self.faults.append(f"{name}: {errors} of {len(found)} requests without a good answer")
        value = (
            f"{len(found)} requests, {len(found) / seconds:.0f} a second, {errors} errors; "
            f"p50 {ms(percentile(times, 0.5))}, p95 {ms(percentile(times, 0.95))}; "
            f"{used / len(found) * 1000:.2f} ms of the processor a request, "
            f"{used / seconds:.2f} of a core"
        )
        self._add(Row(name, value, aim and f"p95 {aim}"))
        return found

    def _add(self, row: Row) -> None:
        self.say(f"  {row.what}: {row.value}")
        self.rows.append(row)


@contextmanager
def prepared(kind: str, sizes: Sizes) -> Iterator[tuple[Site, Event]]:
    """Yield a site on a database of *kind*, not started, with an event."""
    with tempfile.TemporaryDirectory(prefix="swiss-load-") as folder:
        database = PostgresDatabase() if kind == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("load"))
        try:
            site.prepare()
            order = ["--players", str(sizes.players), "--played", str(sizes.played)]
            slug = site.python("-m", "tests.live.event", *order).strip()
            # The database is new, so the keys of the entries begin with 1.
            yield site, Event(slug, range(1, sizes.players + 1), sizes.played + 1)
        finally:
            site.kill()
            database.close()


def allow_many_connections() -> None:
    """Allow as many open files as :class:`Sizes` has connections, here and in the server."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="*", help=f"{', '.join(PARTS)}; all without")
    parser.add_argument("--brief", action="store_true", help="a few seconds for each part")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgres"], help="only this")
    parser.add_argument("--seconds", type=float, help="of each part (60)")
    parser.add_argument("--rate", type=float, help="pages a second in the hall (200)")
    parser.add_argument("--players", type=int, help="(300)")
    options = parser.parse_args()
    if unknown := set(options.part) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    sizes = BRIEF if options.brief else Sizes()
    given = {name: getattr(options, name) for name in ("seconds", "rate", "players")}
    sizes = replace(sizes, **{name: value for name, value in given.items() if value is not None})
    if not is_installed():
        print("nginx is not installed: its part is left out.", file=sys.stderr)
    allow_many_connections()
    bad = []
    for kind in options.db or ["sqlite", "postgres"]:
        with prepared(kind, sizes) as (site, event):
            site.start()
            print(f"{kind}: {sizes.players} players; {machine()}", file=sys.stderr)
            measurement = Measurement(site, event, sizes, lambda text: print(text, file=sys.stderr))
            measurement.run(tuple(options.part) or PARTS)
        print(f"\n{table(measurement.rows, kind)}\n\n{machine()}\n", flush=True)
        bad += [f"{kind}: {fault}" for fault in measurement.faults]
    if bad:
        sys.exit("\n".join(bad))


if __name__ == "__main__":
    main()
