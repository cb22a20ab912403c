"""The users and tournaments of ``tests/tournaments``,
and a client for the deputy and for the Chief Arbiter.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.conftest import *  # noqa: F403 - pytest finds fixtures by their names here


@pytest.fixture
def as_deputy(deputy: User, logged_in: Callable[[User], Client]) -> Client:
    return logged_in(deputy)


@pytest.fixture
def as_chief(chief_arbiter: User, logged_in: Callable[[User], Client]) -> Client:
    return logged_in(chief_arbiter)
