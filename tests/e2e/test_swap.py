"""Two players of a draft change places: two clicks, a drag or the keyboard, then one reason."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.factories import NOW, boards, entry_of, round_of
from tournaments.models import Decision, Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_swap_takes_two_clicks_and_a_reason_and_the_keyboard_does_the_same(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief.user, now=NOW)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open("rounds/1/")
    said, tray = page.locator("#arranging-said"), page.locator(".swap-tray")
    one, two, three = (name(page, tournament, tpn) for tpn in (1, 2, 3))
    # Two clicks. The first marks without asking the server, and Escape cancels it.
    one.click()
    expect(one).to_have_attribute("aria-pressed", "true")
    expect(said).to_contain_text("is marked")
    page.keyboard.press("Escape")
    expect(said).to_have_text("No player is marked.")
    publish = page.locator(".page-head .actions")
    expect(publish).to_be_visible()
    one.click()
    two.click()
    expect(tray).to_contain_text("1 unsaved change")
    expect(publish).to_be_hidden()
    expect(said).to_contain_text("Board 1: ")
    expect(two).to_be_focused()
    assert boards(tournament, 1)[0] == (1, 5, "")
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert too_wide(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    # Without the network the page stays as it was, with the change that is not saved.
    page.context.set_offline(True)
    three.click()
    one.click()
    expect(page.locator("#messages")).to_contain_text("The server could not be reached.")
    expect(tray).to_contain_text("1 unsaved change")
    expect(page.locator("#arranging")).not_to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    expect(said).to_have_text("No player is marked.")
    two.focus()
    # The keyboard: an arrow, Enter, and C for the colours.
    page.keyboard.press("c")
    expect(tray).to_contain_text("2 unsaved changes")
    expect(two).to_be_focused()
    # A drag, and back.
    three.drag_to(one)
    expect(tray).to_contain_text("3 unsaved changes")
    page.reload()
    expect(tray).to_contain_text("3 unsaved changes")
    # The card of the marked player opens over the changes, which stay.
    three.click()
    page.get_by_role("link", name="Player card").click()
    expect(page.get_by_role("dialog", name=entry_of(tournament, 3).name)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Cancel", exact=True).click()
    page.get_by_role("link", name="Undo").click()
    expect(tray).to_contain_text("2 unsaved changes")
    # From a player, wherever the board is, one key leads to the reason.
    two.focus()
    page.keyboard.press("r")
    expect(page.locator("#swap-reason")).to_have_value("")
    page.keyboard.type("their clubs asked")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("The change is saved")
    assert {(white, black) for white, black, _ in boards(tournament, 1)} == {(5, 2), (6, 1), (3, 7), (8, 4)}
    line = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert (line.action, line.reason) == ("round.arranged", "their clubs asked")


def name(page: Page, tournament: Tournament, tpn: int) -> Locator:
    return page.locator(f'[data-player="{entry_of(tournament, tpn).pk}"]')
