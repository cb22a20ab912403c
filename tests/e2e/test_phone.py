"""All pages on a phone of 360 pixels, and a player's way to the board."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import Eligible, Entry, Game, Tournament
from tournaments.setup.visibility import tournament_list_set
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

from .arbiter import Arbiter

pytestmark = pytest.mark.django_db(transaction=True)

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
PUBLIC = [
    "",
    "me/",
    "players/",
    "pairings/1/",
    "pairings/1/?order=name",
    "pairings/2/",
    "standings/",
    "record/",
]
PUBLIC += [
    "offline/",
    "pairings/1/codes/",
    "crosstable/",
    "progress/",
    "forecast/",
    "prizes/",
    "record/fingerprints/",
]
PUBLIC += ["published/", "open-games/", "players/?order=name"]
PUBLIC += ["player/{player}/", "standings/1/player/{player}/"]
LANGUAGES = ["en", "fr", "de", "pt", "uk"]
"""Those of arbiters, and three with the longest words."""
SET_UP = [
    "desk/",
    "settings/",
    "schedule/",
    "numbers/",
    "colour/",
    "entries/",
    "entries/add/",
    "check-in/",
]
REPORTS = [
    "manage/",
    "duplicate/",
    "regulations/",
    "print/",
    "print/sheets/?as=text&list=boards",
    "tie-breaks/preview/?tie_breaks=DE",
    "entries/import/",
    "recheck/?run=1",
    "report/",
    "report/check/",
    "norms/",
    "norms/{player}/GM/",
    "prizes/define/",
    "tables/",
]
DESK = [
    *SET_UP,
    *REPORTS,
    "points/",
    "rounds/1/",
    "rounds/2/results/",
    "rounds/2/floor/",
    "rounds/3/",
    "rounds/2/why/?player=1&other=4",
]
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-Oberländer, Maximilian Alexander"


def make_event(actor: User) -> str:
    """Make an event with round 1 played and round 2 published, and one very long name."""
    tournament = factories.make_ready(actor, players=9, city="Strasbourg", federation="FRA")
    tournament_list_set(tournament_id=tournament.pk, actor=actor, now=factories.NOW, listed=True)
    factories.play_rounds(tournament, [1], actor)
    tournament.entries.filter(tpn=4).update(name=LONG_NAME)
    factories.pair_and_publish(tournament, 2, actor)
    return tournament.slug


def of_event(path: str, slug: str) -> str:
    """Return *path*; for a page about a player, with the entry of the long name."""
    return path.format(player=Entry.objects.get(tournament__slug=slug, tpn=4).pk)


def too_wide(page: Page) -> list[str]:
    """Return the elements that are wider than the screen;
    elements that scroll inside their own frame do not count.
    """
    found: list[str] = page.evaluate(
        """() => {
            const width = document.documentElement.clientWidth;
            if (document.documentElement.scrollWidth <= width) return [];
            return [...document.querySelectorAll("body *")]
                .filter((element) => element.getBoundingClientRect().right > width + 1)
                .map((element) => `${element.tagName}.${element.className}`);
        }"""
    )
    return found


def too_small(page: Page) -> list[str]:
    """Return the buttons, choices and rounds that are less than 44 pixels high:
    a finger misses them.
    """
    found: list[str] = page.locator("button, .button, .choice, .rounds a").evaluate_all(
        """parts => parts
            .filter((part) => part.checkVisibility() && !part.closest(".visually-hidden"))
            .filter((part) => part.getBoundingClientRect().height < 43.5)
            .map((part) => `${part.tagName}.${part.className} ${part.textContent.trim().slice(0, 30)}`)"""
    )
    return found


def hidden_tab(page: Page) -> str:
    """Return the current tab if a part of it is outside the screen."""
    found: str = page.locator(".tabs [aria-current]").evaluate_all(
        """tabs => tabs
            .filter((tab) => tab.getBoundingClientRect().left < 0 || tab.getBoundingClientRect().right > innerWidth)
            .map((tab) => tab.textContent.trim()).join()"""
    )
    return found


@pytest.mark.costly
def test_no_public_page_with_the_links_of_an_arbiter_is_wider_than_the_phone(
    phone: Page, live_server: LiveServer
) -> None:
    """test_accessibility.py looks at the pages of the desk and at those of visitors, in both
    languages of arbiters.
    """
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    wide = {}
    chief.log_in()
    for language in LANGUAGES:
        phone.goto(f"{live_server.url}/language/{language}/")
        for path in PUBLIC:
            chief.open(of_event(path, chief.slug))
            wide[language, path] = too_wide(phone)
            assert hidden_tab(phone) == ""
    assert len(wide) == len(LANGUAGES) * len(PUBLIC)
    assert {path: parts for path, parts in wide.items() if parts} == {}


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_second_thought_and_a_lone_field_fit_the_phone(
    phone: Page, live_server: LiveServer, language: str
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    phone.goto(f"{live_server.url}/accounts/login/")
    for part in ("input[name=username]", "main button.large"):
        box = phone.locator(part).bounding_box()
        assert box is not None
        assert box["width"] > 280
    chief.log_in()
    phone.goto(f"{live_server.url}/language/{language}/")
    chief.open("rounds/2/results/")
    phone.locator("#round-menu > summary").tap()
    phone.locator("details.confirm > summary").tap()
    button = phone.locator("details.confirm .panel button")
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box is not None
    assert box["x"] > 16
    assert box["x"] + box["width"] < 344
    assert too_wide(phone) == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_pairing_is_read_without_scrolling_sideways(
    phone: Page, live_server: LiveServer, language: str
) -> None:
    """Board, both names and the result of a board are inside the screen, even with long names."""
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    phone.goto(f"{live_server.url}/language/{language}/?next=/t/{chief.slug}/pairings/2/")
    table = phone.locator("table.pairings")
    assert table.evaluate("t => t.scrollWidth <= t.parentElement.clientWidth")
    expect(phone.locator("html")).to_have_attribute("lang", language)


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_names_of_the_pairings_by_name_break_at_spaces_first(
    phone: Page, live_server: LiveServer, language: str
) -> None:
    """No column is out of sight, and a name of fifteen letters, with its comma, is on one line."""
    chief = Arbiter(phone, live_server.url)
    slug = make_event(chief.user)
    Entry.objects.filter(tournament__slug=slug, tpn=1).update(name="Kristjánsdóttir, Jóhanna")
    Entry.objects.filter(tournament__slug=slug, tpn=4).update(
        name=f"{'Wolfeschlegelsteinhausenbergerdorff' * 2}, M"
    )
    phone.goto(f"{live_server.url}/language/{language}/?next=/t/{slug}/pairings/1/?order=name")
    found = {}
    for width in (320, 360):
        phone.set_viewport_size({"width": width, "height": 640})
        wide = phone.locator(".table-wrap").evaluate("wrap => wrap.scrollWidth - wrap.clientWidth")
        lines = (
            phone.locator(".by-name a")
            .filter(has_text="Kristjánsdóttir")
            .evaluate_all(
                """links => links.map((link) => {
                const texts = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
                while (!texts.nextNode().data.includes("Kristj")) continue;
                const range = document.createRange();
                const at = texts.currentNode.data.indexOf("Kristj");
                range.setStart(texts.currentNode, at);
                range.setEnd(texts.currentNode, at + "Kristjánsdóttir,".length);
                return range.getClientRects().length;
            })"""
            )
        )
        found[width] = [wide, lines]
    assert found == {320: [0, [1, 1]], 360: [0, [1, 1]]}


@pytest.mark.costly
def test_c04_2_3_1_an_adjourned_game_fits_the_phone_and_comes_first(
    phone: Page, live_server: LiveServer
) -> None:
    """What to do with an open game is beside it; the entry of results begins there;
    a card in French fits too.
    """
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    tournament.entries.filter(tpn=3).update(name=LONG_NAME)
    round_ = factories.pair_and_publish(tournament, 1, chief.user)
    for game in round_.games.exclude(board=3):
        result_record(game_id=game.pk, result="10", actor=chief.user, now=factories.NOW)
    results_publish(round_id=round_.pk, actor=chief.user, now=factories.NOW, adjourning=[3])
    round_pair(round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW)
    chief.slug = tournament.slug
    chief.log_in()
    chief.open("open-games/")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    box = phone.get_by_role("link", name="Enter result").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 344
    chief.open("rounds/1/")
    expect(phone.locator("tr.current")).to_have_attribute("data-board", "3")
    phone.goto(f"{live_server.url}/language/fr/?next=/t/{chief.slug}/rounds/2/")
    phone.locator("a.to-board").first.tap()
    card = phone.locator("#card")
    expect(card.locator(".card-actions")).to_be_visible()
    assert card.evaluate("c => c.scrollWidth <= c.clientWidth")


def leaves_its_cell(cells: Locator) -> list[str]:
    """What of *cells* is written over a neighbour, or has its first number on two lines."""
    found: list[str] = cells.evaluate_all(
        """cells => cells
            .filter((cell) => {
                const range = document.createRange();
                range.selectNodeContents(cell.firstChild);
                const lines = new Set([...range.getClientRects()].map((box) => box.top));
                range.selectNodeContents(cell);
                const right = Math.max(...[...range.getClientRects()].map((box) => box.right));
                return lines.size > 1 || right > cell.getBoundingClientRect().right;
            })
            .map((cell) => cell.textContent)"""
    )
    return found


@pytest.mark.costly
@pytest.mark.parametrize("add", [8, 230])
def test_numbers_of_boards_and_tables_stay_in_their_column(
    phone: Page, live_server: LiveServer, add: int
) -> None:
    """“12” is not broken into 1 and 2, and “table 110” does not cover White's name."""
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    for game in Game.objects.filter(round__tournament__slug=chief.slug, round__number=2):
        Game.objects.filter(pk=game.pk).update(board=game.board + add, table=game.board + 110)
    chief.log_in()
    part = "?page=2" if add > 200 else ""
    for path in (
        "pairings/2/",
        "pairings/2/?order=name",
        f"rounds/2/{part}",
        f"rounds/2/results/{part}",
    ):
        chief.open(path)
        numbers = phone.locator("tbody .board-number")
        assert {f"{add + 1}", "table", "111"} <= set(" ".join(numbers.all_inner_texts()).split())
        assert leaves_its_cell(numbers) == [], path


@pytest.mark.parametrize(
    "path, column", [("standings/", "td.points"), ("players/", "td:nth-of-type(2)")]
)
def test_a_long_name_pushes_nothing_off_the_screen(
    phone: Page, live_server: LiveServer, path: str, column: str
) -> None:
    """Points and ratings can be read without moving the table."""
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    chief.open(path)
    expect(phone.locator("tbody tr").filter(has_text=LONG_NAME)).to_have_count(1)
    rights = phone.locator(f"tbody {column}").evaluate_all(
        "cells => cells.map(c => c.getBoundingClientRect().right)"
    )
    assert len(rights) == 9
    assert max(rights) <= 360


@pytest.mark.costly
def test_a_long_name_pushes_no_prize_off_the_screen(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4, rounds=1)
    tournament.entries.filter(tpn=1).update(name=LONG_NAME, title="WGM")
    factories.play_rounds(tournament, [1], chief.user)
    main = CategoryPlan("Main", Eligible.EVERYBODY, "", (3_000_000, 1_000_000))
    prizes_set(
        tournament_id=tournament.pk,
        actor=chief.user,
        now=factories.NOW,
        plan=PrizePlan("EUR", Division.BY_RANK, True, (main,)),
    )
    chief.slug = tournament.slug
    chief.open("prizes/")
    expect(phone.locator("tbody tr").filter(has_text=LONG_NAME)).to_contain_text("20000.00")
    assert phone.locator(".table-wrap").evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth")
    assert too_wide(phone) == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_head_of_a_visitors_page_is_one_line(
    phone: Page, live_server: LiveServer, language: str
) -> None:
    phone.goto(f"{live_server.url}/language/{language}/")
    brand, tools = (
        phone.locator(".brand").bounding_box(),
        phone.locator(".site-tools").bounding_box(),
    )
    assert brand is not None
    assert tools is not None
    assert abs(brand["y"] + brand["height"] / 2 - tools["y"] - tools["height"] / 2) < 3


@pytest.mark.costly
def test_a_player_finds_the_board(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    slug = make_event(chief.user)
    phone.goto(f"{live_server.url}/")
    phone.get_by_role("link", name="Autumn Open").tap()
    phone.get_by_role("link", name="Pairings of round 2").tap()
    phone.get_by_label("Search by name or number").fill("oberlander")
    phone.keyboard.press("Enter")
    mine = phone.locator(".my-board")
    expect(mine).to_contain_text(LONG_NAME)
    boards = factories.boards(factories.Tournament.objects.get(slug=slug), 2)
    board = next(number for number, line in enumerate(boards, start=1) if 4 in line[:2])
    expect(mine).to_contain_text(f"Board {board}")


@pytest.mark.costly
def test_an_open_page_updates_for_the_next_round(phone: Page, live_server: LiveServer) -> None:
    """The rounds, the tab and the link to the new pairings appear by themselves;
    the search text remains.
    """
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    tournament = Tournament.objects.get(slug=chief.slug)
    phone.clock.install()
    chief.open("pairings/2/")
    phone.get_by_role("searchbox").fill("moreau")
    factories.enter_results(tournament, 2, chief.user)
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief.user, now=factories.NOW
    )
    factories.pair_and_publish(tournament, 3, chief.user)
    phone.clock.fast_forward(21_000)
    expect(phone.get_by_role("link", name="Pairings of round 3", exact=True)).to_be_visible()
    rounds = phone.get_by_role("navigation", name="Rounds with published pairings")
    expect(rounds.get_by_role("link")).to_have_count(3)
    expect(phone.get_by_role("searchbox")).to_have_value("moreau")
    expect(phone.get_by_role("searchbox")).to_be_focused()
    phone.get_by_role("navigation", name="Tournament").get_by_role("link", name="Pairings").click()
    phone.wait_for_url("**/pairings/3/")


@pytest.mark.costly
def test_c04_2_4_3_the_minutes_for_reports_are_counted_down_on_the_phone(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, correction_minutes=30)
    factories.play_rounds(tournament, [1], chief.user)
    until = timezone.now() + timedelta(hours=4)
    Tournament.objects.filter(pk=tournament.pk).update(corrections_until=until)
    chief.slug = tournament.slug
    phone.clock.install(time=until - timedelta(minutes=196, seconds=30))
    chief.open("standings/")
    expect(phone.get_by_text("3 h 17 min left")).to_be_visible()
    phone.clock.fast_forward("03:05:00")
    expect(phone.get_by_text("12 minutes left")).to_be_visible()
    phone.clock.fast_forward("10:40")
    expect(phone.get_by_text("1 minute left")).to_be_visible()
    phone.clock.fast_forward("01:00")
    expect(phone.get_by_text("The time is over.")).to_be_visible()


@pytest.mark.costly
def test_the_numbers_of_a_thousand_boards_are_each_on_one_line(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_large(chief.user, players=2200, played=1).slug
    for path in ("pairings/2/?page=2", "pairings/2/?page=8", "pairings/2/?order=name"):
        chief.open(path)
        numbers = phone.locator("tbody .board-number")
        assert max(int(number) for number in numbers.all_inner_texts()) > 150
        broken = numbers.evaluate_all(
            """cells => cells.filter((cell) => {
                const text = document.createRange();
                text.selectNodeContents(cell);
                return text.getClientRects().length > 1 || cell.scrollWidth > cell.clientWidth;
            }).map((cell) => cell.textContent.trim())"""
        )
        assert broken == [], path
        assert too_wide(phone) == []


def test_a_long_name_in_the_list_of_my_board_stays_on_the_phone(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    chief.slug = make_event(chief.user)
    for path in ("me/", "me/?q=wolfeschlegel"):
        chief.open(path)
        phone.get_by_role("searchbox").fill("wolfeschlegel")
        expect(phone.locator("#me-found")).to_contain_text(LONG_NAME)
        assert too_wide(phone) == []


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_rounds_of_a_player_fit_the_narrowest_phone(
    phone: Page, live_server: LiveServer, language: str
) -> None:
    """[WCAG 2.2 1.4.10]: at 320 pixels every column is inside the screen,
    beside a long name and a bye.
    """
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=9, rounds=3)
    tournament.entries.filter(tpn=5).update(name=LONG_NAME)
    factories.play_rounds(tournament, [1, 2], chief.user)
    phone.set_viewport_size({"width": 320, "height": 640})
    phone.goto(f"{live_server.url}/language/{language}/")
    cut_off = {}
    for tpn in (1, 5, 9):
        phone.goto(f"{live_server.url}{factories.player_address(tournament, tpn)}")
        expect(phone.locator("html")).to_have_attribute("lang", language)
        expect(phone.locator(".of-player thead th").last).to_be_visible()
        cut_off[tpn] = phone.locator(".table-wrap:has(.of-player)").evaluate(
            "wrap => wrap.scrollWidth - wrap.clientWidth"
        )
    assert cut_off == {1: 0, 5: 0, 9: 0}
