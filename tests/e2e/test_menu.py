"""The menu of an arbiter in a browser: every page in two actions, and the bar of a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.arbiter import Arbiter
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.desk.navigation import menu
from tournaments.models import Role
from tournaments.web.setup.settings import PARTS
from tournaments.web.templatetags.keys import destination_url

MOST = 8


@pytest.fixture
def chief(page: Page, live_server: LiveServer) -> Arbiter:
    """The Chief Arbiter of an event of which round 1 is played."""
    arbiter = Arbiter(page, live_server.url)
    tournament = factories.make_ready(arbiter.user)
    factories.play_rounds(tournament, [1], arbiter.user)
    arbiter.slug = tournament.slug
    arbiter.log_in()
    return arbiter


@pytest.mark.costly
def test_every_page_is_reached_with_two_actions(chief: Arbiter) -> None:
    tournament = factories.Tournament.objects.get(slug=chief.slug)
    tabs = menu(tournament_frame(tournament, runs=True), Role.CHIEF, here="desk")
    wanted = {destination_url(chief.slug, page.place) for tab in tabs for page in tab.pages}
    chief.open()
    nav = chief.page.locator("#event-tabs")
    first = nav.locator(".tabs").first.get_by_role("link")
    assert first.count() == MOST
    found, lines = set(), []
    for number in range(MOST):
        first.nth(number).click()
        expect(first).to_have_count(MOST)  # a public page begins with the tabs of visitors
        expect(first.nth(number)).to_have_attribute("aria-current", "page")
        expect(chief.page.get_by_role("heading").first).to_be_visible()
        found.add(first.nth(number).get_attribute("href"))
        lines.append(nav.locator(".tabs.pages").get_by_role("link").count())
        second = chief.page.locator(":is(.tabs.pages, .side-list) a")
        found |= {link.get_attribute("href") for link in second.all()}
    assert found == wanted
    assert max(lines) <= MOST
    chief.go("Proof", "Protests")
    expect(chief.page.get_by_role("heading", level=1)).to_have_text("Protests")


def test_on_a_phone_the_bar_is_at_the_bottom_and_hides_nothing(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.slug = factories.make_ready(chief.user).slug
    chief.log_in()
    chief.open()
    bar = phone.get_by_role("navigation", name="Most used pages")
    assert bar.get_by_role("link").all_inner_texts() == [
        "Now",
        "Boards",
        "Players",
        "Find",
        "Account",
    ]
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    box = bar.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 360)
    footer = phone.locator(".site-footer").bounding_box()
    assert footer is not None
    assert footer["y"] + footer["height"] <= box["y"] + 1
    assert all(each.bounding_box()["height"] >= 44 for each in bar.get_by_role("link").all())  # type: ignore[index]
    bar.get_by_role("link", name="Boards").tap()
    expect(bar.get_by_role("link", name="Boards")).to_have_attribute("aria-current", "page")


SETTINGS = (
    "settings/",
    "settings/logo/",
    *(f"settings/{part}/" for part in PARTS if part != "event"),
)
OTHERS = (
    "personal-data/",
    "manage/",
    "section/",
    "desk/",
    "schedule/",
    "people/",
    "prizes/define/",
    "regulations/",
    "ratings/",
)


@pytest.mark.costly
@pytest.mark.parametrize("rounds", [[], [1, 2]])
def test_no_page_of_the_setup_is_higher_than_900_pixels(
    page: Page, live_server: LiveServer, rounds: list[int]
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user)
    factories.play_rounds(tournament, rounds, chief.user)
    chief.slug = tournament.slug
    chief.log_in()
    page.set_viewport_size({"width": 1366, "height": 768})
    heights = {}
    for language in ("en", "fr"):
        page.goto(f"{live_server.url}/language/{language}/")
        for path in (*SETTINGS, *OTHERS):
            chief.open(path)
            heights[language, path] = page.evaluate("document.documentElement.scrollHeight")
    assert {where: height for where, height in heights.items() if height > 900} == {}


def test_saving_stays_on_the_page_and_confirms(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_ready(chief.user).slug
    chief.log_in()
    chief.open()
    chief.go("Setup", "Byes and late entries")
    page.get_by_label("Byes with points per player").fill("2")
    chief.press("Save")
    chief.expect_message("The settings are saved.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Byes and late entries")
    expect(page.get_by_label("Byes with points per player")).to_have_value("2")
    chief.go("Setup")
    expect(page.get_by_label("Name", exact=True)).to_have_attribute("required", "")
