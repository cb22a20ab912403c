"""A screen in the hall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW
from tournaments.core.short_address import new_screen_code
from tournaments.events.screens import Wanted, screen_add
from tournaments.models import Screen, Tournament

MakeScreen = Callable[..., Screen]


@pytest.fixture
def make_screen(chief_arbiter: User) -> MakeScreen:
    """Return a function that makes a screen of a tournament with these contents."""

    def make(tournament: Tournament, *contents: str, **more: Any) -> Screen:
        return screen_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            code=new_screen_code(),
            wanted=Wanted(name="Entrance", contents=contents, **more),
        )

    return make
