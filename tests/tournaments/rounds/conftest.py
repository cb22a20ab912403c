"""Rounds in the states from which tests of several modules begin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments import factories
from tests.tournaments.factories import NOW, cached, make_ready, play_rounds
from tests.tournaments.rounds.met_again import repeat
from tournaments.models import Appointment, Role, Round, Tournament


@pytest.fixture
def reader(published_round: Round) -> User:
    """A person of the result desk."""
    user = User.objects.create_user(
        "reader", password="reader-secret", first_name="Rita", last_name="Reader"
    )
    Appointment.objects.create(
        tournament=published_round.tournament, person=user, role=Role.RESULT_DESK, since=NOW
    )
    return user


@pytest.fixture
def entered(published_round: Round, chief_arbiter: User) -> Round:
    """White wins at all four boards, entered by the Chief Arbiter."""
    factories.enter_results(
        published_round.tournament, 1, chief_arbiter, lambda board, white, black: "10"
    )
    return published_round


@pytest.fixture
@cached
def timed(chief_arbiter: User) -> Tournament:
    """Round 1 of 5 is played, 8 players, the lower number won;
    mistakes are reported within 30 minutes.
    """
    tournament = make_ready(chief_arbiter, correction_minutes=30)
    play_rounds(tournament, [1], chief_arbiter)
    return tournament


@pytest.fixture
def repeated(chief_arbiter: User) -> Tournament:
    """Return an event of eight with round 2 published, in which 1 and 5 meet again on board 1.

    Round 1 was 1-5, 6-2, 3-7, 8-4. The regulations allow no changes.
    """
    return repeat(chief_arbiter)
