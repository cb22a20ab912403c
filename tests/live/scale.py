"""``python -m tests.live.scale``: many events at once on one PostgreSQL, with 1, 2 and 4 web processes.

First one arbiter alone plays a round, to see what each action costs. Then, for each number of processes, on the same
events again: the arbiters of all events pair, publish and enter results, each without a pause; visitors load public
pages, each without a pause; and both at once, while each arbiter acts every eight seconds, which is a round in a
quarter of an hour. It prints two tables in Markdown. A status that should not come, a confirmed result that is not in
the record, or a record that does not verify ends the command with 1.

The clients use the same processor cores, so the waiting times hold for the server and its clients together. The
processor times of server and PostgreSQL are shown beside them. ``--brief`` shows that it works, its figures are none.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from .databases import PostgresDatabase
from .desk import Lost, Operator, Sent, boards_of, percentile
from .during import machine
from .event import PASSWORD, RESULTS
from .load import WEIGHTS
from .many_events import Made, lost, read, recorded, states
from .meter import Meter, Used
from .server import HOST, Site

RESULT, PAIR, PUBLISH, PUBLISH_RESULTS, PAGE = (
    "enter a result", "pair", "publish pairings", "publish results", "page of the round",
)  # fmt: skip
PATIENCE = 300.0  # Seconds until an answer counts as missing: many publications at once take turns.
STATES = ("planned", "draft", "pairings_published", "results_published")
STATE_AFTER = {PAIR: "draft", PUBLISH: "pairings_published", PUBLISH_RESULTS: "results_published"}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done; the defaults are those of the requirement."""

    events: int = 50
    players: int = 200
    rounds: int = 13
    played: int = 4
    processes: tuple[int, ...] = (1, 2, 4)
    seconds: float = 60
    readers: int = 16
    every: float = 8
    """Seconds between two actions of an arbiter while visitors read."""
    alone: int = 2
    """Rounds that one arbiter plays alone."""


BRIEF = Sizes(events=6, players=20, played=1, rounds=5, seconds=3, processes=(1, 2), readers=4, every=0.5)


@dataclass(frozen=True, slots=True)
class Done:
    """One request with its answer; status 0: there was none."""

    kind: str
    seconds: float
    status: int


class Arbiter:
    """Plays the rounds of one event; ``steps`` does one request at a time."""

    def __init__(self, port: int, event: Made, cookies: Mapping[str, str]) -> None:
        self.event = event
        self.desk = Operator(port, event.chief, PASSWORD, cookies, PATIENCE)
        self.done: list[Done] = []
        self.sent: list[tuple[int, Sent]] = []
        self.states: dict[tuple[str, int], str] = {}
        """The state of each round that this arbiter has changed, by the last confirmed action."""
        self._chance = random.Random(event.slug)

    def steps(self, number: int) -> Iterator[str]:
        """Play from round *number* on, and yield the name of each request that was just done."""
        while number <= self.event.rounds:
            path = f"/t/{self.event.slug}/rounds/{number}/"
            page = self._page(path)
            yield PAGE
            if f'action="{path}pair/"' in page:
                self._press(path, "pair/", PAIR, number)
                yield PAIR
                page = self._page(path)
                yield PAGE
            if f'action="{path}publish/"' in page:
                self._press(path, "publish/", PUBLISH, number)
                yield PUBLISH
                page = self._page(path)
                yield PAGE
            for board in boards_of(page).values():
                if board["result"]:
                    continue
                sent = self.desk.enter(board, self._chance.choice(RESULTS), on_loss=lambda: None)
                self.sent.append((number, sent))
                self.done.append(Done(RESULT, sent.seconds, sent.status or 0))
                yield RESULT
            if boards_of(page):
                page = self._page(path)
                yield PAGE
            if f'action="{path}results/publish/"' in page:
                self._press(path, "results/publish/", PUBLISH_RESULTS, number)
                yield PUBLISH_RESULTS
            number += 1

    def _page(self, path: str) -> str:
        return self._request(PAGE, lambda: self.desk.request("GET", path), 200)

    def _press(self, path: str, button: str, kind: str, number: int) -> None:
        self._request(kind, lambda: self.desk.press(path + button), 302)
        self.states[self.event.slug, number] = STATE_AFTER[kind]

    def _request(self, kind: str, work: Callable[[], Any], status: int) -> str:
        begin = time.monotonic()
        try:
            answer = work()
        except Lost as error:
            self.done.append(Done(kind, time.monotonic() - begin, 0))
            raise Refused(f"{self.event.slug}: {kind}: {error}") from error
        self.done.append(Done(kind, time.monotonic() - begin, answer.status))
        if answer.status != status:
            raise Refused(f"{self.event.slug}: {kind}: status {answer.status} instead of {status}")
        return str(answer.text)


class Refused(Exception):  # noqa: N818
    """An answer that should not come."""


def visit(port: int, address: str) -> tuple[float, int]:
    """Load a page as a phone that has nothing yet; return seconds and status."""
    begin = time.monotonic()
    connection = HTTPConnection(HOST, port, timeout=PATIENCE)
    try:
        connection.request("GET", address, headers={"Accept-Encoding": "gzip, br", "Accept-Language": "en"})
        answer = connection.getresponse()
        answer.read()
        return time.monotonic() - begin, answer.status
    except (OSError, HTTPException):
        return time.monotonic() - begin, 0
    finally:
        connection.close()


def address_of(event: Made, chance: random.Random) -> str:
    """Return the address of a public page: pairings, standings, crosstable, or the page of a player."""
    base = f"/t/{event.slug}"
    match chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]:
        case "pairings":
            return f"{base}/pairings/{event.number}/"
        case "own board":
            return f"{base}/player/{chance.choice(event.players)}/"
        case other:
            return f"{base}/{other}/"


class Hall:
    """All arbiters and visitors of one running *site*."""

    def __init__(self, site: Site, events: Sequence[Made], cookies: Mapping[str, Mapping[str, str]]) -> None:
        self.port, self.events = site.port, events
        self.arbiters = [Arbiter(site.port, event, cookies[event.chief]) for event in events]
        self.work = [arbiter.steps(arbiter.event.number) for arbiter in self.arbiters]
        self.faults: list[str] = []

    def act(self, seconds: float, every: float = 0) -> Callable[[], None]:
        """Return the work of all arbiters for *seconds*, with *every* seconds from one action to the next."""

        def run(place: int) -> None:
            begin = time.monotonic()
            due = begin + every * place / len(self.work)
            try:
                while time.monotonic() < begin + seconds:
                    time.sleep(max(0.0, due - time.monotonic()))
                    if next(self.work[place], None) is None:
                        return
                    due = max(due + every, time.monotonic() - every)
            except Exception as error:  # Whatever it is, the command must not end well.
                self.faults.append(f"{self.events[place].slug}: {error!r}")

        return lambda: together([partial(run, place) for place in range(len(self.work))])

    def look(self, seconds: float, readers: int, into: list[Done]) -> Callable[[], None]:
        """Return the work of *readers* who load one page after the other for *seconds*."""

        def run(reader: int) -> None:
            chance = random.Random(reader)
            begin = time.monotonic()
            while time.monotonic() < begin + seconds:
                address = address_of(chance.choice(self.events), chance)
                taken, status = visit(self.port, address)
                into.append(Done("public page", taken, status))
                if status != 200:
                    self.faults.append(f"{address}: status {status}")

        return lambda: together([partial(run, reader) for reader in range(readers)])

    def done_since(self, counts: Sequence[int]) -> list[Done]:
        """Return what the arbiters have done since :meth:`counts`."""
        pairs = zip(self.arbiters, counts, strict=True)
        return [done for arbiter, count in pairs for done in arbiter.done[count:]]

    def close(self) -> None:
        """Close all connections."""
        for arbiter in self.arbiters:
            arbiter.desk.close()

    def counts(self) -> list[int]:
        """Return how many requests each arbiter has done."""
        return [len(arbiter.done) for arbiter in self.arbiters]

    def missing(self, database_url: str) -> list[str]:
        """Return what was confirmed but is not in the database."""
        sent = {arbiter.event.slug: arbiter.sent for arbiter in self.arbiters}
        found, there = lost(recorded(database_url), sent), states(database_url)
        for arbiter in self.arbiters:
            for place, state in arbiter.states.items():
                if STATES.index(there[place]) < STATES.index(state):
                    found.append(f"{place} is {there[place]}, but {state} was confirmed")
        refused = [one for results in sent.values() for _, one in results if not one.was_taken]
        return found + [f"board {one.board}: status {one.status} for a result" for one in refused]


def count_of(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"


def together(works: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


Column = dict[str, str]


def ms(values: Sequence[float]) -> str:
    """Return median and p95 of *values* in milliseconds, and their number."""
    if not values:
        return "–"
    return f"{percentile(values, 0.5) * 1000:.0f} / {percentile(values, 0.95) * 1000:.0f} ({len(values)})"


def cores(used: Used) -> str:
    parts = (used.server, used.database, used.clients)
    return " + ".join(f"{part / used.seconds:.2f}" for part in parts)


def waiting(used: Used) -> str:
    """Return how many connections worked, waited for another one (a lock), or for the disk, in the mean."""
    at_work = used.waits.get("processor", 0.0)
    locked = used.waits.get("Lock", 0.0) + used.waits.get("LWLock", 0.0)
    disk = used.waits.get("IO", 0.0)
    return f"{at_work:.2f} / {locked:.2f} / {disk:.2f}"


def desk_lines(name: str, done: Sequence[Done], used: Used) -> Column:
    """Return the lines about the arbiters' part *name*."""
    actions = [one for one in done if one.kind != PAGE]
    found = {f"{name}: actions a second": f"{len(actions) / used.seconds:.1f}"}
    for kind in (RESULT, PAIR, PUBLISH, PUBLISH_RESULTS, PAGE):
        found[f"{name}: {kind}, p50 / p95, ms (number)"] = ms([one.seconds for one in done if one.kind == kind])
    return found


def resources(name: str, number: int, used: Used, unit: str) -> Column:
    """Return the lines about what *number* actions or pages have used."""
    each = max(number, 1)
    return {
        f"{name}: processor of server / PostgreSQL, ms for each {unit}": (
            f"{used.server / each * 1000:.1f} / {used.database / each * 1000:.1f}"
        ),
        f"{name}: cores of server + PostgreSQL + clients": cores(used),
        f"{name}: connections at work / waiting for a lock / for the disk": waiting(used),
    }


def measure(hall: Hall, meter: Meter, sizes: Sizes, say: Callable[[str], None]) -> Column:
    """Do the three parts on a running site; return its column of the table."""
    column: Column = {}
    counts = hall.counts()
    used = meter.during(hall.act(sizes.seconds))
    done = hall.done_since(counts)
    actions = sum(one.kind != PAGE for one in done)
    column |= desk_lines("arbiters only", done, used) | resources("arbiters only", actions, used, "action")
    column["arbiters only: growth of the database, kB an action"] = f"{used.growth / max(actions, 1) / 1000:.1f}"
    column["arbiters only: write-ahead log, kB an action"] = f"{used.log / max(actions, 1) / 1000:.1f}"
    say(f"  arbiters only: {actions / used.seconds:.1f} actions a second")
    for name, every in (("visitors only", 0.0), ("both", sizes.every)):
        pages: list[Done] = []
        works = [hall.look(sizes.seconds, sizes.readers, pages)]
        if every:
            works.append(hall.act(sizes.seconds, every))
        counts = hall.counts()
        used = meter.during(partial(together, works))
        done = hall.done_since(counts)
        column[f"{name}: public pages a second"] = f"{len(pages) / used.seconds:.0f}"
        column[f"{name}: public page, p50 / p95, ms (number)"] = ms([one.seconds for one in pages])
        if every:
            column |= desk_lines(name, done, used)
        column |= resources(name, len(pages), used, "page")
        say(f"  {name}: {len(pages) / used.seconds:.0f} pages a second")
    return column


def alone(hall: Hall, meter: Meter, rounds: int) -> list[tuple[str, int, Used]]:
    """Let the first arbiter play *rounds* alone; return for each kind of request its number and what they used.

    What is done after the answer, such as the pages of players, counts with the request, because nothing else happens.
    """
    found: dict[str, Used] = {}
    numbers: dict[str, int] = {}
    done: list[str] = []
    while done.count(PUBLISH_RESULTS) < rounds:
        used = meter.during(lambda: done.append(next(hall.work[0])), sampling=False)
        kind = done[-1]
        total = found.setdefault(kind, Used())
        numbers[kind] = numbers.get(kind, 0) + 1
        for name in ("seconds", "server", "database", "log", "growth"):
            setattr(total, name, getattr(total, name) + getattr(used, name))
    return [(kind, numbers[kind], total) for kind, total in found.items()]


def cost_table(found: Sequence[tuple[str, int, Used]]) -> str:
    """Return the costs of each kind of request as a table."""
    lines = [
        "| alone, mean | number | server, ms | PostgreSQL, ms | log, kB | growth, kB | answer, ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind, number, used in found:
        lines.append(
            f"| {kind} | {number} | {used.server / number * 1000:.1f} | {used.database / number * 1000:.1f}"
            f" | {used.log / number / 1000:.1f} | {used.growth / number / 1000:.1f}"
            f" | {used.seconds / number * 1000:.1f} |"
        )
    return "\n".join(lines)


def table(columns: Mapping[str, Column]) -> str:
    """Return the columns as a table; all have the same lines."""
    head = f"| | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|"
    names = next(iter(columns.values()))
    return "\n".join([head, *(f"| {name} | {' | '.join(one[name] for one in columns.values())} |" for name in names)])


def prepared(folder: Path, database: PostgresDatabase, sizes: Sizes) -> tuple[list[Made], dict[str, dict[str, str]]]:
    """Make the events in the database ``prepared`` and log everybody in; return the events and the cookies."""
    site = Site(folder, database.create("prepared"))
    site.prepare()
    order = {"events": sizes.events, "players": sizes.players, "rounds": sizes.rounds, "played": sizes.played}
    arguments = [text for name, value in order.items() for text in (f"--{name}", str(value))]
    events = read(site.python("-m", "tests.live.many_events", *arguments))
    site.start()
    cookies: dict[str, dict[str, str]] = {}

    def log_in(some: Sequence[Made]) -> None:
        for event in some:
            operator = Operator(site.port, event.chief, PASSWORD)
            cookies[event.chief] = operator.cookies
            operator.close()

    together([partial(log_in, events[place::4]) for place in range(4)])
    site.kill()
    database.cut_connections("prepared")
    return events, cookies


def run(sizes: Sizes, say: Callable[[str], None]) -> tuple[str, dict[str, Column], list[str]]:
    """Measure everything; return the table of costs, the columns, and the faults."""
    columns: dict[str, Column] = {}
    faults: list[str] = []
    costs = ""
    with tempfile.TemporaryDirectory(prefix="swiss-scale-") as folder:
        database = PostgresDatabase()
        try:
            say(f"making {sizes.events} events of {sizes.players} players")
            events, cookies = prepared(Path(folder), database, sizes)
            for number in (0, *sizes.processes):
                name = f"scale_{number}"
                site = Site(Path(folder), database.copy(name, "prepared"))
                site.environment = {**site.environment, "WEB_CONCURRENCY": str(max(number, 1))}
                site.start()
                meter = Meter(site, database, name)
                try:
                    say(f"{count_of(number)}, {machine()}" if number else f"one arbiter alone, {machine()}")
                    hall = Hall(site, events, cookies)
                    if number:
                        columns[count_of(number)] = measure(hall, meter, sizes, say)
                    else:
                        costs = cost_table(alone(hall, meter, sizes.alone))
                    found = hall.faults + hall.missing(site.database_url)
                    hall.close()
                finally:
                    meter.close()
                    site.kill()
                say("  checking the records")
                found += site.python("-m", "tests.live.many_events", "--verify").split("\n")
                faults += [f"{name}: {fault}" for fault in found if fault]
        finally:
            database.close()
    return costs, columns, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brief", action="store_true", help="a few seconds for each part")
    parser.add_argument("--events", type=int, help="at once (50)")
    parser.add_argument("--players", type=int, help="of each event (200)")
    parser.add_argument("--processes", help="numbers of web processes (1,2,4)")
    parser.add_argument("--seconds", type=float, help="of each part (60)")
    options = parser.parse_args()
    given = {name: value for name, value in vars(options).items() if name != "brief" and value is not None}
    if "processes" in given:
        given["processes"] = tuple(map(int, given["processes"].split(",")))
    sizes = replace(BRIEF if options.brief else Sizes(), **given)
    begin = machine()
    costs, columns, faults = run(sizes, lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{sizes.events} events of {sizes.players} players, {sizes.seconds:g} seconds for each part\n")
    print(f"{costs}\n\n{table(columns)}\n\n{begin}; load at the end {os.getloadavg()[0]:.1f}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
