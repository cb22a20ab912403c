"""Public lists filtered by club, federation and category."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.stored import stored_pages
from tournaments.models import Eligible, Entry, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, replace_plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(chief_arbiter: User) -> Tournament:
    tournament = factories.make_ready(chief_arbiter, players=8, rounds=4)
    for entry in Entry.objects.filter(tournament=tournament):
        number = entry.tpn or 0
        entry.club = ("Tours du Lac", "TOURS DU LÀC", "Reine & Roi", "")[number % 4]
        entry.federation = "FRA" if number < 4 else "GER"
        entry.sex = "w" if number in (2, 3) else "m"
        entry.save()
    plan = (
        CategoryPlan("Ladies", Eligible.WOMEN, "", (100,)),
        CategoryPlan("", Eligible.EVERYBODY, "", (50,)),
    )
    replace_plan(tournament, PrizePlan("EUR", categories=plan))
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    return tournament


def page_of(client: Client, name: str, tournament: Tournament, *args: int, **query: str) -> str:
    return client.get(reverse(name, args=[tournament.slug, *args]), query).content.decode()


def rows(page: str) -> set[int]:
    """Return the numbers of the players in the list."""
    return {int(n) for n in re.findall(r">[^<>]*, Player (\d+)", page[page.index("<tbody") :])}


@pytest.mark.costly
def test_the_page_of_the_groups_leads_to_the_lists(played: Tournament, client: Client) -> None:
    page = page_of(client, "player-groups", played)
    for name in ("standings", "players"):
        assert reverse("player-groups", args=[played.slug]) in page_of(client, name, played)
    found = re.findall(r'href="([^"]*\?only=[^"]*)"', page)
    assert len(found) == 2 * 5  # Ladies, FRA, GER, and two clubs: the spellings are one
    for address in found:
        shown = client.get(address.replace("&amp;", "&")).content.decode()
        assert rows(shown), address
        assert "Show all" in shown


def test_standings_and_pairings_have_the_players_of_the_group(
    played: Tournament, client: Client
) -> None:
    standings = page_of(client, "standings", played, only="club tours du lac")
    assert rows(standings) == {1, 4, 5, 8}
    assert "Only TOURS DU LÀC: 4 players" in standings
    assert rows(page_of(client, "standings", played, only="club Tours  du lác")) == {1, 4, 5, 8}
    assert rows(page_of(client, "standings", played, only="category 1")) == {2, 3}
    assert rows(page_of(client, "standings", played, only="FED  Fra", q="player 3")) == {3}
    by_name = page_of(client, "pairings-public", played, 2, only="fed fra", order="name")
    assert {1, 2, 3} <= rows(by_name)
    assert by_name.count('id="entry-') == 3
    boards = page_of(client, "pairings-public", played, 2, only="category 1")
    assert 1 <= boards.count('id="board-') <= 2


@pytest.mark.costly
def test_the_club_on_a_players_page_leads_to_its_players(
    played: Tournament, client: Client
) -> None:
    page = page_of(client, "player-page", played, factories.entry_of(played, 2).pk)
    address = re.search(r'href="([^"]*\?only=club[^"]*)"', page)
    assert address is not None
    assert rows(client.get(address[1]).content.decode()) == {2, 6}


def test_the_open_page_asks_for_the_same_group(played: Tournament, client: Client) -> None:
    page = page_of(client, "standings", played, only="fed fra")
    assert re.search(r'hx-get="[^"]*\?v=[^"]*&amp;only=fed%20fra', page)
    assert '<input type="hidden" name="only" value="fed fra">' in page


def test_an_older_list_leads_to_the_newest_of_the_same_group(
    played: Tournament, client: Client
) -> None:
    newest = reverse("pairings-public", args=[played.slug, 2])
    page = page_of(client, "pairings-public", played, 1, only="fed fra")
    assert f'href="{newest}?only=fed%20fra"' in page
    page = page_of(client, "pairings-public", played, 1, only="fed fra", order="name")
    assert f'href="{newest}?only=fed%20fra&amp;order=name"' in page


@pytest.mark.costly
def test_a_group_that_is_none_shows_nobody_and_is_stored_nowhere(
    played: Tournament, client: Client
) -> None:
    page_of(client, "standings", played)
    before = len(stored_pages(played))
    for key in ("club <b>", "fed xyz", "category 9", "nothing"):
        page = page_of(client, "standings", played, only=key)
        assert "<b>" not in page
        assert "No player matches" in page
    assert len(stored_pages(played)) == before
    page_of(client, "standings", played, only="fed fra")
    assert len(stored_pages(played)) == before + 1


def test_players_shown_with_initials_are_in_no_category(played: Tournament, client: Client) -> None:
    Entry.objects.filter(tournament=played, tpn=2).update(full_name="Whole, Name")
    forget_pages()
    assert rows(page_of(client, "standings", played, only="category 1")) == {3}
