"""An action other than a result that does not reach the server waits, or says that it was not saved
(UI7).
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Game, Seat

from .arbiter import Arbiter
from .test_result_entry import all_saved, at_the_results

pytestmark = pytest.mark.django_db(transaction=True)


def colours(board: int) -> dict[str, int]:
    """Return the players of a board by colour."""
    return dict(Seat.objects.filter(game__board=board).values_list("colour", "entry__tpn"))


def swap_on_board_1(page: Page) -> None:
    page.locator("tr[data-board='1'] .value button").click()
    page.get_by_role("dialog").get_by_role("button", name="Colours swapped").click()
    page.get_by_role("button", name="Swap the colours").click()


def test_swapped_colours_wait_for_the_network(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    before = colours(1)
    page.route("**/colours/", lambda route: route.abort())
    swap_on_board_1(page)
    state, row = page.locator("#save-state"), page.locator("tr[data-board='1']")
    expect(state).to_contain_text("1 not saved")
    expect(row.locator(".mark")).to_have_text("not saved")
    expect(page.locator(".conflict-row")).to_contain_text("the colours are not swapped yet")
    assert colours(1) == before
    page.unroute("**/colours/")
    page.get_by_role("button", name="Try again now").click()
    all_saved(page)
    expect(page.locator(".conflict-row")).to_have_count(0)
    assert colours(1) == {"w": before["b"], "b": before["w"]}


def test_a_swap_whose_answer_was_lost_is_done_once(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    before = colours(1)
    answers: list[int] = []

    def lose_the_first(route: Route) -> None:
        answers.append(route.fetch().status)
        if len(answers) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/colours/", lose_the_first)
    swap_on_board_1(page)
    expect(page.locator("tr[data-board='1'] .white")).to_contain_text(f"{before['b']:03d}")
    all_saved(page)
    expect(page.locator(".conflict-row")).to_have_count(0)
    assert answers[0] == 200
    assert colours(1) == {"w": before["b"], "b": before["w"]}


def test_a_swap_can_be_given_up(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    before = colours(1)
    page.route("**/colours/", lambda route: route.abort())
    swap_on_board_1(page)
    expect(page.locator("#save-state")).to_contain_text("1 not saved")
    page.locator(".conflict-row").get_by_role("button", name="Keep the colours").click()
    all_saved(page)
    page.unroute("**/colours/")
    page.keyboard.press("1")
    all_saved(page)
    assert (colours(1), Game.objects.get(board=1).result) == (before, "10")


def test_an_action_on_a_card_says_on_the_card_that_it_failed(
    page: Page, live_server: LiveServer
) -> None:
    """The message on the page would be behind the card."""
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    tournament = factories.make_ready(chief.user, players=9)
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    chief.open("rounds/1/")
    page.route("**/withdraw/", lambda route: route.abort())
    page.locator("tr[data-board='1'] a.player").first.click()
    card = page.locator("#card")
    card.locator("summary").filter(has_text="Withdraw…").click()
    card.get_by_role("button", name="Withdraw from round 2").click()
    expect(
        card.get_by_text("The server could not be reached. Nothing was changed. Try again.")
    ).to_be_visible()
    assert not tournament.entries.filter(withdrawn_from__isnull=False).exists()
