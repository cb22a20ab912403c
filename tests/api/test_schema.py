"""The API follows its OpenAPI document: schemathesis sends requests made from the document."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from config.wsgi import application
from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tournaments.api import engine
from tournaments.models import Tournament

schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", application)


@pytest.fixture
@factories.cached
def in_play(chief_arbiter: User) -> Tournament:
    """Round 1 over, round 2 published, round 3 a draft: every address has something to answer."""
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    round_pair(
        round_id=factories.round_of(tournament, 3).pk, actor=chief_arbiter, now=factories.NOW
    )
    return tournament


@pytest.fixture
def one_connection(db: None) -> Iterator[None]:
    """Let the application use the database connection of the test,
    as Django's own test client does.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def no_throttle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.VisitorThrottle, "rate", "10000/min")


@pytest.mark.costly
@schema.parametrize()
@pytest.mark.usefixtures("one_connection", "no_throttle")
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_address_keeps_to_the_document(case: schemathesis.Case, in_play: Tournament) -> None:
    keeps_to_the_document(case, in_play)


@pytest.mark.slow
@schema.parametrize()
@pytest.mark.usefixtures("one_connection", "no_throttle")
@settings(
    max_examples=20, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck)
)
def test_every_address_keeps_to_the_document_with_more_examples(
    case: schemathesis.Case, in_play: Tournament
) -> None:
    keeps_to_the_document(case, in_play)


def keeps_to_the_document(case: schemathesis.Case, in_play: Tournament) -> None:
    """Ask for the tournament that is there, and compare the answer with the document."""
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = in_play.slug
    # A position may follow the document and still contradict itself: that is a 400, not a fault.
    excluded = [positive_data_acceptance] if case.path.startswith("/api/v1/engine/") else []
    case.call_and_validate(excluded_checks=excluded, headers={"Accept-Encoding": "identity"})


@schema.include(path_regex=r"\{slug\}").parametrize()
@pytest.mark.usefixtures("one_connection", "no_throttle", "in_play")
@settings(
    max_examples=1, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck)
)
def test_every_address_of_an_unknown_tournament_keeps_to_the_document(
    case: schemathesis.Case,
) -> None:
    """One example each, and none of the limits of every field,
    because nearly all are the same answer 404.
    """
    case.call_and_validate()
