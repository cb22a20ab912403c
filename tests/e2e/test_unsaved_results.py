"""Results that are not saved yet while the role ends or others enter theirs,
and a number typed slowly.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.results import result_record
from tests.examples import first
from tournaments.models import Appointment, Game, Role

from .arbiter import Arbiter, cut_off
from .test_result_entry import all_saved, at_the_results, make_round, results

pytestmark = pytest.mark.django_db(transaction=True)

ENTRY, FLOOR = "rounds/1/results/", "rounds/1/floor/"


def enter_elsewhere(board: int, result: str) -> None:
    """Save a result as another arbiter would."""
    game, chief = Game.objects.get(board=board), User.objects.get(username="chief")
    result_record(
        game_id=game.pk, result=result, actor=chief, now=timezone.now(), seen_version=game.version
    )


def enter_a_win(page: Page, path: str, board: int = 1) -> None:
    """Enter 1 – 0 on *board*, which is the current one of the table."""
    if path == ENTRY:
        page.keyboard.press("1")
        return
    page.locator(f"#board-{board} summary").click()
    page.locator(f"#board-{board}").get_by_role("button", name="1 – 0").click()


def at_a_round(page: Page, live_server: LiveServer, path: str) -> Arbiter:
    """Open *path* of a round with four boards; no result of the page reaches the server."""
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.slug = make_round(4, chief.user).slug
    page.clock.install()
    cut_off(page, "**/games/*/result/")
    chief.open(path)
    return chief


def at_a_round_as_deputy(page: Page, live_server: LiveServer, path: str) -> Callable[[], object]:
    """Open *path* of a round with four boards as a deputy; return what ends the role."""
    tournament = make_round(4, Arbiter(page, live_server.url).user)
    deputy = Arbiter(page, live_server.url, name="deputy")
    role = Appointment.objects.create(
        tournament=tournament, person=deputy.user, role=Role.DEPUTY, since=timezone.now()
    )
    deputy.slug = tournament.slug
    deputy.log_in()
    page.clock.install()
    deputy.open(path)
    roles = Appointment.objects.filter(pk=role.pk)
    return lambda: roles.update(until=timezone.now())


@pytest.mark.parametrize("path", [ENTRY, FLOOR])
def test_a_role_that_ends_leaves_the_result_in_the_browser(
    page: Page, live_server: LiveServer, path: str
) -> None:
    """The result is not sent again, and the page says that nothing can be saved."""
    end_role = at_a_round_as_deputy(page, live_server, path)
    answers: list[int] = []
    page.on(
        "response",
        lambda answer: answers.append(answer.status) if answer.request.method == "POST" else None,
    )
    end_role()
    enter_a_win(page, path)
    expect(page.locator("#session-over")).to_be_visible()
    expect(page.locator("#save-state")).to_have_text("saving has stopped")
    page.clock.run_for(60_000)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    assert answers == [403]
    assert page.evaluate("JSON.stringify(localStorage)").count(r"\"result\":\"10\"") == 1
    assert results() == ["", "", "", ""]


@pytest.mark.parametrize("path", first([ENTRY, FLOOR], 1, pytest.mark.costly))
@pytest.mark.parametrize("ends", ["role", "session"])
def test_the_end_of_a_role_or_session_is_shown_before_anything_is_entered(
    page: Page, live_server: LiveServer, path: str, ends: str
) -> None:
    """The page does not poll any more: each answer would be the same."""
    end_role = at_a_round_as_deputy(page, live_server, path)
    polled: list[str] = []
    page.on("response", lambda answer: polled.append(answer.url) if "state" in answer.url else None)
    if ends == "role":
        end_role()
    else:
        page.context.clear_cookies()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.clock.run_for(5_000)
    expect(page.locator("#session-over")).to_contain_text("your role has ended")
    expect(page.locator("#session-over")).to_be_in_viewport()
    expect(page.locator("#save-state")).to_have_text("saving has stopped")
    page.wait_for_timeout(500)
    before = len(polled)  # a second request may have been on its way
    page.clock.run_for(60_000)
    page.wait_for_timeout(500)
    assert len(polled) == before > 0


@pytest.mark.parametrize("path", [ENTRY, FLOOR])
def test_what_others_enter_leaves_a_result_that_is_not_saved(
    page: Page, live_server: LiveServer, path: str
) -> None:
    """The arbiter sees the entered result until it is answered, and is asked then."""
    at_a_round(page, live_server, path)
    enter_a_win(page, path)
    expect(page.locator("#board-1")).to_have_attribute("data-state", "unsaved")
    enter_elsewhere(1, "01")
    enter_elsewhere(2, "==")
    page.clock.run_for(5_000)
    expect(page.locator("#board-2")).to_have_attribute("data-result", "==")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "10")
    page.unroute("**/games/*/result/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Save my result: 1 – 0")).to_be_visible()
    assert results() == ["01", "==", "", ""]


def test_the_list_of_missing_results_keeps_what_is_not_saved(
    page: Page, live_server: LiveServer
) -> None:
    at_a_round(page, live_server, ENTRY)
    enter_elsewhere(3, "==")
    page.clock.run_for(5_000)
    expect(page.locator("#board-3")).to_have_attribute("data-result", "==")
    page.keyboard.press("*")
    expect(page.locator("#board-3")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    expect(page.locator("#board-1")).to_be_visible()


def test_colours_are_not_swapped_while_the_result_is_not_saved(
    page: Page, live_server: LiveServer
) -> None:
    at_a_round(page, live_server, ENTRY)
    page.keyboard.press("1")
    expect(page.locator("#board-1")).to_have_attribute("data-state", "unsaved")
    page.locator("#board-1 .value button").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Colours swapped").click()
    expect(page.locator(".conflict-row")).to_be_visible()
    expect(page.get_by_role("button", name="Swap the colours")).to_have_count(0)
    assert results() == ["", "", "", ""]


def test_only_the_boards_that_are_not_saved_are_named(page: Page, live_server: LiveServer) -> None:
    at_a_round(page, live_server, ENTRY)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    expect(page.locator("#board-2")).to_have_attribute("data-state", "unsaved")
    page.evaluate("document.querySelector('#publish-results').click()")
    expect(page.locator("#problem")).to_contain_text("these boards are not saved yet: 2.")


def test_the_same_result_again_saves_it_when_the_arbiter_is_asked(
    page: Page, live_server: LiveServer
) -> None:
    """The key says what the button *Save my result* says."""
    at_a_round(page, live_server, ENTRY)
    page.keyboard.press("1")
    enter_elsewhere(1, "01")
    page.unroute("**/games/*/result/")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.get_by_role("button", name="Save my result: 1 – 0")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("1")
    all_saved(page)
    assert results() == ["10", "", "", ""]


@pytest.mark.costly
def test_a_digit_long_after_a_result_begins_a_board_number(
    page: Page, live_server: LiveServer
) -> None:
    """Soon after a result the digit may belong to it, as in 14;
    later it is the number of another board.
    """
    at_the_results(page, live_server, boards=24)
    page.clock.install()
    page.reload()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    page.clock.pause_at(page.evaluate("Date.now() + 10_000"))
    page.keyboard.press("1")
    page.clock.run_for(1_050)
    page.keyboard.press("4")
    expect(page.locator("#find")).to_have_value("4")
    expect(page.locator("#typed-number")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "4")
    page.keyboard.press("1")
    page.clock.run_for(950)
    page.keyboard.press("7")
    expect(page.locator("#typed-number")).to_contain_text("Were you typing a board number?")
