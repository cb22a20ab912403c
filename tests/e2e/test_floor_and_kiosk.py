"""Two taps on the floor page, without a network too;
both players at the kiosk, and one key for the arbiter.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.players_reports import players_report_give
from pairing.rounds.table_codes import KIOSK, code_of, players_reports_open
from pairing.rules.published import Situation
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.rounds.test_change_actions import change
from tournaments.models import Game, PlayersReport, Tournament

from .arbiter import Arbiter, cut_off
from .test_accessibility import faults
from .test_phone import too_wide
from .test_result_entry import all_saved, at_the_results, make_round, results, second_page

__all__ = ["second_page"]

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]


def open_reports(tournament: Tournament, *places: int | str) -> list[str]:
    """Switch players' reports on; return the codes of *places*."""
    given = {"tournament_id": tournament.pk, "actor": tournament.created_by, "now": NOW}
    codes = players_reports_open(**given, secret="not-a-real-secret")
    return [code_of(codes, place) for place in places]


def test_two_taps_save_a_result_and_an_outage_loses_none(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.log_in()
    tournament = make_round(4, chief.user)
    chief.slug = tournament.slug
    chief.open("rounds/1/floor/")
    board = phone.locator("#board-2")
    board.locator("summary").tap()
    small = [
        button.inner_text()
        for button in phone.locator("main button:visible, main a:visible, summary:visible").all()
        if (button.bounding_box() or {"height": 0})["height"] < 44
    ]
    assert (small, too_wide(phone), faults(phone)) == ([], [], [])
    board.get_by_role("button", name="0 – 1").tap()
    all_saved(phone)
    expect(board).not_to_have_attribute("open", "")
    expect(phone.locator("#entered")).to_have_text("1")
    # Low on the screen, what opens must not be behind the bar: then it would take a third touch.
    phone.set_viewport_size({"width": 360, "height": 500})
    phone.evaluate("scrollTo(0, 0)")
    phone.locator("#board-4 summary").evaluate("summary => summary.click()")
    buttons = phone.locator("#board-4 button[name=save]")
    expect(buttons.first).to_be_in_viewport(ratio=1)
    bar = phone.locator("#floor-bar").bounding_box()
    seen = buttons.first.bounding_box()
    assert bar
    assert seen
    assert seen["y"] + seen["height"] <= bar["y"]
    phone.locator("#board-4 summary").tap()
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.context.set_offline(True)
    phone.locator("#board-3 summary").tap()
    phone.locator("#board-3").get_by_role("button", name="½ – ½").tap()
    expect(phone.locator("#save-state")).to_have_text("1 not saved, trying again")
    assert results() == ["", "01", "", ""]
    phone.context.set_offline(False)
    all_saved(phone)
    assert results() == ["", "01", "==", ""]
    # The code on table 4 opens its board; a number does the same.
    [code] = open_reports(tournament, 4)
    chief.open(f"table/4/{code}/")
    expect(phone.locator("#board-4")).to_have_attribute("open", "")
    phone.locator("#board").fill("1")
    phone.keyboard.press("Enter")
    expect(phone.locator("#board-1")).to_have_attribute("open", "")
    expect(phone.locator("#board-4")).not_to_have_attribute("open", "")


def test_nothing_changes_under_the_thumb_and_changed_pairings_replace_their_boards(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.log_in()
    tournament = factories.make_ready(
        chief.user, players=6, change_clause="7.3: until the start of play"
    )
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    open_reports(tournament)
    phone.clock.install()
    chief.open("rounds/1/floor/")
    board = phone.locator("#board-2")
    board.locator("summary").tap()
    game = Game.objects.get(round__tournament=tournament, board=2)
    players_report_give(game_id=game.pk, side="w", result="10", now=NOW, seen_version=0)
    phone.clock.fast_forward(5_000)
    expect(board.locator(".reported")).to_have_text("reported 1 – 0 (White)")
    expect(board.locator(".accept")).to_be_hidden()
    for _ in range(2):
        board.locator("summary").tap()
    expect(board.locator(".accept")).to_have_text("Accept 1 – 0")
    # C.04.2 4.4: the players of board 1 and 2 change while a result of board 1 is on its way.
    cut_off(phone, "**/games/*/result/")
    phone.reload()
    phone.locator("#board-1 summary").tap()
    phone.locator("#board-1").get_by_role("button", name="1 – 0").tap()
    expect(phone.locator("#board-1")).to_have_attribute("data-state", "unsaved")
    change(tournament, 1, chief.user, "1-5 4-2 3-6", Situation.REGULATIONS)
    phone.clock.fast_forward(5_000)
    expect(phone.locator("#board-1 .black")).to_contain_text("Eriksen")
    expect(phone.locator("#board-1")).to_have_attribute("data-result", "")
    expect(phone.get_by_role("alert").filter(has_text="no longer exist")).to_contain_text(
        "Board 1:"
    )
    expect(phone.locator(".floor-board")).to_have_count(3)
    phone.unroute("**/games/*/result/")
    phone.locator("#board-1 summary").tap()
    phone.locator("#board-1").get_by_role("button", name="0 – 1").tap()
    all_saved(phone)
    assert factories.boards(tournament, 1)[0][2] == "01"


def test_both_players_confirm_at_the_kiosk_and_one_key_accepts(
    page: Page, second_page: Page, live_server: LiveServer
) -> None:
    page.clock.install()
    chief = at_the_results(page, live_server)
    tournament = Tournament.objects.get(slug=chief.slug)
    [code] = open_reports(tournament, KIOSK)
    kiosk = second_page
    kiosk.set_viewport_size({"width": 768, "height": 1024})
    start = f"{live_server.url}/t/{chief.slug}/kiosk/{code}/"
    kiosk.goto(start)
    for board in ("2", "1"):
        kiosk.get_by_label("Your board number, or your name").fill(board)
        kiosk.keyboard.press("Enter")
        kiosk.get_by_role("link", name=re.compile("Black$")).click()
        kiosk.get_by_role("button", name="I lost").click()
        expect(kiosk.get_by_role("heading", name=re.compile("is this right"))).to_be_visible()
        assert (too_wide(kiosk), faults(kiosk)) == ([], [])
        kiosk.get_by_role("button", name="Yes").click()
        expect(kiosk.locator(".reported")).to_contain_text("Both players report: 1 – 0")
        kiosk.get_by_role("link", name="Done: next players").click()
        expect(kiosk).to_have_url(start)
    assert PlayersReport.objects.count() == 4
    assert results() == ["", "", "", ""]
    page.clock.fast_forward(5_000)
    expect(page.locator("#board-1 .reported")).to_have_text("reported 1 – 0 (both)")
    expect(page.locator("#alike-boards")).to_have_text("Both players report the same result: 1, 2.")
    assert faults(page) == []
    page.keyboard.press(";")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    expect(page.locator("#board-1 .reported")).to_have_count(0)
    all_saved(page)
    assert results() == ["10", "", "", ""]
    page.locator("#accept-alike").click()
    all_saved(page)
    expect(page.locator("#alike")).to_be_hidden()
    page.keyboard.press(";")  # nothing is reported at board 3
    assert results() == ["10", "10", "", ""]


def test_a_report_accepted_during_an_outage_is_still_a_report_when_the_page_is_opened_again(
    page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    tournament = Tournament.objects.get(slug=chief.slug)
    open_reports(tournament)
    game = Game.objects.get(round__tournament=tournament, board=1)
    players_report_give(game_id=game.pk, side="w", result="10", now=NOW, seen_version=game.version)
    cut_off(page, "**/games/*/result/")
    page.reload()
    page.keyboard.press(";")
    expect(page.locator("#board-1")).to_have_attribute("data-state", "unsaved")
    players_report_give(game_id=game.pk, side="w", result="==", now=NOW, seen_version=game.version)
    page.unroute("**/games/*/result/")
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.locator("#board-1")).to_have_attribute("data-state", "conflict")
    assert results() == ["", "", "", ""]
