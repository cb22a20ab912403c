"""*My board* on a phone that stays open, loses its network, or has it open twice."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.tournaments import factories
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.setup.initial_colour import initial_colour_set

from .arbiter import Arbiter
from .test_phone import too_small, too_wide

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SECONDS: Final = 2_000


def test_an_open_page_finds_players_who_get_a_number_later(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_tournament(chief.user)
    factories.make_entries(tournament, chief.user, 4)
    phone.clock.install()
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill("dum")
    expect(phone.get_by_role("status").filter(has_text="The list of players is not available yet.")).to_be_visible()
    numbers_assign(tournament_id=tournament.pk, actor=chief.user, now=factories.NOW)
    phone.clock.fast_forward(TWO_SECONDS)
    expect(phone.get_by_role("button", name="Dumont, Player 4")).to_be_visible()
    phone.get_by_role("searchbox").fill("lara")
    expect(phone.get_by_role("status").filter(has_text="No player matches your search.")).to_be_visible()
    initial_colour_set(tournament_id=tournament.pk, actor=chief.user, now=factories.NOW, colour="w")
    factories.play_rounds(tournament, [1], chief.user)
    late = entry_add(
        tournament_id=tournament.pk, actor=chief.user, now=factories.NOW, name="Late, Lara", fide_rating=2000
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


def test_players_with_equal_names_are_told_apart(phone: Page, live_server: LiveServer) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    tournament.entries.filter(tpn__in=(2, 3)).update(name="Müller, Jürgen", club="Altona")
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    phone.get_by_role("searchbox").fill("muller")
    expect(phone.locator("#me-found button").nth(1)).to_have_text("3 Müller, Jürgen rating 2380 · FRA · Altona")
    assert [*too_wide(phone), *too_small(phone)] == []
    phone.get_by_role("searchbox").fill("abara")
    expect(phone.locator("#me-found button")).to_have_text("1 Abara, Player 1")


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
