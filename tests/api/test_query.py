"""The parameters of a query: exactly those of the OpenAPI document, for every user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from tests.tournaments import factories
from tournaments.models import Event, Section, Tournament

from .asking import V1, error

pytestmark = pytest.mark.on_postgres("one request of every page and read")


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Two tournaments with the same numbers; the requests are about the second."""
    factories.play_rounds(factories.make_ready(chief_arbiter), [1], chief_arbiter)
    tournament = factories.make_ready(chief_arbiter, name="Spring Open")
    factories.play_rounds(tournament, [1], chief_arbiter)
    event = Event.objects.create(
        name="Spring Open", slug=tournament.slug, created_by=chief_arbiter, created_at=factories.NOW
    )
    Section.objects.create(event=event, tournament=tournament, label="A")
    return tournament


@pytest.fixture
def ask(
    logged_in: Callable[[User], Client], chief_arbiter: User, played: Tournament
) -> Callable[..., HttpResponse]:
    """Send a request with full rights; the names in *path* are replaced
    by the tournament or its event, and its first round.
    """
    client = logged_in(chief_arbiter)

    def send(path: str, query: str = "", **headers: str) -> HttpResponse:
        return client.get(path.format(slug=played.slug, number=1) + query, headers=headers)

    return send


VALUES = {"q": "dup", "as": "xlsx", "heads": "words"}
"""What parameters are given that take no 1: a search needs two letters, a file a format."""


def reads(client: Client) -> dict[str, list[str]]:
    """Return the parameters of every GET of the OpenAPI document, by path."""
    document: dict[str, Any] = client.get(f"{V1}schema/?format=json").json()
    return {
        path: [
            parameter["name"]
            for parameter in item["get"].get("parameters", [])
            if parameter["in"] == "query"
        ]
        for path, item in document["paths"].items()
        if "get" in item
    }


@pytest.mark.costly
def test_every_read_refuses_a_parameter_it_does_not_know(
    client: Client, ask: Callable[..., HttpResponse]
) -> None:
    documented = reads(client)
    assert len(documented) > 15
    for path, known in documented.items():
        tag = ask(path).headers.get("ETag", '"none"')
        for query in ("?fbclid=IwAR0", "?round=1", f"?{known[0].upper() if known else 'page'}=1"):
            status, problem = error(ask(path, query, if_none_match=tag))
            name = query[1:].partition("=")[0]
            assert (status, problem["code"]) == (400, "query.unknown"), path
            assert problem["params"]["name"] == name
            assert sorted(problem["params"]["known"]) == sorted(known), path
            assert f"“{name}”" in problem["message"]


@pytest.mark.costly
def test_every_read_takes_the_parameters_of_its_document(
    client: Client, ask: Callable[..., HttpResponse]
) -> None:
    count = 0
    for path, known in reads(client).items():
        for name in known:
            assert ask(path, f"?{name}={VALUES.get(name, 1)}").status_code == 200, (path, name)
            count += 1
    assert count >= 10


def test_the_engine_takes_no_parameters(client: Client) -> None:
    response = client.post(
        f"{V1}engine/pair?system=dutch_2017", "{}", content_type="application/json"
    )
    status, problem = error(response)
    assert (status, problem["code"], problem["params"]) == (
        400,
        "query.unknown",
        {"name": "system", "known": []},
    )
    assert (
        problem["message"] == "“system” is not a parameter of this address: it has no parameters."
    )


def test_a_parameter_of_five_thousand_letters_is_cut(client: Client) -> None:
    status, problem = error(client.get(f"{V1}tournaments/?{'x' * 5000}=1"))
    assert (status, problem["params"]) == (400, {"name": "x" * 60, "known": ["page", "page_size"]})
