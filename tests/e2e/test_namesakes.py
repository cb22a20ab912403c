"""Two players with one name: on a phone and on paper each has the number,
and the others have none.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_phone import too_small, too_wide
from .test_round_code import digits_of

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "Ng, Xu"


@pytest.fixture
def alike(phone: Page, live_server: LiveServer) -> tuple[Tournament, str]:
    """Numbers 2 and 5 have the same name; round 1 is over and round 2 published."""
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=8)
    tournament.entries.filter(tpn__in=(2, 5)).update(name=NAME)
    factories.play_rounds(tournament, [1], chief.user)
    factories.pair_and_publish(tournament, 2, chief.user)
    return tournament, f"{live_server.url}/t/{tournament.slug}/"


def numbered(page: Page, selector: str) -> tuple[set[str], set[str]]:
    """Return which of the visible names in *selector* have a number before them,
    and which have none.
    """
    texts = [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]
    found = [re.sub(r"^(GM|IM) ", "", text) for text in texts if "," in text]
    return {text for text in found if text[0].isdecimal()}, {
        text for text in found if not text[0].isdecimal()
    }


@pytest.mark.costly
@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone_only_namesakes_have_their_numbers(
    phone: Page, alike: tuple[Tournament, str], width: int
) -> None:
    _, root = alike
    phone.set_viewport_size({"width": width, "height": 740})
    for path, names in [
        ("pairings/2/", ".pairings td.name"),
        ("pairings/2/?order=name", ".by-name a.to-player"),
        ("standings/", ".standings th.name"),
        ("pairings/2/?q=ng", ".pairings td.name"),
    ]:
        phone.goto(root + path)
        with_number, without = numbered(phone, names)
        assert with_number == {f"2 {NAME}", f"5 {NAME}"}, path
        assert without, path
        assert [*too_wide(phone), *too_small(phone)] == []


def test_the_printed_lists_have_the_numbers_of_namesakes(
    page: Page, alike: tuple[Tournament, str]
) -> None:
    _, root = alike
    page.emulate_media(media="print")
    page.goto(root + "pairings/2/?order=name")
    with_number, without = numbered(page, ".by-name a.to-player")
    assert with_number == {f"2 {NAME}", f"5 {NAME}"}
    assert without
    # There the number has a column of its own.
    page.goto(root + "standings/")
    assert numbered(page, ".standings th.name")[0] == set()
    expect(page.locator(".standings td.tpn").first).to_be_visible()


def test_the_own_board_names_the_opponent_with_the_number(
    phone: Page, alike: tuple[Tournament, str]
) -> None:
    tournament, root = alike
    boards = factories.boards(tournament, 2)
    other = next(
        black if white == 2 else white for white, black, _ in boards if 2 in (white, black)
    )
    player = factories.entry_of(tournament, other)
    phone.goto(root + "me/")
    phone.get_by_role("searchbox").fill(player.name)
    phone.get_by_role("button", name=player.name).tap()
    expect(phone.locator(".my-board")).to_contain_text(f"against 2 {NAME}")
    phone.goto(f"{root}offline/#{digits_of(tournament, 2)}")
    expect(phone.locator("#scanned-own")).to_contain_text(f"against 2 {NAME}")
