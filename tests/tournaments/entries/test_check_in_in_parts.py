"""The check-in desk of a large event: parts of 200 by name, and a search through all of them."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.entries.check_in import check_in_open
from tournaments.entries.check_in_list import check_in_list
from tournaments.models import Entry, Tournament

pytestmark = [pytest.mark.costly, pytest.mark.django_db]
PART = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _logged_in(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    large = make_large(chief_arbiter, players=410, rounds=3, played=0)
    large.rounds.update(state="planned", published_at=None, paired_at=None)
    check_in_open(tournament_id=large.pk, actor=chief_arbiter, now=factories.NOW)
    return large


def shown(client: Client, address: str, **headers: str) -> list[int]:
    answer = client.get(address, headers=headers).content.decode()
    return [int(key) for key in re.findall(r'<li id="at-(\d+)"', answer)]


def test_every_player_is_in_one_part_by_name(large: Tournament, client: Client) -> None:
    address = reverse("check-in", args=[large.slug])
    everybody = [line.entry.pk for line in check_in_list(large).lines]
    parts = [shown(client, f"{address}?page={number}") for number in (1, 2, 3)]
    assert parts == [everybody[:200], everybody[200:400], everybody[400:]]
    assert shown(client, address) == parts[0]
    assert (
        shown(client, f"{address}?page=9") == parts[2]
    )  # as a list of missing players becomes shorter
    text = client.get(address).content.decode()
    last = Entry.objects.get(pk=everybody[-1])
    assert f">{last.name[0]}</a>" in text


def test_an_open_page_asks_for_its_part(large: Tournament, client: Client) -> None:
    address = reverse("check-in", args=[large.slug])
    text = client.get(f"{address}?page=2").content.decode()
    (asks,) = re.findall(r'<section id="live".*?hx-get="([^"]*)"', text, re.DOTALL)
    asks = asks.replace("&amp;", "&")
    assert client.get(asks, headers=PART).status_code == 204
    old = re.sub(r"v=[^&]*", "v=old", asks)
    assert shown(client, old, **PART) == shown(client, f"{address}?page=2")


def test_the_search_looks_through_all_parts(large: Tournament, client: Client) -> None:
    address = reverse("check-in", args=[large.slug])
    last = check_in_list(large).lines[-1].entry
    given = last.name.split(", ")[1]
    for headers in ({}, PART):
        assert shown(client, f"{address}?q={given}", **headers) == [last.pk]
    text = client.get(f"{address}?q={given}", headers=PART).content.decode()
    assert f'data-words="{given}" data-arriving="1"' in text
    client.post(reverse("check-in-find", args=[large.slug]), {"who": given})
    last.refresh_from_db()
    assert last.checked_in


def test_a_check_in_returns_to_its_part(large: Tournament, client: Client) -> None:
    address = f"{reverse('check-in', args=[large.slug])}?shown=missing&page=2"
    player = shown(client, address)[0]
    text = client.get(address).content.decode()
    (action,) = set(re.findall(r'action="([^"]*/check-in/tick/[^"]*)"', text))
    assert client.post(action.replace("&amp;", "&"), {"in": player}).headers["Location"] == address
    part = client.post(
        action.replace("&amp;", "&"), {"in": shown(client, address)[0]}, headers=PART
    )
    assert f'href="{reverse("check-in", args=[large.slug])}?shown=missing"' in part.content.decode()
    assert len(re.findall(r'<li id="at-', part.content.decode())) == 200


def test_200_players_are_one_list(chief_arbiter: User, client: Client) -> None:
    small = make_large(chief_arbiter, players=200, rounds=3, played=0)
    small.rounds.update(state="planned", published_at=None, paired_at=None)
    address = reverse("check-in", args=[small.slug])
    assert len(shown(client, address)) == 200
    text = client.get(address).content.decode()
    assert "data-look" not in text
    assert "page=2" not in text
