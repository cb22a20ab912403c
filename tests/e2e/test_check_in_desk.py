"""The check-in desk as helpers use it: letters and Enter, two helpers at once,
one key to undo, a phone.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.core.frame import state_key
from tournaments.entries.check_in import check_in_open
from tournaments.entries.desk_data import desk_data_set, fee_set
from tournaments.entries.entries import entry_check_in
from tournaments.models import Appointment, Entry, Role, Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]


def open_desk(page: Page, site: str) -> tuple[Arbiter, Tournament]:
    chief = Arbiter(page, site)
    tournament = factories.make_ready(chief.user, players=12)
    chief.slug = tournament.slug
    given = {"tournament_id": tournament.pk, "actor": chief.user, "now": factories.NOW}
    check_in_open(**given)
    fee_set(**given, fee=2500)
    first = Entry.objects.get(tournament=tournament, name__startswith="Fabre")
    desk_data_set(
        entry_id=first.pk, actor=chief.user, now=factories.NOW, phone="06 12", note="pays later", fee_due=None,
        fee_paid=0,
    )  # fmt: skip
    chief.log_in()
    chief.open("check-in/")
    return chief, tournament


def there(tournament: Tournament) -> set[str]:
    names = Entry.objects.filter(tournament=tournament, checked_in=True).values_list(
        "name", flat=True
    )
    return {name.split(",")[0] for name in names}


def test_three_letters_and_enter_check_in_and_one_key_undoes(
    page: Page, live_server: LiveServer
) -> None:
    _, tournament = open_desk(page, live_server.url)
    field, line = page.locator("#who"), page.locator("#check-in-status")
    expect(field).to_be_focused()
    page.keyboard.type("fab")
    expect(page.locator("#who-fits")).to_have_text("Enter checks in: Fabre, Player 6")
    expect(page.locator(".check-in-list li:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(line).to_contain_text("Fabre, Player 6 is checked in.")
    expect(line).to_contain_text("To pay: 25.00")
    expect(line).to_contain_text("pays later")
    expect(page.locator("#check-in-counts")).to_contain_text("11 missing")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    assert there(tournament) == {"Fabre"}
    page.keyboard.press("Backspace")
    expect(line).to_contain_text("Fabre, Player 6 is no longer checked in.")
    expect(page.locator("#check-in-counts")).to_contain_text("12 missing")
    assert there(tournament) == set()
    # Several fit: the keys move to the buttons.
    page.keyboard.type("pla")
    expect(page.locator("#who-fits")).to_have_text("12 players: go on typing, or ↓")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#check-in-counts")).to_contain_text("11 missing")
    assert len(there(tournament)) == 1
    assert faults(page) == []


def test_nobody_waits_for_the_server(page: Page, live_server: LiveServer) -> None:
    """Names typed without a pause, and buttons pressed without a pause, are all checked in,
    one after the other.
    """
    _, tournament = open_desk(page, live_server.url)
    page.keyboard.type("aba\nfab\ngra\nzz\n")
    expect(page.locator("#check-in-status")).to_contain_text("No player matches your search.")
    expect(page.locator("#who")).to_have_value("zz")
    assert there(tournament) == {"Abara", "Fabre", "Grau"}
    page.keyboard.press("Escape")
    expect(page.locator("#who")).to_have_value("")
    page.evaluate("""() => {
        const missing = [...document.querySelectorAll(".check-in-list button:not(.on)")];
        missing.slice(0, 4).forEach((button) => button.click());
    }""")
    expect(page.locator("#check-in-counts")).to_contain_text("5 missing")
    assert len(there(tournament)) == 7
    page.keyboard.type("zz")
    page.locator(".segmented a", has_text="missing").click()
    expect(page.locator(".check-in-list li")).to_have_count(5)
    page.locator(".check-in-list button").first.click()
    expect(page.locator(".check-in-list li")).to_have_count(4)


def test_the_work_of_another_helper_appears_by_itself_beside_what_is_typed(
    page: Page, live_server: LiveServer
) -> None:
    chief, tournament = open_desk(page, live_server.url)
    page.keyboard.type("gra")
    other = Entry.objects.get(tournament=tournament, name__startswith="Abara")
    entry_check_in(entry_id=other.pk, actor=chief.user, now=factories.NOW, checked_in=True)
    expect(page.locator("#live")).to_have_attribute("hx-trigger", "every 1500ms")
    expect(page.locator("#check-in-counts")).to_contain_text("11 missing")
    expect(page.locator("#who")).to_have_value("gra")
    expect(page.locator("#who")).to_be_focused()
    expect(page.locator(".check-in-list li:visible")).to_have_count(1)
    tournament.refresh_from_db()
    expect(page.locator("#live")).to_have_attribute(
        "hx-get", re.compile(re.escape(state_key(tournament, runs=True)))
    )


def test_a_helper_on_a_phone_has_large_buttons_and_no_other_pages(
    phone: Page, live_server: LiveServer
) -> None:
    chief, tournament = open_desk(phone, live_server.url)
    Appointment.objects.filter(tournament=tournament, person=chief.user).update(
        role=Role.CHECK_IN_DESK
    )
    chief.open("desk/")
    phone.locator("#content").get_by_role("link", name="Check-in").tap()
    phone.wait_for_url("**/check-in/")
    for button in (
        phone.locator("#tick-" + str(tournament.entries.order_by("pk").last().pk)),
        phone.locator("#who"),
    ):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert too_wide(phone) == []
    phone.get_by_role("button", name="Abara, Player 1: check in").tap()
    expect(phone.locator("#check-in-counts")).to_contain_text("11 missing")
    expect(phone.get_by_role("button", name="Open check-in")).to_have_count(0)
    assert faults(phone) == []


def test_without_script_the_field_is_a_form(plain_page: Page, live_server: LiveServer) -> None:
    chief, tournament = open_desk(plain_page, live_server.url)
    plain_page.locator("#who").fill("fab")
    chief.press("Check in")
    chief.expect_message("Fabre, Player 6 is checked in.")
    plain_page.locator("#who").fill("play")
    chief.press("Check in")
    expect(plain_page.locator("#check-in-status")).to_contain_text("11 players fit: choose one.")
    plain_page.get_by_role("button", name="Abara, Player 1: check in").click()
    chief.expect_message("Abara, Player 1 is checked in.")
    assert there(tournament) == {"Fabre", "Abara"}


def test_a_player_checks_in_on_the_tablet(
    page: Page, browser: Browser, live_server: LiveServer
) -> None:
    chief, tournament = open_desk(page, live_server.url)
    chief.open("check-in/self/")
    chief.press("Switch on")
    address = (
        live_server.url
        + "/"
        + (page.locator(".address a").get_attribute("href") or "").split("/", 3)[3]
    )
    code = page.locator("tr", has_text="Grau").locator("td").inner_text()
    assert faults(page) == []
    tablet = browser.new_context(viewport={"width": 768, "height": 1024}).new_page()
    tablet.goto(address)
    tablet.get_by_label("Your name: at least three letters").fill("gra")
    tablet.keyboard.press("Enter")
    tablet.get_by_role("link", name="Grau, Player 7").click()
    for typed in ("000000" if code != "000000" else "1", code):
        assert faults(tablet) == []
        tablet.get_by_label("Your code").fill(typed)
        tablet.get_by_role("button", name="Yes, this is me, and I am here").click()
    expect(tablet.locator("#messages")).to_contain_text("Grau, Player 7 is checked in. Good luck!")
    assert there(tournament) == {"Grau"}
    tablet.context.close()


def test_pair_asks_once_for_each_missing_player(page: Page, live_server: LiveServer) -> None:
    chief, tournament = open_desk(page, live_server.url)
    for entry in Entry.objects.filter(tournament=tournament).order_by("tpn")[3:]:
        entry_check_in(entry_id=entry.pk, actor=chief.user, now=factories.NOW, checked_in=True)
    chief.open()
    chief.press("Pair round 1")
    page.wait_for_url("**/rounds/1/missing/")
    expect(page.locator("fieldset.answer")).to_have_count(3)
    assert faults(page) == []
    for place, answer in enumerate(["skip until checked in", "withdraw", "is coming"]):
        page.locator("fieldset.answer").nth(place).get_by_label(answer).check()
    chief.press("Save and pair round 1")
    chief.expect_message("Round 1 is paired.")
    chief.publish(1)
    expect(page.locator("tr[id^=board-], table.pairings tbody tr").first).to_be_visible()
