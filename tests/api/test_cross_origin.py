"""Pages of other sites may read public answers to GET in a browser, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tournaments.models import Round

from .asking import V1, get

ELSEWHERE = "https://club.example"
ALLOWED = "Access-Control-Allow-Origin"


def cors(response: HttpResponse) -> dict[str, str]:
    return {
        name: value
        for name, value in response.headers.items()
        if name.startswith("Access-Control-")
    }


def preflight(client: Client, path: str, method: str) -> HttpResponse:
    """Send the preflight request of a browser."""
    return client.options(
        path, headers={"Origin": ELSEWHERE, "Access-Control-Request-Method": method}
    )


PUBLIC = [
    "tournaments/",
    "schema/",
    "tournaments/autumn-open/standings/",
    "tournaments/autumn-open/standings/csv/",
]


@pytest.mark.parametrize(
    "rest", [*PUBLIC, "tournaments/nowhere/", "nothing/", "tournaments/?x=1", "tournaments"]
)
def test_every_site_may_read_public_answers_and_refusals(
    rest: str, client: Client, played_round: Round
) -> None:
    for headers in ({}, {"Origin": ELSEWHERE}):
        response = get(client, rest, **headers)
        assert cors(response) == {
            ALLOWED: "*",
            "Access-Control-Expose-Headers": "ETag, Retry-After",
        }
        assert "Cookie" in response.headers["Vary"]
    assert cors(client.head(V1 + rest))[ALLOWED] == "*"


def test_a_304_may_be_read_too(client: Client, played_round: Round) -> None:
    first = get(client, "tournaments/autumn-open/standings/")
    again = get(
        client, "tournaments/autumn-open/standings/", if_none_match=first["ETag"], origin=ELSEWHERE
    )
    assert (again.status_code, again.headers[ALLOWED]) == (304, "*")


@pytest.mark.costly
@pytest.mark.parametrize("rest", PUBLIC)
def test_another_site_cannot_read_with_the_users_session(
    rest: str,
    logged_in: Callable[[User], Client],
    played_round: Round,
    chief_arbiter: User,
    stranger: User,
) -> None:
    for user in (chief_arbiter, stranger):
        assert cors(get(logged_in(user), rest, origin=ELSEWHERE)) == {}
    assert cors(get(Client(), rest, origin=ELSEWHERE, authorization="Token 1")) == {}


def test_a_preflight_lists_the_allowed_methods(client: Client, played_round: Round) -> None:
    response = preflight(client, f"{V1}tournaments/autumn-open/standings/", "GET")
    assert (response.status_code, response.content) == (204, b"")
    assert cors(response) == {
        ALLOWED: "*",
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": "If-None-Match",
        "Access-Control-Max-Age": "86400",
    }


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "nonsense", ""])
def test_no_other_site_may_change_anything(method: str, client: Client, db: None) -> None:
    for path in (f"{V1}engine/pair", f"{V1}tournaments/"):
        assert cors(preflight(client, path, method)) == {}
        assert cors(client.options(path, headers={"Origin": ELSEWHERE})) == {}
        assert (
            cors(
                client.post(
                    path, "{}", content_type="application/json", headers={"Origin": ELSEWHERE}
                )
            )
            == {}
        )


def test_no_other_site_may_read_the_pages(client: Client, played_round: Round) -> None:
    slug = played_round.tournament.slug
    for path in (
        "/",
        reverse("standings", args=[slug]),
        reverse("trf-export", args=[slug]),
        reverse("record-file", args=[slug]),
        "/readyz",
        "/admin/login/",
    ):
        assert cors(client.get(path, headers={"Origin": ELSEWHERE})) == {}
        assert cors(preflight(client, path, "GET")) == {}
