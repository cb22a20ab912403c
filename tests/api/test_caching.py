"""ETag, 304, and the headers that separate cached answers of different users."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import brotli
import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from pairing.rounds.results import result_record
from tests.tournaments import factories
from tournaments.api.lists import ALL
from tournaments.api.views import TournamentReading
from tournaments.models import Round
from tournaments.setup.tournaments import tournament_update

from .asking import addresses, error, get

FOR_ARBITERS = {f"{name}/csv/" for name, listing in ALL.items() if listing.power}
TAGGED = [
    rest.format(number=1)
    for rest in addresses(of=TournamentReading)
    if not rest.startswith("report/") and rest not in FOR_ARBITERS
]
"""The addresses that everybody may read; the report is for arbiters."""

VARY = ["Accept-Encoding", "Accept-Language", "Cookie"]


@pytest.mark.parametrize("rest", TAGGED)
def test_an_unchanged_answer_is_304_without_a_body_for_one_query(
    rest: str,
    client: Client,
    played_round: Round,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    address = f"tournaments/{played_round.tournament.slug}/{rest}"
    first = get(client, address)
    with django_assert_num_queries(1):
        again = get(client, address, if_none_match=first["ETag"])
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    for header in ("ETag", "Cache-Control"):
        assert again[header] == first[header]
    assert sorted(again["Vary"].split(", ")) == sorted(first["Vary"].split(", ")) == VARY


@pytest.mark.parametrize("rest", TAGGED)
def test_every_action_makes_a_new_tag(
    rest: str, client: Client, played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    address = f"tournaments/{tournament.slug}/{rest}"
    first = get(client, address)
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, city="Lyon"
    )
    second = get(client, address, if_none_match=first["ETag"])
    assert second.status_code == 200
    assert second["ETag"] != first["ETag"]


def test_the_tag_of_the_arbiter_is_not_that_of_the_public(
    client: Client,
    logged_in: Callable[[User], Client],
    played_round: Round,
    chief_arbiter: User,
    stranger: User,
) -> None:
    address = f"tournaments/{played_round.tournament.slug}/rounds/1/pairings/"
    public, strange, arbiter = (
        get(reader, address) for reader in (client, logged_in(stranger), logged_in(chief_arbiter))
    )
    assert public["ETag"] == strange["ETag"] != arbiter["ETag"]
    assert public["Cache-Control"] == strange["Cache-Control"] == "no-cache"
    assert arbiter["Cache-Control"] == "private, no-cache"
    assert get(client, address, if_none_match=arbiter["ETag"]).status_code == 200


def test_an_unknown_address_has_no_tag(client: Client, played_round: Round) -> None:
    response = get(client, f"tournaments/{played_round.tournament.slug}/rounds/2/pairings/")
    assert response.status_code == 404
    assert "ETag" not in response


def test_if_match_with_an_old_tag_is_412(client: Client, played_round: Round) -> None:
    response = get(client, f"tournaments/{played_round.tournament.slug}/", if_match='"old"')
    assert (error(response)[0], error(response)[1]["code"]) == (412, "precondition_failed")


def test_head_is_get_without_the_body(client: Client, played_round: Round) -> None:
    address = f"/api/v1/tournaments/{played_round.tournament.slug}/"
    head = client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    assert head["ETag"] == client.get(address)["ETag"]


@pytest.mark.parametrize(
    "rest",
    ["", "rounds/1/", "rounds/1/pairings/", "standings/", "standings/csv/", "crosstable/", "trf/"],
)
def test_an_answer_for_visitors_is_kept_and_compressed(
    rest: str,
    client: Client,
    played_round: Round,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    address = f"/api/v1/tournaments/{played_round.tournament.slug}/{rest}"
    plain = client.get(address)
    for encoding, unpack in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        client.get(address, headers={"Accept-Encoding": encoding})
        with django_assert_num_queries(1):
            again = client.get(address, headers={"Accept-Encoding": encoding})
        assert (again.headers["Content-Encoding"], unpack(again.content)) == (
            encoding,
            plain.content,
        )
        for name in ("Content-Type", "Content-Disposition", "ETag", "Vary"):
            assert again.headers.get(name) == plain.headers.get(name), name


def test_what_arbiters_read_is_not_kept_for_visitors(
    client: Client, logged_in: Callable[[User], Client], published_round: Round, chief_arbiter: User
) -> None:
    game = published_round.games.get(board=1)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=factories.NOW)
    address = (
        f"tournaments/{published_round.tournament.slug}/rounds/{published_round.number}/pairings/"
    )
    arbiter = get(logged_in(chief_arbiter), address)
    visitor = get(client, address)
    assert [bool(answer.json()["boards"][0]["result"]) for answer in (arbiter, visitor)] == [
        True,
        False,
    ]
    assert get(logged_in(chief_arbiter), address).content == arbiter.content


def test_a_list_in_pages_has_the_host_name_of_its_reader(
    client: Client, played_round: Round, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    address = f"/api/v1/tournaments/{played_round.tournament.slug}/entries/?page_size=1"
    for host in settings.ALLOWED_HOSTS:
        assert f"http://{host}/" in client.get(address, headers={"Host": host}).json()["next"]
