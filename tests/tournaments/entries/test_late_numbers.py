"""A late entry gets the number of its rating in every round;
pairings, record and report agree [C.04.2/2026 2.4].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.examples import first
from tests.tournaments.agreement import require_agreement, require_import, require_recheck
from tests.tournaments.contents import tables
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.replay import Replay
from tournaments.core.errors import RuleRefused
from tournaments.entries.entries import entry_add, numbers_assign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("state", first(["over", "draft", "published"], 1, pytest.mark.costly))
@pytest.mark.parametrize("system", first(["dutch_2026", "dutch_pre2017"], 1, pytest.mark.costly))
def test_c04_2_2_4_a_late_entry_after_round_4_gets_the_number_of_its_rating(
    chief_arbiter: User, system: str, state: str
) -> None:
    tournament = make_ready(chief_arbiter, players=9, rounds=7, system=system)
    play_rounds(tournament, [1, 2, 3, 4], chief_arbiter)
    if state == "draft":
        round_pair(round_id=round_of(tournament, 5).pk, actor=chief_arbiter, now=NOW)
    if state == "published":
        pair_and_publish(tournament, 5, chief_arbiter)
    before = list(tournament.entries.order_by("tpn").values_list("pk", flat=True))
    given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW, "checked_in": True}
    third = entry_add(**given, name="Late, Lara", fide_rating=2385)  # type: ignore[arg-type]
    last = entry_add(**given, name="Later, Lou")  # type: ignore[arg-type]
    third.refresh_from_db()
    assert (third.tpn, last.tpn) == (3, 11)
    others = tournament.entries.exclude(pk__in=(third.pk, last.pk)).order_by("tpn")
    assert list(others.values_list("pk", flat=True)) == before
    with pytest.raises(RuleRefused) as refused:  # Corrected data still move nobody.
        numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "numbers.frozen"
    following = 6 if state == "published" else 5
    if state == "published":
        enter_results(tournament, 5, chief_arbiter)
        results_publish(round_id=round_of(tournament, 5).pk, actor=chief_arbiter, now=NOW)
    else:
        play_rounds(tournament, [5], chief_arbiter)
    play_rounds(tournament, [6], chief_arbiter)
    tournament.refresh_from_db()
    require_agreement(tournament, Replay(), tables(tournament))
    require_recheck(tournament)
    require_import(tournament, chief_arbiter, NOW)
    assert entry_of(tournament, 3).first_round == following
