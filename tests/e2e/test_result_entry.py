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
from tournaments.models import Entry, Game, Round, Seat, Tournament
from tournaments.setup.tournaments import tournament_create

from .arbiter import Arbiter
from .conftest import watched_page

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
        Entry(
            tournament=tournament,
            name=f"{surname}, Player {n:03d}",
            tpn=n,
            rating=2500 - n,
            created_at=now,
        )
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


@pytest.mark.costly
def test_150_boards_by_keyboard(page: Page, live_server: LiveServer) -> None:
    """Each result is painted in the first frame after its key, whatever the server does,
    and all are saved.
    """
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
    expect(page.locator("#entered")).to_have_text("150")
    assert page.evaluate("window.shown") == [text for _, _, text in typed]


@pytest.mark.costly
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
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text(
        "next board without a result"
    )
    press("Escape")
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


@pytest.mark.costly
def test_the_cursor_skips_boards_that_have_a_result(page: Page, live_server: LiveServer) -> None:
    """Three missing boards take three keys, even with other boards between them."""
    chief = at_the_results(page, live_server, boards=6)
    Game.objects.filter(board__in=(2, 3, 5)).update(result="==")
    chief.open("rounds/1/results/")
    for key in "101":
        page.keyboard.press(key)
    all_saved(page)
    assert results() == ["10", "==", "==", "01", "==", "10"]


@pytest.mark.costly
def test_replacing_a_result_shows_the_old_one_and_backspace_restores_it(
    page: Page, live_server: LiveServer
) -> None:
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


@pytest.mark.costly
def test_the_old_result_stays_beside_the_new_one_until_the_page_is_left(
    page: Page, live_server: LiveServer
) -> None:
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


@pytest.mark.costly
def test_enter_goes_to_the_next_board_without_a_result(page: Page, live_server: LiveServer) -> None:
    chief = at_the_results(page, live_server, boards=5)
    Game.objects.filter(board__in=(2, 3)).update(result="==")
    chief.open("rounds/1/results/")
    current = page.locator("tr.current")
    for board in ("4", "5", "1"):
        page.keyboard.press("Enter")
        expect(current).to_have_attribute("data-board", board)


@pytest.mark.costly
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
    expect(page.locator(".conflict-row")).to_contain_text("Did Müller, Player 002 play White")
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


@pytest.mark.costly
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


@pytest.mark.costly
def test_backspace_leaves_a_result_that_somebody_else_changed(
    page: Page, live_server: LiveServer
) -> None:
    page.clock.install()
    at_the_results(page, live_server)
    page.keyboard.press("1")
    all_saved(page)
    game = Game.objects.get(board=1)
    result_record(
        game_id=game.pk,
        result="==",
        actor=User.objects.get(),
        now=timezone.now(),
        seen_version=game.version,
    )
    page.clock.fast_forward(5_000)
    expect(page.locator("#board-1")).to_have_attribute("data-result", "==")
    page.keyboard.press("Backspace")
    all_saved(page)
    assert results() == ["==", "", "", ""]


@pytest.mark.costly
def test_a_board_number_is_typed(page: Page, live_server: LiveServer) -> None:
    at_the_results(page, live_server, boards=24)
    page.keyboard.type("23")
    page.keyboard.press("Enter")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "23")
    page.keyboard.press("0")
    all_saved(page)
    assert results() == [*[""] * 22, "01", ""]


def test_a_board_number_that_does_not_exist_enters_nothing_on_another_board(
    page: Page, live_server: LiveServer
) -> None:
    at_the_results(page, live_server)
    for key in ("/", "9", "9", "Enter", "1"):
        page.keyboard.press(key)
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#find")).to_have_value("1")
    expect(page.locator("#spoken")).to_have_text("No board of this round fits.")
    page.keyboard.press("Escape")
    expect(page.locator("tr.current")).to_have_attribute("data-board", "1")
    assert results() == ["", "", "", ""]


@pytest.mark.costly
def test_a_board_number_that_begins_like_a_result_needs_confirmation(
    page: Page, live_server: LiveServer
) -> None:
    """ "14" is board 14 or a win and board 4: the page does not guess,
    and the next keys enter nothing.
    """
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
    """The letters of rare results only count in the menu;
    everywhere else they search for a name.
    """
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


@pytest.mark.costly
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
