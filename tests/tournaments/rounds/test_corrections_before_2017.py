"""What follows from corrections for a published round under the older rules [C.04.3/pre2017 F7]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from pairing.engine.systems import pair
from pairing.rounds.arrange import Pairings
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.change_page import change_page, changeable
from pairing.rounds.corrections import Report, colours_correct, result_correct
from pairing.rounds.publish import round_publish
from pairing.rounds.snapshot import snapshot
from pairing.rounds.without_corrections import without_corrections
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.models import Entry, Game, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def old(chief_arbiter: User) -> Tournament:
    """Ten players; round 1 is played, round 2 published."""
    tournament = make_ready(chief_arbiter, players=10, system="dutch_pre2017")
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    return tournament


def engine_pairs(tournament: Tournament) -> list[tuple[Entry, Entry]]:
    """Return round 2 as the engine pairs it from the present data."""
    state, entries = snapshot(tournament, 2)
    return [(entries[white], entries[black]) for white, black in pair(state).pairs]


def test_c04_3_pre2017_f7_corrected_colours_change_the_pairing(
    old: Tournament, chief_arbiter: User
) -> None:
    published = engine_pairs(old)
    for board in (1, 2, 3):
        game = Game.objects.get(round=round_of(old, 1), board=board)
        report = Report(reported_at=NOW, reason="both say so")
        colours_correct(game_id=game.pk, report=report, actor=chief_arbiter, now=NOW)
    assert engine_pairs(old) != published
    assert changeable(old, round_of(old, 2), at=NOW)[0].follows is not None
    row = round_of(old, 2)
    without, entries = without_corrections(old, row, *snapshot(old, 2))
    assert [(entries[white], entries[black]) for white, black in pair(without).pairs] == published


@pytest.mark.costly
def test_c04_3_pre2017_f7_nothing_follows_where_no_legal_pairing_is_left(
    chief_arbiter: User,
) -> None:
    """Four players have all met, and their round 4 was paired by hand."""
    tournament = make_ready(chief_arbiter, players=4, system="dutch_pre2017")
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    row = round_of(tournament, 4)
    one, two, three, four = (entry_of(tournament, tpn).pk for tpn in (1, 2, 3, 4))
    seats = Pairings({1: (one, two), 2: (three, four)}, {})
    round_pair_by_hand(
        round_id=row.pk, pairings=seats, reason="all have met", actor=chief_arbiter, now=NOW
    )
    round_publish(round_id=row.pk, actor=chief_arbiter, now=NOW)
    game = Game.objects.filter(round=round_of(tournament, 3), result="10")[0]
    report = Report(reported_at=NOW, reason="both say so")
    result_correct(game_id=game.pk, result="==", report=report, actor=chief_arbiter, now=NOW)
    page = change_page(tournament, round_of(tournament, 4), at=NOW)
    assert (page.facts.corrected, page.facts.follows) == (True, None)
    assert not any(each.holds for each in page.situations if each.situation is Situation.CORRECTION)
