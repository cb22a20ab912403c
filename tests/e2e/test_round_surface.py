"""The page of a round in the browser: what others change appears there,
and cards open and close by keyboard.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rules.published import Situation
from tests.e2e.arbiter import Arbiter, cut_off
from tests.tournaments import factories
from tests.tournaments.rounds.test_change_actions import change
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Correction, Game, Tournament

from .page_waits import wait_for


@pytest.fixture
def chief(page: Page, live_server: LiveServer) -> Arbiter:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    return chief


def in_play(chief: Arbiter) -> Tournament:
    """Round 1 published, with nine players: one has the bye."""
    tournament = factories.make_ready(chief.user, players=9)
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    return tournament


def over(chief: Arbiter) -> Tournament:
    """The results of round 1 published just now."""
    tournament = in_play(chief)
    factories.enter_results(tournament, 1, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=timezone.now()
    )
    return tournament


@pytest.mark.costly
def test_what_others_do_appears_without_moving_focus_scroll_or_text(chief: Arbiter) -> None:
    tournament, page = in_play(chief), chief.page
    page.clock.install()
    page.set_viewport_size({"width": 1280, "height": 320})
    chief.open("rounds/1/")
    page.keyboard.press("/")
    page.keyboard.type("pla")
    page.evaluate("document.addEventListener('scrollend', () => { window.scrolled = true; })")
    page.mouse.wheel(0, 150)
    wait_for(page, "window.scrolled && window.scrollY > 100")  # it moves for some frames
    where = page.evaluate("window.scrollY")
    game = Game.objects.get(round__tournament=tournament, board=1)
    white = game.seats.get(colour="w").entry
    result_record(game_id=game.pk, result="-+", actor=chief.user, now=timezone.now())
    postponed = Game.objects.get(round__tournament=tournament, board=2)
    tomorrow = timezone.now() + timedelta(days=1)
    game_schedule(
        game_id=postponed.pk,
        starts_at=tomorrow,
        place="Club room",
        actor=chief.user,
        now=timezone.now(),
    )
    page.clock.fast_forward(2_000)
    expect(page.locator("#beside-absent")).to_contain_text(white.name)
    expect(page.locator("#board-1")).to_have_attribute("data-result", "-+")
    expect(page.locator("#board-2")).to_contain_text("Club room")
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#find")).to_have_value("pla")
    assert page.evaluate("window.scrollY") == where


def test_the_part_with_the_focus_waits(chief: Arbiter) -> None:
    tournament, page = over(chief), chief.page
    page.clock.install()
    chief.open("rounds/1/")
    link = page.locator("#round-beside a").first
    page.keyboard.press("Tab")
    link.focus()
    round_2 = factories.round_of(tournament, 2)
    factories.pair_and_publish(tournament, round_2.number, chief.user)
    page.clock.fast_forward(3_000)
    expect(page.locator("#round-tabs")).to_contain_text("2 ●")  # another part follows at once
    expect(link).to_be_focused()


@pytest.mark.costly
def test_a_card_opens_and_closes_by_keyboard_and_the_focus_returns(chief: Arbiter) -> None:
    tournament, page = in_play(chief), chief.page
    chief.open("rounds/1/")
    cell = page.locator("#board-1 .value button")
    expect(cell).to_be_focused()
    white = Game.objects.get(round__tournament=tournament, board=1).seats.get(colour="w").entry
    card = page.get_by_role("dialog", name=white.name)
    page.keyboard.press("ArrowLeft")
    expect(card).to_be_visible()
    page.keyboard.press("1")  # enters no result behind the card
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(cell).to_be_focused()
    expect(page.locator("#entered")).to_have_text("0")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("w")
    button = page.get_by_role("button", name="Withdraw from round 2")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    chief.expect_message(f"{white.name} is withdrawn from round 2.")
    expect(page).to_have_url(re.compile("/rounds/1/$"))
    white.refresh_from_db()
    assert white.withdrawn_from == 2


@pytest.mark.costly
def test_c04_2_4_3_1_a_wrong_result_takes_two_keys_and_a_reason(chief: Arbiter) -> None:
    tournament, page = over(chief), chief.page
    chief.open("rounds/1/")
    page.get_by_role("link", name="2", exact=True).and_(page.locator("a.to-board")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Round 1, board 2")).to_be_visible()
    page.keyboard.press("5")
    page.keyboard.press("ArrowDown")  # the second reason
    page.keyboard.press("Enter")
    chief.expect_message("The correction is saved and is in the record.")
    expect(page).to_have_url(re.compile("/rounds/1/#board-2$"))
    assert factories.boards(tournament, 1)[1][2] == "=="
    assert Correction.objects.get().reason == "the players reported it"


@pytest.mark.costly
def test_the_page_says_that_the_round_is_in_another_state_and_moves_nobody(chief: Arbiter) -> None:
    tournament, page = in_play(chief), chief.page
    factories.enter_results(tournament, 1, chief.user)
    page.clock.install()
    chief.open("rounds/1/")
    page.keyboard.press("ArrowDown")
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=timezone.now()
    )
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 1).pk,
        actor=chief.user,
        now=timezone.now(),
        from_round=2,
    )
    page.clock.fast_forward(2_000)
    expect(page.get_by_text("Somebody else changed this round.")).to_be_visible()
    expect(page.locator("tr.current .value button")).to_be_focused()
    page.get_by_role("link", name="Show it as it is now").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("past round")


@pytest.mark.costly
def test_c04_2_4_4_changed_pairings_replace_their_rows_and_name_a_result_that_was_not_saved(
    chief: Arbiter,
) -> None:
    page = chief.page
    tournament = factories.make_ready(
        chief.user, players=18, change_clause="7.3: until the start of play"
    )
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    page.clock.install()
    cut_off(page, "**/games/*/result/")
    chief.open("rounds/1/")
    page.keyboard.press("1")
    expect(page.locator("#board-1")).to_have_attribute("data-state", "unsaved")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#board-3 .value button")).to_be_focused()
    change(
        tournament,
        1,
        chief.user,
        "1-18 11-2 3-12 13-4 5-14 15-6 7-16 17-8 9-10",
        Situation.REGULATIONS,
    )
    page.clock.fast_forward(2_000)
    expect(page.locator("#board-1 .black")).to_contain_text(factories.entry_of(tournament, 18).name)
    expect(page.locator("#board-1")).to_have_attribute("data-result", "")
    expect(page.get_by_role("alert").filter(has_text="no longer exist")).to_contain_text("Board 1:")
    expect(page.locator("#board-3 .value button")).to_be_focused()
    # The rows are in two groups: one begins with a new row, the other has only a new one.
    boards = page.locator("#results tr[data-board]").evaluate_all(
        "rows => rows.map((row) => row.dataset.board)"
    )
    assert boards == [str(number) for number in range(1, 10)]


@pytest.mark.costly
def test_c04_2_3_1_in_a_past_round_only_an_adjourned_game_takes_a_result(chief: Arbiter) -> None:
    """Every other board leads to its card, where a correction begins;
    no key or button ends in a refusal.
    """
    tournament, page = in_play(chief), chief.page
    factories.enter_results(tournament, 1, chief.user)
    game = Game.objects.get(round__tournament=tournament, board=2)
    result_record(game_id=game.pk, result="", actor=chief.user, now=timezone.now())
    round_ = factories.round_of(tournament, 1)
    results_publish(round_id=round_.pk, actor=chief.user, now=timezone.now(), adjourning=[2])
    chief.open("rounds/1/")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    expect(page.locator("#missing-list")).to_have_text("adjourned: 2")
    assert page.locator(".quick .row:visible").count() == 1
    for key in ("Backspace", "ArrowDown", "1"):
        page.keyboard.press(key)
    expect(page.locator("#replaced")).to_contain_text(
        "Board 3: This result is published: only a correction"
    )
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    page.keyboard.press(".")
    expect(page.locator("#card .quick-correction")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    page.keyboard.press(".")
    codes = page.locator("#all-results .options button").evaluate_all(
        "buttons => buttons.map(each => each.value)"
    )
    assert (len(codes), {"", "??"} & {*codes}) == (12, set())
    page.keyboard.press("Escape")
    # The page asks about a game that was not drawn; Esc leaves it adjourned.
    page.keyboard.press("1")
    expect(page.locator(".conflict-row")).to_contain_text("counted as a draw")
    page.keyboard.press("Escape")
    expect(page.locator("#board-2")).to_have_attribute("data-result", "??")
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    page.keyboard.press("=")
    expect(page.locator("#save-state")).to_have_text("✓ all saved")
    game.refresh_from_db()
    assert (game.result, page.locator(".quick .row:visible").count()) == ("==", 0)
    page.keyboard.press("Backspace")
    expect(page.locator("#replaced")).to_contain_text("Board 2: This result is published")


def test_nothing_irreversible_has_the_focus_and_articles_are_behind_an_i(chief: Arbiter) -> None:
    tournament, page = factories.make_ready(chief.user), chief.page
    chief.slug = tournament.slug
    round_pair(round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=timezone.now())
    chief.open("rounds/1/")
    expect(page.get_by_role("button", name="Publish pairings")).to_be_visible()
    expect(page.locator("#round-actions")).to_be_focused()  # the button is one Tab away
    page.locator("#round-details > summary").click()
    article = page.locator(
        ".article", has_text="[C.04.2 4.4]"
    ).first  # behind an i until it is reached
    assert (article.bounding_box() or {})["width"] < 24
    article.focus()
    assert (article.bounding_box() or {})["width"] > 60


@pytest.mark.costly
def test_the_bar_of_the_results_is_low_on_a_phone_and_publishes(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.log_in()
    tournament = in_play(chief)
    factories.enter_results(tournament, 1, chief.user)
    chief.open("rounds/1/")
    bar = phone.locator(".entry-bar")
    for width in (360, 320):
        phone.set_viewport_size({"width": width, "height": 740})
        assert (bar.bounding_box() or {})["height"] < 120
        assert bar.locator(".count p").evaluate("count => count.scrollWidth <= count.clientWidth")
        assert (bar.locator("#find").bounding_box() or {})["width"] > 80
    bar.get_by_role("button", name="Publish results").click()
    chief.expect_message("The results of round 1 are published.")
