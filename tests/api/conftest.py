"""The cast of the application's tests, and the two ways they ask: as a visitor, and logged in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests.tournaments.conftest import (
    beside,
    chief_arbiter,
    deputy,
    draft_round,
    played_round,
    published_round,
    ready,
    stranger,
    tournament,
)

__all__ = [
    "beside",
    "chief_arbiter",
    "deputy",
    "draft_round",
    "played_round",
    "published_round",
    "ready",
    "stranger",
    "tournament",
]


@pytest.fixture(autouse=True)
def fresh_throttles() -> None:
    """The requests of one test are not counted against the next."""
    cache.clear()


@pytest.fixture
def logged_in() -> Callable[[User], Client]:
    """A client of the given person."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in
