"""Wide tables are printed on landscape A4, the others in portrait format; nothing is cut off."""

from __future__ import annotations

import re
import zlib
from typing import Literal

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Game

from .arbiter import Arbiter
from .test_phone import LONG_NAME, make_event

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_crosstable_is_printed_on_landscape_a4(page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(page, live_server.url)
    chief.slug = make_event(chief.user)
    wide = {}
    for path in ("crosstable", "progress", "standings"):
        page.goto(f"{live_server.url}/t/{chief.slug}/{path}/")
        paper = page.pdf(prefer_css_page_size=True)
        boxes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", paper)
        wide[path] = {float(width) > float(height) for width, height in boxes}
    assert wide == {"crosstable": {True}, "progress": {True}, "standings": {False}}


@pytest.mark.costly
def test_thirty_boards_are_printed_on_one_sheet(page: Page, live_server: LiveServer) -> None:
    """The foot does not get a sheet of its own, nor is a board left over for a second one."""
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=60)
    factories.pair_and_publish(tournament, 1, chief.user)
    page.goto(f"{live_server.url}/t/{tournament.slug}/pairings/1/")
    expect(page.locator("tbody tr")).to_have_count(30)
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type ?/Page\b", paper)) == 1


def lines_drawn(paper: bytes) -> int:
    """Return how many rectangles are drawn on *paper*, one page:
    the lines of a table are most of them.

    A stream is as long as its dictionary says: its last byte can be a carriage return, as a line's
    end before ``endstream`` could have.
    """
    drawn = 0
    for found in re.finditer(rb"<<([^<>]*)>>\s*stream\r?\n", paper):
        if b"/FlateDecode" in found[1]:
            length = re.search(rb"/Length (\d+)", found[1])
            assert length, found[1]
            drawn += zlib.decompress(paper[found.end() : found.end() + int(length[1])]).count(
                b" re\n"
            )
    return drawn


def test_the_foot_of_the_standings_is_not_alone_on_a_sheet(
    page: Page, live_server: LiveServer
) -> None:
    """With a name of two lines thirty players are too many for one sheet:
    the last of them goes with the foot.
    """
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=30)
    tournament.entries.filter(tpn=4).update(name=f"{LONG_NAME} {LONG_NAME}")
    factories.play_rounds(tournament, [1], chief.user)
    page.goto(f"{live_server.url}/t/{tournament.slug}/standings/")
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type ?/Page\b", paper)) == 2
    last = page.pdf(prefer_css_page_size=True, page_ranges="2")
    assert lines_drawn(last) > 10  # the head of the table and a line of it; the foot alone has two


A4 = {"width": 703, "height": 1000}  # 186 mm in CSS pixels.


def make_large_event(actor: User) -> str:
    """Make an event with round 1 published and three-digit board numbers,
    as in an open of 300 players.
    """
    tournament = factories.make_ready(actor, players=9)
    factories.pair_and_publish(tournament, 1, actor)
    tournament.entries.filter(tpn=4).update(name=LONG_NAME)
    for game in Game.objects.filter(round__tournament=tournament):
        Game.objects.filter(pk=game.pk).update(board=game.board + 130)
    return tournament.slug


def cut_off(page: Page, where: str) -> list[str]:
    """Return cells of the tables *where* that are wider than their column,
    and words that overflow their cell.
    """
    found: list[str] = page.locator(f"{where} :is(th, td)").evaluate_all(
        """cells => cells
            .filter((cell) => {
                const wrap = cell.closest(".table-wrap");
                const columns = getComputedStyle(wrap).columnCount === "2" ? 2 : 1;
                const tooWide = cell.closest("table").getClientRects()[0].width > wrap.clientWidth / columns + 1;
                return tooWide || cell.scrollWidth > cell.clientWidth + 1;
            })
            .map((cell) => cell.textContent.trim())"""
    )
    return found


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_pairings_by_name_fit_two_columns_of_a_sheet(
    page: Page, live_server: LiveServer, language: str
) -> None:
    slug = make_large_event(Arbiter(page, live_server.url).user)
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}/language/{language}/?next=/t/{slug}/pairings/1/?order=name")
    expect(page.locator(".by-name tbody tr")).to_have_count(9)
    assert cut_off(page, ".by-name") == []


@pytest.mark.costly
@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_headers_and_board_numbers_stay_in_their_columns(
    page: Page, live_server: LiveServer, language: str, media: Literal["screen", "print"]
) -> None:
    """“Échiquier” does not run into “Pts”, and board 132 is not broken into 13 and 2."""
    chief = Arbiter(page, live_server.url)
    chief.slug = make_large_event(chief.user)
    chief.log_in()
    page.goto(f"{live_server.url}/language/{language}/")
    page.emulate_media(media=media)
    if media == "print":
        page.set_viewport_size(A4)
    for path in ("pairings/1/", "rounds/1/"):
        chief.open(path)
        assert cut_off(page, ".table-wrap thead") == []
        numbers = page.locator("tbody .board-number")
        assert numbers.all_inner_texts()[0] == "131"
        lines = numbers.evaluate_all(
            "cells => cells.map((cell) => { const r = document.createRange(); "
            "r.selectNodeContents(cell.querySelector('a') ?? cell); "
            "return new Set([...r.getClientRects()].map((box) => box.top)).size; })"
        )
        assert lines == [1, 1, 1, 1], path


@pytest.mark.costly
def test_printed_pairings_have_no_results_of_a_round_in_play(
    page: Page, live_server: LiveServer
) -> None:
    """They are blank on the sheet, for players to write.

    Arbiters see them on the page of the round.
    """
    chief = Arbiter(page, live_server.url)
    chief.slug = make_event(chief.user)
    chief.log_in()
    Game.objects.filter(round__number=2, board=1).update(result="10")
    chief.open("pairings/2/")
    result = page.locator("td.result abbr")
    expect(page.locator("td.result").first).to_be_attached()
    expect(result).to_have_count(0)
    chief.open("pairings/1/")
    page.emulate_media(media="print")
    expect(result.first).to_be_visible()


def test_the_next_board_is_on_the_printed_page_of_a_player(
    page: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(page, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    factories.pair_and_publish(tournament, 1, chief.user)
    page.emulate_media(media="print")
    page.goto(f"{live_server.url}{factories.player_address(tournament, 1)}")
    expect(page.get_by_role("region", name="Next board")).to_be_visible()
    page.goto(f"{live_server.url}/t/{tournament.slug}/pairings/1/?q=abara")
    expect(page.locator(".my-board")).to_be_hidden()
