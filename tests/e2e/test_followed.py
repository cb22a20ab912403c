"""Followed players on a phone: stars, cards, marked rows, a list that is passed on, the news bar."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tournaments.events.sections import event_create, section_add

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS = 2_000


@pytest.mark.costly
def test_stars_make_a_list_that_stays_marks_rows_and_is_announced(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    factories.pair_and_publish(tournament, 1, chief.user)
    players = [factories.entry_of(tournament, number) for number in (1, 2)]
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.clock.install()
    phone.goto(f"{root}player/{players[0].pk}/")
    star = phone.get_by_role("button", name="Follow")
    expect(star).to_have_attribute("aria-pressed", "false")
    star.tap()
    expect(star).to_have_attribute("aria-pressed", "true")
    # A search finds the other one; the list is still the phone's.
    phone.goto(f"{root}follow/?q={players[1].name.split(',')[0]}")
    phone.get_by_role("button", name=players[1].name).tap()
    assert faults(phone) == []
    phone.get_by_role("link", name="Me", exact=True).tap()
    cards = phone.locator("#me-followed .my-board")
    expect(cards).to_have_count(2)
    expect(cards.first).to_contain_text("Board 1")
    assert faults(phone) == []
    assert not too_wide(phone)
    # Their rows are marked in every list, and one tap away.
    phone.goto(f"{root}pairings/1/")
    expect(phone.locator("tr.theirs")).to_have_count(2)
    phone.get_by_role("navigation", name="Rows of players I follow").get_by_role("link").first.tap()
    assert "#board-" in phone.url
    # The list is passed on by its address: another phone sees the cards without any list.
    phone.goto(f"{root}me/")
    phone.get_by_role("link", name="Change this list, or pass it on").tap()
    expect(phone.locator("#followed .my-board")).to_have_count(2)
    address = phone.url
    phone.evaluate("localStorage.clear()")
    phone.goto(address)
    expect(phone.locator("#followed .my-board")).to_have_count(2)
    phone.get_by_role("button", name="Follow on this phone").tap()
    assert not too_wide(phone)
    # The news bar names their boards.
    factories.enter_results(tournament, 1, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=factories.NOW
    )
    phone.goto(f"{root}standings/")
    factories.pair_and_publish(tournament, 2, chief.user)
    phone.clock.fast_forward(TWO_SECONDS)
    for player in players:
        expect(phone.locator("#news")).to_contain_text(f"{player.name}: round 2, board")


@pytest.mark.costly
def test_a_phone_finds_its_section_from_the_poster_of_the_event(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    first = factories.make_ready(chief.user, players=4)
    by = {"actor": chief.user, "now": factories.NOW}
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    factories.pair_and_publish(first, 1, chief.user)
    player = factories.entry_of(first, 2)
    me = f"{live_server.url}/e/{event.slug}/me/"
    phone.goto(me)
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name="Find").tap()
    found = phone.get_by_role("link", name=player.name)
    expect(found).to_be_visible()
    assert faults(phone) == []
    found.tap()
    expect(phone.locator("#me-player .my-board")).to_contain_text("Board 2")
    phone.goto(me)
    phone.wait_for_url(f"**/t/{first.slug}/me/")
    expect(phone.locator("#me-player .my-board")).to_contain_text("Board 2")
