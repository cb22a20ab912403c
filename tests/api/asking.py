"""Helpers that call the API in tests."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from rest_framework.views import APIView

from tournaments.api.urls import urlpatterns
from tournaments.models import Tournament

V1 = "/api/v1/"
OF_A_TOURNAMENT = "tournaments/<slug:slug>/"


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


def addresses(*, of: type = APIView) -> list[str]:
    """Return every address of a tournament that a view of the class *of* reads, after its slug.

    ``{number}`` is the place of a round.
    """
    found = []
    for pattern in urlpatterns:
        route, view = str(pattern.pattern), getattr(pattern.callback, "cls", None)
        if (
            view is not None
            and issubclass(view, of)
            and hasattr(view, "get")
            and route.startswith(OF_A_TOURNAMENT)
        ):
            found.append(route.removeprefix(OF_A_TOURNAMENT).replace("<int:number>", "{number}"))
    return found


def everything(client: Client, tournament: Tournament) -> dict[str, tuple[int, bytes]]:
    """Return status and bytes of every read about *tournament*, by address."""
    about = f"tournaments/{tournament.slug}/"
    rests = {
        rest.format(number=n) for rest in addresses() for n in range(1, tournament.total_rounds + 1)
    }
    rests |= {f"standings/?after_round={n}" for n in range(1, tournament.total_rounds + 1)}
    answers = {
        address: get(client, address)
        for address in ["tournaments/", *(about + rest for rest in sorted(rests))]
    }
    return {
        address: (response.status_code, response.content) for address, response in answers.items()
    }
