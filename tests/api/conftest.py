"""The users of the application's tests, and two clients: a visitor's and a logged-in user's."""

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
    """Forget the request counts of earlier tests."""
    cache.clear()


@pytest.fixture
def logged_in() -> Callable[[User], Client]:
    """Return a client that is logged in as the given user."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in
