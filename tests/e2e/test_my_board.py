"""*My board* on a phone that stays open, loses its network, or has it open twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from pairing.rules.names import search_words, words_of
from tests.tournaments import factories
from tournaments.entries.entries import entry_add, entry_remove, numbers_assign
from tournaments.setup.initial_colour import initial_colour_set

from .arbiter import Arbiter
from .conftest import watched_page
from .test_accessibility import faults
from .test_phone import PHONE, too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS: Final = 2_000


@pytest.mark.costly
def test_an_open_page_finds_players_who_get_a_number_later(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_tournament(chief.user)
    factories.make_entries(tournament, chief.user, 4)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill("dum")
    expect(
        phone.get_by_role("status").filter(has_text="Pairing numbers are not assigned yet.")
    ).to_be_visible()
    numbers_assign(tournament_id=tournament.pk, actor=chief.user, now=factories.NOW)
    phone.clock.fast_forward(TWO_SECONDS)
    expect(phone.get_by_role("button", name="Dumont, Player 4")).to_be_visible()
    phone.get_by_role("searchbox").fill("lara")
    expect(
        phone.get_by_role("status").filter(has_text="No player matches your search.")
    ).to_be_visible()
    initial_colour_set(tournament_id=tournament.pk, actor=chief.user, now=factories.NOW, colour="w")
    factories.play_rounds(tournament, [1], chief.user)
    late = entry_add(
        tournament_id=tournament.pk,
        actor=chief.user,
        now=factories.NOW,
        name="Late, Lara",
        fide_rating=2000,
    )
    phone.clock.fast_forward(TWO_SECONDS)
    phone.get_by_role("button", name=late.name).tap()
    expect(phone.get_by_role("heading", name=late.name)).to_be_visible()


def test_the_board_of_the_chosen_player_is_shown_when_the_server_answers_again(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    player = factories.entry_of(tournament, 2)
    # The test answers in place of the server, which it cannot do for requests of the worker.
    phone.add_init_script("delete Navigator.prototype.serviceWorker;")
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill(player.name)
    phone.route(f"**/player/{player.pk}/", lambda route: route.fulfill(status=429))
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.get_by_role("status").filter(has_text="Your choice is kept")).to_be_visible()
    phone.unroute(f"**/player/{player.pk}/")
    phone.clock.fast_forward(TWO_SECONDS)
    expect(phone.locator(".my-board")).to_contain_text("Board 2")
    expect(phone.get_by_role("searchbox")).to_be_hidden()


def test_two_pages_of_a_phone_show_the_same_player(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    first, second = factories.entry_of(tournament, 1), factories.entry_of(tournament, 2)
    other = phone.context.new_page()
    for page in (phone, other):
        page.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill(first.name)
    phone.get_by_role("button", name=first.name).tap()
    expect(other.get_by_role("heading", name=first.name)).to_be_visible()
    other.get_by_role("button", name="Not me").tap()
    expect(phone.get_by_role("searchbox")).to_be_visible()
    other.get_by_role("searchbox").fill(second.name)
    other.get_by_role("button", name=second.name).tap()
    expect(phone.get_by_role("heading", name=second.name)).to_be_visible()


@pytest.fixture
def phone_without_worker(browser: Browser) -> Iterator[Page]:
    """A phone whose requests a test can hold back."""
    yield from watched_page(browser, **PHONE, service_workers="block")


def test_a_late_answer_for_a_name_that_was_left_is_not_shown(
    phone_without_worker: Page, live_server: LiveServer
) -> None:
    phone = phone_without_worker
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    first, second = factories.entry_of(tournament, 1), factories.entry_of(tournament, 2)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    waiting: list[Route] = []
    phone.route(f"**/player/{first.pk}/", lambda route: waiting.append(route))
    for player in (first, second):
        phone.get_by_role("searchbox").fill(player.name)
        phone.get_by_role("button", name=player.name).tap()
    expect(phone.get_by_role("heading", name=second.name)).to_be_visible()
    with phone.expect_response(f"**/player/{first.pk}/") as late:
        waiting[0].continue_()
    late.value.finished()
    phone.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    expect(phone.get_by_role("heading", name=second.name)).to_be_visible()
    expect(phone.get_by_role("heading", name=first.name)).to_have_count(0)


def test_players_with_equal_names_are_told_apart(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    tournament.entries.filter(tpn__in=(2, 3)).update(name="Müller, Jürgen", club="Altona")
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill("muller")
    expect(phone.locator("#me-found button").nth(1)).to_have_text(
        "3 Müller, Jürgen rating 2380 · FRA · Altona"
    )
    assert [*too_wide(phone), *too_small(phone)] == []
    phone.get_by_role("searchbox").fill(",")
    expect(phone.locator("#me-found button")).to_have_count(0)
    phone.get_by_role("searchbox").fill("abara")
    expect(phone.locator("#me-found button")).to_have_text("1 Abara, Player 1")


@pytest.mark.costly
def test_names_with_hyphens_and_apostrophes_are_found(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    tournament.entries.filter(tpn=2).update(name="O’Brien-D'Angelo, Mary-Ann")
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    for words in ("mary-ann", "O'Brien-D’Angelo", "obrien", "dangelo ma", "brien"):
        phone.get_by_role("searchbox").fill(words)
        expect(phone.locator("#me-found button")).to_have_text("2 O’Brien-D'Angelo, Mary-Ann")
        phone.get_by_role("searchbox").fill("zz")
        expect(phone.locator("#me-found button")).to_have_count(0)


@pytest.mark.costly
def test_my_board_says_how_many_players_fit_and_how_many_are_shown(
    phone: Page, live_server: LiveServer
) -> None:
    """Also to those who do not see the list; in French too."""
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=30)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    line = phone.locator("#me-status[role=status]")
    phone.get_by_role("searchbox").fill("player")
    expect(line).to_have_text("8 of 30 players: type more letters")
    expect(phone.locator("#me-found button")).to_have_count(8)
    phone.get_by_role("searchbox").fill("player 11")
    expect(line).to_have_text("1 player")
    phone.get_by_role("searchbox").fill("player 11; nobody; garu; player 12")
    expect(line).to_have_text("2 players · Not found: nobody, garu")
    phone.get_by_role("searchbox").fill("a")
    expect(line).to_have_text(re.compile("^[2-8] players$"))
    phone.get_by_role("searchbox").fill("")
    expect(line).to_be_empty()
    phone.goto(f"{live_server.url}/language/fr/?next=/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill("player")
    expect(line).to_have_text("8 joueurs sur 30\N{NARROW NO-BREAK SPACE}: tapez d’autres lettres")
    assert [*faults(phone), *too_wide(phone)] == []


def test_the_search_of_the_phone_reads_names_as_the_program_does(
    phone: Page, live_server: LiveServer
) -> None:
    tournament = factories.make_ready(Arbiter(phone, live_server.url).user, players=4)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    names = [
        "Müller, Jörg",
        "Mu\u0308ller",
        "Mueller",
        "Sørensen, Åse",
        "Aasen",
        "Ben\u05beGurion",
        "Samuel",
        "O’Brien–Smith",
        'O\'Brien "Mac", Sean',
        "Łuk „Luke“ (Lucky) [L] «Q»",
    ]
    expected = """async (names) => {
        const { searchWords, wordsOf } = await import("/static/js/names.js");
        return names.map((name) => [[...new Set(wordsOf(name))], searchWords(name)]);
    }"""
    assert phone.evaluate(expected, names) == [
        [words_of(name), search_words(name)] for name in names
    ]


BLOCKED: Final = """
    Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("no", "SecurityError"); } });
"""
"""A browser in which the reader has switched off the storage of pages."""
KEEPS: Final = "Choose your name once. This phone keeps it"
KEEPS_NOT: Final = "This browser does not keep the choice."


@pytest.mark.costly
def test_my_board_says_whether_this_browser_keeps_the_choice(
    phone: Page, plain_page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.goto(root + "me/")
    expect(phone.get_by_text(KEEPS)).to_be_visible()
    expect(phone.get_by_text(KEEPS_NOT)).to_be_hidden()
    phone.add_init_script(BLOCKED)
    for page in (phone, plain_page):
        page.goto(root + "me/")
        expect(page.get_by_text(KEEPS_NOT)).to_be_visible()
        expect(page.get_by_text(KEEPS)).to_be_hidden()
        page.goto(root + "offline/")
        expect(page.get_by_text("This browser cannot keep pages")).to_be_visible()
        expect(page.get_by_text("This phone keeps the pages.")).to_be_hidden()
    # A choice is good until the page is left.
    phone.goto(root + "me/")
    phone.get_by_role("searchbox").fill("abara")
    phone.get_by_role("button", name="Abara, Player 1").tap()
    expect(phone.get_by_role("heading", name="Abara, Player 1")).to_be_visible()


@pytest.mark.costly
def test_pages_of_a_player_who_was_removed_say_so(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(**PHONE, locale="en-GB")  # Answers 404 are allowed here.
    mine, other = context.new_page(), context.new_page()
    chief = Arbiter(mine, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    player = factories.entry_of(tournament, 4)
    mine.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    mine.get_by_role("searchbox").fill(player.name)
    mine.get_by_role("button", name=player.name).tap()
    expect(mine.get_by_role("heading", name=player.name)).to_be_visible()
    for page in (mine, other):
        page.clock.install()
    mine.reload()
    expect(mine.get_by_role("heading", name=player.name)).to_be_visible()
    other.goto(f"{live_server.url}{factories.player_address(tournament, 4)}")
    entry_remove(entry_id=player.pk, actor=chief.user, now=factories.NOW)
    for page in (mine, other):
        page.clock.fast_forward(TWO_SECONDS)
    expect(
        mine.get_by_role("status").filter(has_text="is not in this tournament any more")
    ).to_be_visible()
    expect(mine.get_by_role("heading", name=player.name)).to_have_count(0)
    expect(mine.get_by_role("searchbox")).to_be_visible()
    assert mine.evaluate("localStorage.length") == 0
    expect(other.get_by_role("heading", name=player.name)).to_have_count(0)
    expect(other.locator("#live")).to_have_text("This page is no longer published")
    context.close()


def test_a_part_that_failed_is_asked_for_again(browser: Browser, live_server: LiveServer) -> None:
    context = browser.new_context(**PHONE, locale="en-GB")  # An answer 429 is allowed here.
    page = context.new_page()
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    page.clock.install()
    page.goto(f"{live_server.url}{factories.player_address(tournament, 1)}")
    page.route("**/player/*/?v=*", lambda route: route.fulfill(status=429))
    factories.pair_and_publish(tournament, 1, chief.user)
    with page.expect_response("**/player/*/?v=*"):
        page.clock.fast_forward(TWO_SECONDS)
    page.unroute("**/player/*/?v=*")
    page.clock.fast_forward(15_000)
    expect(page.locator(".my-board")).to_contain_text("Board")
    context.close()


def test_my_board_says_which_result_was_entered_while_the_page_is_open(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    player = factories.entry_of(tournament, 2)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name=player.name).tap()
    result = phone.locator("#me-result")
    expect(result).to_have_text("No result has been entered for this game yet.")
    factories.enter_results(tournament, 1, chief.user)
    phone.clock.fast_forward(21_000)
    expect(result).to_contain_text("Entered: 0 – 1")
    expect(phone.locator(".next-board + #me-result")).to_be_visible()  # not below the tables
    assert [*too_wide(phone), *too_small(phone)] == []
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=factories.NOW
    )
    phone.clock.fast_forward(TWO_SECONDS)
    expect(result).to_be_empty()
    expect(phone.locator("#event-tabs [aria-current]")).to_have_text("Me")


def test_a_wrong_result_is_reported_from_my_board(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    factories.enter_results(tournament, 1, chief.user)
    number = factories.entry_of(tournament, 2).pk
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/#{number}")  # as in an e-mail
    report = phone.get_by_role("link", name="Report it here")
    expect(report).to_be_visible()
    expect(phone.locator("#me-shown")).not_to_be_focused()  # no frame around the page
    report.tap()
    draw = phone.locator("label.choice", has_text="draw")
    expect(draw).to_be_visible()
    box = draw.bounding_box()
    assert box is not None
    assert box["height"] < 60  # its words are on one line, beside the button
    assert [*too_wide(phone), *too_small(phone)] == []
    draw.tap()
    phone.get_by_role("button", name="Send to the arbiters").tap()
    expect(phone.get_by_text("The arbiters have it.")).to_be_visible()
    # My board says so too, also when the results are published, and does not offer the form again.
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    result = phone.locator("#me-result")
    expect(result).to_contain_text("½ – ½. The arbiters have it.")
    expect(result.get_by_role("link")).to_have_text(["Change the report"])
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief.user, now=factories.NOW
    )
    expect(result).not_to_contain_text("Entered")
    expect(result).to_contain_text("½ – ½. The arbiters have it.")
    expect(phone.get_by_role("link", name="Report a wrong result")).to_be_hidden()
    assert [*too_wide(phone), *too_small(phone)] == []
    result.get_by_role("link").tap()
    expect(draw).to_be_hidden()
    phone.get_by_text("Change the report").tap()
    expect(phone.locator("label.choice", has_text="colours")).to_be_visible()
    expect(draw).to_have_count(0)
