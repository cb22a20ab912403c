"""A tournament with everything that a TRF file can tell of three rounds."""

import pytest

from tests.tournaments.factories import (
    NOW,
    cached,
    entry_of,
    make_ready,
    play_rounds,
)
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.models import Tournament


@pytest.fixture
@cached
def eventful(chief_arbiter) -> Tournament:
    """Nine players and a late entry, byes, a withdrawal, a forfeit, an adjournment:
    three rounds played.
    """
    tournament = make_ready(
        chief_arbiter, players=9, rounds=5, colour="b", city="Lyon", chief_arbiter="Clara Chief"
    )
    bye_request(
        entry_id=entry_of(tournament, 3).pk, actor=chief_arbiter, now=NOW, round_number=1, kind="H"
    )
    play_rounds(tournament, [1], chief_arbiter)
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lena",
        fide_rating=2345,
        checked_in=True,
    )
    play_rounds(
        tournament,
        [2],
        chief_arbiter,
        lambda board, white, black: ["+-", "=0", "01", "=="][(board - 1) % 4],
    )
    entry_withdraw(entry_id=entry_of(tournament, 9).pk, actor=chief_arbiter, now=NOW)
    play_rounds(
        tournament, [3], chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
    )
    return tournament
