"""``python -m tests.live.load_all``: the whole measurement of a hall full of phones, in one command.

For each database: the hall after a publication with an arbiter at work, phones that poll, a burst, every page in every
way it can be asked for, and the same hall through nginx with ``deploy/nginx.conf``; then 5,000 players. It prints a
table. The answers are checked: a status that should not come ends the command with 1. ``--brief`` takes a few seconds
for each part: enough to see that all works, too little for figures.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator, percentile
from .during import Row, machine, table
from .event import PASSWORD
from .load import PHONES, Ask, Hall, Measured, entering, processor_seconds
from .proxy import Proxy, is_installed
from .server import HOST, Site

LANGUAGES = ("en", "fr")
NEWS = "news?"
MIX = {
    "pairings": 27, "standings": 20, "my board": 10, "crosstable": 10,
    "search": 13, "player": 20,
}  # fmt: skip
"""The share of each page in a hundred visits: a third are searches and pages of players."""
BROWSER = {"Accept-Encoding": "gzip, deflate, br"}
PART = {"HX-Request": "true"}
MIDDLE, REST = 1.5, 0.7
"""An open page asks again after 1.5 seconds, or what the server asks for, times 0.7 to 1 (static/js/news.js)."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is asked; the defaults are those of the requirement."""

    players: int = 300
    played: int = 8
    large: int = 5000
    seconds: float = 60
    rate: float = 200
    enter_every: float = 1
    polling: int = 2000
    burst: int = 2000
    burst_seconds: float = 2
    repeats: int = 300
    readers: int = 64


BRIEF = Sizes(played=2, large=600, seconds=5, rate=40, polling=100, burst=100, repeats=5)


class Event:
    """The addresses of the event *slug*, whose round *number* is the newest."""

    def __init__(self, slug: str, players: int, number: int) -> None:
        self.base, self.players, self.number = f"/t/{slug}", players, number
        self.slug = slug

    def address(self, kind: str, chance: random.Random) -> str:
        """Return the address of a page of the kind; another player each time."""
        player = chance.randrange(self.players) + 1
        match kind:
            case "pairings":
                order = chance.choice(["", "?order=name"])
                return f"{self.base}/pairings/{self.number}/{order}"
            case "search":
                page = chance.choice([f"pairings/{self.number}", "standings"])
                return f"{self.base}/{page}/?q=Surname{player:03}"
            case "player":
                return f"{self.base}/player/{player}/"
            case "my board":
                return f"{self.base}/me/"
            case _:
                return f"{self.base}/{kind}/"

    def every_page(self) -> list[str]:
        """Return the address of each public page that open phones follow."""
        names = ["", "players/", f"pairings/{self.number}/", "standings/", "crosstable/", "me/", "player/1/"]
        return [f"{self.base}/{name}" for name in names]


def hall_plan(event: Event, sizes: Sizes, chance: random.Random) -> list[Ask]:
    """Return the visits of *seconds* at a steady rate, due from 0 on, in both languages."""
    found = []
    for turn in range(int(sizes.rate * sizes.seconds)):
        kind = chance.choices(list(MIX), list(MIX.values()))[0]
        phone = chance.randrange(PHONES)
        language = {"Accept-Language": LANGUAGES[phone % 2]}
        found.append(Ask(turn / sizes.rate, phone, kind, event.address(kind, chance), BROWSER | language))
    return found


def burst_plan(event: Event, sizes: Sizes, chance: random.Random) -> list[Ask]:
    """Return one visit of each of many new phones within two seconds."""
    all_at_once = replace(sizes, rate=sizes.burst / sizes.burst_seconds, seconds=sizes.burst_seconds)
    return [replace(ask, phone=turn) for turn, ask in enumerate(hall_plan(event, all_at_once, chance))]


def every_page_plan(event: Event, sizes: Sizes, key: str) -> dict[str, tuple[int, list[Ask]]]:
    """Return for each way to ask the status that must come, and the questions: every page in both languages."""
    ways = {
        "page, 200": (200, "", {}),
        "page with an unknown parameter": (200, "?utm_source=x&x=1", {}),
        "part for an old page, 200": (200, "?v=0-0", PART),
        "part for the newest page, 204": (204, f"?v={key}", PART),
    }
    found = {}
    for way, (status, query, headers) in ways.items():
        asks = [
            Ask(0, phone, way, address + query, {**BROWSER, **headers, "Accept-Language": language})
            for phone in range(sizes.repeats)
            for address in event.every_page()
            for language in LANGUAGES
        ]
        found[way] = status, _alone(asks)
    chance = random.Random(2)
    searches = [event.address("search", chance) for _ in range(sizes.repeats)]
    found["search for a name without JavaScript"] = 200, [Ask(0, n, "q", it, BROWSER) for n, it in enumerate(searches)]
    return found


def _alone(asks: list[Ask]) -> list[Ask]:
    """Give each question a phone of its own, so that none has the page already."""
    return [replace(ask, phone=turn) for turn, ask in enumerate(asks)]


def send(hall: Hall, plan: Sequence[Ask], readers: int) -> list[Measured]:
    """Send *plan* through *readers* connections at the planned times; return the answers."""
    before, begin = len(hall.measured), time.monotonic()
    turns, lock = iter(sorted(plan, key=lambda ask: ask.due)), threading.Lock()

    def read() -> None:
        while True:
            with lock:
                ask = next(turns, None)
            if ask is None:
                return
            due = begin + ask.due
            time.sleep(max(0.0, due - time.monotonic()))
            hall.fetch(replace(ask, due=due))

    together([read] * readers)
    return hall.measured[before:]


def one_by_one(hall: Hall, plan: Sequence[Ask]) -> list[Measured]:
    """Send *plan* as fast as it is answered, one after the other."""
    before = len(hall.measured)
    for ask in plan:
        hall.fetch(replace(ask, due=time.monotonic()))
    return hall.measured[before:]


def poll(hall: Hall, sizes: Sizes, address: str, chance: random.Random) -> list[Measured]:
    """Let *polling* phones ask for news as open pages do: they wait as long as the last answer asks them to."""
    before, begin = len(hall.measured), time.monotonic()
    end = begin + sizes.seconds
    waiting = [(begin + chance.uniform(0, min(MIDDLE, sizes.seconds)), phone) for phone in range(sizes.polling)]
    heapq.heapify(waiting)
    lock = threading.Lock()

    def read() -> None:
        while True:
            with lock:
                due, phone = heapq.heappop(waiting) if waiting else (end, 0)
            if due >= end:
                return
            time.sleep(max(0.0, due - time.monotonic()))
            told = hall.fetch(Ask(due, phone, NEWS, address, BROWSER), keep=True)
            wait = max(MIDDLE, float(told.get("X-Ask-Again", MIDDLE))) * (REST + (1 - REST) * chance.random())
            with lock:
                heapq.heappush(waiting, (time.monotonic() + wait, phone))

    together([read] * sizes.readers)
    while hall.kept:
        hall.kept.popitem()[1].close()
    return hall.measured[before:]


def together(works: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Measurement:
    """The parts of one database on the running *site*; ``rows`` is the table so far, ``faults`` what must not come."""

    def __init__(self, site: Site, event: Event, sizes: Sizes, say: Callable[[str], None]) -> None:
        self.site, self.event, self.sizes, self.say = site, event, sizes, say
        self.hall = Hall(site.port, event.slug, event.players, event.number)
        self.chance = random.Random(1)
        self.rows: list[Row] = []
        self.faults: list[str] = []

    def run(self) -> None:
        """Do all parts; the first one needs a server that was just started."""
        self.cold()
        self.polling()
        self.burst()
        self.every_page()
        if is_installed():
            self.behind_proxy()

    def cold(self) -> None:
        """The hall after a publication, with an arbiter who enters results."""
        desk = Operator(self.site.port, "arbiter-1", PASSWORD)
        plan = hall_plan(self.event, self.sizes, self.chance)
        with entering(desk, self.event.slug, self.event.number, self.sizes.enter_every) as taken:
            found = self._measured("hall", lambda: send(self.hall, plan, self.sizes.readers), "300 ms")
        desk.close()
        for kind in MIX:
            some = [one.seconds for one in found if one.kind == kind] or [0.0]
            self._add(Row(f"hall: {kind}, p95", ms(percentile(some, 0.95))))
        if taken:
            self._add(Row(f"hall: a result is confirmed, p95 of {len(taken)}", ms(percentile(taken, 0.95)), "300 ms"))

    def polling(self) -> None:
        """Many open pages."""
        address = f"{self.event.base}/news.json"
        found = self._measured(
            f"{self.sizes.polling} phones polling", lambda: poll(self.hall, self.sizes, address, self.chance)
        )
        each = self.sizes.seconds * self.sizes.polling / max(len(found), 1)
        self._add(Row("polling: a phone asks every", f"{each:.1f} s"))

    def burst(self) -> None:
        """Everybody at once."""
        plan = burst_plan(self.event, self.sizes, self.chance)
        self.hall.has.clear()
        name = f"burst of {len(plan)} in {self.sizes.burst_seconds:g} s"
        self._measured(name, lambda: send(self.hall, plan, 4 * self.sizes.readers))

    def every_page(self) -> None:
        """Every public page in every way it is asked for, one after the other."""
        for way, (status, asks) in every_page_plan(self.event, self.sizes, self.newest_key()).items():
            one_by_one(self.hall, asks[: 2 * len(self.event.every_page())])  # so that no process is cold
            self.hall.has.clear()
            self._checked(way, asks, status)
            if way == "page, 200":
                self._checked("page that the phone has, 304", asks, 304)

    def newest_key(self) -> str:
        """Return the version that the news file names."""
        connection = HTTPConnection(HOST, self.site.port)
        connection.request("GET", f"{self.event.base}/news.json")
        key: str = json.load(connection.getresponse())["key"]
        connection.close()
        return key

    def behind_proxy(self) -> None:
        """The hall and the polling phones through nginx; how many of their requests reach the program."""
        with Proxy(self.site.log.parent / "nginx", self.site.port) as proxy:
            direct, self.hall = self.hall, replace(self.hall, port=proxy.port, has={}, measured=[])
            plan = hall_plan(self.event, self.sizes, self.chance)
            address = f"{self.event.base}/news.json"
            parts = {
                "behind nginx: hall": lambda: send(self.hall, plan, self.sizes.readers),
                "behind nginx: polling": lambda: poll(self.hall, self.sizes, address, self.chance),
            }
            for name, work in parts.items():
                before, begin = proxy.reached(), time.monotonic()
                found = self._measured(name, work)
                minutes = (time.monotonic() - begin) / 60
                reached = proxy.reached() - before
                self._add(
                    Row(f"{name}, requests a minute that reach the program",
                        f"{reached / minutes:.0f} of {len(found) / minutes:.0f}")
                )  # fmt: skip
            self.hall = direct

    def _checked(self, way: str, asks: list[Ask], status: int) -> None:
        found = self._measured(way, lambda: one_by_one(self.hall, asks))
        others = sorted({one.status for one in found} - {status})
        if others:
            self.faults.append(f"{way}: status {others} instead of {status}")

    def _measured(self, name: str, work: Callable[[], list[Measured]], aim: str = "") -> list[Measured]:
        """Add a line with the waiting times and the processor time of the server for *work*."""
        assert self.site.process is not None
        group = self.site.process.pid
        before, begin = processor_seconds(group), time.monotonic()
        found = work()
        seconds, used = time.monotonic() - begin, processor_seconds(group) - before
        times = [one.seconds for one in found]
        errors = sum(one.status not in (200, 204, 304) for one in found)
        if errors:
            self.faults.append(f"{name}: {errors} requests without a good answer")
        value = (
            f"{len(found)} requests, {len(found) / seconds:.0f} a second, {errors} errors; "
            f"p50 {ms(percentile(times, 0.5))}, p95 {ms(percentile(times, 0.95))}; "
            f"{used / len(found) * 1000:.2f} ms of processor time a request, {used / seconds:.2f} of a core"
        )
        self._add(Row(name, value, aim))
        return found

    def _add(self, row: Row) -> None:
        self.say(f"  {row.what}: {row.value}")
        self.rows.append(row)


def first_and_tenth(site: Site, event: Event) -> Iterator[Row]:
    """Yield for each page how long its first visitor waits, and its tenth.

    In English from a server that was just started, then in French, of which it has sent nothing yet.
    """
    hall = Hall(site.port, event.slug, event.players, event.number)
    for language in LANGUAGES:
        for address in event.every_page():
            headers = {**BROWSER, "Accept-Language": language}
            asks = [Ask(0, phone, "large", address, headers) for phone in range(10)]
            hall.has.clear()
            times = [one.seconds for one in one_by_one(hall, asks)]
            name = f"{address.removeprefix(event.base)} ({language})"
            value = f"{ms(times[0])} / {ms(times[9])}, ratio {times[0] / times[9]:.1f}"
            yield Row(f"{event.players} players, {name}: first / tenth visitor", value, "ratio 1")


def ms(seconds: float) -> str:
    """Return *seconds* as text in milliseconds."""
    return f"{seconds * 1000:.1f} ms"


def measure(kind: str, sizes: Sizes, say: Callable[[str], None]) -> tuple[list[Row], list[str]]:
    """Measure the two events on a database of *kind*; return the lines of the table, and the faults."""
    rows, faults = [], []
    for players, played in ((sizes.players, sizes.played), (sizes.large, 1)):
        with tempfile.TemporaryDirectory(prefix="swiss-load-") as folder:
            database = PostgresDatabase() if kind == "postgres" else SqliteDatabase(Path(folder))
            site = Site(Path(folder), database.create("load"))
            try:
                site.prepare()
                say(f"{kind}: an event of {players} players")
                order = ["--players", str(players), "--rounds", "9", "--played", str(played)]
                slug = site.python("-m", "tests.live.event", *order).strip()
                event = Event(slug, players, played + 1)
                site.start()
                say(f"{kind}: measuring it, {machine()}")
                if players == sizes.large:
                    rows += first_and_tenth(site, event)
                    continue
                measurement = Measurement(site, event, sizes, say)
                measurement.run()
                rows += measurement.rows
                faults += measurement.faults
            finally:
                site.kill()
                database.close()
    return rows, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brief", action="store_true", help="a few seconds for each part")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgres"], help="only this database")
    parser.add_argument("--seconds", type=float, help="of each part with a rate (60)")
    parser.add_argument("--rate", type=float, help="pages a second in the hall (200)")
    options = parser.parse_args()
    sizes = BRIEF if options.brief else Sizes()
    given = {name: value for name in ("seconds", "rate") if (value := getattr(options, name)) is not None}
    bad = []
    if not is_installed():
        print("nginx is not installed: the part behind the proxy is left out.", file=sys.stderr)
    for kind in options.db or ["sqlite", "postgres"]:
        rows, faults = measure(kind, replace(sizes, **given), lambda text: print(text, file=sys.stderr))
        print(f"\n{table(rows, kind)}\n\n{machine()}; load at the end {os.getloadavg()[0]:.1f}\n", flush=True)
        bad += [f"{kind}: {fault}" for fault in faults]
    if bad:
        sys.exit("\n".join(bad))


if __name__ == "__main__":
    main()
