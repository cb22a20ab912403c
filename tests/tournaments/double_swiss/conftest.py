"""An event with matches of two games [C.04.5/2026]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.factories import make_ready, pair_and_publish
from tournaments.models import Tournament

from .matches import DOUBLE_SWISS


@pytest.fixture
def event(chief_arbiter: User) -> Tournament:
    """Six players, three matches declared; round 1 may be paired."""
    return make_ready(chief_arbiter, players=6, rounds=3, system=DOUBLE_SWISS)


@pytest.fixture
def published(event: Tournament, chief_arbiter: User) -> Tournament:
    """Round 1 with its pairings published: 1-4, 5-2, 3-6 by board."""
    pair_and_publish(event, 1, chief_arbiter)
    event.refresh_from_db()
    return event


@pytest.fixture
def arbiter_desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client
