"""ETag, 304, and the headers that separate cached answers of different users."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.tournaments import factories
from tournaments.models import Round
from tournaments.setup.tournaments import tournament_update

from .asking import error, get

TAGGED = ["", "entries/", "rounds/", "rounds/1/", "rounds/1/pairings/", "standings/", "trf/", "record/"]


@pytest.mark.parametrize("rest", TAGGED)
def test_an_unchanged_answer_is_304_without_a_body_for_one_query(
    rest: str, client: Client, played_round: Round, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = f"tournaments/{played_round.tournament.slug}/{rest}"
    first = get(client, address)
    with django_assert_num_queries(1):
        again = get(client, address, if_none_match=first["ETag"])
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    for header in ("ETag", "Cache-Control"):
        assert again[header] == first[header]
    assert sorted(again["Vary"].split(", ")) == sorted(first["Vary"].split(", ")) == ["Accept-Language", "Cookie"]


@pytest.mark.parametrize("rest", TAGGED)
def test_every_action_makes_a_new_tag(rest: str, client: Client, played_round: Round, chief_arbiter: User) -> None:
    tournament = played_round.tournament
    address = f"tournaments/{tournament.slug}/{rest}"
    first = get(client, address)
    tournament_update(tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, city="Lyon")
    second = get(client, address, if_none_match=first["ETag"])
    assert second.status_code == 200
    assert second["ETag"] != first["ETag"]


def test_the_tag_of_the_arbiter_is_not_that_of_the_public(
    client: Client, logged_in: Callable[[User], Client], played_round: Round, chief_arbiter: User, stranger: User
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
