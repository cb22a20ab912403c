"""A wifi that is connected but dead: pages show what the phone has, say since when, and recover."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tournaments.events.sections import event_create
from tournaments.models import Tournament

from .arbiter import Arbiter
from .dead_wifi import Wifi, wifi
from .test_offline import wait_until_kept

pytestmark = pytest.mark.django_db(transaction=True)

AS_OF: Final = re.compile(r"^As of \d\d:\d\d(, offline)?$")
SILENT: Final = 15_000
"""Milliseconds that a page may take to notice it: requests end after five seconds."""


@pytest.fixture
def hall(live_server: LiveServer) -> Iterator[Wifi]:
    with wifi(live_server.url) as found:
        yield found


@pytest.mark.costly
def test_pages_show_what_the_phone_has_while_the_wifi_never_answers(
    phone: Page, hall: Wifi, live_server: LiveServer
) -> None:
    phone.add_init_script("Math.random = () => 0;")
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    root = f"{hall.url}/t/{tournament.slug}/"
    player = factories.entry_of(tournament, 3)
    phone.goto(root + "me/")
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.locator(".my-board")).to_contain_text("Board")
    phone.goto(root + "pairings/2/")
    wait_until_kept(phone)

    hall.die()
    # An open page notices it, although no request fails.
    expect(phone.locator("#as-of")).to_have_text(AS_OF, timeout=SILENT)
    # A page that is loaded is shown at once, and so is the player's board.
    phone.reload(wait_until="commit")
    expect(phone.locator("h1")).to_contain_text("Round 2")
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
    phone.goto(root + "me/", wait_until="commit")
    expect(phone.locator(".my-board")).to_contain_text("Board")
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
    # A page that no phone keeps does not hang until the browser gives up.
    phone.goto(root + "record/", wait_until="commit", timeout=SILENT)
    expect(phone.locator("h1:visible").first).to_have_text("This page is not kept on this phone")

    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    hall.recover()
    phone.goto(root + "standings/", wait_until="commit")
    expect(phone.locator("#live")).to_contain_text("round 2", timeout=SILENT)
    expect(phone.locator("#as-of")).to_be_empty(timeout=SILENT)


@pytest.fixture
def news(phone: Page, hall: Wifi, live_server: LiveServer) -> str:
    """The address of the news of a tournament whose pages the phone keeps."""
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.goto(f"{hall.url}/t/{tournament.slug}/pairings/1/")
    wait_until_kept(phone)
    return f"{hall.url}/t/{tournament.slug}/news.json"


def in_the_worker(phone: Page, script: str, *values: object) -> object:
    """Return what *script* returns in the service worker of the pages."""
    (worker,) = (each for each in phone.context.service_workers if "push" not in each.url)
    return worker.evaluate(script, values)


def test_a_file_that_the_browser_has_does_not_revive_a_dead_network(
    phone: Page, hall: Wifi, news: str
) -> None:
    is_dead_after = """async ([address, patience]) => {
        deadUntil = Date.now() + DEAD;
        await (await answerOf(new Request(address), patience)).text();
        return deadUntil > 0;
    }"""
    assert in_the_worker(phone, is_dead_after, f"{hall.url}/static/js/common.js", 8000) is True
    assert in_the_worker(phone, is_dead_after, news, 8000) is False


def test_a_request_that_ends_without_an_answer_says_that_the_network_is_dead(
    phone: Page, hall: Wifi, news: str
) -> None:
    hall.die()
    is_known = """async ([address]) => {
        deadUntil = 0;
        await answerOf(new Request(address, { cache: "no-store" }), LIMIT).catch(() => {});
        return deadUntil > Date.now();
    }"""
    assert in_the_worker(phone, is_known, news) is True


def test_without_kept_pages_an_open_page_notices_it_and_recovers(
    phone: Page, hall: Wifi, live_server: LiveServer
) -> None:
    phone.add_init_script("delete Navigator.prototype.serviceWorker; Math.random = () => 0;")
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.goto(f"{hall.url}/t/{tournament.slug}/pairings/1/")
    expect(phone.locator("#as-of")).to_be_empty()
    hall.die()
    expect(phone.locator("#as-of")).to_have_text(AS_OF, timeout=SILENT)
    hall.recover()
    expect(phone.locator("#as-of")).to_be_empty(timeout=2 * SILENT)


@pytest.mark.costly
def test_home_and_event_are_shown_with_their_time_while_the_wifi_never_answers(
    phone: Page, hall: Wifi, live_server: LiveServer
) -> None:
    phone.add_init_script("Math.random = () => 0;")
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    Tournament.objects.filter(pk=tournament.pk).update(listed=True)
    by = {"actor": chief.user, "now": factories.NOW}
    event = event_create(tournament_id=tournament.pk, name="City Open", label="A", **by)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.goto(f"{hall.url}/t/{tournament.slug}/")
    wait_until_kept(phone)
    open_home = phone.context.new_page()
    open_home.goto(f"{hall.url}/?all")

    hall.die()
    # The only event that is running: home leads there, as it does with network.
    phone.goto(hall.url, wait_until="commit")
    expect(phone.get_by_role("heading", name="City Open")).to_be_visible()
    expect(phone).to_have_url(f"{hall.url}/e/{event.slug}/")
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
    phone.goto(f"{hall.url}/e/{event.slug}/me/", wait_until="commit")
    expect(phone.get_by_text("Choose your name")).to_be_visible()
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
    phone.goto(f"{hall.url}/?all", wait_until="commit")
    expect(phone.get_by_role("link", name="City Open").first).to_be_visible()
    expect(phone.locator("#as-of")).to_have_text(AS_OF)

    # A page without news notices it too, when it asks for itself.
    open_home.bring_to_front()
    open_home.evaluate("dispatchEvent(new Event('online'))")
    expect(open_home.locator("#as-of")).to_have_text(AS_OF, timeout=SILENT)

    factories.enter_results(tournament, 1, chief.user)
    results_publish(round_id=factories.round_of(tournament, 1).pk, **by)
    hall.recover()
    phone.bring_to_front()
    # The list has changed, so it is loaded again.
    expect(phone.get_by_text("after round 1")).to_be_visible(timeout=2 * SILENT)
    expect(phone.locator("#as-of")).to_be_empty()
    phone.goto(f"{hall.url}/e/{event.slug}/")
    expect(phone.get_by_role("link", name="Standings after round 1")).to_be_visible()
    wait_until_kept(phone)
    phone.context.set_offline(True)
    phone.goto(f"{hall.url}/e/{event.slug}/")
    expect(phone.get_by_role("link", name="Standings after round 1")).to_be_visible()
    expect(phone.locator("#as-of")).to_have_text(AS_OF)
