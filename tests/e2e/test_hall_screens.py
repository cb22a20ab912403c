"""Screens of the hall in a browser: nothing is cut, and a day costs no memory."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, CDPSession, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import DOUBLE_SWISS, play
from tests.tournaments.large import make_large
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import (
    Wanted,
    screen_add,
    screen_remove,
    screen_show,
    screens_message,
)
from tournaments.events.sections import event_create
from tournaments.models import Eligible, Entry, Round, Screen, Section, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

from .arbiter import Arbiter
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS: Final = 2_000
SHAPES: Final = {"wide": (1920, 1080), "small": (1280, 720), "high": (1080, 1920)}
CUT: Final = """() => {
  const box = (element) => element.getBoundingClientRect();
  const screen = document.getElementById("screen");
  return [...screen.querySelectorAll(".current :is(tr, th, td, p, bdi, h1, h2), header, .message, .finder a")]
    .filter((each) => {
      const { left, top, right, bottom } = box(each);
      const isOutside = left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
      const isHigher = each.matches("bdi[class]") && each.scrollHeight > 1.2 * each.clientHeight;
      return isOutside || isHigher || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0;
    })
    .map((each) => each.textContent.trim());
}"""
"""What is outside of the window, or larger than its place."""
WATCH_TURNS: Final = """() => {
  const current = () => [...document.querySelectorAll(".slide")].findIndex((each) => each.matches(".current"));
  let shown = current();
  window.turns = new Set();
  new MutationObserver(() => {
    const before = shown;
    if ((shown = current()) !== before) turns.add(`${before} to ${shown}`);
  }).observe(document.body, { attributeFilter: ["class"], childList: true, subtree: true });
}"""
"""Note in the page from which page to which it turns: a look once a minute misses pages."""
LONG_NAMES: Final = (
    "Baumann, Heidemari",
    "Surname045, Given Name",
    "Wagenführ-Ólafsson, Marian",
    "Zimmermann-Baumgartner, Edward H",
    "Vijayaraghavan-Subramaniam, Karthikeyan",
    "Александров-Пушкин, Константин Дмитриевич",
    "Wolfeschlegelsteinhausenbergerdorffsonwarendeswissen",
    "Baumgartner-Zimmermann von Hohenlohe-Schillingsfürst, Maria Theresia",
)
"""The longest names of the sizes of a name (``name_size``), one in broader letters, one without a
break, and one for two lines."""


def make(actor: Any, tournament: Tournament, *contents: str, **more: Any) -> Screen:
    return screen_add(
        tournament_id=tournament.pk,
        actor=actor,
        now=factories.NOW,
        code=new_screen_code(),
        wanted=Wanted(name="Hall", contents=contents, **more),
    )


def open_screen(page: Page, site: str, screen: Screen) -> None:
    page.goto(f"{site}/screen/{screen.code}/")
    expect(page.locator("header .time")).to_have_text(re.compile(r"\d\d:\d\d"))


@pytest.mark.costly
def test_no_page_is_cut_in_any_size_and_shape(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url).user
    tournament = make_large(chief, players=80)
    for tpn, name in enumerate(LONG_NAMES, start=3):
        Entry.objects.filter(tournament=tournament, tpn=tpn).update(name=name)
    contents = ("boards", "names", "standings", "results", "clock", "notice")
    notice = "The analysis room is on the first floor. " * 10
    for size in ("small", "normal", "large", "huge"):
        screen = make(
            chief, tournament, *contents, size=size, notice=notice, has_finder=size == "normal",
            language="fr" if size == "normal" else "en", is_dark=size != "large", seconds=0,
        )  # fmt: skip
        screens_message(tournament_id=tournament.pk, text="W" * 60, **by(chief))
        for shape, (width, height) in SHAPES.items():
            page.set_viewport_size({"width": width, "height": height})
            open_screen(page, live_server.url, screen)
            for number in range(page.locator(".slide").count()):
                assert page.evaluate(CUT) == [], (size, shape, number)
                page.keyboard.press("PageDown")


@pytest.mark.costly
def test_a_rank_above_hundred_and_the_games_of_a_match_are_whole(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url).user
    matches = factories.make_ready(chief, players=6, rounds=3, name="Matches", system=DOUBLE_SWISS)
    play(matches, 1, chief)
    many = make_large(chief, players=1002)
    for tournament, content, last in ((many, "standings", "1002"), (matches, "results", "3")):
        for size in ("small", "huge"):
            screen = make(chief, tournament, content, size=size, seconds=0)
            for width, height in SHAPES.values():
                page.set_viewport_size({"width": width, "height": height})
                open_screen(page, live_server.url, screen)
                page.keyboard.press("PageUp")
                expect(page.locator(".current .number").last).to_have_text(last)
                assert page.evaluate(CUT) == [], (content, size, width)


def by(actor: Any) -> dict[str, Any]:
    return {"actor": actor, "now": factories.NOW}


@pytest.mark.costly
def test_forty_boards_and_forty_ranks_are_on_one_page(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url).user
    screen = make(chief, make_large(chief, players=80), "boards", "standings", seconds=0)
    page.set_viewport_size({"width": 1920, "height": 1080})
    open_screen(page, live_server.url, screen)
    for _ in range(2):
        rows = page.locator(".current tbody tr")
        assert rows.count() == 40
        assert page.evaluate(CUT) == []
        size = rows.first.evaluate("row => parseFloat(getComputedStyle(row).fontSize)")
        assert size >= 26  # pixels of 1080: 17 mm on a screen of 55 inches
        page.keyboard.press("ArrowRight")
    assert faults(page) == []


@pytest.mark.costly
def test_two_sections_side_by_side_are_not_cut(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url).user
    first, second = (make_large(chief, players=players) for players in (37, 70))
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by(chief))
    Section.objects.create(event=event, tournament=second, label="B", position=20)
    screen = make(
        chief, Tournament.objects.get(pk=first.pk), "boards", "standings",
        sections=[first.identity, second.identity], are_side_by_side=True, seconds=0,
    )  # fmt: skip
    for width, height in SHAPES.values():
        page.set_viewport_size({"width": width, "height": height})
        open_screen(page, live_server.url, screen)
        assert page.locator(".slide").count() == 6
        for _ in range(6):
            assert page.locator(".current .half").count() == 2
            assert page.evaluate(CUT) == []
            page.keyboard.press("PageDown")


@pytest.mark.costly
def test_what_the_desk_does_is_on_the_screen_within_two_seconds(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url).user
    tournament = factories.make_ready(chief, players=10)
    screen = make(chief, tournament, "boards", "standings", "clock", "notice", notice="Lunch")
    page.clock.install()
    open_screen(page, live_server.url, screen)
    heading = page.locator(".current h1")
    expect(page.locator(".current .clock")).to_be_visible()
    row = factories.pair_and_publish(tournament, 1, chief)
    page.clock.fast_forward(TWO_SECONDS)
    expect(heading).to_have_text("Round 1: pairings by board")
    factories.enter_results(tournament, 1, chief)
    results_publish(round_id=row.pk, before_time=True, **by(chief))
    page.clock.fast_forward(TWO_SECONDS)
    expect(heading).to_have_text("Standings after round 1")
    screens_message(tournament_id=tournament.pk, text="Round 2 at 15:30", **by(chief))
    page.clock.fast_forward(TWO_SECONDS)
    expect(page.locator(".message")).to_have_text("Round 2 at 15:30")
    expect(heading).to_have_text("Standings after round 1")
    screen_show(screen_id=screen.pk, content="notice", **by(chief))
    page.clock.fast_forward(TWO_SECONDS)
    expect(page.locator(".current .notice")).to_have_text("Lunch")


def test_the_clock_counts_down_to_the_next_round(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url).user
    tournament = factories.make_ready(chief, players=10)
    starts = {1: timedelta(hours=-1), 2: timedelta(minutes=62)}
    for number, after in starts.items():
        row = Round.objects.filter(tournament=tournament, number=number)
        row.update(starts_at=timezone.now() + after)
    open_screen(page, live_server.url, make(chief, tournament, "clock"))
    line = page.locator(".countdown")
    expect(line).to_have_text(re.compile(r"The next round begins in 1:0[12]:\d\d"))
    assert page.evaluate(CUT) == []
    for minutes, text in ((10, r"in (10:00|9:\d\d)$"), (-10, ""), (25 * 60, "")):
        start = (timezone.now() + timedelta(minutes=minutes)).isoformat()
        page.locator("time").last.evaluate("(time, start) => { time.dateTime = start; }", start)
        if text:
            expect(line).to_have_text(re.compile(text))
        else:
            expect(line).to_be_hidden()


def test_nothing_stays_on_a_removed_screen(browser: Browser, live_server: LiveServer) -> None:
    """In a page of its own: the fixture ``page`` would complain about the 404."""
    page = browser.new_page()
    chief = Arbiter(page, live_server.url).user
    screen = make(chief, factories.make_ready(chief, players=10), "clock")
    open_screen(page, live_server.url, screen)
    screen_remove(screen_id=screen.pk, **by(chief))
    expect(page.locator(".lost")).to_have_text("This screen has ended.")
    expect(page.locator(".slide")).to_have_count(0)
    page.close()


def test_without_network_the_last_page_stays_with_its_time(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url).user
    tournament = factories.make_ready(chief, players=10)
    factories.pair_and_publish(tournament, 1, chief)
    screen = make(chief, tournament, "boards", "clock", seconds=1)
    open_screen(page, live_server.url, screen)
    page.context.set_offline(True)
    expect(page.locator(".lost")).to_have_text(re.compile(r"No connection: as of \d\d:\d\d"))
    expect(page.locator(".current table")).to_be_visible()
    expect(page.locator(".current .clock")).to_be_visible()
    screens_message(tournament_id=tournament.pk, text="Back again", **by(chief))
    page.context.set_offline(False)
    expect(page.locator(".message")).to_have_text("Back again")
    expect(page.locator(".lost")).to_be_hidden()


def measure(page: Page, session: CDPSession) -> tuple[int, int]:
    """Return the bytes of scripts and the nodes that are left after the garbage is collected.

    The least of five times: an answer that is on its way, or code that is being compiled on a busy
    machine, does not count as memory of the page.
    """
    found: list[tuple[int, int]] = []
    for _ in range(5):
        session.send("HeapProfiler.collectGarbage")
        page.wait_for_timeout(200)
        session.send("HeapProfiler.collectGarbage")
        metrics = {
            metric["name"]: int(metric["value"])
            for metric in session.send("Performance.getMetrics")["metrics"]
        }
        found.append((metrics["JSHeapUsedSize"], metrics["Nodes"]))
    bytes_of_scripts, nodes = zip(*found, strict=True)
    return min(bytes_of_scripts), min(nodes)


@pytest.mark.costly
def test_an_hour_of_a_round_costs_no_memory(page: Page, live_server: LiveServer) -> None:
    """An hour passes in the page, with a message every minute and twice without network."""
    chief = Arbiter(page, live_server.url).user
    tournament = make_large(chief, players=117)
    screen = make(chief, tournament, "boards", "names", "standings", "clock", seconds=10)
    page.clock.install(time=datetime(2026, 11, 28, 14, 0, tzinfo=UTC))
    open_screen(page, live_server.url, screen)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.evaluate(WATCH_TURNS)
    waiting: set[Request] = set()
    page.on("request", lambda request: waiting.add(request))
    page.on("requestfinished", lambda request: waiting.discard(request))
    page.on("requestfailed", lambda request: waiting.discard(request))

    def pass_minutes(count: int) -> None:
        for minute in range(count):
            text = f"Minute {minute}" if minute % 2 else ""
            screens_message(tournament_id=tournament.pk, text=text, **by(chief))
            for _ in range(20):
                page.clock.run_for(3_000)
                page.wait_for_timeout(10)  # real time, in which the server answers
                for _ in range(200):
                    if waiting:  # a busy machine: the page would have less to keep than later
                        page.wait_for_timeout(10)

    def pass_an_outage(before: int, without: int, after: int) -> tuple[int, int]:
        pass_minutes(before)
        page.context.set_offline(True)
        pass_minutes(without)
        expect(page.locator(".lost")).to_be_visible()
        page.context.set_offline(False)
        pass_minutes(after)
        expect(page.locator(".lost")).to_be_hidden()
        expect(page.locator(".message")).to_have_count(0)
        return measure(page, session)

    # The first slides, outage and expectations cost 0.2 MB once, of 1.7 MB: browser and test.
    before = pass_an_outage(15, 2, 13)
    after = pass_an_outage(14, 5, 11)
    grown = [more / less for less, more in zip(before, after, strict=True)]
    assert max(grown) <= 1.05, (before, after)  # 10 per cent in an hour
    shown = page.locator(".slide").evaluate_all("all => all.map((each) => each.dataset.about)")
    assert len(set(shown)) == 4
    in_turn = {f"{number} to {(number + 1) % len(shown)}" for number in range(len(shown))}
    assert set(page.evaluate("[...turns]")) == in_turn


def test_the_finder_by_touch(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url).user
    tournament = factories.make_ready(chief, players=10)
    factories.pair_and_publish(tournament, 1, chief)
    screen = make(chief, tournament, "boards", has_finder=True)
    open_screen(phone, live_server.url, screen)
    letter = phone.locator(".finder a").first
    first = letter.inner_text()
    letter.tap()
    phone.wait_for_url("**/?q=*")
    names = phone.locator(".current tbody .name")
    assert [name[:1] for name in names.all_inner_texts()] == [first] * names.count()
    phone.locator(".finder a", has_text="←").tap()
    expect(phone.locator(".current h1")).to_have_text("Round 1: pairings by board")


def test_an_arbiter_makes_a_screen(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.slug = factories.make_ready(chief.user, players=10).slug
    chief.open()
    chief.go("Team", "Hall screens")
    chief.press("Make a screen")
    page.get_by_label("Name", exact=True).fill("Entrance")
    assert faults(page) == []
    chief.press("Save")
    chief.expect_message("The screen “Entrance” is saved.")
    page.get_by_label("Message on all screens").fill("Hello")
    chief.press("Show the message")
    assert faults(page) == []
    address = page.locator(".address a").get_attribute("href") or ""
    page.goto(f"{live_server.url}/{address.split('/', 3)[3]}")
    expect(page.locator(".message")).to_have_text("Hello")


@pytest.mark.costly
def test_a_ceremony_is_turned_at_the_desk(page: Page, phone: Page, live_server: LiveServer) -> None:
    """The arbiter turns the prizes on a phone, and the screen follows."""
    chief = Arbiter(phone, live_server.url)
    chief.log_in()
    tournament = factories.make_ready(chief.user, players=10, rounds=1)
    prizes = CategoryPlan("Main", Eligible.EVERYBODY, "", (30000, 20000, 10000))
    plan = PrizePlan("EUR", Division.BY_RANK, True, (prizes,))
    prizes_set(tournament_id=tournament.pk, plan=plan, **by(chief.user))
    factories.play_rounds(tournament, [1], chief.user)
    screen = make(chief.user, tournament, "standings", "prizes", seconds=1)
    open_screen(page, live_server.url, screen)
    chief.slug = tournament.slug
    chief.open("screens/")
    chief.press("Prize ceremony")
    expect(phone.get_by_role("button", name="Next page")).to_be_visible()
    winner = page.locator(".current .winner bdi")
    names = phone.locator("ol bdi").all_inner_texts()
    assert len(names) == 5
    expect(winner).to_have_text(names[0])
    expect(page.locator(".slide")).to_have_count(1)
    assert faults(phone) == []
    for name in names[1:]:
        chief.press("Next page")
        expect(winner).to_have_text(name)
        expect(phone.locator("ol [aria-pressed=true] bdi")).to_have_text(name)
    expect(phone.get_by_role("button", name="Next page")).to_have_count(0)
    phone.locator("ol button").first.click()
    expect(winner).to_have_text(names[0])
    chief.press("Pages turn by themselves")
    expect(page.locator(".slide")).to_have_count(5)


def test_without_a_script_the_pages_turn(plain_page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(plain_page, live_server.url).user
    screen = make(chief, make_large(chief, players=90), "boards", seconds=1)
    plain_page.goto(f"{live_server.url}/screen/{screen.code}/")
    expect(plain_page.locator(".current .of")).to_have_text("1/2")
    expect(plain_page.locator(".current .of")).to_have_text("2/2")
    expect(plain_page.locator(".current .of")).to_have_text("1/2")
