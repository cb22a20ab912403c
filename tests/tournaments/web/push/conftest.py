"""A push service of our own, and an event whose round 1 is a draft."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.factories import NOW, round_of
from tests.tournaments.push_service import Service, push_service
from tournaments.models import Tournament


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Iterator[Service]:
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    with push_service() as found:
        settings.PUSH_SERVICES = [found.origin]
        yield found


@pytest.fixture
def paired(chief_arbiter: User, service: Service) -> Tournament:
    """A draft of round 1 of six players."""
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3, correction_minutes=30)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW)
    return Tournament.objects.get(pk=tournament.pk)
