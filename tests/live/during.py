"""``python -m tests.live.during``: measure the work during a round, in a real browser and with the real server.

It makes an event of 300 players, starts the server as ``./run`` does, and plays three rounds: one typed with a pause
after every key, one typed without pauses, and one entered by five arbiters at once with the requests of the page. After
each round the next draft is made several times. Last comes the look-ahead. It prints a table for
docs/developer/benchmarks.md.

Waiting times need a machine without other work; processor times do not. They are those of the server's processes, of
which a PostgreSQL server is none.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.e2e.chromium import FLAGS, chromium_path

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator, percentile
from .event import PASSWORD
from .outlook import RESULTS
from .server import HOST, Site
from .typist import Typed, type_results

ARBITERS = 5
INERT_KEYS = 40
NEWS = 20
"""So often a page's question for news is measured."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: what was measured, the value with its unit, and the aim if there is one."""

    what: str
    value: str
    aim: str = ""


@dataclass
class Drafts:
    """Processor seconds for the request that pairs and for the page of the draft, and both on the clock."""

    paired: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)


def processor_time(pids: Sequence[int]) -> float:
    """Return the processor seconds that the processes have used, to the microsecond (Linux)."""
    # The number of a process's clock, as clock_getcpuclockid() of the C library makes it.
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


class Round:
    """The site with its chief arbiter, and the round that is being played."""

    def __init__(self, site: Site, slug: str, number: int) -> None:
        self.site, self.slug, self.number = site, slug, number
        self.workers = site.workers()
        self.people = [Operator(site.port, f"arbiter-{place}", PASSWORD) for place in range(1, ARBITERS + 1)]

    @property
    def chief(self) -> Operator:
        return self.people[0]

    @property
    def path(self) -> str:
        return f"/t/{self.slug}/rounds/{self.number}/"

    @contextmanager
    def processor(self, into: list[float]) -> Iterator[None]:
        """Append the processor seconds of the server for what is done meanwhile."""
        before = processor_time(self.workers)
        yield
        into.append(processor_time(self.workers) - before)

    def do(self, what: str, *, at_once: bool = False) -> None:
        """Press a button on the page of the round; *at_once*: this page was read just now."""
        press = self.chief.press if at_once else self.chief.do
        answer = press(f"{self.path}{what}/")
        assert answer.status == 302, f"{what} of round {self.number} is refused"

    def type(self, page: Page, seed: int, *, pause: float, inert: int = 0) -> Typed:
        """Type all results in the browser, and check that the server has exactly these."""
        boards = self.chief.boards(self.slug, self.number)
        results = random.Random(seed).choices(RESULTS, k=len(boards))
        address = f"http://{HOST}:{self.site.port}{self.path}"
        typed = type_results(page, address, results, pause=pause, inert=inert)
        saved = self.chief.boards(self.slug, self.number)
        assert [saved[board]["result"] for board in sorted(saved)] == results
        return typed

    def enter_together(self, seed: int) -> tuple[list[float], float]:
        """Let all enter their share without a pause; return the seconds of each answer and the processor's."""
        boards = list(self.chief.boards(self.slug, self.number).values())
        results = random.Random(seed).choices(RESULTS, k=len(boards))
        for person in self.people:
            person.request("GET", self.path)
        taken: list[float] = []

        def enter(place: int) -> None:
            for board, result in list(zip(boards, results, strict=True))[place::ARBITERS]:
                sent = self.people[place].enter(board, result, on_loss=lambda: None)
                assert sent.was_taken
                taken.append(sent.seconds)

        used: list[float] = []
        with self.processor(used):
            threads = [threading.Thread(target=enter, args=(place,)) for place in range(ARBITERS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        saved = self.chief.boards(self.slug, self.number)
        assert [saved[board]["result"] for board in sorted(saved)] == results
        return taken, used[0]

    def news(self, path: str) -> float:
        """Return the processor seconds of one request of an open page."""
        used: list[float] = []
        with self.processor(used):
            for _ in range(NEWS):
                self.chief.request("GET", self.path + path, None, **{"HX-Request": "true"})
        return used[0] / NEWS

    def next_draft(self, times: int, into: Drafts) -> None:
        """Publish the results and pair the next round *times* times, then publish its pairings."""
        self.do("results/publish")
        self.number += 1
        for turn in range(times):
            if turn:
                self.do("discard")
            self.chief.request("GET", self.path)
            begin = time.monotonic()
            with self.processor(into.paired):
                self.do("pair", at_once=True)
            with self.processor(into.shown):
                page = self.chief.request("GET", self.path).text
            into.waited.append(time.monotonic() - begin)
            assert f"{self.path}publish/" in page
        self.do("publish")


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def typing_rows(slow: Typed, fast: Typed) -> list[Row]:
    """Return the lines about one arbiter who types."""
    times, frames = slow.times(), slow.times(inert=True)
    median, inert = percentile(times, 0.5), percentile(frames, 0.5)
    return [
        Row("key to screen, median", f"{median:.1f} ms", "30 ms"),
        Row("key to screen, p95", f"{percentile(times, 0.95):.1f} ms"),
        Row("a key that does nothing, median / p95", f"{inert:.1f} / {percentile(frames, 0.95):.1f} ms"),
        Row("key to screen / key that does nothing", f"{median / inert:.2f}"),
        Row("scripts of the page for a result, median", f"{slow.scripts:.1f} ms"),
        Row("page's processor time for a result, saving and news included", ms(fast.processor / len(fast.times()))),
        Row("results a minute, keys without pause (the upper limit)", f"{fast.results_a_minute:.0f}", "60"),
    ]


def together_rows(taken: Sequence[float], processor: float) -> list[Row]:
    """Return the lines about five arbiters who enter results at once."""
    return [
        Row("five arbiters without pause, answer, median", ms(percentile(taken, 0.5))),
        Row("five arbiters without pause, answer, p95", ms(percentile(taken, 0.95)), "200 ms"),
        Row("server's processor time for a result", ms(processor / len(taken))),
    ]


def outlook_rows(found: dict[str, list[float]]) -> list[Row]:
    """Return the lines about the look-ahead."""
    return [
        Row("look-ahead, more than six games open: for each result", ms(percentile(found["sample"], 0.5))),
        Row("look-ahead, six games open: 729 outcomes, once", f"{found['all outcomes'][0]:.2f} s", "2 s"),
        Row("look-ahead, fewer games open: for each result", ms(percentile(found["narrowed"], 0.5))),
    ]


def draft_rows(drafts: Drafts) -> list[Row]:
    """Return the lines about the draft after the last result."""
    paired, shown = percentile(drafts.paired, 0.5), percentile(drafts.shown, 0.5)
    return [
        Row("draft: processor time to pair, median / first", f"{ms(paired)} / {ms(drafts.paired[0])}"),
        Row("draft: processor time for its page, median / first", f"{ms(shown)} / {ms(drafts.shown[0])}"),
        Row("draft: both together, median", ms(paired + shown), "200 ms"),
        Row("draft: both on the clock, median", ms(percentile(drafts.waited, 0.5)), "200 ms"),
    ]


def table(rows: Sequence[Row], database: str) -> str:
    """Return *rows* as a table for the document."""
    head = f"| what | {database} | aim |\n|---|---|---|"
    return "\n".join([head, *(f"| {row.what} | {row.value} | {row.aim or '–'} |" for row in rows)])


def machine() -> str:
    load = os.getloadavg()[0]
    return f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}"


def measure(site: Site, slug: str, options: argparse.Namespace, tell: Callable[[str], None]) -> list[Row]:
    """Play the rounds on the running *site*; return the lines of the table."""
    round_, drafts = Round(site, slug, options.played + 1), Drafts()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        context = chromium.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
        root = f"http://{HOST}:{site.port}"
        context.add_cookies([{"name": name, "value": text, "url": root} for name, text in round_.chief.cookies.items()])
        tell("typing with pauses")
        slow = round_.type(context.new_page(), options.seed, pause=options.pause, inert=INERT_KEYS)
        context.pages[0].close()
        round_.next_draft(options.drafts, drafts)
        tell("typing without pauses")
        fast = round_.type(context.new_page(), options.seed + 1, pause=0)
        chromium.close()
    round_.next_draft(options.drafts, drafts)
    tell("five arbiters")
    taken, processor = round_.enter_together(options.seed + 2)
    state, checks = round_.news("results/state/"), round_.news("results/checks/")
    round_.next_draft(options.drafts, drafts)
    for person in round_.people:
        person.close()
    tell("looking ahead")
    found = json.loads(site.python("-m", "tests.live.outlook", slug, str(round_.number)))
    return [
        *typing_rows(slow, fast),
        *together_rows(taken, processor),
        Row("server's processor time for news, all boards / unusual results", f"{ms(state)} / {ms(checks)}"),
        *outlook_rows(found),
        *draft_rows(drafts),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--played", type=int, default=3, help="rounds with published results at the start (3)")
    parser.add_argument("--pause", type=float, default=0.25, metavar="SECONDS", help="between two keys (0.25)")
    parser.add_argument("--drafts", type=int, default=5, help="so often each draft is made (5)")
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if chromium_path() is None:
        sys.exit("There is no Chromium here. Install it (Debian: apt-get install chromium), or name it with CHROMIUM.")
    with tempfile.TemporaryDirectory(prefix="swiss-during-") as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("during"))
        try:
            site.prepare()
            event = ["--players", str(options.players), "--played", str(options.played), "--arbiters", str(ARBITERS)]
            slug = site.python("-m", "tests.live.event", *event).strip()
            site.start()
            rows = measure(site, slug, options, lambda part: print(f"{part} …", file=sys.stderr))
            print(table(rows, "PostgreSQL" if options.db == "postgres" else "SQLite"))
            print(f"\n{machine()}")
        finally:
            site.kill()
            database.close()


if __name__ == "__main__":
    main()
