"""The users, clients and tournaments of ``tests/tournaments``;
every test starts with unused throttles.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.tournaments.conftest import *  # noqa: F403 - pytest finds fixtures by their names here


@pytest.fixture(autouse=True)
def fresh_throttles() -> None:
    """Forget the request counts of earlier tests."""
    cache.clear()
