"""Open public pages learn of a publication from the news file,
and nothing under the reader's finger moves.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.publish import results_publish
from pairing.rules.published import Situation
from tests.tournaments import factories
from tests.tournaments.rounds.test_change_actions import change
from tests.tournaments.rounds.test_correction_actions import correct, game_of
from tournaments.entries.entries import entry_add
from tournaments.events.sections import event_create
from tournaments.models import Tournament
from tournaments.standings.final import standings_make_final, standings_reopen

from .arbiter import Arbiter
from .page_waits import wait_for
from .test_accessibility import faults
from .test_phone import PHONE, PUBLIC, make_event, of_event, too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS: Final = 2_000
A_QUESTION: Final = 1_500
"""The longest time between two questions of an open page; half a second is left for the answers."""


def hide(page: Page, hidden: bool) -> None:
    """Let *page* believe that the reader looks elsewhere, or is back."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


@pytest.mark.costly
def test_a_publication_appears_within_two_seconds_on_every_open_page(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=60)
    factories.play_rounds(tournament, [1], chief.user)
    player = factories.entry_of(tournament, 7)
    root = f"{live_server.url}/t/{tournament.slug}/"
    paths = ["pairings/1/", "standings/", f"player/{player.pk}/", "crosstable/", "me/"]
    pages = {path: phone if path == paths[0] else phone.context.new_page() for path in paths}
    # The reader of this phone chooses a name once.
    phone.goto(root + "me/")
    phone.get_by_role("searchbox").fill(player.name[:5].upper())
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.get_by_role("heading", name=player.name)).to_be_visible()
    for path, page in pages.items():
        page.clock.install()
        page.goto(root + path)
    # On the first page the reader is in the middle of a list, on the second in its search field.
    row = phone.locator("#board-20")
    row.scroll_into_view_if_needed()
    at = row.bounding_box()
    search = pages["standings/"].get_by_role("searchbox")
    search.fill("moreau")
    factories.pair_and_publish(tournament, 2, chief.user)
    board = next(
        n for n, line in enumerate(factories.boards(tournament, 2), start=1) if 7 in line[:2]
    )
    for page in pages.values():
        page.clock.fast_forward(TWO_SECONDS)
        bar = page.get_by_role("status").filter(has_text="Round 2 is published")
        expect(bar).to_contain_text(re.compile(rf"board {board}, (White|Black)"))
        tab = page.get_by_role("navigation", name="Tournament").get_by_role("link", name="Pairings")
        expect(tab).to_have_attribute("href", re.compile("/pairings/2/$"))
    assert at is not None
    now = row.bounding_box()
    assert now is not None
    assert abs(now["y"] - at["y"]) < 2
    expect(search).to_be_focused()
    expect(search).to_have_value("moreau")
    for path in paths[2], "me/":
        expect(pages[path].locator(".my-board")).to_contain_text(f"Board {board}")
    mine = pages["me/"]
    assert [*faults(mine), *faults(phone)] == []  # each with the bar
    assert [*too_wide(mine), *too_small(mine), *too_small(phone)] == []
    mine.get_by_role("button", name="Not me").tap()
    expect(mine.get_by_role("searchbox")).to_be_focused()
    assert mine.evaluate("localStorage.length") == 0
    # Results next, without a player of one's own.
    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    phone.clock.fast_forward(TWO_SECONDS)
    shown = phone.get_by_role("status").get_by_role(
        "link", name="The results of round 2 are published"
    )
    expect(shown).to_have_attribute("href", re.compile("/standings/2/$"))


@pytest.mark.costly
def test_every_public_page_announces_the_next_round(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    slug = make_event(chief.user)
    tournament = Tournament.objects.get(slug=slug)
    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    pages = {}
    for path in PUBLIC:
        page = pages[path] = phone.context.new_page()
        page.clock.install()
        page.goto(f"{live_server.url}/t/{slug}/{of_event(path, slug)}")
    factories.pair_and_publish(tournament, 3, chief.user)
    for path, page in pages.items():
        page.clock.fast_forward(A_QUESTION)
        bar = page.get_by_role("status").get_by_role(
            "link", name="The pairings of round 3 are published"
        )
        expect(bar, path).to_have_attribute("href", re.compile("/pairings/3/$"))


ANSWERS_AT_ONCE: Final = """
    window.requested = [];
    window.answers = true;
    window.fetch = async (url) => {
        requested.push(url);
        const { key } = document.getElementById("news").dataset;
        const news = { key, pairings: 1, results: 0 };
        const headers = new Headers({ "X-Ask-Again": String(window.pace ?? 1.5) });
        return { ok: answers, status: answers ? 200 : 503, headers, json: async () => news };
    };
"""
"""A server that answers in no time: the seconds of the test's
clock pass faster than any server answers.
"""


@pytest.mark.costly
def test_a_hidden_page_asks_nothing_and_one_nobody_uses_asks_often(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.clock.install()
    phone.add_init_script(ANSWERS_AT_ONCE)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/pairings/1/")
    wait_for(phone, "() => requested.length")

    def requests_in(seconds: int) -> int:
        phone.evaluate("requested.length = 0")
        phone.clock.run_for(seconds * 1_000)
        count: int = phone.evaluate("requested.length")
        return count

    assert 6 <= requests_in(10) <= 10
    hide(phone, True)
    assert requests_in(120) == 0
    hide(phone, False)
    assert phone.evaluate("requested") == [f"/t/{tournament.slug}/news.json"]  # at once
    # Nobody touches it for a day: a publication is announced within two seconds all the same.
    phone.clock.fast_forward(24 * 3_600_000)
    requests_in(30)
    assert 6 <= requests_in(10) <= 10
    # So many pages are open that the server asks for more time.
    phone.evaluate("window.pace = 10")
    requests_in(20)
    assert 6 <= requests_in(60) <= 9
    phone.evaluate("window.pace = 1.5")
    requests_in(20)
    assert 6 <= requests_in(10) <= 10
    # The server fails: the questions become rarer, and no reader is alarmed.
    phone.evaluate("window.answers = false")
    requests_in(60)
    assert requests_in(120) <= 4
    expect(phone.locator(".notice.bad")).to_have_count(0)


def test_the_news_are_asked_for_without_a_cookie(page: Page, live_server: LiveServer) -> None:
    """The answer is the same for everybody, so a proxy may give one to all; it needs no session."""
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_ready(chief.user, players=4).slug
    chief.log_in()
    with page.expect_request("**/news.json") as requested:
        chief.open("players/")
    assert "cookie" not in requested.value.all_headers()
    assert [
        cookie["name"] for cookie in page.context.cookies() if cookie["name"] == "sessionid"
    ] == ["sessionid"]


def test_a_hidden_desk_asks_nothing(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.slug = factories.make_ready(chief.user, players=4).slug
    chief.log_in()
    page.clock.install()
    chief.open("desk/")
    with page.expect_request("**/desk/?v=*"):
        page.clock.run_for(6_000)
    hide(page, True)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.clock.run_for(30_000)
    assert requested == []


@pytest.mark.costly
def test_without_scripts_there_is_a_link_to_reload(
    plain_page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(plain_page, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    plain_page.goto(f"{live_server.url}/t/{tournament.slug}/players/?q=a")
    factories.pair_and_publish(tournament, 1, chief.user)
    plain_page.wait_for_timeout(2_100)  # browsers may keep a page for two seconds
    plain_page.get_by_role("link", name="Reload").click()
    expect(plain_page.get_by_role("link", name="Pairings")).to_be_visible()
    assert plain_page.url.endswith("/players/?q=a")
    player = factories.entry_of(tournament, 3)
    plain_page.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    plain_page.get_by_role("searchbox").fill(player.name[:4])
    plain_page.keyboard.press("Enter")
    plain_page.get_by_role("link", name=player.name).click()
    expect(plain_page.locator(".my-board")).to_contain_text("Board")


@pytest.mark.costly
def test_c04_2_4_4_an_open_page_names_the_boards_that_were_changed(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=7)
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/pairings/1/")
    with phone.expect_response("**/news.json"):
        phone.clock.fast_forward(TWO_SECONDS)
    entry_add(
        tournament_id=tournament.pk,
        actor=chief.user,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )
    change(tournament, 1, chief.user, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    phone.clock.fast_forward(TWO_SECONDS)
    line = phone.get_by_role("status").get_by_role(
        "link", name="Pairings of round 1 changed: board 4"
    )
    expect(line).to_have_attribute("href", re.compile("/pairings/1/$"))
    expect(phone.locator("#live")).to_contain_text("Late, Lara")


def test_c04_2_4_3_open_pages_say_which_result_was_corrected(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8, correction_minutes=30)
    factories.play_rounds(tournament, [1], chief.user)
    crosstable = phone.context.new_page()
    for page, path in (phone, "standings/"), (crosstable, "crosstable/"):
        page.clock.install()
        page.goto(f"{live_server.url}/t/{tournament.slug}/{path}")
        with page.expect_response("**/news.json"):
            page.clock.fast_forward(TWO_SECONDS)
    correct(game_of(tournament, 1, board=2), chief.user, result="==")
    for page in (phone, crosstable):
        page.clock.fast_forward(TWO_SECONDS)
        line = page.get_by_role("status").get_by_role(
            "link", name="A result of round 1 was corrected: board 2"
        )
        expect(line).to_have_attribute("href", re.compile("/standings/1/$"))
    # The standings are those of now; the crosstable is replaced when the reader wants it.
    expect(phone.get_by_role("status").get_by_role("link", name="Reload this page")).to_have_count(
        0
    )
    crosstable.get_by_role("status").get_by_role("link", name="Reload this page").click()
    expect(crosstable.locator("html")).not_to_have_class(re.compile("has-news"))


@pytest.mark.costly
def test_final_standings_are_announced_and_so_is_their_end(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8, rounds=1)
    factories.play_rounds(tournament, [1], chief.user)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/")
    with phone.expect_response("**/news.json"):
        phone.clock.fast_forward(TWO_SECONDS)
    standings_make_final(
        tournament_id=tournament.pk, ties_stay=True, actor=chief.user, now=factories.NOW
    )
    phone.clock.fast_forward(TWO_SECONDS)
    locator = phone.get_by_role("status").get_by_role("link", name="The standings are final")
    expect(locator).to_have_attribute("href", re.compile("/standings/1/$"))
    locator.focus()
    standings_reopen(
        tournament_id=tournament.pk, reason="A protest", actor=chief.user, now=factories.NOW
    )
    phone.clock.fast_forward(TWO_SECONDS)
    again = phone.get_by_role("status").get_by_role(
        "link", name="The final standings were reopened"
    )
    expect(again).to_be_focused()


def test_one_older_answer_of_a_proxy_changes_nothing(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    factories.play_rounds(tournament, [1], chief.user)
    before = phone.request.get(f"{live_server.url}/t/{tournament.slug}/news.json").json()
    factories.pair_and_publish(tournament, 2, chief.user)
    answers = [before]
    phone.route(
        "**/news.json",
        lambda route: route.fulfill(json=answers.pop()) if answers else route.continue_(),
    )
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/pairings/2/")
    for _ in range(3):
        with phone.expect_response("**/news.json"):
            phone.clock.fast_forward(TWO_SECONDS)
    assert answers == []
    expect(phone.get_by_role("status").get_by_role("link")).to_have_count(0)


@pytest.mark.costly
def test_a_restored_copy_takes_back_what_open_pages_announced(
    browser: Browser, live_server: LiveServer
) -> None:
    """A page that is gone says so, and is shown again when it comes back."""
    context = browser.new_context(
        **PHONE, locale="en-GB", service_workers="block"
    )  # Answers 404 are allowed here.
    phone, pairings = context.new_page(), context.new_page()
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    factories.play_rounds(tournament, [1], chief.user)
    before = phone.request.get(f"{live_server.url}/t/{tournament.slug}/news.json").json()
    factories.pair_and_publish(tournament, 2, chief.user)
    restored: list[
        dict[str, object]
    ] = []  # The news of the copy; while there are none, the server answers.
    for page, path in (phone, ""), (pairings, "pairings/2/"):
        page.clock.install()
        page.route(
            "**/news.json",
            lambda route: route.fulfill(json=restored[0]) if restored else route.continue_(),
        )
        page.route(
            "**/pairings/2/**",
            lambda route: route.fulfill(status=404) if before in restored else route.continue_(),
        )
        page.goto(f"{live_server.url}/t/{tournament.slug}/{path}")
        with page.expect_response("**/news.json"):
            page.clock.fast_forward(TWO_SECONDS)
    bar = phone.get_by_role("status").get_by_role("link")
    restored[:] = [before]
    for page in (phone, pairings):
        for _ in range(2):
            with page.expect_response("**/news.json"):
                page.clock.fast_forward(TWO_SECONDS)
    expect(bar).to_have_text("This tournament has gone back to an earlier state")
    expect(pairings.locator("#live")).to_have_text("This page is no longer published")
    restored[:] = [{**before, "key": "another", "pairings": 2}]
    for page in (phone, pairings):
        page.clock.fast_forward(TWO_SECONDS)
    expect(bar).to_have_text("The pairings of round 2 are published")
    expect(pairings.locator("#live tbody tr")).to_have_count(4)
    context.close()


def test_a_tournament_that_was_deleted_says_so_on_open_pages(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(**PHONE, locale="en-GB")
    phone = context.new_page()
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_tournament(chief.user)
    phone.clock.install()
    is_gone = True
    phone.route(
        "**/news.json",
        lambda route: route.fulfill(status=404, body="{}") if is_gone else route.continue_(),
    )
    phone.goto(f"{live_server.url}/t/{tournament.slug}/")
    phone.clock.fast_forward(TWO_SECONDS)
    expect(phone.get_by_role("status").get_by_role("link")).to_have_text(
        "This page is no longer published"
    )
    is_gone = False
    phone.clock.fast_forward(60_000)
    expect(phone.get_by_role("status").get_by_role("link")).to_have_count(0)
    context.close()


def test_the_page_of_an_event_says_which_section_has_news(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    event = event_create(
        tournament_id=tournament.pk,
        name="City Open",
        label="A",
        actor=chief.user,
        now=factories.NOW,
    )
    phone.clock.install()
    phone.goto(f"{live_server.url}/e/{event.slug}/")
    phone.get_by_role("searchbox").fill("abara")
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.clock.fast_forward(TWO_SECONDS)
    line = phone.get_by_role("status").get_by_role(
        "link", name="A: the pairings of round 1 are published"
    )
    expect(line).to_have_attribute("href", re.compile("/pairings/1/$"))
    expect(phone.locator("#live").get_by_role("link", name="Pairings of round 1")).to_be_visible()
    expect(phone.get_by_role("searchbox")).to_have_value("abara")
    assert faults(phone) == []
