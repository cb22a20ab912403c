"""A phone without network shows the last version of the public pages, with its time,
and never a draft.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tournaments.models import Game, Tournament

from .arbiter import Arbiter
from .page_waits import wait_for
from .test_accessibility import faults
from .test_phone import too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

AS_OF: Final = re.compile(r"^As of \d\d:\d\d, offline$")
KEPT: Final = """
    async () => {
        const texts = [];
        for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) {
                const text = await (await cache.match(request)).text();
                texts.push([new URL(request.url).pathname + new URL(request.url).search, text]);
            }
        }
        return Object.fromEntries(texts);
    }
"""
"""Everything in the caches of the phone."""


def wait_until_kept(page: Page) -> None:
    """Wait until the worker keeps the version that *page* shows."""
    expect(page.locator("#as-of")).to_have_attribute("data-set", re.compile("kept|replaced"))


def pages_kept(page: Page) -> dict[str, str]:
    """Return the HTML pages of the tournament that the phone keeps, by their addresses."""
    kept: dict[str, str] = page.evaluate(KEPT)
    return {
        address: text
        for address, text in kept.items()
        if "<html" in text and address.startswith("/t/")
    }


def versions(pages: dict[str, str]) -> set[str]:
    return {found for text in pages.values() for found in re.findall('data-version="(.*?)"', text)}


@pytest.fixture
def on_phone(phone: Page, live_server: LiveServer) -> tuple[Tournament, Arbiter, str]:
    """Round 1 played and round 2 published; nobody is logged in on the phone.

    It never waits for others.
    """
    phone.add_init_script("Math.random = () => 0;")
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    return tournament, chief, f"{live_server.url}/t/{tournament.slug}/"


@pytest.mark.costly
def test_in_airplane_mode_one_version_is_shown_with_its_time_and_never_a_draft(
    phone: Page, on_phone: tuple[Tournament, Arbiter, str]
) -> None:
    tournament, chief, root = on_phone
    player = factories.entry_of(tournament, 3)
    phone.goto(root + "me/")
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.locator(".my-board")).to_contain_text("Board")
    phone.goto(root + "pairings/1/")  # an older page that this phone opened
    wait_until_kept(phone)
    phone.context.set_offline(True)
    for path, heading in [
        ("pairings/2/", "Round 2"),
        ("pairings/2/?order=name", "Round 2"),
        ("pairings/1/", "Round 1"),
    ]:
        phone.goto(root + path)
        expect(phone.locator("h1")).to_contain_text(heading)
        expect(phone.get_by_role("status").filter(has_text=AS_OF)).to_be_visible()
    assert [*faults(phone), *too_wide(phone), *too_small(phone)] == []
    phone.goto(root + "me/")
    expect(phone.locator(".my-board")).to_contain_text("Board")
    phone.goto(root + "players/?q=nobody")
    expect(phone.get_by_role("heading", name="This page is not kept on this phone")).to_be_visible()
    expect(phone.get_by_role("link", name="Try again")).to_have_attribute(
        "href", re.compile("/players/.q=nobody$")
    )
    for path in ("record/", "pairings/2/codes/"):  # public, and never kept
        phone.goto(root + path)
        expect(
            phone.get_by_role("heading", name="This page is not kept on this phone")
        ).to_be_visible()
    # A draft is made. No page of it is on the phone, with or without network.
    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    round_pair(round_id=factories.round_of(tournament, 3).pk, actor=chief.user, now=factories.NOW)
    assert Game.objects.filter(round__tournament=tournament, round__number=3).exists()
    for path in ("pairings/3/", "rounds/3/"):
        phone.goto(root + path)
        expect(
            phone.get_by_role("heading", name="This page is not kept on this phone")
        ).to_be_visible()
    phone.context.set_offline(False)
    expect(phone.get_by_role("heading", name="Log in")).to_be_visible()  # tried again by itself
    phone.goto(root + "pairings/2/")
    expect(phone.locator("#as-of")).to_be_empty()
    wait_until_kept(phone)
    kept = pages_kept(phone)
    assert len(versions(kept)) == 1
    assert not [address for address, text in kept.items() if "pairings/3/" in address + text]
    # It is published while the page is open: the new version takes the place of the old one.
    before = phone.locator("#as-of").evaluate(
        "bar => delete bar.dataset.set && bar.dataset.version"
    )
    draft = factories.round_of(tournament, 3)
    round_publish(
        round_id=draft.pk, actor=chief.user, now=factories.NOW, cut_short=factories.CUT_SHORT
    )
    expect(phone.locator("#news")).to_contain_text("Round 3 is published")
    wait_until_kept(phone)
    phone.context.set_offline(True)
    phone.goto(root + "pairings/3/")
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
    kept = pages_kept(phone)
    assert len(versions(kept)) == 1
    assert versions(kept) != {before}
    assert f"/t/{tournament.slug}/player/{player.pk}/" in kept
    assert not [text for text in kept.values() if "csrf" in text or "Log out" in text]


@pytest.mark.costly
def test_a_browser_without_workers_says_since_when_the_page_may_be_old(
    phone: Page, on_phone: tuple[Tournament, Arbiter, str]
) -> None:
    _, _, root = on_phone
    phone.add_init_script("delete Navigator.prototype.serviceWorker; delete window.caches;")
    phone.goto(root + "pairings/2/")
    expect(phone.locator("#as-of")).to_be_empty()
    phone.route("**/news.json", lambda route: route.abort())
    expect(
        phone.get_by_role("status").filter(has_text=re.compile(r"^As of \d\d:\d\d$"))
    ).to_be_visible()
    phone.unroute("**/news.json")
    phone.locator("h1").tap()
    expect(phone.locator("#as-of")).to_be_empty()
    # The next day the date is there too, as on the other pages.
    today = phone.evaluate("Date.now()")
    phone.route("**/news.json", lambda route: route.abort())
    phone.clock.set_fixed_time(today + 86_400_000)
    expect(phone.locator("#as-of")).to_have_text(re.compile(r"^As of \d+ [A-Z][a-z]+, \d\d:\d\d$"))
    phone.unroute("**/news.json")
    phone.goto(root + "offline/")
    expect(phone.get_by_text("This browser cannot keep pages")).to_be_visible()
    expect(phone.get_by_role("button", name="keeping pages")).to_have_count(0)


def test_times_are_those_of_the_site_wherever_the_phone_is(
    phone: Page, on_phone: tuple[Tournament, Arbiter, str], settings: Settings
) -> None:
    settings.TIME_ZONE = "Pacific/Auckland"
    _, _, root = on_phone
    phone.add_init_script("delete Navigator.prototype.serviceWorker; delete window.caches;")
    phone.clock.set_fixed_time("2026-11-21T11:30:00Z")
    phone.goto(root + "pairings/2/")
    phone.route("**/news.json", lambda route: route.abort())
    phone.evaluate("document.dispatchEvent(new Event('news:lost'))")
    expect(phone.locator("#as-of")).to_have_text("As of 00:30")
    # It was tomorrow there half an hour ago, and is so still; a day later the date is there too.
    phone.clock.set_fixed_time("2026-11-22T10:59:00Z")
    phone.evaluate("document.dispatchEvent(new Event('news:lost'))")
    expect(phone.locator("#as-of")).to_have_text("As of 00:30")
    phone.clock.set_fixed_time("2026-11-22T11:01:00Z")
    phone.evaluate("document.dispatchEvent(new Event('news:lost'))")
    expect(phone.locator("#as-of")).to_have_text("As of 22 Nov, 00:30")
    # A zone that this browser does not know.
    phone.evaluate("document.body.dataset.zone = 'Mars/Olympus'")
    phone.evaluate("document.dispatchEvent(new Event('news:lost'))")
    expect(phone.locator("#as-of")).to_have_text(re.compile(r"^As of (\d\d Nov, )?\d\d:30$"))


@pytest.mark.costly
def test_the_phone_of_somebody_who_logs_in_or_says_so_keeps_nothing(
    phone: Page, on_phone: tuple[Tournament, Arbiter, str]
) -> None:
    tournament, chief, root = on_phone
    count = (
        "async () => (await caches.keys()).length + (await "
        "navigator.serviceWorker.getRegistrations()).length"
    )
    phone.goto(root + "offline/")
    wait_until_kept(phone)
    assert phone.evaluate(count) == 3  # the worker, the set of the tournament, and the home page
    phone.get_by_role("button", name="Stop keeping pages on this phone").tap()
    expect(phone.get_by_role("button", name="Keep pages on this phone")).to_be_focused()
    assert phone.evaluate(count) == 0
    phone.goto(root)
    phone.wait_for_load_state("networkidle")
    assert phone.evaluate(count) == 0
    phone.goto(root + "offline/")
    phone.get_by_role("button", name="Keep pages on this phone").tap()
    wait_until_kept(phone)
    chief.slug = tournament.slug
    chief.log_in()
    phone.goto(root + "standings/")
    wait_for(phone, f"async () => (await ({count})()) === 0")


@pytest.mark.costly
def test_another_language_and_another_build_are_kept_instead(
    phone: Page, on_phone: tuple[Tournament, Arbiter, str], settings: Settings
) -> None:
    _, _, root = on_phone
    phone.goto(root)
    wait_until_kept(phone)
    english = pages_kept(phone)
    settings.VERSION = "9.9.9"
    phone.goto(f"{root}../../language/fr/?next={root.split('/', 3)[3].join('//')}")
    phone.goto(root + "pairings/2/")
    wait_until_kept(phone)
    french = pages_kept(phone)
    assert {*re.findall("<html lang=..", "".join(english.values()))} == {'<html lang="e'}
    assert {*re.findall("<html lang=..", "".join(french.values()))} == {'<html lang="f'}
    builds = [
        {*re.findall('data-build="(.*?)"', "".join(kept.values()))} for kept in (english, french)
    ]
    assert len(builds[0]) == len(builds[1]) == 1
    assert builds[0] != builds[1]
    phone.context.set_offline(True)
    phone.goto(root + "standings/")
    expect(phone.locator("#as-of")).to_have_text(re.compile(r"hors ligne"))
    expect(phone.locator("html")).to_have_attribute("lang", "fr")
