"""Sheets of *Print & share*, printed by Chromium: the number of sheets, no row lost, nothing cut,
and every QR code read from the file by a decoder, as a phone reads it.
"""

from __future__ import annotations

from collections import Counter
from math import degrees
from typing import Final, Literal

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.table_codes import code_of, codes_of, table_codes_make
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.core.public_address import printed_address
from tournaments.core.short_address import short_code
from tournaments.models import Entry, Tournament

from .arbiter import Arbiter
from .paper import codes, formats, sheets, without_blanks
from .test_accessibility import faults

pytestmark = pytest.mark.django_db(transaction=True)

A4: Final = (595, 842)
LETTER: Final = (612, 792)
NAME_OF_25: Final = "Wagenführ-Ólafsson, Maria"
PAPER_WIDTH: Final[ViewportSize] = {"width": 703, "height": 1000}
"""186 mm in CSS pixels: A4 without its margins."""
CAPITAL: Final = 0.729
"""The height of a capital letter in parts of the type, for Liberation Sans, Arial and DejaVu."""
NORMAL_SIGHT: Final = 5
"""Minutes of arc of the smallest letters that normal sight can read."""
LANDSCAPE: Final[ViewportSize] = {"width": 1032, "height": 700}


@pytest.fixture
def chief(page: Page, live_server: LiveServer, settings: Settings) -> Arbiter:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20"]
    arbiter = Arbiter(page, live_server.url)
    arbiter.log_in()
    return arbiter


def large(chief: Arbiter, players: int) -> Tournament:
    """Make an event with round 8 played and round 9 published; one name has 25 letters."""
    tournament = make_large(chief.user, players=players)
    Entry.objects.filter(tournament=tournament, tpn=3).update(name=NAME_OF_25)
    table_codes_make(
        tournament_id=tournament.pk, actor=chief.user, now=factories.NOW, secret="drawn"
    )
    chief.slug = tournament.slug
    return tournament


def printed(chief: Arbiter, query: str) -> bytes:
    chief.open(f"print/sheets/?{query}")
    return chief.page.pdf(prefer_css_page_size=True)


def cut_off(page: Page, width: ViewportSize = PAPER_WIDTH) -> list[str]:
    """Return the cells on paper whose content is wider than they are, and the names of 25 letters
    or less on more than one line.
    """
    page.set_viewport_size(width)
    page.emulate_media(media="print")
    found: list[str] = page.locator("article :is(th, td)").evaluate_all(
        """cells => cells.filter((cell) => {
            const line = parseFloat(getComputedStyle(cell).fontSize) * 2;
            const name = cell.querySelector("bdi");
            const isBroken = name && name.textContent.length <= 25 && name.getBoundingClientRect().height > line;
            return isBroken || cell.scrollWidth > cell.clientWidth + 1;
        }).map((cell) => cell.textContent.trim())"""
    )
    page.emulate_media(media="null")
    return found


MOST: Final = {
    23: {
        "boards": 1, "names": 1, "slips": 4, "standings": 1, "standings&size=compact": 1,
        "crosstable": 1, "start-list": 1, "check-in": 1, "wall-chart": 2, "posters": 2,
    },
    120: {
        "boards": 2, "names": 4, "slips": 20, "standings": 3, "standings&size=compact": 2,
        "crosstable": 4, "start-list": 3, "check-in": 4, "wall-chart": 6, "posters": 2,
    },
    260: {
        "boards": 5, "names": 8, "slips": 44, "standings": 7, "standings&size=compact": 5,
        "crosstable": 9, "start-list": 7, "check-in": 8, "wall-chart": 13, "posters": 3,
    },
    1000: {
        "boards": 12, "names": 25, "slips": 167, "standings": 25, "standings&size=compact": 16,
        "crosstable": 31, "start-list": 25, "check-in": 31, "wall-chart": 48, "posters": 6,
    },
}  # fmt: skip
"""The most sheets of each list, by the number of players; on Letter there may be one more, but of
the standings and names."""
AS_MANY: Final = {"standings", "standings&size=compact", "names"}
ON_ITS_SIDE: Final = {"crosstable", "wall-chart"}
CODES: Final = "svg[aria-label*='QR code']"


@pytest.mark.parametrize(
    "players",
    [
        23,
        pytest.param(120, marks=pytest.mark.costly),
        pytest.param(260, marks=pytest.mark.costly),
        pytest.param(1000, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("paper", ["a4", pytest.param("letter", marks=pytest.mark.costly)])
def test_lists_are_whole_on_few_sheets_with_every_code(
    chief: Arbiter, players: int, paper: str
) -> None:
    tournament = large(chief, players)
    names = list(Entry.objects.filter(tournament=tournament).values_list("name", flat=True))
    size = LETTER if paper == "letter" else A4
    of_round: dict[str, set[str]] = {}
    for query, most in MOST[players].items():
        made = printed(chief, f"list={query}&paper={paper}")
        texts = sheets(made)
        assert len(texts) <= most + (paper == "letter" and query not in AS_MANY), query
        assert formats(made) == {size[::-1] if query in ON_ITS_SIDE else size}, query
        if query != "posters":
            whole = "".join(texts)
            lost = [name for name in names if without_blanks(name) not in whole]
            assert len(lost) <= (players % 2 if query == "slips" else 0), (query, lost)
        width = LANDSCAPE if query in ON_ITS_SIDE else PAPER_WIDTH
        assert cut_off(chief.page, width) == [], query
        of_round[query] = codes_of_the_round(chief, tournament, query, made)
    posters = of_round.pop("posters")
    # More than two codes do not fit below the boards.
    assert of_round.pop("boards") == (posters if len(posters) <= 2 else set())
    assert len(posters) > 0
    assert set().union(*of_round.values()) == set()


def codes_of_the_round(chief: Arbiter, tournament: Tournament, query: str, made: bytes) -> set[str]:
    """Return the codes with all pairings of the round on these sheets, after checking that every
    code of the page is read from them, and that the others lead to *My board* or the tables.
    """
    found = codes(made)
    assert found.total() == chief.page.locator(CODES).count(), query
    if query == "slips":
        assert found == table_reports(tournament)
        return set()
    offline = printed_address(reverse("offline", args=[tournament.slug]))
    of_round = {text for text in found if text.startswith(f"{offline}#")}
    assert all(text.partition("#")[2].isdecimal() for text in of_round)
    my_board = printed_address(reverse("short-address", args=[short_code(tournament)]))
    assert set(found) - of_round == {my_board}, query
    return of_round


def table_reports(tournament: Tournament) -> Counter[str | None]:
    """Return the address of each table and of the round on a result slip."""
    known = codes_of(tournament)
    tables = range(1, tournament.entries.count() // 2 + 1)
    pages = (
        reverse("table-report", args=[tournament.slug, table, code_of(known, table)])
        for table in tables
    )
    return Counter(printed_address(f"{page}?round=9") for page in pages)


@pytest.mark.costly
def test_nothing_is_cut_in_french(chief: Arbiter) -> None:
    large(chief, 23)
    chief.page.goto(f"{chief.site}/language/fr/?next=/t/{chief.slug}/print/")
    for query in ("boards", "names", "names&size=large", "standings", "start-list", "check-in"):
        chief.open(f"print/sheets/?list={query}")
        assert chief.page.locator("html").get_attribute("lang") == "fr"
        assert cut_off(chief.page) == [], query
    for query in ("boards&size=large", "crosstable", "wall-chart"):
        chief.open(f"print/sheets/?list={query}")
        assert cut_off(chief.page, LANDSCAPE) == [], query


@pytest.mark.costly
def test_the_heads_of_every_language_fit(chief: Arbiter) -> None:
    large(chief, 23)
    codes_of_languages = [code for code, _name in settings.LANGUAGES]
    several = "&language=".join(codes_of_languages[:3])
    for query in ("boards", "names", "standings", "check-in"):
        for language in (*codes_of_languages, several):
            chief.open(f"print/sheets/?list={query}&language={language}")
            assert cut_off(chief.page) == [], (query, language)


@pytest.mark.costly
def test_long_names_are_whole_on_every_list(chief: Arbiter) -> None:
    tournament = large(chief, 23)
    names = {
        entry.pk: f"Vijayaraghavan-Subramaniam, Karthikeyan{'abcdefghijklmnopqrstuvw'[entry.tpn - 1]}"
        for entry in Entry.objects.filter(tournament=tournament)
    }
    for pk, name in names.items():
        Entry.objects.filter(pk=pk).update(name=name)
    for query in (
        "boards", "boards&size=large", "names", "names&size=large", "slips", "standings",
        "standings&size=large", "standings&columns=club&columns=rating&columns=performance",
        "crosstable", "start-list", "check-in", "wall-chart", "place-cards", "badges",
    ):  # fmt: skip
        whole = "".join(sheets(printed(chief, f"list={query}")))
        lost = [name for name in names.values() if without_blanks(name) not in whole]
        assert len(lost) <= (query == "slips"), (query, lost)


def test_thirty_boards_a_bye_and_the_code_are_on_one_sheet(chief: Arbiter) -> None:
    tournament = factories.make_ready(chief.user, players=61)
    chief.slug = tournament.slug
    factories.pair_and_publish(tournament, 1, chief.user)
    texts = sheets(printed(chief, "list=boards"))
    assert len(texts) == 1
    expect(chief.page.locator(".codes svg")).to_have_count(1)
    fingerprint = chief.page.locator(".hash").first.inner_text()
    assert fingerprint in texts[0]
    assert "1/1" in texts[0]


def test_lists_for_the_wall_can_be_read_from_three_metres(chief: Arbiter) -> None:
    """Names, boards, ranks and points are larger than the least that normal sight can read."""
    large(chief, 23)
    for name in ("boards", "names", "standings", "start-list"):
        chief.open(f"print/sheets/?list={name}&size=large")
        cells = "h1, tbody th.name, .boards td.name, tbody .number, .standings tbody .points"
        heights = chief.page.locator(cells).evaluate_all(
            "cells => cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize) * 25.4 / 96)"
        )
        assert minutes_of_arc(min(heights) * CAPITAL, metres=3) >= NORMAL_SIGHT, name
        width = LANDSCAPE if name == "boards" else PAPER_WIDTH
        assert cut_off(chief.page, width) == [], name


def minutes_of_arc(millimetres: float, *, metres: int) -> float:
    return degrees(millimetres / 1_000 / metres) * 60


@pytest.mark.costly
def test_cards_are_not_cut_by_the_end_of_a_sheet(chief: Arbiter) -> None:
    large(chief, 23)
    for paper in ("", "&paper=letter"):
        for name, sheets_needed in (
            ("badges", 3), ("place-cards", 12), ("table-numbers", 6), ("blank-slips", 1),
        ):  # fmt: skip
            assert len(sheets(printed(chief, f"list={name}{paper}"))) == sheets_needed, name


def test_slips_have_thirds_of_the_sheet(chief: Arbiter) -> None:
    large(chief, 23)
    for paper in ("", "&paper=letter"):
        chief.open(f"print/sheets/?list=slips{paper}")
        chief.page.emulate_media(media="print")
        heights = chief.page.locator(".slip").evaluate_all(
            "all => all.map((slip) => slip.offsetHeight)"
        )
        assert len(heights) == 11
        assert max(heights) - min(heights) <= 1
        boards = chief.page.locator(".slip .board strong").all_inner_texts()
        assert boards == ["1", "5", "9", "2", "6", "10", "3", "7", "11", "4", "8"]


def test_the_button_opens_the_print_dialog(chief: Arbiter) -> None:
    """From the desk in three actions: *Print & share*, *Print round*, *Print*."""
    large(chief, 23)
    chief.page.add_init_script("window.print = () => { document.title = 'asked'; };")
    chief.open("desk/")
    chief.page.get_by_role("link", name="Print & share").click()
    chief.page.get_by_role("link", name="Print round 9").click()
    expect(chief.page.locator("article")).to_have_count(2)
    expect(chief.page).not_to_have_title("asked")
    chief.page.get_by_role("button", name="Print").click()
    expect(chief.page).to_have_title("asked")


def test_the_text_is_copied(chief: Arbiter) -> None:
    large(chief, 23)
    chief.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chief.open("print/")
    chief.page.get_by_role("link", name="Copy as text: Pairings by board").click()
    chief.page.get_by_role("button", name="Copy the text").click()
    expect(chief.page.get_by_role("status").filter(has_text="Copied")).to_be_visible()
    text = chief.page.evaluate("navigator.clipboard.readText()")
    assert "Round 9: pairings by board" in text
    assert NAME_OF_25 in text


def test_the_file_is_made_by_the_browser_of_the_server(chief: Arbiter) -> None:
    large(chief, 23)
    answer = chief.page.request.get(f"{chief.site}/t/{chief.slug}/print/sheets/?as=pdf&list=boards")
    assert answer.headers["content-type"] == "application/pdf"
    [text] = sheets(answer.body())
    assert without_blanks("Round 9: pairings by board") in text


@pytest.mark.costly
def test_the_sheets_on_the_screen_have_no_fault(chief: Arbiter) -> None:
    large(chief, 23)
    names = ["boards", "slips", "posters", "check-in", "place-cards", "wall-chart", "full-report"]
    for name in (*names, "standings&columns=club&columns=change&language=en&language=fr"):
        chief.open(f"print/sheets/?list={name}")
        assert faults(chief.page) == [], name


@pytest.mark.costly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_choices_and_the_charts_have_no_fault(
    chief: Arbiter, scheme: Literal["light", "dark"]
) -> None:
    large(chief, 23)
    chief.page.emulate_media(color_scheme=scheme)
    for path in ("print/", "report/"):
        chief.open(path)
        for summary in chief.page.locator("main summary").all():
            summary.click()
        assert faults(chief.page) == [], path


@pytest.mark.costly
def test_columns_and_languages_are_chosen_with_boxes(chief: Arbiter) -> None:
    large(chief, 23)
    chief.open("print/")
    chief.page.get_by_text("Columns and languages of the sheets").click()
    chief.page.get_by_label("Performance", exact=True).check()
    chief.page.get_by_label("Federation").uncheck()
    chief.page.get_by_label("Français").check()
    chief.page.get_by_role("button", name="Use for all lists").click()
    chief.page.get_by_role("link", name="Print: Standings").click()
    chief.page.wait_for_url("**list=standings**")  # and for its styles, which hide the slashes
    heads = chief.page.locator("thead th").all_inner_texts()
    assert [head.split() for head in heads[:5]] == [
        ["Rank", "Place"],
        ["Name", "Nom"],
        ["Rating", "Elo"],
        ["Perf."],
        ["Points"],
    ]
    assert cut_off(chief.page) == []


def test_the_report_for_the_organiser_is_one_page(chief: Arbiter) -> None:
    large(chief, 23)
    for query in ("report", "report&paper=letter", "report&language=fr&language=en"):
        assert len(sheets(printed(chief, f"list={query}"))) == 1, query


def test_without_scripts_the_menu_of_the_browser_prints(
    plain_page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(plain_page, live_server.url)
    chief.log_in()
    large(chief, 23)
    chief.open("print/sheets/?list=boards")
    expect(plain_page.get_by_text("Print this page with the menu of the browser.")).to_be_visible()
    expect(plain_page.get_by_role("button", name="Print")).to_be_hidden()
