"""Late entries: their number, their first round, and until when they come."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.tournaments.entries.test_entry_actions import numbered
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core.errors import RuleRefused
from tournaments.entries.entries import (
    entry_add,
    entry_update,
)
from tournaments.models import Decision

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]


class TestLateEntry:
    def test_c04_2_2_4_a_late_entry_gets_its_number_is_paired_on_arrival_and_has_no_points_before(
        self, ready, chief_arbiter
    ):
        play_rounds(ready, [1], chief_arbiter)
        late = entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lena",
            fide_rating=2375,
            checked_in=True,
        )
        assert (late.tpn, late.first_round) == (4, 2)
        assert [tpn for tpn, _ in numbered(ready)] == list(range(1, 10))
        pair_and_publish(ready, 2, chief_arbiter)
        # Players 1, 2, 3 and 5 (4 before) have won; the late entry has no points and plays one of
        # the losers.
        assert boards(ready, 2) == [(5, 1, ""), (2, 3, ""), (4, 7, ""), (6, 9, "")]
        assert byes(ready, 2) == {8: "U"}

    def test_c04_2_2_4_opponents_follow_the_player_when_numbers_move(self, ready, chief_arbiter):
        play_rounds(ready, [1], chief_arbiter)
        names = {tpn: entry_of(ready, tpn).name for tpn in range(1, 9)}
        played = [(names[white], names[black], result) for white, black, result in boards(ready, 1)]
        entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lena",
            fide_rating=2999,
        )
        assert [
            (entry_of(ready, white).name, entry_of(ready, black).name, result)
            for white, black, result in boards(ready, 1)
        ] == played

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_saves_only_the_numbers_that_move(self, ready, chief_arbiter):
        """Otherwise one late entry costs as much as the list is long."""
        play_rounds(ready, [1], chief_arbiter)
        for name, rating, moved in (("Last, Lou", 1, 1), ("Early, Eve", 2375, 7)):
            with CaptureQueriesContext(connection) as queries:
                entry_add(
                    tournament_id=ready.pk,
                    actor=chief_arbiter,
                    now=NOW,
                    name=name,
                    fide_rating=rating,
                )
            (numbers,) = [query["sql"] for query in queries if 'SET "tpn" = %s' in query["sql"]]
            assert numbers.partition(" times")[0] == str(moved)
        assert [tpn for tpn, _ in numbered(ready)] == list(range(1, 11))

    @pytest.mark.costly
    def test_a_late_entry_may_name_its_first_round(self, ready, published_round, chief_arbiter):
        late = entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lena",
            first_round=3,
            checked_in=True,
        )
        assert late.first_round == 3
        enter_results(ready, 1, chief_arbiter)
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
        pair_and_publish(ready, 2, chief_arbiter)
        assert byes(ready, 2) == {9: "Z"}

    def test_c04_2_2_4_no_late_entry_into_a_round_with_published_pairings(
        self, ready, published_round, chief_arbiter
    ):
        with pytest.raises(RuleRefused) as refused:
            entry_add(
                tournament_id=ready.pk,
                actor=chief_arbiter,
                now=NOW,
                name="Late, Lena",
                first_round=1,
            )
        assert (refused.value.code, refused.value.article) == (
            "entry.round_published",
            "C.04.2 2.4",
        )

    @pytest.mark.costly
    @pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017", "dutch_pre2017"])
    def test_c04_2_2_4_a_player_with_a_game_cannot_become_a_late_entry(
        self, system, chief_arbiter, deputy
    ):
        """Nor does the player get byes with points for the rounds between,
        beyond the regulations.
        """
        tournament, neighbour = (
            make_ready(chief_arbiter, system=system, late_entry_bye="H", max_byes=0, name=name)
            for name in ("one", "beside")
        )
        play_rounds(tournament, [1], chief_arbiter)
        entry, rows = entry_of(tournament, 5), Decision.objects.count()
        for actor in (deputy, chief_arbiter):
            with pytest.raises(RuleRefused) as refused:
                entry_update(entry_id=entry.pk, actor=actor, now=NOW, first_round=3)
            assert refused.value.code == "entry.takes_part"
        assert (entry_of(tournament, 5).first_round, Decision.objects.count()) == (1, rows)
        entry_update(entry_id=entry_of(neighbour, 5).pk, actor=deputy, now=NOW, first_round=3)

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "system, admitted", [("dutch_2026", True), ("dutch_2017", False), ("dutch_pre2017", True)]
    )
    def test_c04_2_2017_b_3_c_2_no_late_entry_comes_once_round_4_is_paired(
        self, system, admitted, chief_arbiter
    ):
        tournament = make_ready(chief_arbiter, system=system)
        given = {
            "tournament_id": tournament.pk,
            "actor": chief_arbiter,
            "now": NOW,
            "fide_rating": 2999,
            "checked_in": True,
        }
        play_rounds(tournament, [1, 2], chief_arbiter)
        assert entry_add(**given, name="Third, Theo").first_round == 3
        play_rounds(tournament, [3], chief_arbiter)
        round_pair(round_id=round_of(tournament, 4).pk, actor=chief_arbiter, now=NOW)
        if admitted:
            # 2.3 forbids to move numbers for corrected data only; an appropriate number is that of
            # the rating [2.4].
            assert entry_add(**given, name="Fourth, Fay").tpn == 1
            return
        with pytest.raises(RuleRefused) as refused:
            entry_add(**given, name="Fourth, Fay")
        assert (refused.value.code, refused.value.article) == (
            "entry.too_late_in_edition",
            "C.04.2 C.2",
        )
        assert entry_of(tournament, 1).name == "Third, Theo"

    def test_c04_2_2_4_the_first_round_is_not_changed_to_a_published_one(
        self, ready, published_round, chief_arbiter
    ):
        late = entry_add(
            tournament_id=ready.pk, actor=chief_arbiter, now=NOW, name="Late, Lena", first_round=3
        )
        with pytest.raises(RuleRefused) as refused:
            entry_update(entry_id=late.pk, actor=chief_arbiter, now=NOW, first_round=1)
        assert (refused.value.code, refused.value.article) == (
            "entry.round_published",
            "C.04.2 2.4",
        )
        late.refresh_from_db()
        assert late.first_round == 3

    def test_an_entry_added_while_round_1_is_a_draft_can_still_play_it(
        self, ready, draft_round, chief_arbiter
    ):
        late = entry_add(
            tournament_id=ready.pk, actor=chief_arbiter, now=NOW, name="Late, Lena", fide_rating=1
        )
        assert (late.tpn, late.first_round) == (9, 1)
        round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert byes(ready, 1) == {9: "U"}
