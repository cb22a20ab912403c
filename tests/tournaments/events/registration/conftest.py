"""A tournament with an open registration, and visitors who register for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.factories import NOW, make_tournament
from tests.tournaments.lists.rating_lists.conftest import Load, folder, load
from tournaments.events.registration.opening import Wanted, registration_set
from tournaments.events.registration.visitor import Wish, registration_add, registration_confirm
from tournaments.models import Registration, Tournament

__all__ = ["Load", "folder", "load"]

Register = Callable[..., Registration]


def wish(name: str = "Abara, Ada", **more: Any) -> Wish:
    """Return what a visitor called *name* types, with an e-mail address."""
    last, _comma, first = name.partition(", ")
    values = {"last_name": last, "first_name": first, "federation": "FRA", "birth_date": "1990"}
    values |= more.pop("values", {})
    return Wish(values=values, **({"email": "ada@example.org"} | more))


def opened(tournament: Tournament, actor: User, **wanted: Any) -> None:
    registration_set(
        tournament_id=tournament.pk, actor=actor, now=NOW, wanted=Wanted(True, **wanted)
    )


@pytest.fixture
def autumn(chief_arbiter: User) -> Tournament:
    """A tournament without players, whose registration is open."""
    tournament = make_tournament(chief_arbiter)
    opened(tournament, chief_arbiter)
    return tournament


@pytest.fixture
def register(autumn: Tournament) -> Register:
    """Register somebody for the tournament, and confirm it unless told otherwise."""

    def do(
        name: str = "Abara, Ada", *, confirm: bool = True, secret: str = "", **more: Any
    ) -> Registration:
        secret = secret or f"secret of {name}"
        given = registration_add(
            tournament_id=autumn.pk, wish=wish(name, **more), secret=secret, now=NOW
        )
        return registration_confirm(secret=secret, now=NOW) if confirm else given

    return do


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    """The browser of the Chief Arbiter."""
    client.force_login(chief_arbiter)
    return client
