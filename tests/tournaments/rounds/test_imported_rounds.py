"""A round of an imported file was paired elsewhere: the record does not say how."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.against_engine import differs_from_engine
from pairing.rounds.change_page import change_page
from pairing.rounds.snapshot import skipped
from pairing.rules.rounds import RoundState
from tests.tournaments.factories import (
    NOW,
    boards,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db


@pytest.fixture
def here(chief_arbiter: User) -> Tournament:
    """Eight players; round 1 is played, round 2 published."""
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    return tournament


def test_an_imported_round_is_compared_with_no_pairing_of_the_engine(
    here: Tournament, chief_arbiter: User
) -> None:
    report = trf_export(here, public=False)
    elsewhere = tournament_import_trf(actor=chief_arbiter, now=NOW, data=report.encode())
    assert round_of(elsewhere, 2).state == RoundState.PAIRINGS_PUBLISHED
    for tournament, differences in ((here, ()), (elsewhere, None)):
        page = change_page(tournament, round_of(tournament, 2), at=NOW)
        assert differs_from_engine(tournament, page, page.facts.now) == differences
        assert skipped(tournament, 2) == frozenset()


def test_the_players_of_an_imported_round_are_not_swapped(
    here: Tournament, chief_arbiter: User, client: Client
) -> None:
    elsewhere = tournament_import_trf(
        actor=chief_arbiter, now=NOW, data=trf_export(here, public=False).encode()
    )
    client.force_login(chief_arbiter)
    before = boards(elsewhere, 2)
    form = {"m": "c1", "version": elsewhere.version, "reason": "they agree"}
    answer = client.post(reverse("round-swap", args=[elsewhere.slug, 2]), form)
    assert (answer.status_code, boards(elsewhere, 2)) == (409, before)
