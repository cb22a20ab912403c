"""The list of open games in a large event: parts of 200,
and a search through all of them for arbiters.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.open_games import open_games
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import Game, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    """405 open games; those of boards 301 to 303 have a date."""
    large = make_large(chief_arbiter, players=810, rounds=3, played=0)
    Game.objects.filter(round__tournament=large, board__in=(301, 302, 303)).update(
        starts_at=factories.NOW
    )
    return large


def boards_on(client: Client, address: str) -> list[int]:
    page = client.get(address).content.decode()
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)
    return [int(re.findall(r">\s*(\d+)\s*<", row)[1]) for row in rows if "<td" in row]


@pytest.mark.costly
def test_every_open_game_is_in_one_part_those_with_a_date_first(
    large: Tournament, client: Client, chief_arbiter: User
) -> None:
    address = reverse("open-games", args=[large.slug])
    assert boards_on(client, address) == [301, 302, 303]  # a visitor's list
    assert client.get(f"{address}?page=2").status_code == 404
    client.force_login(chief_arbiter)
    parts = [boards_on(client, f"{address}?page={number}") for number in (1, 2, 3)]
    assert list(map(len, parts)) == [200, 200, 5]
    assert [board for part in parts for board in part] == [
        301,
        302,
        303,
        *range(1, 301),
        *range(304, 406),
    ]
    assert boards_on(client, f"{address}?page=9") == parts[2]
    assert (
        '<details class="panel pad only-screen" open>'
        in client.get(f"{address}?page=3").content.decode()
    )


@pytest.mark.costly
def test_the_search_looks_through_all_parts(
    large: Tournament, client: Client, chief_arbiter: User
) -> None:
    address = reverse("open-games", args=[large.slug])
    client.force_login(chief_arbiter)
    assert boards_on(client, f"{address}?find=404") == [404]
    (game,) = [game for game in open_games(large, public=False) if game.board == 302]
    given = game.white.name.split(", ")[1]
    assert boards_on(client, f"{address}?find={given}") == [302]
    assert "No open game fits." in client.get(f"{address}?find=406").content.decode()


@pytest.mark.costly
def test_visitors_get_parts_of_many_dated_games(large: Tournament, client: Client) -> None:
    Game.objects.filter(round__tournament=large).update(starts_at=factories.NOW)
    large.refresh_from_db()
    address = reverse("open-games", args=[large.slug])
    assert boards_on(client, address) == list(range(1, 201))
    assert boards_on(client, f"{address}?page=3") == [401, 402, 403, 404, 405]
    assert client.get(f"{address}?page=4").status_code == 404


@pytest.mark.costly
def test_200_open_games_are_one_list(client: Client, chief_arbiter: User) -> None:
    small = make_large(chief_arbiter, players=400, rounds=3, played=0)
    client.force_login(chief_arbiter)
    address = reverse("open-games", args=[small.slug])
    assert boards_on(client, address) == list(range(1, 201))
    page = client.get(address).content.decode()
    assert "Parts of the list" not in page
    assert 'name="find"' not in page


def test_the_page_of_a_date_reads_its_game_only(
    large: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    game = Game.objects.get(round__tournament=large, board=404)
    assert [one.board for one in open_games(large, public=False, game_id=game.pk)] == [404]
    opened = client.get(reverse("game-date", args=[large.slug, game.pk])).context["open"]
    assert (opened.game_id, opened.board) == (game.pk, 404)
