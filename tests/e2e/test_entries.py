"""Checking players in: three letters, one click, and the number of missing players."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Entry

from .arbiter import Arbiter

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.costly
def test_search_as_you_type_and_check_in(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_ready(chief.user, players=12).slug
    chief.log_in()
    chief.open("entries/?shown=not-checked-in")
    rows = page.locator("table.entries tbody tr")
    expect(rows).to_have_count(12)
    page.get_by_label("Search by name, club, number or FIDE ID").fill("fab")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile("shown=not-checked-in&q=fab$"))
    page.get_by_role("button", name="Fabre, Player 6: check in").click()
    expect(rows.get_by_role("button")).to_have_text("Fabre, Player 6: ✓ present")
    parts = page.locator("#entry-filters a")
    expect(parts).to_have_text(
        ["all 12", "checked in 1", "not checked in 11", "with byes 0", "withdrawn 0"]
    )
    expect(page.locator("#entry-filters a[aria-current]")).to_contain_text("not checked in")
    assert list(Entry.objects.filter(checked_in=True).values_list("name", flat=True)) == [
        "Fabre, Player 6"
    ]


def test_a_refusal_appears_on_the_page_without_a_reload(
    page: Page, live_server: LiveServer
) -> None:
    """With two arbiters, the second one's *Pair* is refused on the page where it was pressed."""
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open()
    Entry.objects.filter(tournament=tournament).update(tpn=None)
    chief.press("Pair round 1")
    expect(page.locator("#problem [role=alert]")).to_contain_text(
        "have no pairing number (TPN) yet"
    )
    expect(page.get_by_role("button", name="Pair round 1")).to_be_enabled()


def test_the_first_tab_skips_the_menus(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
