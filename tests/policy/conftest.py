"""The users and tournaments of ``tests/tournaments``, and a client for the deputy and for the Chief Arbiter."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
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


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_deputy(deputy: User) -> Client:
    return logged_in(deputy)


@pytest.fixture
def as_chief(chief_arbiter: User) -> Client:
    return logged_in(chief_arbiter)
