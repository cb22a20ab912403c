"""A published pairing is changed from its board: how many actions it takes
[C.04.2/2026 4.4.3, 4.4.4].
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tests.tournaments.factories import NOW, entry_of
from tournaments.entries.byes import bye_request
from tournaments.models import Tournament

from .arbiter import Arbiter
from .test_accessibility import faults_and_narrow


class Counting:
    """An arbiter who counts clicks; a text that is typed is one action more than its click."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, target: Locator) -> None:
        target.click()
        self.actions += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.actions += 1


@pytest.fixture
def chief(page: Page, live_server: LiveServer) -> Arbiter:
    chief = Arbiter(page, live_server.url)
    chief.log_in()
    return chief


def in_play(chief: Arbiter) -> Tournament:
    """Round 1 with 46 players is published: one asked for half a point, one has the bye."""
    tournament = factories.make_ready(chief.user, players=46)
    asks = entry_of(tournament, 40)
    bye_request(entry_id=asks.pk, round_number=1, kind="H", actor=chief.user, now=NOW)
    factories.pair_and_publish(tournament, 1, chief.user)
    chief.slug = tournament.slug
    chief.open("rounds/1/")
    return tournament


def pairs(tournament: Tournament) -> list[set[int]]:
    return [{white, black} for white, black, _ in factories.boards(tournament, 1)]


@pytest.mark.costly
def test_c04_2_4_4_3_the_opponent_did_not_come_six_clicks(chief: Arbiter) -> None:
    tournament, page = in_play(chief), chief.page
    white, black, _ = factories.boards(tournament, 1)[19]
    count, card = Counting(page), page.locator("#card")
    count.click(page.locator("#board-20 a.to-board"))
    count.click(card.get_by_role("link", name=f"{entry_of(tournament, black).name} is not here"))
    asks = entry_of(tournament, 40)
    shown = page.locator("label.choice", has=page.locator("strong", has_text=asks.name))
    expect(page.get_by_role("heading", level=1)).to_have_text(
        f"Who plays {entry_of(tournament, white).name}?"
    )
    expect(shown).to_contain_text("[C.04.2 4.4.3]")
    expect(shown).to_contain_text("No published game is broken up.")
    assert faults_and_narrow(page) == []
    count.click(shown)
    count.click(page.get_by_label("Everybody who moves agrees."))
    count.click(page.get_by_role("button", name="Save change"))
    chief.expect_message("The change is saved and is in the record.")
    assert {white, 40} in pairs(tournament)
    assert factories.byes(tournament, 1)[black] == "Z"
    assert count.actions <= 6


@pytest.mark.costly
def test_c04_2_4_4_4_a_late_entry_joins_the_published_round_in_eight_actions(
    chief: Arbiter,
) -> None:
    tournament, page = in_play(chief), chief.page
    (allocated,) = (tpn for tpn, letter in factories.byes(tournament, 1).items() if letter == "U")
    chief.open("entries/add/")
    count = Counting(page)
    page.get_by_label("Name", exact=True).focus()
    count.type("van Dijk, Lotte")
    count.click(page.get_by_label("The player has arrived"))
    count.click(page.get_by_role("button", name="Save", exact=True))
    chief.expect_message("van Dijk, Lotte")
    count.click(page.locator("#where-it-stands"))
    count.click(page.locator("#beside-late").get_by_role("link", name="van Dijk, Lotte"))
    count.click(page.get_by_role("link", name="Find an opponent in round 1"))
    expect(page.locator("label.choice").first).to_contain_text("[C.04.2 4.4.4]")
    count.click(page.get_by_label("Everybody who moves agrees."))
    count.click(page.get_by_role("button", name="Save change"))
    chief.expect_message("The change is saved and is in the record.")
    late = tournament.entries.get(name="van Dijk, Lotte").tpn
    assert [pair for pair in pairs(tournament) if late in pair] in (
        [{late, allocated}],
        [{late, 40}],
    )
    assert count.actions <= 8


@pytest.mark.costly
def test_c04_2_4_4_3_two_players_without_an_opponent_play_in_five_clicks(chief: Arbiter) -> None:
    tournament, page = in_play(chief), chief.page
    (allocated,) = (tpn for tpn, letter in factories.byes(tournament, 1).items() if letter == "U")
    count = Counting(page)
    name = entry_of(tournament, allocated).name
    count.click(page.locator("#beside-bye").get_by_role("link", name=name))
    count.click(page.get_by_role("link", name="Find an opponent in round 1"))
    count.click(page.locator("label.choice strong", has_text=entry_of(tournament, 40).name))
    count.click(page.get_by_label("Everybody who moves agrees."))
    count.click(page.get_by_role("button", name="Save change"))
    chief.expect_message("The change is saved and is in the record.")
    assert {allocated, 40} in pairs(tournament)
    assert count.actions <= 8
