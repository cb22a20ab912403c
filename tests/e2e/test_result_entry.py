"""Fast result entry, and problems during it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tournaments.models import Appointment, Decision, Entry, Game, Role, Round, Seat, Tournament
from tournaments.setup.tournaments import tournament_create

from .arbiter import Arbiter
from .conftest import watched_page
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def second_page(browser: Browser) -> Iterator[Page]:
    """Open the screen of another arbiter."""
    yield from watched_page(browser, viewport={"width": 1280, "height": 800})


def make_round(boards: int, actor: User) -> Tournament:
    """Make a tournament whose first round is published, directly in the tables."""
    now = timezone.now()
    tournament = tournament_create(actor=actor, now=now, name="Big Hall", total_rounds=3)
    surnames = ["Łukić" if n == 12 else "Müller" for n in range(2 * boards)]
    entries = Entry.objects.bulk_create(
        Entry(tournament=tournament, name=f"{surname}, Player {n:03d}", tpn=n, rating=2500 - n, created_at=now)
        for n, surname in enumerate(surnames, start=1)
    )
    round_ = Round.objects.get(tournament=tournament, number=1)
    games = Game.objects.bulk_create(Game(round=round_, board=n) for n in range(1, boards + 1))
    Seat.objects.bulk_create(
        Seat(round=round_, entry=entries[2 * i + j], game=game, colour="wb"[j])
        for i, game in enumerate(games)
        for j in (0, 1)
    )
    Round.objects.filter(pk=round_.pk).update(state=RoundState.PAIRINGS_PUBLISHED, published_at=now)
    return tournament


def at_the_results(page: Page, live_server: LiveServer, *, boards: int = 4) -> Arbiter:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    chief.slug = make_round(boards, chief.user).slug
    chief.open("rounds/1/results/")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    return chief


def results() -> list[str]:
    return list(Game.objects.order_by("board").values_list("result", flat=True))


def block_updates(page: Page) -> None:
    """Cut the page off from all results that others enter."""
    page.route("**/results/state/**", lambda route: route.abort())


def all_saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_have_text("✓ all saved")


def test_150_boards_by_keyboard(page: Page, live_server: LiveServer) -> None:
    """Each result is painted in the first frame after its key, whatever the server does, and all are saved."""
    at_the_results(page, live_server, boards=150)
    page.evaluate(
        """() => {
            window.shown = [];
            document.addEventListener("keydown", () => {
                const row = document.querySelector("tr.current");
                requestAnimationFrame(() => window.shown.push(row.querySelector(".value > button").textContent));
            }, true);
        }"""
    )
    keys = [
        ("1", "10", "1 – 0"),
        ("=", "==", "½ – ½"),
        ("0", "01", "0 – 1"),
        ("5", "==", "½ – ½"),
        ("+", "+-", "+ / −"),
    ]
    typed = [keys[n % len(keys)] for n in range(150)]
    for key, _, _ in typed:
        page.keyboard.press(key)
    all_saved(page)
    assert results() == [code for _, code, _ in typed]
    assert page.locator("#entered").inner_text() == "150"
    assert page.evaluate("window.shown") == [text for _, _, text in typed]


def test_keys_move_find_and_clear(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server, boards=12)
    press = page.keyboard.press
    current = page.locator("tr.current")
    press("1")
    expect(current).to_have_attribute("data-board", "2")
    press("ArrowDown")
    press("Enter")
    expect(current).to_have_attribute("data-board", "4")
    press("ArrowUp")
    expect(current).to_have_attribute("data-board", "3")
    press("?")
    expect(page.locator("#keys")).to_be_focused()
    press("ArrowDown")
    expect(current).to_have_attribute("data-board", "4")
    press("/")
    page.keyboard.type("11")
    press("Enter")
    expect(current).to_have_attribute("data-board", "11")
    press("0")
    press("/")
    page.keyboard.type("muller 5")
    press("Escape")
    page.locator("#find").fill("muller player 010")
    press("Enter")
    expect(current).to_have_attribute("data-board", "5")
    press("/")
    page.keyboard.type("lukic")
    press("Enter")
    expect(current).to_have_attribute("data-board", "7")
    press("/")
    page.keyboard.type("5")
    press("Enter")
    press("=")
    press("*")
    expect(page.locator("table.results tr[data-board]:visible")).to_have_count(9)
    press("*")
    press("Home")
    press("Backspace")
    expect(current).to_have_attribute("data-board", "1")
    all_saved(page)
    assert results() == ["", "", "", "", "==", "", "", "", "", "", "01", ""]


def test_the_cursor_skips_boards_that_have_a_result(page: Page, live_server: LiveServer) -> None:
    """Three missing boards take three keys, even with other boards between them."""
    chief = at_the_results(page, live_server, boards=6)
    Game.objects.filter(board__in=(2, 3, 5)).update(result="==")
    chief.open("rounds/1/results/")
    for key in "101":
        page.keyboard.press(key)
    all_saved(page)
    assert results() == ["10", "==", "==", "01", "==", "10"]


def test_replacing_a_result_shows_the_old_one_and_backspace_restores_it(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server)
    Game.objects.filter(board__in=(1, 2)).update(result="10")
    chief.open("rounds/1/results/")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "3")
    page.keyboard.press("Home")
    page.keyboard.press("0")
    expect(page.locator("#replaced")).to_contain_text("Board 1: was 1 – 0. ⌫ restores it.")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "3")
    all_saved(page)
    assert results() == ["01", "10", "", ""]
    page.keyboard.press("Backspace")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    expect(page.locator("#replaced")).to_be_hidden()
    all_saved(page)
    assert results() == ["10", "10", "", ""]
    # The same by touch.
    page.locator("#board-2 .quick").get_by_role("button", name="Board 2: draw").click()
    page.get_by_role("button", name="Restore", exact=True).click()
    all_saved(page)
    assert results() == ["10", "10", "", ""]


def test_the_old_result_stays_beside_the_new_one_until_the_page_is_left(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server)
    Game.objects.filter(board__in=(1, 2)).update(result="10")
    chief.open("rounds/1/results/")
    page.keyboard.press("Home")
    page.keyboard.press("0")
    page.keyboard.press("=")  # board 3
    old = page.locator("#board-1 .value .old")
    expect(old).to_have_text("was 1 – 0")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(old).to_have_count(0)
    all_saved(page)
    assert results() == ["10", "10", "==", ""]
    # ⌫ after the cursor has been elsewhere, and a click.
    page.keyboard.press("0")
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    page.keyboard.press("0")
    old.click()
    all_saved(page)
    assert results() == ["10", "10", "==", ""]
    page.keyboard.press("0")
    all_saved(page)
    chief.open("rounds/1/results/")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "01")
    expect(old).to_have_count(0)


def test_enter_goes_to_the_next_board_without_a_result(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server, boards=5)
    Game.objects.filter(board__in=(2, 3)).update(result="==")
    chief.open("rounds/1/results/")
    current = page.locator("tr.current")
    for board in ("4", "5", "1"):
        page.keyboard.press("Enter")
        expect(current).to_have_attribute("data-board", board)


def test_swapped_colours_have_a_key(page: Page, second_page: Page, live_server: LiveServer) -> None:
    """White and Black change places on every open page, and the winner stays."""
    chief = at_the_results(page, live_server)
    page.keyboard.press("1")
    all_saved(page)
    other = Arbiter(second_page, live_server.url)
    other.log_in()
    other.slug = chief.slug
    second_page.clock.install()
    other.open("rounds/1/results/")
    expect(second_page.locator("#board-1 td.white")).to_contain_text("001")
    page.keyboard.press("Home")
    page.keyboard.press(".")
    page.keyboard.press("c")
    expect(page.locator(".conflict-row")).to_contain_text("Did Müller, Player 002 play with White")
    page.keyboard.press("Enter")
    expect(page.locator("#board-1 td.white")).to_contain_text("002")
    expect(page.locator("#board-1")).to_have_attribute("data-result", "01")
    assert results()[0] == "01"
    second_page.clock.fast_forward(5_000)
    expect(second_page.locator("#board-1 td.white")).to_contain_text("002")
    expect(second_page.locator("#board-1")).to_have_attribute("data-result", "01")
    second_page.keyboard.press("Home")
    second_page.keyboard.press("=")
    all_saved(second_page)


def test_backspace_undoes_one_entry_after_the_other(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    for key in ("1", "0", "=", "Backspace", "Backspace"):
        page.keyboard.press(key)
    expect(page.locator("tr.current")).to_have_attribute("data-board", "2")
    all_saved(page)
    assert results() == ["10", "", "", ""]
    # After the cursor has left the last entry, it clears the board under the cursor, as before.
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Backspace")
    all_saved(page)
    assert results() == ["", "", "", ""]


def test_backspace_leaves_a_result_that_somebody_else_changed(page: Page, live_server: LiveServer) -> None:
    page.clock.install()
    at_the_results(page, live_server)
    page.keyboard.press("1")
    all_saved(page)
    game = Game.objects.get(board=1)
    result_record(game_id=game.pk, result="==", actor=User.objects.get(), now=timezone.now(), seen_version=game.version)
    page.clock.fast_forward(5_000)
    expect(page.locator("#board-1")).to_have_attribute("data-result", "==")
    page.keyboard.press("Backspace")
    all_saved(page)
    assert results() == ["==", "", "", ""]


def test_a_board_number_is_typed(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server, boards=24)
    page.keyboard.type("23")
    page.keyboard.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "23")
    page.keyboard.press("0")
    all_saved(page)
    assert results() == [*[""] * 22, "01", ""]


def test_a_board_number_that_begins_like_a_result_needs_confirmation(page: Page, live_server: LiveServer) -> None:
    """ "14" is board 14 or a win and board 4: the page does not guess, and the next keys enter nothing."""
    at_the_results(page, live_server, boards=24)
    question = page.locator("#typed-number")
    page.keyboard.type("14")
    expect(question).to_contain_text("Board 1: 1 – 0. Were you typing a board number?")
    page.keyboard.press("Enter")
    question.get_by_role("button", name="Remove this result and go to board 14").click()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "14")
    all_saved(page)
    assert results() == [""] * 24
    page.keyboard.press("Home")
    page.keyboard.type("07")
    question.get_by_role("button", name="Keep it and go to board 7").click()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "7")
    expect(question).to_be_hidden()
    all_saved(page)
    assert results() == ["01", *[""] * 23]
    page.keyboard.type("124")
    expect(question).to_contain_text("Board 7: 1 – 0.")
    page.keyboard.press("Escape")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "8")
    all_saved(page)
    assert results() == ["01", *[""] * 5, "10", *[""] * 17]


def test_a_name_typed_blindly_enters_no_result(page: Page, live_server: LiveServer) -> None:
    """The letters of rare results only count in the menu; everywhere else they search for a name."""
    at_the_results(page, live_server, boards=12)
    page.keyboard.type("xa 007")
    expect(page.locator("#find")).to_have_value("xa 007")
    page.locator("#find").fill("")
    page.keyboard.type("player 007")
    page.keyboard.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "4")
    page.keyboard.press(".")
    page.keyboard.press("x")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "5")
    all_saved(page)
    assert results() == ["", "", "", "--", *[""] * 8]


def test_the_digits_of_a_french_keyboard_need_no_shift(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    for code, key in (("Digit1", "&"), ("Digit0", "à"), ("Digit5", "(")):
        page.evaluate(
            """([code, key]) => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", { code, key, bubbles: true, cancelable: true }))""",
            [code, key],
        )
    all_saved(page)
    assert results() == ["10", "01", "==", ""]


def test_a_key_held_down_enters_one_board(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    for _ in range(5):
        page.keyboard.down("1")  # The second and later ones are repeats.
    page.keyboard.up("1")
    all_saved(page)
    assert results() == ["10", "", "", ""]


def test_every_other_result_from_the_menu(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server)
    page.locator("#board-2 .value button").click()
    menu = page.locator("#all-results")
    expect(menu).to_contain_text("Board 2")
    menu.get_by_role("button", name="double forfeit").click()
    page.locator("#board-3 .quick").get_by_role("button", name="Board 3: draw").click()
    all_saved(page)
    assert results() == ["", "--", "==", ""]


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
    expect(question).to_contain_text("Somebody else entered a result for board 1 in the meantime: it is now 0-1.")
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


def test_keeping_the_existing_result(page: Page, second_page: Page, live_server: LiveServer) -> None:
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


def test_without_network_results_are_kept_and_sent_later(page: Page, live_server: LiveServer) -> None:
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


def test_an_expired_session_keeps_the_result_until_the_arbiter_is_back(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server)
    page.context.clear_cookies(name="sessionid")
    page.on("dialog", lambda dialog: dialog.accept())  # The browser asks whether to leave with unsaved results.
    page.keyboard.press("1")
    page.get_by_role("link", name="Log in again").click()
    chief.fill_log_in()
    page.wait_for_url(f"{live_server.url}/t/{chief.slug}/rounds/1/results/")
    all_saved(page)
    assert results() == ["10", "", "", ""]


def test_results_are_not_published_while_one_is_being_sent(page: Page, live_server: LiveServer) -> None:
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


def test_publishing_with_missing_results_lists_them_and_goes_there(page: Page, live_server: LiveServer) -> None:
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
    page.locator("#problem").get_by_role("button", name="Board 4").click()
    expect(page.locator("tr.current")).to_have_attribute("data-board", "4")


def test_an_unusual_result_is_asked_about_beside_the_table_and_stops_no_key(
    page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    Entry.objects.filter(tournament__slug=chief.slug, tpn=2).update(rating=1500)
    page.keyboard.press("0")
    question = page.locator("#results-checks .question")
    expect(question).to_contain_text("Müller, Player 002 beat Müller, Player 001, rated 999 points higher.")
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


def test_the_second_reading_has_the_same_keys_and_survives_an_outage(
    page: Page, second_page: Page, live_server: LiveServer
) -> None:
    chief = at_the_results(page, live_server)
    for key in "1=01":
        page.keyboard.press(key)
    all_saved(page)
    reader = Arbiter(second_page, live_server.url, name="reader")
    Appointment.objects.create(
        tournament=Tournament.objects.get(slug=chief.slug), person=reader.user, role=Role.DEPUTY, since=timezone.now()
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
    expect(second_page.locator("table.differences tbody tr")).to_have_count(1)
    assert faults(second_page) == []
    second_page.get_by_role("button", name="1 – 0 reader").click()
    expect(second_page.locator("#messages")).to_contain_text("Board 3 is decided.")
    assert results() == ["10", "==", "10", "10"]


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
