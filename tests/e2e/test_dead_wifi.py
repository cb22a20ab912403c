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

    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    hall.recover()
    phone.goto(root + "standings/", wait_until="commit")
    expect(phone.locator("#live")).to_contain_text("round 2", timeout=SILENT)
    expect(phone.locator("#as-of")).to_be_empty(timeout=SILENT)


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
