"""The first board is near the top of the page of a round, in every state of the round.

A whole round is shown in the browser: nothing that the page says moves the boards down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.entries.byes import bye_request
from tournaments.models import ByeKind, Game, Tournament
from tournaments.standings.final import standings_make_final

from .arbiter import Arbiter
from .test_accessibility import faults
from .test_phone import too_small, too_wide

SCREENS = {1366: (768, 420), 768: (1024, 480), 360: (740, 260)}
"""Width of the screen → its height, and the greatest distance of the first board
from the top."""

NAMES = [
    "Nepomniachtchi, Alexander",
    "Mbeki-Nkosi, Sipho",
    "Castellan, Hugo",
    "Papadimitriou, Konstantina",
    "Haverkamp, Joris",
]

FIRST_BOARD = """() => {
  const row = document.querySelector("#board-1, #next-round tbody tr");
  return row && Math.round(row.getBoundingClientRect().top + scrollY);
}"""

NAMES_IN_TWO_LINES = """() => [...document.querySelectorAll("tr[id^=board-] :is(td.name, td.white, td.black) a")]
  .filter(each => each.getBoundingClientRect().height > 36)
  .map(each => each.textContent.trim().replace(/\\s+/g, " "))"""


@pytest.mark.costly
def test_the_first_board_is_near_the_top_in_every_state(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    too_low, in_two_lines, wide, inaccessible = {}, {}, {}, {}
    for state, tournament, number in states(chief):
        address = f"/t/{tournament.slug}/rounds/{number}/"
        for width, (height, lowest) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            for language in ("fr", "en"):
                page.goto(f"{chief.site}/language/{language}/?next={address}")
                if (y := page.evaluate(FIRST_BOARD)) is None or y > lowest:
                    too_low[state, width, language] = y
                if width == 1366 and (names := page.evaluate(NAMES_IN_TWO_LINES)):
                    in_two_lines[state, language] = names
                if found := too_wide(page):
                    wide[state, width, language] = found
        page.locator("#round-details > summary").click()
        found = faults(page)
        if (menu := page.locator("#round-menu > summary")).count():
            menu.click()
        if found := [*found, *too_wide(page), *too_small(page)]:
            inaccessible[state] = found
        page.goto("about:blank")  # an idle page would load itself again in the next state
    assert (too_low, in_two_lines, wide, inaccessible) == ({}, {}, {}, {})


@pytest.mark.costly
def test_a_message_a_refusal_and_the_line_about_the_round_leave_the_boards(
    page: Page, live_server: LiveServer
) -> None:
    """The message stays at the lower edge of the window."""
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    tournament = factories.make_ready(chief.user, players=40)
    chief.slug = tournament.slug
    factories.pair_only(tournament, 1, chief.user)
    chief.open("rounds/1/")
    chief.publish(1)
    shown = page.locator("#messages").get_by_text("The pairings of round 1 are published.")
    with_message = page.evaluate(FIRST_BOARD)
    assert is_in_the_window(page, shown)
    chief.press("Publish results")
    refusal = page.locator("#problem").get_by_role("alert")
    expect(refusal).to_contain_text("results are missing on board")
    assert is_in_the_window(page, refusal)
    assert page.evaluate(FIRST_BOARD) == with_message
    chief.open("rounds/1/")
    assert page.evaluate(FIRST_BOARD) == with_message
    # Without a script the line opens too, and so does the menu: they are parts of the language.
    page.locator("#round-details > summary").click()
    expect(page.locator("#round-details")).to_contain_text("Pairings published")
    page.locator("#round-menu > summary").click()
    expect(page.locator("#round-menu").get_by_role("link", name="Floor page")).to_be_visible()
    assert page.locator("#round-menu li").count() <= 8


@pytest.mark.costly
def test_the_first_rank_is_in_the_upper_half_of_a_phone(
    phone: Page, live_server: LiveServer
) -> None:
    """Also while mistakes can be reported, and after a correction: both are below the list."""
    visitor = Arbiter(phone, live_server.url)
    for state, tournament, _ in states(visitor):
        if state not in ("results published", "corrected", "final"):
            continue
        for language in ("fr", "en"):
            address = f"/t/{tournament.slug}/standings/"
            phone.goto(f"{live_server.url}/language/{language}/?next={address}")
            row = phone.locator("table.standings tbody tr").first
            assert row.evaluate("row => row.getBoundingClientRect().top + scrollY") <= 320
            assert [*too_wide(phone), *too_small(phone)] == []


def test_standings_have_one_line_for_a_player_and_show_the_round_of_the_page(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = make_large(chief.user, players=23)
    address = f"{live_server.url}/t/{tournament.slug}/standings/"
    highest = "rows => Math.max(...rows.map((row) => row.offsetHeight))"
    for width in (1366, 1100):
        page.set_viewport_size({"width": width, "height": 768})
        page.goto(address)
        assert page.locator("table.standings tbody tr").evaluate_all(highest) <= 40, width
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address)
    where = page.locator("#finished-rounds [aria-current]").evaluate(
        """here => {
            const [link, list] = [here, here.closest("ol")].map((each) => each.getBoundingClientRect());
            return [link.left >= list.left, link.right <= list.right + 4, scrollY];
        }"""
    )
    assert where == [True, True, 0]


def is_in_the_window(page: Page, target: Locator) -> bool:
    """Return whether the whole *target* is in the window, without scrolling."""
    expect(target).to_be_visible()
    return bool(
        target.evaluate(
            """each => {
                const { top, bottom } = each.getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight;
            }"""
        )
    )


def states(chief: Arbiter) -> Iterator[tuple[str, Tournament, int]]:
    """Yield a tournament of 47 players in every state of a round, with the number of that round."""
    actor, now = chief.user, timezone.now
    tournament = factories.make_ready(
        actor, players=47, rounds=3, correction_minutes=30, name="Open de Saint-Aubin"
    )
    for tpn, name in enumerate(NAMES, start=22):
        tournament.entries.filter(tpn=tpn).update(name=name, title="WIM")
    first, second = (factories.round_of(tournament, n).pk for n in (1, 2))
    round_pair(round_id=first, actor=actor, now=now())
    yield "draft of round 1", tournament, 1
    round_publish(round_id=first, actor=actor, now=now())
    yield "published", tournament, 1
    enter(chief, tournament, 1, lambda board: "+-" if board == 3 else "10", until=20)
    yield "results missing", tournament, 1
    yield "not paired, results missing", tournament, 2
    enter(chief, tournament, 1, lambda board: "01", until=23)
    yield "results complete", tournament, 1
    results_publish(round_id=first, actor=actor, now=now())
    yield "results published", tournament, 1
    yield "not paired", tournament, 2
    round_pair(round_id=second, actor=actor, now=now())
    yield "draft", tournament, 2
    bye_request(
        entry_id=factories.entry_of(tournament, 9).pk,
        round_number=2,
        kind=ByeKind.HALF_POINT,
        actor=actor,
        now=now(),
    )
    yield "draft out of date", tournament, 2
    game = Game.objects.get(round=first, board=5)
    result_correct(
        game_id=game.pk,
        result="==",
        report=Report(now(), "White showed the scoresheet"),
        actor=actor,
        now=now(),
    )
    yield "corrected", tournament, 1
    for number in (2, 3):
        pk = factories.round_of(tournament, number).pk
        round_pair(round_id=pk, actor=actor, now=now())
        round_publish(round_id=pk, actor=actor, now=now(), cut_short="all reported")
        enter(chief, tournament, number, lambda board: "==", until=23)
        results_publish(round_id=pk, actor=actor, now=now())
    yield "past", tournament, 1
    then = now() + timedelta(hours=1)
    standings_make_final(tournament_id=tournament.pk, actor=actor, now=then, ties_stay=True)
    yield "final", tournament, 3


def enter(
    chief: Arbiter, tournament: Tournament, number: int, result: Callable[[int], str], *, until: int
) -> None:
    """Enter the results of round *number* that are missing up to board *until*."""
    games = Game.objects.filter(round__tournament=tournament, round__number=number, result="")
    for game in games.filter(board__lte=until).order_by("board"):
        result_record(
            game_id=game.pk, result=result(game.board), actor=chief.user, now=timezone.now()
        )
