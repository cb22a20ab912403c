"""During the round: two arbiters, a kiosk and a phone enter results at once,
and the server is killed once.

The site runs in processes of its own, as ``./run`` serves it, on the database of ``--db``. SIGKILL
ends them all while results are on their way. In the normal run the round has 30 boards, with
``--run-slow`` 150. The suite's step with a browser runs on SQLite; on PostgreSQL::

    pytest -n 0 --db=postgres tests/e2e/test_round_together.py

``-s`` prints the processor time of the request that pairs the next round. The counts of actions are
published in docs/developer/benchmarks.md, and this test reads them there.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings as project
from playwright.sync_api import Browser, Page, expect

from tests.live.books import Books
from tests.live.conftest import database
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.event import PASSWORD
from tests.live.server import HOST, Site

from .conftest import watched_page
from .round_plan import TURNED, Plan, Seated, make_plan
from .test_result_entry import all_saved, block_updates, second_page

__all__ = ["database", "second_page"]

BOARDS, ALL_BOARDS = 30, 150
KEYS = {"10": "1", "01": "0", "==": "5", "??": "a"}
SHORT = {"10": "1 – 0", "01": "0 – 1", "==": "½ – ½"}

GAMES = """SELECT g.board, we.name, we.rating, be.name, be.rating
    FROM tournaments_game g
    JOIN tournaments_seat w ON w.game_id = g.id AND w.colour = 'w' JOIN tournaments_entry we ON we.id = w.entry_id
    JOIN tournaments_seat b ON b.game_id = g.id AND b.colour = 'b' JOIN tournaments_entry be ON be.id = b.entry_id
    ORDER BY g.board"""


class Person:
    """Somebody at a screen, whose clicks and keys are counted
    in ``done`` if they have a ``part``.
    """

    def __init__(self, page: Page, site: Site, slug: str, done: Counter[str]) -> None:
        self.page, self.root, self.done = page, f"http://{HOST}:{site.port}/t/{slug}/", done
        self.part = ""

    def log_in(self, name: str) -> None:
        self.page.goto(self.root.partition("/t/")[0] + "/accounts/login/")
        self.page.locator("input[name=username]").fill(name)
        self.page.locator("input[name=password]").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Log in").click()
        self.page.wait_for_url(self.root.partition("/t/")[0] + "/")

    def open(self, path: str) -> None:
        self.page.goto(self.root + path)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self._count()

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self._count()

    def click_button(self, name: str) -> None:
        self.page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()
        self._count()

    def type(self, text: str) -> None:
        """Type *text* and the Enter that sends it: one action."""
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self._count()

    def expect_message(self, text: str) -> None:
        expect(self.page.locator("#messages")).to_contain_text(text)

    def key(self, result: str) -> None:
        """Enter *result* at the board with the focus."""
        if KEYS[result].isalpha():
            self.press(".")
        self.press(KEYS[result])

    def go_to(self, board: int) -> None:
        self.press("/")
        self.page.keyboard.type(str(board))
        self.page.keyboard.press("Enter")
        expect(self.page.locator("tr.current")).to_have_attribute("data-board", str(board))

    def correct_from_the_card(self, board: int, result: str) -> None:
        """Open the card of *board*, go from there to its row, and enter *result*."""
        self.click(f"#board-{board} a.to-board")
        expect(self.page.get_by_role("dialog", name=f"Round 1, board {board}")).to_be_visible()
        self.press("r")
        expect(self.page.locator("tr.current")).to_have_attribute("data-board", str(board))
        self.key(result)
        expect(self.page.locator(f"#board-{board}")).to_have_attribute("data-result", result)
        all_saved(self.page)

    def _count(self) -> None:
        if self.part:
            self.done[self.part] += 1


@dataclass
class Hall:
    """The round with its people."""

    site: Site
    slug: str
    plan: Plan
    first: Person
    second: Person
    walker: Person
    kiosk: Person


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from watched_page(
        browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )


@pytest.fixture
def tablet(browser: Browser) -> Iterator[Page]:
    yield from watched_page(browser, viewport={"width": 768, "height": 1024})


@pytest.fixture
def site(
    database: SqliteDatabase | PostgresDatabase, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Site, str]]:
    """Yield the running server and the slug of an event whose round 1 is published."""
    boards = ALL_BOARDS if request.config.getoption("--run-slow") else BOARDS
    site = Site(tmp_path, database.create("round_together"))
    site.prepare()
    slug = site.python(
        "-m", "tests.live.event", "--players", str(2 * boards), "--arbiters", "3"
    ).strip()
    site.start()
    yield site, slug
    site.kill()


def published() -> dict[str, int]:
    """Return the counts of the table in the document, by the first column."""
    text = (Path(project.BASE_DIR) / "docs/developer/benchmarks.md").read_text()
    table = text.partition("## During the round")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([0-9]+) \|", table, re.MULTILINE)
    return {name.strip(): int(count) for name, count in rows}


@pytest.mark.costly
def test_c04_2_4_a_round_with_two_arbiters_a_kiosk_and_a_phone(
    site: tuple[Site, str], page: Page, second_page: Page, phone: Page, tablet: Page
) -> None:
    done: Counter[str] = Counter()
    server, slug = site
    hall = Hall(
        server,
        slug,
        make_plan([Seated(*row) for row in rows(server, GAMES)]),
        *(Person(screen, server, slug, done) for screen in (page, second_page, phone, tablet)),
    )
    for number, person in enumerate((hall.first, hall.second, hall.walker), start=1):
        person.log_in(f"arbiter-{number}")
    open_the_kiosk(hall)
    enter_together(hall)
    find_the_mistakes(hall)
    read_again(hall)
    next_round(hall)
    look_at_the_record(hall)
    assert dict(done) == published()


def open_the_kiosk(hall: Hall) -> None:
    chief = hall.first
    chief.open("tables/")
    chief.click_button("Make the codes")
    chief.click_button("Switch on")
    hall.kiosk.page.goto(chief.page.locator("#kiosk-link ~ .address a").inner_text())


def report_at_the_kiosk(hall: Hall, board: int) -> None:
    """Let both players of *board* report its result."""
    page, slip = hall.kiosk.page, hall.plan.slips[board]
    start = page.url
    page.get_by_label("Your board number, or your name").fill(str(board))
    page.keyboard.press("Enter")
    page.get_by_role("link", name=re.compile("White$")).click()
    page.get_by_role("button", name={"10": "I won", "01": "I lost", "==": "Draw"}[slip]).click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".reported")).to_contain_text(f"Both players report: {SHORT[slip]}")
    page.get_by_role("link", name="Done: next players").click()
    expect(page).to_have_url(start)


def tap(hall: Hall, board: int) -> None:
    page = hall.walker.page
    page.locator(f"#board-{board} summary").tap()
    page.locator(f"#board-{board}").get_by_role("button", name=SHORT[hall.plan.slips[board]]).tap()


def enter_together(hall: Hall) -> None:
    """Enter all results; the server is killed in the middle, and nobody stops entering."""
    plan, first, second = hall.plan, hall.first, hall.second
    hall.walker.open("rounds/1/floor/")
    for person in (first, second):
        person.open("rounds/1/")
        expect(person.page.locator("tr.current")).to_have_attribute("data-board", "1")
    # The second arbiter has two slips of the other half; the screen of the first one does not know
    # them yet.
    block_updates(first.page)
    slips = {plan.keep: plan.slips[plan.keep], plan.replace: TURNED[plan.slips[plan.replace]]}
    for board, result in slips.items():
        second.go_to(board)
        second.key(result)
    all_saved(second.page)
    second.go_to(plan.half + 1)
    report_at_the_kiosk(hall, plan.kiosk[0])
    typed, started = plan.typed, False
    for step in range(1, plan.half - 1):
        if step == plan.killed_at:
            hall.site.kill()
            tap(hall, plan.phone[0])
        for person, board in ((first, step), (second, plan.half + step)):
            # Both screens are on the line of the slip, whatever happened to the server.
            expect(person.page.locator("tr.current")).to_have_attribute("data-board", str(board))
            person.part = "20 results" if person.done["20 results"] < 20 else ""
            person.key(typed[board])
        if step == plan.killed_at + 3:
            for person in (first, second, hall.walker):
                expect(person.page.locator("#save-state")).to_contain_text("not saved")
            hall.site.start()
            started = True
            for person in (first, second, hall.walker):
                person.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert started
    first.part = second.part = ""
    tap(hall, plan.phone[1])
    report_at_the_kiosk(hall, plan.kiosk[1])
    all_saved(second.page)
    all_saved(hall.walker.page)
    expect(first.page.locator("#save-state")).to_have_text("2 not saved: you decide")
    questions = first.page.locator(".conflict-row")
    expect(questions).to_have_count(2)
    questions.get_by_role(
        "button", name=f"Keep the saved result: {SHORT[plan.slips[plan.keep]]}"
    ).click()
    questions.get_by_role(
        "button", name=f"Save my result: {SHORT[plan.slips[plan.replace]]}"
    ).click()
    all_saved(first.page)
    first.page.unroute("**/results/state/**")
    expect(second.page.locator("#alike-boards")).to_contain_text(", ".join(map(str, plan.kiosk)))
    second.click("#accept-alike")
    all_saved(second.page)
    for person in (first, second):
        expect(person.page.locator("#entered")).to_have_text(str(len(plan.slips)))


def find_the_mistakes(hall: Hall) -> None:
    """The questions find the shifted run and the upset;
    each is mended by the arbiter who made it.
    """
    plan, first, second = hall.plan, hall.first, hall.second
    questions = first.page.locator("#results-checks .question")
    expect(questions.filter(has_text="right lines")).to_have_count(1)
    upset = questions.filter(
        has=first.page.get_by_role("link", name=f"Go to board {plan.upset}", exact=True)
    )
    expect(upset).to_contain_text("points higher")
    for board in plan.shift:
        first.go_to(board)
        first.key(plan.slips[board])
    all_saved(first.page)
    expect(questions).to_have_count(1)
    second.correct_from_the_card(plan.upset, plan.slips[plan.upset])
    expect(questions).to_have_count(0)


def read_again(hall: Hall) -> None:
    """Each arbiter reads what the other one or the phone entered:
    the two draws that were none differ.
    """
    plan = hall.plan
    for person in (hall.second, hall.first):
        person.open("rounds/1/second-reading/")
        lines = person.page.locator("#results tr[data-board]")
        boards = lines.evaluate_all("rows => rows.map(row => row.dataset.board)")
        for board in boards:
            expect(person.page.locator("tr.current")).to_have_attribute("data-board", board)
            person.key(plan.slips[int(board)])
        all_saved(person.page)
    hall.first.open("rounds/1/differences/")
    found = hall.first.page.locator("table.folds tbody tr")
    expect(found).to_have_count(2)
    for person, board in zip((hall.first, hall.second), plan.draws, strict=True):
        expect(hall.first.page.locator(f"#difference-{board}")).to_be_visible()
        person.open("rounds/1/")
        person.correct_from_the_card(board, plan.slips[board])
        hall.first.open("rounds/1/differences/")
    expect(hall.first.page.get_by_text("No difference is open.")).to_be_visible()


def next_round(hall: Hall) -> None:
    """Publish the results, correct one, grant a bye, pair, swap two players, publish,
    and end the adjourned game.
    """
    plan, chief = hall.plan, hall.first
    for person in (hall.second, hall.walker, hall.kiosk):
        person.page.goto(
            "about:blank"
        )  # Their pages ask for news, which would count as time of the pairing.
    chief.open("rounds/1/")
    chief.part = "next round"
    chief.click_button("Publish results")
    chief.expect_message("The results of round 1 are published.")
    chief.part = "correction"
    chief.open("rounds/1/")
    chief.click(f"#board-{plan.corrected} a.to-board")
    chief.click("#card .chip:has(input[value='=='])")
    chief.click("#card .chip:has(input[data-reason])")
    chief.click("#card .quick-correction button.primary")
    chief.expect_message("The correction is saved and is in the record.")
    chief.part = "bye"
    chief.click(f"#board-{len(plan.slips)} .white a")
    chief.click("#card summary:has-text('Bye in round 2')")
    chief.click("#card button:has-text('Grant bye')")
    chief.part = "next round"
    chief.open("rounds/2/")
    pair_and_measure(hall)
    chief.part = "swap"
    players = chief.page.locator(".swap-player")
    for place in (0, 2):
        players.nth(place).click()
        chief.done[chief.part] += 1
    expect(chief.page.locator(".swap-tray")).to_contain_text("1 unsaved change")
    chief.page.locator("#swap-reason").focus()
    chief.type("their clubs asked")
    chief.expect_message("The change is saved")
    chief.part = "next round"
    chief.click_button("Publish pairings")
    chief.expect_message("The pairings of round 2 are published.")
    chief.part = ""
    chief.open("rounds/1/results/")
    chief.go_to(plan.adjourned)
    chief.key("==")
    all_saved(chief.page)


def pair_and_measure(hall: Hall) -> None:
    """Pair round 2, and print the processor time of the server for it:
    until the answer, and for the page after it.
    """
    chief = hall.first
    times = [processor_time(hall.site)]
    with chief.page.expect_response("**/rounds/2/pair/"):
        chief.click_button("Pair round 2")
    times.append(processor_time(hall.site))
    chief.expect_message("Round 2 is paired.")
    times.append(processor_time(hall.site))
    paired, shown = times[1] - times[0], times[2] - times[1]
    print(
        f"{len(hall.plan.slips)} boards: {paired:.2f} s of the processor to pair, {shown:.2f} for "
        f"the page of the draft"
    )


def processor_time(site: Site) -> float:
    """Return the seconds that the processes of *site* have used so far;
    0 where there is no /proc.
    """
    used = 0
    for pid in site.workers():
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists():
            fields = stat.read_text().rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def look_at_the_record(hall: Hall) -> None:
    """Compare all results with the slips, and read the record:
    nothing was replaced but on purpose.
    """
    plan, books = hall.plan, Books.read(hall.site.database_url)
    right = plan.slips | {plan.corrected: "==", plan.adjourned: "=="}
    assert {
        board: result for (number, board), (result, *_) in books.games.items() if number == 1
    } == right
    replaced, corrected = Counter[tuple[str, int, str, str]](), []
    now: dict[int, str] = {}
    for _, action, by, number, before, after in books.record:
        if number != 1 or action not in (
            "result.recorded",
            "result.corrected",
            "reading.decided",
            "result.undone",
        ):
            continue
        board = after["board"]
        assert before["result"] == now.get(board, ""), (
            f"board {board}: a line of the record is missing"
        )
        now[board] = after["result"]
        if action != "result.recorded":
            corrected.append((action, by, board))
        elif before["result"]:
            replaced[by, board, before["result"], after["result"]] += 1
    assert now == right
    assert corrected == [("result.corrected", "arbiter-1", plan.corrected)]
    typed = plan.typed | {plan.replace: TURNED[plan.slips[plan.replace]]}
    meant = {
        **dict.fromkeys([plan.replace, *plan.shift, plan.draws[0], plan.adjourned], "arbiter-1")
    }
    meant |= dict.fromkeys([plan.upset, plan.draws[1]], "arbiter-2")
    assert replaced == Counter(
        (by, board, typed[board], right[board]) for board, by in meant.items()
    )
    assert "is whole" in hall.site.python("manage.py", "verify_record", hall.slug)


def rows(site: Site, statement: str) -> list[Any]:
    """Return the rows of *statement*, read without the program."""
    connection: Any
    if site.database_url.startswith("sqlite"):
        connection = sqlite3.connect(urlsplit(site.database_url).path.removeprefix("/"))
    else:
        connection = psycopg.connect(site.database_url)
    try:
        return list(connection.execute(statement).fetchall())
    finally:
        connection.close()
