"""The keys of every page: the finder, ``g`` and a letter, the list of keys,
and the focus of a page just opened.
"""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)


def at_the_desk(
    page: Page, live_server: LiveServer, path: str = "desk/"
) -> tuple[Arbiter, Tournament]:
    """Open *path* of a tournament whose round 1 is published."""
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    tournament = factories.make_ready(chief.user, players=9)
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    chief.open(path)
    return chief, tournament


@pytest.mark.costly
def test_the_finder_opens_a_player_a_board_and_a_page(page: Page, live_server: LiveServer) -> None:
    chief, tournament = at_the_desk(page, live_server)
    press, finder = page.keyboard.press, page.get_by_role("dialog", name="Find")
    page.goto(f"{chief.site}/t/{chief.slug}/standings/")
    expect(page.locator("body[data-keys-work]")).to_be_attached()
    press("/")
    expect(finder.get_by_label("Player, board or page")).to_be_focused()
    expect(finder.get_by_role("link")).to_have_count(10)
    assert faults(page) == []
    page.keyboard.type("é")
    press("Backspace")
    entry = factories.entry_of(tournament, 4)
    page.keyboard.type(entry.name[:4].upper())
    # Enter before the hits are there opens the first of them, not the first of the letters before.
    press("Enter")
    page.wait_for_url(f"**/entries/{entry.pk}/")
    press("Control+k")
    page.keyboard.type("x")
    expect(finder).to_contain_text("Nothing fits.")
    expect(finder.get_by_role("status")).to_have_text("Nothing fits.")
    press("Backspace")
    page.keyboard.type("3")
    expect(finder.get_by_role("link", name=re.compile("^Board 3 .* – "))).to_be_visible()
    press("ArrowDown")
    expect(finder.get_by_role("link", name=re.compile("^Board 3 .* – "))).to_be_focused()
    press("Enter")
    page.wait_for_url("**/rounds/1/#board-3")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "3")
    # Here / belongs to the search of the page, and the finder leads to another board of this page.
    press("/")
    expect(page.locator("#find")).to_be_focused()
    press("Control+k")
    page.keyboard.type("2")
    expect(finder.get_by_role("link", name=re.compile("^Board 2 .* – "))).to_be_visible()
    press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    expect(finder).to_be_hidden()
    press("ArrowDown")
    press("Control+k")
    page.keyboard.type("2")
    expect(finder.get_by_role("link", name=re.compile("^Board 2 .* – "))).to_be_visible()
    press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    press("Control+k")
    press("Escape")
    expect(page.locator("tr.current button.value, tr.current td.value button")).to_be_focused()
    # A key in the list of keys enters nothing behind it, wherever the list was clicked.
    press("?")
    page.get_by_role("dialog", name="Keyboard shortcuts").get_by_role(
        "heading", name="Result entry"
    ).click()
    press("1")
    press("Escape")
    expect(page.locator("#entered")).to_have_text("0")
    # On the page of a card, the letter after g is not a key of the card.
    chief.open("rounds/1/board/2/")
    press("g")
    press("e")
    page.wait_for_url("**/entries/")


@pytest.mark.costly
def test_g_and_a_letter_go_and_no_key_works_where_somebody_types(
    page: Page, live_server: LiveServer
) -> None:
    chief, _ = at_the_desk(page, live_server)
    press, hint = page.keyboard.press, page.locator("#keys-hint")
    press("g")
    expect(hint).to_contain_text("Go to: d Now e Entries")
    press("Escape")
    expect(hint).to_be_empty()
    press("s")
    press("g")
    press("S")  # with the Caps Lock on
    page.wait_for_url("**/standings/")
    expect(page.locator("body[data-keys-work]")).to_be_attached()
    press("g")
    press("e")
    page.wait_for_url("**/entries/")
    page.locator("#q").focus()
    page.keyboard.type("g?/d")
    expect(page.locator("#q")).to_have_value("g?/d")
    expect(page.get_by_role("dialog")).to_have_count(0)
    chief.open()
    for key in ("Control+g", "Alt+g", "Meta+g"):
        press(key)
    press("d")
    page.keyboard.down("g")
    page.keyboard.down("g")  # held down
    expect(hint).not_to_be_empty()
    page.keyboard.up("g")
    press("p")
    page.wait_for_url("**/pairings/1/")
    expect(page.locator("body[data-keys-work]")).to_be_attached()
    page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: '?', isComposing: true, "
        "bubbles: true}))"
    )
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.costly
def test_the_list_of_keys_and_the_keys_without_ctrl_switched_off(
    page: Page, live_server: LiveServer
) -> None:
    chief, _ = at_the_desk(page, live_server)
    press, listed = page.keyboard.press, page.get_by_role("dialog", name="Keyboard shortcuts")
    # Without the network the page stays, and says so.
    page.context.set_offline(True)
    press("?")
    expect(page.locator("#messages")).to_contain_text("The server could not be reached.")
    page.context.set_offline(False)
    press("?")
    expect(listed).to_contain_text("Standings")
    assert faults(page) == []
    press("g")
    press("s")
    listed.get_by_label("Keys without Ctrl work in this browser").uncheck()
    press("Escape")
    expect(listed).to_be_hidden()
    chief.open("rounds/1/")
    for key in ("/", "?", "g"):
        press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#keys-hint")).to_be_empty()
    press("Control+k")
    expect(page.get_by_role("dialog", name="Find")).to_be_visible()
    press("Escape")
    page.get_by_role("contentinfo").get_by_role("link", name="Keyboard shortcuts").click()
    listed.get_by_label("Keys without Ctrl work in this browser").check()
    listed.get_by_role("button", name="Close").click()
    press("/")
    expect(page.get_by_role("dialog", name="Find")).to_be_visible()


@pytest.mark.costly
def test_the_next_step_has_the_focus_unless_the_address_names_a_place(
    page: Page, live_server: LiveServer
) -> None:
    chief, tournament = at_the_desk(page, live_server)
    main = page.get_by_role("main")
    expect(main.get_by_role("link", name="Enter results")).to_be_focused()
    chief.open("entries/add/")
    expect(main.get_by_label("Name", exact=True)).to_be_focused()
    page.goto("about:blank")
    chief.open("desk/#log-heading")
    expect(page.locator("#log-heading")).to_be_in_viewport()
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    factories.enter_results(tournament, 1, chief.user)
    page.goto("about:blank")
    chief.open()
    expect(main.get_by_role("button", name="Publish results")).to_be_visible()
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=timezone.now()
    )
    chief.open()
    expect(main.get_by_role("button", name="Pair round 2")).to_be_focused()


def test_on_a_phone_nothing_has_the_focus_and_the_finder_fits(
    phone: Page, live_server: LiveServer
) -> None:
    chief, tournament = at_the_desk(phone, live_server, "entries/add/")
    assert phone.evaluate("document.activeElement.tagName") == "BODY"
    phone.get_by_role("navigation", name="Most used pages").get_by_role("link", name="Find").tap()
    finder = phone.get_by_role("dialog", name="Find")
    finder.get_by_label("Player, board or page").fill("1")
    expect(
        finder.get_by_role("link", name=factories.entry_of(tournament, 1).name).first
    ).to_be_visible()
    assert too_wide(phone) == []
    finder.get_by_role("button", name="Close").tap()
    phone.get_by_role("contentinfo").get_by_role("link", name="Keyboard shortcuts").tap()
    expect(phone.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert too_wide(phone) == []
    assert chief.slug in phone.url


@pytest.mark.costly
def test_without_a_script_the_finder_and_the_keys_are_pages(
    plain_page: Page, live_server: LiveServer
) -> None:
    _, tournament = at_the_desk(plain_page, live_server)
    plain_page.locator(".event-title").get_by_role("link", name="Find").click()
    main = plain_page.get_by_role("main")
    main.get_by_label("Player, board or page").fill("4")
    main.get_by_role("button", name="Find").click()
    main.get_by_role("link", name=re.compile(f"^{factories.entry_of(tournament, 4).name}")).click()
    plain_page.wait_for_url("**/entries/*/")
    plain_page.get_by_role("contentinfo").get_by_role("link", name="Keyboard shortcuts").click()
    expect(main).to_contain_text("find a player, a board or a page")
    expect(main.get_by_label("Keys without Ctrl work in this browser")).to_be_hidden()
