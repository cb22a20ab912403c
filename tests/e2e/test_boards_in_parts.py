"""A round of 405 boards and a check-in of 810 players in the browser:
keys and searches reach every part.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import Entry, Game, Round

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = [pytest.mark.costly, pytest.mark.django_db(transaction=True)]


def open_large(page: Page, site: str) -> Arbiter:
    chief = Arbiter(page, site)
    chief.slug = make_large(chief.user, players=810, rounds=3, played=0).slug
    chief.log_in()
    return chief


def result_of(board: int) -> str:
    return Game.objects.get(round__number=1, board=board).result


def at_board(page: Page, board: int) -> None:
    expect(page.locator("tr.current")).to_have_attribute("data-board", str(board))


def test_results_are_entered_by_number_in_every_part(page: Page, live_server: LiveServer) -> None:
    chief = open_large(page, live_server.url)
    chief.open("rounds/1/")
    at_board(page, 1)
    page.keyboard.press("1")
    at_board(page, 2)
    # A number of another part: the first result is saved before the page is left.
    page.keyboard.type("/404")
    page.keyboard.press("Enter")
    at_board(page, 404)
    assert result_of(1) == "10"
    for key in "50":
        page.keyboard.press(key)
    at_board(page, 401)
    expect(page.locator("#entered")).to_have_text("3")
    expect(page.locator("#missing-elsewhere")).to_have_text(
        re.compile(r"Missing in other parts: 2 3 4 .* \+391$")
    )
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    # What others enter in another part is counted here.
    game = Game.objects.get(round__number=1, board=2)
    result_record(game_id=game.pk, result="10", actor=chief.user, now=factories.NOW)
    expect(page.locator("#entered")).to_have_text("4")
    expect(page.locator("#missing-elsewhere a").first).to_have_text("3")
    for _ in range(3):
        page.keyboard.press("1")
    expect(page.locator("#missing-list")).to_have_text("all entered in this part")
    # The next board without a result is in another part.
    page.keyboard.press("Enter")
    at_board(page, 3)
    assert [result_of(board) for board in (401, 402, 403, 404, 405)] == [
        "10",
        "10",
        "10",
        "==",
        "01",
    ]
    # A name that two parts have: the page says where.
    page.keyboard.type("/given 40")
    page.keyboard.press("Enter")
    expect(page.locator("#found-heading")).to_be_visible()
    page.locator("#found-heading + ul a").last.click()
    expect(page.locator("tr.current")).to_have_count(1)


def test_a_result_left_unsaved_in_another_part_is_named(
    page: Page, live_server: LiveServer
) -> None:
    chief = open_large(page, live_server.url)
    page.route(
        "**/games/**", lambda route: route.abort()
    )  # before the page: in an open one it works a moment late
    chief.open("rounds/1/?page=3")
    at_board(page, 401)
    page.on("dialog", lambda dialog: dialog.accept())  # the browser asks whether to leave
    page.keyboard.press("1")
    expect(page.locator("tr[data-board='401']")).to_have_attribute("data-state", "unsaved")
    chief.open("rounds/1/")
    page.unroute("**/games/**")
    expect(page.locator("#left-unsaved")).to_have_text("Not saved yet, in another part: Board 401")
    page.locator("#left-unsaved a").click()
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    assert result_of(401) == "10"


def test_the_check_in_finds_players_of_every_part(page: Page, live_server: LiveServer) -> None:
    chief = open_large(page, live_server.url)
    Round.objects.update(state="planned", published_at=None, paired_at=None)
    last = Entry.objects.get(name__endswith="Given 777")
    chief.open("check-in/")
    expect(page.locator(".check-in-list li")).to_have_count(200)
    page.keyboard.type("given 777")
    expect(page.locator("#who-fits")).to_have_text(f"Enter checks in: {last.name}")
    page.keyboard.press("Enter")
    expect(page.locator("#check-in-status")).to_contain_text(f"{last.name} is checked in.")
    expect(page.locator(".check-in-list li:visible")).to_have_count(200)
    page.keyboard.type("given 7")
    expect(page.locator("#who-fits")).to_have_text("110 players: go on typing, or ↓")
    last.refresh_from_db()
    assert last.checked_in


def test_the_parts_fit_a_phone(page: Page, live_server: LiveServer) -> None:
    chief = open_large(page, live_server.url)
    page.set_viewport_size({"width": 360, "height": 740})
    found = {}
    for path in ("rounds/1/", "rounds/1/second-reading/", "rounds/1/floor/", "check-in/"):
        if path == "check-in/":
            Round.objects.update(state="planned", published_at=None, paired_at=None)
        chief.open(path)
        expect(page.locator("nav.parts").first).to_be_visible()
        found[path] = [*too_wide(page), *faults(page)]
    assert found == {path: [] for path in found}


def test_a_list_that_a_search_has_replaced_wants_no_answer(
    page: Page, live_server: LiveServer
) -> None:
    chief = open_large(page, live_server.url)
    Round.objects.update(state="planned", published_at=None, paired_at=None)
    held: list[Route] = []
    page.route(re.compile(r"\?v=[^&]*$"), lambda route: held.append(route))
    with page.expect_event("request", lambda request: "?v=" in request.url):
        chief.open("check-in/")
    page.keyboard.type("given 777")
    expect(page.locator("#live")).to_have_attribute("data-words", "given 777")
    page.keyboard.press("Enter")
    expect(page.locator("#check-in-counts")).to_contain_text("1 of 810 present")
    # What the first list asked for is answered now, with another list: the page complains if it
    # arrives.
    for route in held:
        route.continue_()
    page.unroute_all()
    with page.expect_event("requestfinished", lambda request: "?v=" in request.url):
        pass
    expect(page.locator("#check-in-counts")).to_contain_text("1 of 810 present")


def test_a_check_in_on_its_way_is_not_overtaken_by_an_older_list(
    page: Page, live_server: LiveServer
) -> None:
    chief = open_large(page, live_server.url)
    Round.objects.update(state="planned", published_at=None, paired_at=None)
    chief.open("check-in/")
    page.keyboard.type("given 777")
    expect(page.locator("#live")).to_have_attribute("data-words", "given 777")
    held: list[Route] = []
    asked: list[str] = []
    page.route(
        "**/check-in/**",
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    with page.expect_event("request", lambda request: request.method == "POST"):
        page.keyboard.press("Enter")
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(600)  # four times as long as the page waits for the next letter
    assert asked == []
    held.pop().continue_()
    expect(page.locator("#check-in-counts")).to_contain_text("1 of 810 present")
