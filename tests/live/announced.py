"""``python -m tests.live.announced``: how long open pages take to announce a publication, on the real server.

A browser has one page of each kind open, while phones ask for pages at a steady rate. Results and pairings are
published over HTTP, as the button does it. The time begins when the news file of the server has the new version, which
one more client asks for all the time, and ends when the bar of the page shows it. All clocks are those of this machine.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.e2e.chromium import FLAGS, tests_path

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator
from .during import machine
from .event import PASSWORD, RESULTS
from .load import Hall
from .load_all import Event, Sizes, hall_plan, send
from .server import HOST, Site

PAGES = ["", "me/", "players/", "pairings/{n}/", "standings/", "crosstable/", "player/1/", "record/", "progress/"]
WATCH = """
    window.shown = 0;
    new MutationObserver(() => { shown = shown || Date.now(); })
        .observe(document.getElementById("news"), { childList: true });
"""
PATIENCE = 20  # seconds


class Publications:
    """The site with its chief arbiter; ``number`` is the round in play."""

    def __init__(self, site: Site, slug: str, number: int) -> None:
        self.site, self.slug, self.number = site, slug, number
        self.chief = Operator(site.port, "arbiter-1", PASSWORD)

    def enter_results(self) -> None:
        for turn, board in enumerate(self.chief.boards(self.slug, self.number).values()):
            self.chief.enter(board, RESULTS[turn % len(RESULTS)], on_loss=lambda: None)

    def do(self, what: str) -> tuple[float, float]:
        """Press a button of the round; return when it was pressed and when the server had the new version."""
        before, seen = self.key(), threading.Event()
        at: list[float] = []

        def look() -> None:
            while not seen.is_set():
                if self.key() != before:
                    at.append(time.time())
                    return
                time.sleep(0.01)

        looking = threading.Thread(target=look)
        looking.start()
        begin = time.time()
        answer = self.chief.do(f"/t/{self.slug}/rounds/{self.number}/{what}/")
        assert answer.status == 302, what
        looking.join(PATIENCE)
        seen.set()
        return begin, at[0]

    def key(self) -> str:
        connection = HTTPConnection(HOST, self.site.port)
        connection.request("GET", f"/t/{self.slug}/news.json")
        key: str = json.load(connection.getresponse())["key"]
        connection.close()
        return key


@contextmanager
def busy(hall: Hall, event: Event, rate: float) -> Iterator[None]:
    """Let phones ask for *rate* pages a second meanwhile."""
    over = threading.Event()
    sizes = Sizes(seconds=1, rate=rate)

    def ask() -> None:
        while not over.is_set():
            send(hall, hall_plan(event, sizes, random.Random()), 16)

    thread = threading.Thread(target=ask)
    if rate:
        thread.start()
    yield
    over.set()
    if rate:
        thread.join()


def announced(pages: dict[str, Page], since: float) -> dict[str, float]:
    """Return the seconds after *since* until each page showed its news; close the bars."""
    taken = {}
    for path, page in pages.items():
        end = time.monotonic() + PATIENCE
        # Not wait_for_function: the policy of the pages forbids what that does.
        while not (shown := page.evaluate("shown")):
            assert time.monotonic() < end, f"{path} says nothing"
            page.wait_for_timeout(20)
        taken[path] = shown / 1000 - since
    for page in pages.values():
        page.evaluate("document.getElementById('news').replaceChildren()")
        page.wait_for_timeout(50)
        page.evaluate("shown = 0")
    return taken


def measure(site: Site, slug: str, number: int, *, players: int, rounds: int, rate: float) -> Iterator[str]:
    """Play *rounds*; yield a line for each publication."""
    event = Publications(site, slug, number)
    base = f"http://{HOST}:{site.port}/t/{slug}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=tests_path(), args=FLAGS)
        context = browser.new_context(locale="en-GB", viewport={"width": 360, "height": 740})
        pages = {}
        for path in PAGES:
            pages[path] = context.new_page()
            pages[path].goto(base + path.format(n=number))
            pages[path].evaluate(WATCH)
        hall = Hall(site.port, slug, players, number)
        with busy(hall, Event(slug, players, number), rate):
            for _ in range(rounds):
                event.enter_results()
                for what in ("results/publish", "publish"):
                    if what == "publish":
                        event.number += 1
                        event.chief.do(f"/t/{slug}/rounds/{event.number}/pair/")
                    begin, public = event.do(what)
                    taken = announced(pages, public)
                    slowest = max(taken, key=lambda path: taken[path])
                    yield (
                        f"round {event.number}, {what}: public {public - begin:.2f} s after the button, announced "
                        f"after {min(taken.values()):.2f} to {taken[slowest]:.2f} s ({slowest or 'overview'})"
                    )
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--played", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="rounds that are published (3)")
    parser.add_argument("--rate", type=float, default=50, help="pages a second for other phones (50)")
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    options = parser.parse_args()
    if tests_path() is None:
        sys.exit("There is no Chromium here. Install it (Debian: apt-get install chromium), or name it with CHROMIUM.")
    with tempfile.TemporaryDirectory(prefix="swiss-announced-") as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("announced"))
        try:
            site.prepare()
            order = ["--players", str(options.players), "--rounds", "9", "--played", str(options.played)]
            slug = site.python("-m", "tests.live.event", *order).strip()
            site.start()
            print(machine())
            sizes = {"players": options.players, "rounds": options.rounds, "rate": options.rate}
            for line in measure(site, slug, options.played + 1, **sizes):
                print(line, flush=True)
        finally:
            site.kill()
            database.close()


if __name__ == "__main__":
    main()
