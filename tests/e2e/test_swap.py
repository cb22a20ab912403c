"""Two players of a draft change places: two clicks, a drag or the keyboard, then one reason."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.factories import NOW, boards, entry_of, round_of
from tests.tournaments.rounds.test_draft_in_parts import at, make_draft, opponent
from tournaments.models import Decision, Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.costly
def test_a_swap_takes_two_clicks_and_a_reason_and_the_keyboard_does_the_same(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief.user, now=NOW)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open("rounds/1/")
    shown, tray = page.locator("#arranging-status"), page.locator(".swap-tray")
    one, two, three = (name(page, tournament, tpn) for tpn in (1, 2, 3))
    # Two clicks. Escape cancels the first.
    one.click()
    expect(one).to_have_attribute("aria-pressed", "true")
    expect(shown).to_contain_text("is marked")
    page.keyboard.press("Escape")
    expect(shown).to_have_text("No player is marked.")
    one.click()
    one.click()
    expect(shown).to_have_text("No player is marked.")
    publish = page.locator(".round-top .actions")
    expect(publish).to_be_visible()
    one.click()
    two.click()
    expect(tray).to_contain_text("1 unsaved change")
    expect(publish).to_be_hidden()
    expect(shown).to_contain_text("Board 1: ")
    expect(two).to_be_focused()
    assert boards(tournament, 1)[0] == (1, 5, "")
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert too_wide(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    # Without the network the page stays as it was, with the change that is not saved.
    # A mark needs none.
    page.context.set_offline(True)
    three.click()
    expect(shown).to_contain_text(f"{entry_of(tournament, 3).name} is marked")
    one.click()
    expect(page.locator("#messages")).to_contain_text("The server could not be reached.")
    expect(tray).to_contain_text("1 unsaved change")
    expect(page.locator("#arranging")).not_to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    expect(three).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(three).to_have_attribute("aria-pressed", "false")
    expect(three).to_be_focused()
    expect(shown).to_have_text("No player is marked.")
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
    expect(three).to_be_focused()
    # The marked player is taken out, and comes back.
    three.click()
    page.get_by_role("link", name="Take out").click()
    expect(tray).to_contain_text("2 players are left over")
    page.get_by_role("link", name="Undo").click()
    expect(tray).to_contain_text("3 unsaved changes")
    page.get_by_role("link", name="Undo").click()
    expect(tray).to_contain_text("2 unsaved changes")
    # From a player, wherever the board is, one key leads to the reason.
    two.focus()
    page.keyboard.press("r")
    expect(page.locator("#swap-reason")).to_have_value("")
    page.keyboard.type("their clubs asked")
    page.keyboard.press("Enter")
    expect(page.locator("#messages")).to_contain_text("The change is saved")
    assert {(white, black) for white, black, _ in boards(tournament, 1)} == {
        (5, 2),
        (6, 1),
        (3, 7),
        (8, 4),
    }
    line = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert (line.action, line.reason) == ("round.arranged", "their clubs asked")


def name(page: Page, tournament: Tournament, tpn: int) -> Locator:
    return page.locator(f'[data-player="{entry_of(tournament, tpn).pk}"]')


@pytest.mark.costly
def test_players_of_two_parts_change_places(page: Page, live_server: LiveServer) -> None:
    """The draft has 405 boards: the mark and the unsaved changes go along to another part,
    and so does a search.
    """
    chief = Arbiter(page, live_server.url)
    tournament = make_draft(chief.user, players=810)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open("rounds/1/")
    line, tray, here = (
        page.locator("#arranging-status"),
        page.locator(".swap-tray"),
        page.locator(".parts [aria-current]"),
    )
    one, other, black = at(tournament, 1), at(tournament, 404), at(tournament, 404, "b")
    page.locator(f'[data-player="{one.pk}"]').click()
    page.get_by_role("link", name="401–405").click()
    expect(here).to_have_text("401–405")
    expect(here).to_be_focused()
    expect(tray).to_contain_text(f"{one.name} is marked")
    page.locator(f'[data-player="{other.pk}"]').click()
    expect(tray).to_contain_text("1 unsaved change")
    expect(tray).to_contain_text(f"1: {other.name} – ")
    expect(page.locator(f'[data-player="{one.pk}"]')).to_be_focused()
    assert faults(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert too_wide(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    # The reason that is begun, the change and the mark stay during a search.
    page.locator("#swap-reason").fill("their clubs asked")
    page.locator(f'[data-player="{at(tournament, 405).pk}"]').click()
    page.locator("#find-board-words").fill("203")
    page.keyboard.press("Enter")
    expect(here).to_have_text("201–400")
    expect(page.locator("#board-203 [data-player]").first).to_be_focused()
    page.locator("#find-board-words").fill("406")
    page.keyboard.press("Enter")
    expect(line).to_have_text("No board of this round fits.")
    page.locator("#find-board-words").fill("given 1")
    page.keyboard.press("Enter")
    expect(page.locator("#found-boards a").first).to_be_focused()
    page.locator("#board-203 [data-player]").first.click()
    expect(tray).to_contain_text("2 unsaved changes")
    expect(page.locator("#swap-reason")).to_have_value("their clubs asked")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator("#messages")).to_contain_text("The change is saved")
    expect(here).to_have_text("201–400")
    assert opponent(one) == black
    # Without a mark and without changes a search and a part are pages as any other.
    page.locator("#find-board-words").fill("404")
    page.keyboard.press("Enter")
    expect(page.locator("#board-404")).to_be_in_viewport()
    expect(page.locator(".round-top .actions")).to_be_visible()
