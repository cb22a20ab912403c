"""Helpers that call the API in tests."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client

from tournaments.models import Tournament

V1 = "/api/v1/"


def get(client: Client, address: str, **headers: str) -> HttpResponse:
    """GET an address below ``/api/v1/``."""
    return client.get(V1 + address, headers=headers)


def read(client: Client, address: str) -> Any:
    """Return the body of an answer, which must be 200."""
    response = get(client, address)
    assert response.status_code == 200, response.content
    return response.json()


def error(response: HttpResponse) -> tuple[int, dict[str, Any]]:
    """Return status and error of an answer, which must be an error in the one shape."""
    body = response.json()
    assert list(body) == ["error"]
    assert sorted(body["error"]) == ["article", "code", "message", "params"]
    assert body["error"]["message"]
    return response.status_code, body["error"]


def everything(client: Client, tournament: Tournament) -> dict[str, tuple[int, bytes]]:
    """Return status and bytes of every read about *tournament*, by address."""
    about = f"tournaments/{tournament.slug}/"
    addresses = [
        "tournaments/",
        *(
            about + rest
            for rest in ("", "entries/", "rounds/", "standings/", "crosstable/", "crosstable/csv/", "trf/", "record/")
        ),
        f"{about}prizes/",
        f"{about}standings/csv/",
        f"{about}entries/csv/",
        f"{about}prizes/csv/",
    ]
    for number in range(1, tournament.total_rounds + 1):
        addresses += [
            f"{about}rounds/{number}/",
            f"{about}rounds/{number}/pairings/",
            f"{about}rounds/{number}/pairings/csv/",
            f"{about}standings/?after_round={number}",
        ]
    answers = {address: get(client, address) for address in addresses}
    return {address: (response.status_code, response.content) for address, response in answers.items()}
