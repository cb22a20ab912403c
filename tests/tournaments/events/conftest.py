"""An event of two sections."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW, make_tournament
from tournaments.events.sections import event_create, section_add
from tournaments.models import (
    Event,
    Tournament,
)


@pytest.fixture
def first(chief_arbiter: User) -> Tournament:
    """The tournament of which the event is made: its first section."""
    return make_tournament(chief_arbiter, name="City Open", tie_breaks="BH,SB", points_pab=5)


@pytest.fixture
def event(first: Tournament, chief_arbiter: User) -> Event:
    """The event, with one section."""
    return event_create(
        tournament_id=first.pk, name="City Open", label="A", actor=chief_arbiter, now=NOW
    )


def add(
    event: Event, like: Tournament, actor: User, label: str = "B", **limits: int | None
) -> Tournament:
    """Return a new section of *event* with the settings of *like*."""
    return section_add(
        event_id=event.pk, like_id=like.pk, label=label, limits=limits, actor=actor, now=NOW
    )


@pytest.fixture
def second(event: Event, first: Tournament, chief_arbiter: User) -> Tournament:
    """The second section, for players rated below 1800."""
    return add(event, first, chief_arbiter, rating_to=1799)
