"""Corrections that are reported after the deadline [C.04.2/2026 4.3]."""

from __future__ import annotations

import pytest

from pairing.rounds.corrections import colours_correct, rating_correct, result_correct
from pairing.rules.corrections import CorrectionEffect
from tests.tournaments.factories import boards, entry_of, pair_and_publish
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_correction_actions import (
    after,
    correct,
    game_of,
    points_by_tpn,
    report,
)
from tournaments.core.errors import RuleRefused
from tournaments.models import Correction, Decision

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


class TestAfterTheDeadline:
    """After the deadline, before the next pairing."""

    def test_c04_2_4_3_the_chief_arbiter_has_to_choose(self, timed, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            correct(game_of(timed, 1), chief_arbiter, minutes=31)
        assert (refused.value.code, refused.value.article) == (
            "correction.choice_needed",
            "C.04.2 4.3.1",
        )
        assert (own(Correction).count(), game_of(timed, 1).result) == (0, "10")

    def test_c04_2_4_3_the_chief_arbiter_may_choose_the_next_round(self, timed, chief_arbiter):
        correct(game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_ROUND)
        assert game_of(timed, 1).result == "01"

    @pytest.mark.costly
    def test_c04_2_4_3_the_chief_arbiter_may_choose_the_round_after_the_next_pairing(
        self, timed, chief_arbiter
    ):
        made = correct(
            game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING
        )
        assert (made.waiting, game_of(timed, 1).result) == (True, "10")
        pair_and_publish(timed, 2, chief_arbiter)
        made.refresh_from_db()
        assert (made.waiting, game_of(timed, 1).result) == (False, "01")
        # Players 1 and 5 were paired with their points from before: 1 with the winners.
        meetings = {frozenset((white, black)) for white, black, _ in boards(timed, 2)}
        assert meetings == {frozenset(pair) for pair in ((1, 4), (2, 3), (5, 8), (6, 7))}
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert (row.action, row.article, row.after) == (
            "correction.applied", "C.04.2 4.3.1", {"board": 1, "result": "01"},
        )  # fmt: skip

    @pytest.mark.costly
    def test_c04_2_4_3_2_waiting_colours_are_corrected_with_the_next_publication(
        self, timed, chief_arbiter
    ):
        game = game_of(timed, 1)
        made = colours_correct(
            game_id=game.pk,
            report=report(31, CorrectionEffect.NEXT_PAIRING),
            actor=chief_arbiter,
            now=after(31),
        )
        white, black = entry_of(timed, 1).pk, entry_of(timed, 5).pk
        assert (made.waiting, boards(timed, 1)[0]) == (True, (1, 5, "10"))
        pair_and_publish(timed, 2, chief_arbiter)
        assert boards(timed, 1)[0] == (5, 1, "01")
        made.refresh_from_db()
        row = Decision.objects.filter(tournament=timed).latest("sequence")
        assert (made.waiting, row.action, row.article) == (
            False,
            "correction.applied",
            "C.04.2 4.3.2",
        )
        assert row.before == {"board": 1, "white": white, "black": black}
        assert row.after == {"board": 1, "white": black, "black": white}

    @pytest.mark.costly
    def test_c04_2_4_3_a_correction_is_not_applied_twice(self, timed, chief_arbiter):
        correct(game_of(timed, 1), chief_arbiter, result="==")
        correct(game_of(timed, 1), chief_arbiter, result="01", minutes=6)
        pair_and_publish(timed, 2, chief_arbiter)
        assert game_of(timed, 1).result == "01"
        assert not Decision.objects.filter(tournament=timed, action="correction.applied").exists()

    @pytest.mark.costly
    def test_c04_2_4_3_1_a_newer_correction_replaces_the_waiting_one(self, timed, chief_arbiter):
        correct(game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING)
        later = correct(
            game_of(timed, 1),
            chief_arbiter,
            result="==",
            minutes=32,
            chosen=CorrectionEffect.NEXT_PAIRING,
        )
        assert (later.before, own(Correction).get()) == ({"result": "01"}, later)
        pair_and_publish(timed, 2, chief_arbiter)
        assert game_of(timed, 1).result == "=="

    @pytest.mark.costly
    def test_c04_2_4_3_1_an_applied_correction_is_not_overwritten_by_a_waiting_one(
        self, timed, chief_arbiter
    ):
        correct(game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING)
        in_time = report(5)
        given = {
            "game_id": game_of(timed, 1).pk,
            "actor": chief_arbiter,
            "now": after(40),
            "report": in_time,
        }
        result_correct(result="==", **given)
        pair_and_publish(timed, 2, chief_arbiter)
        assert game_of(timed, 1).result == "=="

    @pytest.mark.costly
    def test_c04_2_4_3_1_a_waiting_correction_can_be_withdrawn(self, timed, chief_arbiter):
        correct(game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING)
        correct(
            game_of(timed, 1),
            chief_arbiter,
            result="10",
            minutes=32,
            chosen=CorrectionEffect.NEXT_PAIRING,
        )
        pair_and_publish(timed, 2, chief_arbiter)
        assert game_of(timed, 1).result == "10"

    @pytest.mark.costly
    def test_c04_2_4_3_2_a_waiting_result_is_reversed_with_the_colours(self, timed, chief_arbiter):
        """Player 5 won, with Black against 1; then it turns out that 5 had White."""
        correct(game_of(timed, 1), chief_arbiter, minutes=31, chosen=CorrectionEffect.NEXT_PAIRING)
        colours_correct(
            game_id=game_of(timed, 1).pk, report=report(5), actor=chief_arbiter, now=after(40)
        )
        assert boards(timed, 1)[0] == (5, 1, "01")
        pair_and_publish(timed, 2, chief_arbiter)
        assert boards(timed, 1)[0] == (5, 1, "10")
        assert points_by_tpn(timed, 1)[5] == 10

    @pytest.mark.costly
    def test_c04_2_4_3_3_of_two_ratings_the_other_still_waits(self, timed, chief_arbiter):
        given = {"entry_id": entry_of(timed, 3).pk, "actor": chief_arbiter, "now": after(40)}
        late = report(31, CorrectionEffect.NEXT_PAIRING)
        rating_correct(ratings={"fide_rating": 2100, "national_rating": 2000}, report=late, **given)
        rating_correct(ratings={"fide_rating": 2200}, report=report(5), **given)
        third = entry_of(timed, 3)
        assert (third.fide_rating, third.national_rating) == (2200, None)
        pair_and_publish(timed, 2, chief_arbiter)
        third.refresh_from_db()
        assert (third.fide_rating, third.national_rating) == (2200, 2000)

    def test_c04_2_4_3_a_deputy_does_not_choose_the_effect(self, timed, deputy):
        with pytest.raises(RuleRefused) as refused:
            correct(game_of(timed, 1), deputy, minutes=31, chosen=CorrectionEffect.NEXT_ROUND)
        assert refused.value.code == "correction.chief_arbiter_decides"
        assert game_of(timed, 1).result == "10"

    @pytest.mark.costly
    def test_a_deputy_corrects_where_the_rules_decide(self, timed, deputy):
        correct(game_of(timed, 1), deputy)
        assert game_of(timed, 1).result == "01"

    def test_c04_2_4_3_nobody_chooses_where_the_rules_decide(self, timed, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            correct(
                game_of(timed, 1), chief_arbiter, minutes=5, chosen=CorrectionEffect.RATING_ONLY
            )
        assert refused.value.code == "correction.not_open"
