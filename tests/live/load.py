"""``python -m tests.live.load``: measure the real server when a round is published in a hall full of phones.

It makes an event, starts the server as ``./run`` does, and requests public pages at a steady rate. Each request comes
from a different phone, accepts compression and sends the ETag of the phone's stored page. If a request waits for a free
reader, its time counts from its planned start. With ``--rate 0`` all readers send requests as fast as they are
answered.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPMessage
from pathlib import Path

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator, percentile
from .event import PASSWORD, RESULTS
from .server import HOST, Site

PHONES = 500
"""300 players and their companions."""
POLL_EVERY = 1.5  # Seconds; static/js/news.js asks every 1.5 seconds unless the server asks for more time.
TIMEOUT = 30  # seconds
WEIGHTS = {"pairings": 35, "standings": 25, "own board": 30, "crosstable": 10}
"""The share of each page in a hundred visits."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One answer: ``status`` 0 if there was none; ``seconds`` from the planned start; ``size`` as transferred."""

    kind: str
    status: int
    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class Ask:
    """A request planned for the time *due* (of the monotonic clock)."""

    due: float
    phone: int
    kind: str
    address: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Hall:
    """The phones, their stored pages, and the answers they received."""

    port: int
    slug: str
    players: int
    number: int
    has: dict[tuple[int, str], str] = field(default_factory=dict)
    measured: list[Measured] = field(default_factory=list)
    kept: dict[int, HTTPConnection] = field(default_factory=dict)
    """Connections that phones keep open, by phone."""

    def visit(self, phone: int, kind: str, due: float) -> None:
        """Load one page of *kind* for *phone*, or ask for news."""
        self.fetch(Ask(due, phone, kind, self._address(kind, phone)))

    def fetch(self, ask: Ask, *, keep: bool = False) -> HTTPMessage:
        """Send one request and note its answer; return the headers of the answer (empty if it was lost).

        With *keep* the phone keeps its connection for the next request, as a page does that is open.
        """
        headers = {"Accept-Encoding": "gzip", "Accept-Language": "en", **ask.headers}
        phone, address = ask.phone, ask.address
        if known := self.has.get((phone, address)):
            headers["If-None-Match"] = known
        connection = (self.kept.get(phone) if keep else None) or HTTPConnection(HOST, self.port, timeout=TIMEOUT)
        if keep:
            self.kept[phone] = connection  # It opens itself again if the server has closed it.
        try:
            connection.request("GET", address, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
            status, size, told = answer.status, len(body), answer.headers
            if status == 200 and (etag := told["ETag"]):
                self.has[phone, address] = etag
        except (OSError, HTTPException):
            status, size, told = 0, 0, HTTPMessage()
            connection.close()
        if not keep:
            connection.close()
        self.measured.append(Measured(ask.kind, status, time.monotonic() - ask.due, size))
        return told

    def _address(self, kind: str, phone: int) -> str:
        base = f"/t/{self.slug}"
        match kind:
            case "pairings":
                return f"{base}/pairings/{self.number}/"
            case "standings" | "crosstable":
                return f"{base}/{kind}/"
            case "news?":
                return f"{base}/news.json"
            case _:
                # The database is new, so the ids of the entries begin with 1.
                return f"{base}/player/{phone % self.players + 1}/"

    def burst(self, *, rate: float, seconds: float, readers: int, polls: float, chance: random.Random) -> None:
        """Request *rate* pages a second for *seconds* (0: as many as *readers* can); *polls*: news a second."""
        total = int(rate * seconds) if rate else 1_000_000
        kinds = chance.choices(list(WEIGHTS), list(WEIGHTS.values()), k=total)
        plan = [(turn / rate if rate else 0.0, chance.randrange(PHONES), kind) for turn, kind in enumerate(kinds)]
        asked = int(seconds * polls)
        plan += [(chance.uniform(0, seconds), chance.randrange(PHONES), "news?") for _ in range(asked)]
        turns = iter(sorted(plan))
        lock = threading.Lock()
        begin = time.monotonic()

        def read() -> None:
            while True:
                with lock:
                    turn = next(turns, None)
                if turn is None or (not rate and time.monotonic() > begin + seconds):
                    return
                due = begin + turn[0] if rate else time.monotonic()
                time.sleep(max(0.0, due - time.monotonic()))
                self.visit(turn[1], turn[2], due)

        threads = [threading.Thread(target=read) for _ in range(readers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


@contextmanager
def entering(desk: Operator, slug: str, number: int, every: float) -> Iterator[list[float]]:
    """Enter results as an arbiter at intervals of *every* seconds; yield the times until confirmation."""
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
    if every:
        thread.start()
    yield taken
    over.set()
    if every:
        thread.join()


def processor_seconds(group: int) -> float:
    """Return the processor seconds of all processes of the *group* (Linux; 0 elsewhere)."""
    used = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # The process has just ended.
            continue
        if int(fields[2]) == group:
            used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def summary(measured: Sequence[Measured], seconds: float, processor: float) -> dict[str, object]:
    def line(some: Sequence[Measured]) -> dict[str, object]:
        times = [one.seconds for one in some]
        sizes = [one.size for one in some if one.status == 200]
        return {
            "requests": len(some),
            "per second": round(len(some) / seconds, 1),
            "p50 ms": round(percentile(times, 0.50) * 1000, 1),
            "p95 ms": round(percentile(times, 0.95) * 1000, 1),
            "p99 ms": round(percentile(times, 0.99) * 1000, 1),
            "statuses": dict(sorted(Counter(one.status for one in some).items())),
            "kB of a 200": round(sum(sizes) / len(sizes) / 1000, 1) if sizes else 0,
        }

    kinds = sorted({one.kind for one in measured})
    lines = {kind: line([one for one in measured if one.kind == kind]) for kind in kinds}
    return {
        "all": line(measured),
        **lines,
        "errors": sum(one.status not in (200, 204, 304) for one in measured),
        "server's processor ms a request": round(processor / len(measured) * 1000, 2),
        "server's share of the machine": round(processor / seconds / (os.cpu_count() or 1), 2),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--played", type=int, default=8, help="rounds with published results (8)")
    parser.add_argument("--rate", type=float, default=200, help="pages a second (200); 0: as many as can be had")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--readers", type=int, default=64, help="requests on their way at once, at most (64)")
    parser.add_argument("--enter-every", type=float, default=0, metavar="SECONDS", help="an arbiter enters results")
    parser.add_argument("--polls", type=float, default=PHONES / POLL_EVERY, help="questions for news a second (250)")
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="swiss-load-") as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("load"))
        try:
            site.prepare()
            event = ["--players", str(options.players), "--rounds", str(options.rounds)]
            slug = site.python("-m", "tests.live.event", *event, "--played", str(options.played)).strip()
            site.start()
            print(json.dumps(measure(site, slug, options), indent=2))
        finally:
            site.kill()
            database.close()


def measure(site: Site, slug: str, options: argparse.Namespace) -> dict[str, object]:
    """Run the phones against the running *site*."""
    assert site.process is not None
    hall = Hall(site.port, slug, options.players, options.played + 1)
    desk = Operator(site.port, "arbiter-1", PASSWORD)
    before, begin = processor_seconds(site.process.pid), time.monotonic()
    with entering(desk, slug, options.played + 1, options.enter_every) as taken:
        hall.burst(
            rate=options.rate,
            seconds=options.seconds,
            readers=options.readers,
            polls=options.polls,
            chance=random.Random(options.seed),
        )
    seconds = time.monotonic() - begin
    desk.close()
    found = summary(hall.measured, seconds, processor_seconds(site.process.pid) - before)
    if taken:
        found["a result is confirmed, p95 ms"] = round(percentile(taken, 0.95) * 1000, 1)
        found["results entered"] = len(taken)
    return found


if __name__ == "__main__":
    main()
