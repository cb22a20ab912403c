"""A browser for the pages of the entries."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    """The browser of the Chief Arbiter."""
    client.force_login(chief_arbiter)
    return client
