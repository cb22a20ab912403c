"""A tournament whose pages are requested."""

from __future__ import annotations

import pytest

from tournaments.models import Round, Tournament


@pytest.fixture
def on_site(published_round: Round) -> Tournament:
    """Round 1 published, nothing entered yet."""
    return published_round.tournament
