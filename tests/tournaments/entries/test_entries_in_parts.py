"""The arbiters' list of a large event: parts of 200 lines, each with the work of 200 players."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.large import make_large
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def large(chief_arbiter: User, client: Client) -> Tournament:
    client.force_login(chief_arbiter)
    return make_large(chief_arbiter, players=410, rounds=3, played=0)


def rows(client: Client, address: str) -> list[int]:
    return [
        int(key)
        for key in re.findall(r'<tr id="entry-(\d+)"', client.get(address).content.decode())
    ]


@pytest.mark.costly
def test_every_player_is_in_one_part_of_200(large: Tournament, client: Client) -> None:
    address = reverse("entries", args=[large.slug])
    parts = [rows(client, f"{address}?page={number}") for number in (1, 2, 3)]
    everybody = list(
        Entry.objects.filter(tournament=large).order_by("tpn").values_list("pk", flat=True)
    )
    assert parts == [everybody[:200], everybody[200:400], everybody[400:]]
    assert rows(client, address) == parts[0]
    assert rows(client, f"{address}?page=all") == everybody
    assert client.get(f"{address}?page=4").status_code == 404


def test_a_search_finds_players_of_every_part(large: Tournament, client: Client) -> None:
    last = Entry.objects.get(tournament=large, tpn=410)
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.get(reverse("entries", args=[large.slug]), {"q": "410"}, headers=headers)
        assert f'id="entry-{last.pk}"' in answer.content.decode()


@pytest.mark.costly
def test_without_javascript_a_check_in_returns_to_its_part(
    large: Tournament, client: Client
) -> None:
    entry = Entry.objects.get(tournament=large, tpn=250)
    address = reverse("entries", args=[large.slug])
    (action,) = re.findall(
        rf'action="([^"]*/{entry.pk}/[^"]*)"', client.get(f"{address}?page=2").content.decode()
    )
    answer = client.post(action, {"checked_in": "yes"})
    assert answer.headers["Location"] == f"{address}?page=2#entry-{entry.pk}"
    entry.refresh_from_db()
    assert entry.checked_in


@pytest.mark.costly
def test_an_event_of_200_has_no_parts(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    small = make_large(chief_arbiter, players=200, rounds=3, played=0)
    address = reverse("entries", args=[small.slug])
    assert len(rows(client, address)) == 200
    assert "page=2" not in client.get(address).content.decode()
