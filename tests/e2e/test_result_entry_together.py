"""Result entry by several people at once, without a network, and read a second time."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rules.rounds import RoundState
from tournaments.models import Appointment, Decision, Entry, Role, Round, Tournament

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_result_entry import (
    all_saved,
    at_the_results,
    block_updates,
    make_round,
    results,
    second_page,
)

__all__ = ["second_page"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.costly
def test_another_arbiters_result_is_shown_for_a_decision(
    page: Page, second_page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    block_updates(page)
    other = Arbiter(second_page, live_server.url)
    other.log_in()
    other.slug = chief.slug
    second_page.clock.install()
    other.open("rounds/1/results/")
    expect(second_page.locator("tr.current")).to_have_attribute("data-board", "1")
    second_page.keyboard.press("0")
    all_saved(second_page)
    page.keyboard.press("1")
    page.keyboard.press("=")
    question = page.locator(".conflict-row")
    expect(question).to_contain_text(
        "Somebody else entered a result for board 1 in the meantime: it is now 0 – 1 ("
    )
    expect(page.locator("#save-state")).to_have_text("1 not saved: you decide")
    # The line says so while board 2 is still being saved.
    expect(page.locator("#board-2")).to_have_attribute("data-state", "saved")
    assert results() == ["01", "==", "", ""]
    question.get_by_role("button", name="Save my result: 1 – 0").click()
    all_saved(page)
    assert results() == ["10", "==", "", ""]
    # The other screen updates both by itself.
    second_page.clock.fast_forward(5_000)
    expect(second_page.locator("#board-1")).to_have_attribute("data-result", "10")
    expect(second_page.locator("#board-2")).to_have_attribute("data-result", "==")


@pytest.mark.costly
def test_keeping_the_existing_result(
    page: Page, second_page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    block_updates(page)
    other = Arbiter(second_page, live_server.url)
    other.log_in()
    other.slug = chief.slug
    other.open("rounds/1/results/")
    second_page.keyboard.press("0")
    all_saved(second_page)
    page.keyboard.press("1")
    page.get_by_role("button", name="Keep the saved result: 0 – 1").click()
    all_saved(page)
    expect(page.locator("#board-1")).to_have_attribute("data-result", "01")
    assert results() == ["01", "", "", ""]


def test_without_network_results_are_kept_and_sent_later(
    page: Page, live_server: LiveServer
) -> None:
    at_the_results(page, live_server)
    page.context.set_offline(True)
    page.keyboard.press("1")
    page.keyboard.press("=")
    expect(page.locator("#save-state")).to_have_text("2 not saved, trying again")
    expect(page.locator("#board-1 .mark")).to_have_text("not saved")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "10")
    assert results() == ["", "", "", ""]
    page.context.set_offline(False)
    all_saved(page)
    assert results() == ["10", "==", "", ""]


@pytest.mark.costly
def test_a_closed_tab_loses_nothing(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server)
    page.context.set_offline(True)
    page.keyboard.press("0")
    expect(page.locator("#save-state")).to_have_text("1 not saved, trying again")
    page.close(run_before_unload=False)
    page.context.set_offline(False)
    again = page.context.new_page()
    again.goto(f"{live_server.url}/t/{chief.slug}/rounds/1/results/")
    all_saved(again)
    assert results() == ["01", "", "", ""]


@pytest.mark.costly
def test_an_expired_session_keeps_the_result_until_the_arbiter_is_back(
    page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    page.context.clear_cookies(name="sessionid")
    page.on(
        "dialog", lambda dialog: dialog.accept()
    )  # The browser asks whether to leave with unsaved results.
    page.keyboard.press("1")
    page.get_by_role("link", name="Log in again").click()
    chief.fill_log_in()
    page.wait_for_url(f"{live_server.url}/t/{chief.slug}/rounds/1/")
    all_saved(page)
    assert results() == ["10", "", "", ""]


@pytest.mark.costly
def test_results_are_not_published_while_one_is_being_sent(
    page: Page, live_server: LiveServer
) -> None:
    at_the_results(page, live_server, boards=1)
    page.context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("1 not saved, trying again")
    page.context.set_offline(False)
    page.evaluate("document.querySelector('#publish-results').click()")
    expect(page.locator("#problem")).to_contain_text(
        "The results are not published: these boards are not saved yet: 1."
    )
    all_saved(page)
    assert Round.objects.get(number=1).state == RoundState.PAIRINGS_PUBLISHED
    page.get_by_role("button", name="Publish results").click()
    expect(page.locator("#messages")).to_contain_text("The results of round 1 are published.")


@pytest.mark.costly
def test_publishing_with_missing_results_lists_them_and_goes_there(
    page: Page, live_server: LiveServer
) -> None:
    at_the_results(page, live_server)
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("=")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "4")
    all_saved(page)
    page.get_by_role("button", name="Publish results").click()
    expect(page.locator("#problem")).to_contain_text("Round 1: results are missing on board 2, 4.")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    assert Round.objects.get(number=1).state == RoundState.PAIRINGS_PUBLISHED
    page.locator("#missing-list").get_by_role("link", name="4").click()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "4")
    page.keyboard.press("1")
    expect(page.locator("#missing-list").get_by_role("link")).to_have_text(["2"])
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    page.keyboard.press("1")
    expect(page.locator("#problem")).to_be_empty()


@pytest.mark.costly
def test_an_unusual_result_is_asked_about_beside_the_table_and_stops_no_key(
    page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    Entry.objects.filter(tournament__slug=chief.slug, tpn=2).update(rating=1500)
    page.keyboard.press("0")
    question = page.locator("#results-checks .question")
    expect(question).to_contain_text(
        "Müller, Player 002 beat Müller, Player 001, rated 999 points higher."
    )
    expect(page.locator("#to-questions")).to_have_text("1 question")
    assert faults(page) == []
    page.keyboard.press("1")  # board 2: the keyboard has stayed where it was
    all_saved(page)
    assert results() == ["01", "10", "", ""]
    question.get_by_role("link", name="Go to board 1").click()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    question.get_by_role("button", name="The result is right").click()
    expect(question).to_have_count(0)
    expect(page.locator("#to-questions")).to_be_hidden()
    assert Decision.objects.filter(action="result.confirmed").count() == 1


@pytest.mark.costly
def test_the_second_reading_has_the_same_keys_and_survives_an_outage(
    page: Page, second_page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    for key in "1=01":
        page.keyboard.press(key)
    all_saved(page)
    reader = Arbiter(second_page, live_server.url, name="reader")
    Appointment.objects.create(
        tournament=Tournament.objects.get(slug=chief.slug),
        person=reader.user,
        role=Role.DEPUTY,
        since=timezone.now(),
    )
    reader.log_in()
    reader.slug = chief.slug
    reader.open("rounds/1/second-reading/")
    expect(second_page.locator("tr.current")).to_have_attribute("data-board", "1")
    second_page.keyboard.press("1")
    all_saved(second_page)
    assert faults(second_page) == []
    second_page.context.set_offline(True)
    second_page.keyboard.press("=")
    second_page.keyboard.press("1")
    expect(second_page.locator("#save-state")).to_have_text("2 not saved, trying again")
    second_page.context.set_offline(False)
    all_saved(second_page)
    second_page.keyboard.press("1")
    all_saved(second_page)
    assert results() == ["10", "==", "01", "10"]
    second_page.get_by_role("link", name="Differences").click()
    expect(second_page.locator("table.folds tbody tr")).to_have_count(1)
    assert faults(second_page) == []
    second_page.get_by_role("button", name="1 – 0 reader").click()
    expect(second_page.locator("#messages")).to_contain_text(
        "The difference on board 3 is decided."
    )
    assert results() == ["10", "==", "10", "10"]


@pytest.mark.costly
def test_two_clicks_do_one_action(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server, boards=1)
    page.keyboard.press("1")
    all_saved(page)
    chief.open()
    page.get_by_role("button", name="Publish results").dblclick()
    expect(page.locator("#messages")).to_have_text("The results of round 1 are published.")
    assert Decision.objects.filter(action="results.published").count() == 1


def test_results_by_touch_on_a_phone(phone: Page, live_server: LiveServer) -> None:
    """Buttons of 48 pixels, at most two taps per result, nothing wider than the screen."""
    walker = Arbiter(phone, live_server.url)
    walker.log_in()
    walker.slug = make_round(6, walker.user).slug
    walker.open("rounds/1/results/")
    quick = phone.locator("#board-4 .quick button")
    boxes = [quick.nth(n).bounding_box() for n in range(3)]
    assert all(box is not None and box["height"] >= 48 and box["width"] >= 48 for box in boxes)
    quick.nth(2).tap()
    phone.locator("#board-5 .value button").tap()
    phone.locator("#all-results").get_by_role("button", name="White wins by forfeit").tap()
    all_saved(phone)
    assert results() == ["", "", "", "01", "+-", ""]
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
