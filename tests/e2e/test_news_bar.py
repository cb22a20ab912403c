"""The bar of news at the lower edge of an open public page hides
neither the focus nor the end of the page.
"""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories

from .arbiter import Arbiter
from .page_waits import wait_for
from .test_large_text import text_size
from .test_phone import PHONE

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS: Final = 2_000
SIZES: Final = [(360, 740), (640, 320), (1280, 720)]


def with_news(page: Page, site: str) -> None:
    """Open the standings of 30 players, and let the bar say that the next round is published."""
    chief = Arbiter(page, site)
    tournament = factories.make_ready(chief.user, players=30)
    factories.play_rounds(tournament, [1], chief.user)
    page.clock.install()
    page.goto(f"{site}/t/{tournament.slug}/standings/")
    factories.pair_and_publish(tournament, 2, chief.user)
    page.clock.fast_forward(TWO_SECONDS)
    expect(page.locator("#news")).to_contain_text("The pairings of round 2 are published")


def under_the_bar(page: Page) -> list[str]:
    """Press Tab through the whole page; return what got the focus under the bar."""
    found: list[str] = []
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    for _ in range(150):
        page.keyboard.press("Tab")
        place = page.evaluate(
            """() => {
                const active = document.activeElement;
                if (active === document.body || active.closest("footer p:last-child a:last-child")) return "";
                const box = active.getBoundingClientRect();
                const covered = !active.closest("#news") && box.bottom > news.getBoundingClientRect().top + 0.5;
                return [active.textContent.trim().slice(0, 30), covered];
            }"""
        )
        if not place:
            return found
        if place[1]:
            found.append(place[0])
    raise AssertionError("the end of the page was not reached")


@pytest.mark.costly
def test_the_focus_is_never_under_the_bar(page: Page, live_server: LiveServer) -> None:
    """[WCAG 2.2 2.4.11]: on a phone, on its side, and on a small laptop."""
    with_news(page, live_server.url)
    hidden = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        hidden[width] = under_the_bar(page)
    assert hidden == {width: [] for width, _ in SIZES}


def test_a_link_with_the_focus_stays_visible_when_the_bar_appears(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=30)
    factories.play_rounds(tournament, [1], chief.user)
    page.clock.install()
    page.goto(f"{live_server.url}/t/{tournament.slug}/crosstable/")
    # The keyboard is on a link at the lower edge.
    page.locator("main a").first.focus()
    page.keyboard.press("Tab")
    last = page.locator("main tbody a").nth(12)
    last.focus()
    last.evaluate("link => scrollBy(0, link.getBoundingClientRect().bottom - innerHeight + 4)")
    factories.pair_and_publish(tournament, 2, chief.user)
    page.clock.fast_forward(TWO_SECONDS)
    expect(
        page.locator("#news").get_by_role("link", name="The pairings of round 2")
    ).to_be_visible()
    expect(last).to_be_focused()
    wait_for(
        page,
        "() => document.activeElement.getBoundingClientRect().bottom <= "
        "news.getBoundingClientRect().top",
    )


@pytest.mark.costly
def test_with_text_twice_as_large_the_bar_is_small_and_the_foot_can_be_read(
    browser: Browser, live_server: LiveServer
) -> None:
    """[WCAG 2.2 1.4.4]: with the size of text of the browser,
    and with that of a style sheet of the reader.
    """
    context = browser.new_context(**PHONE, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    with_news(page, live_server.url)
    page.set_viewport_size({"width": 360, "height": 640})
    faults = {}
    for way in ("browser", "style"):
        text_size(page, devtools, 32 if way == "browser" else 16)
        if way == "style":
            page.evaluate("document.documentElement.style.fontSize = '200%'")
        for _ in range(20):  # the page follows the height of the bar, on a busy machine later
            page.wait_for_timeout(100)
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            bar = page.locator("#news").bounding_box()
            foot = page.locator(".site-footer").bounding_box()
            assert bar is not None
            assert foot is not None
            faults[way] = [bar["height"] > 640 / 4, foot["y"] + foot["height"] > bar["y"] + 1]
            if not any(faults[way]):
                break
    context.close()
    assert faults == {"browser": [False, False], "style": [False, False]}
