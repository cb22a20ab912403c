"""A tournament that has begun."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import play_rounds
from tournaments.models import Tournament


@pytest.fixture
def begun(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Eight players, five rounds declared; two are over, the lower number won every game."""
    play_rounds(ready, [1, 2], chief_arbiter)
    return ready
