"""Arranging a draft by hand [C.04.3/2026 1.9.3]."""

from __future__ import annotations

import pytest
from django.db import transaction

from pairing.rounds.arrange import round_arrange
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import round_publish
from tests.tournaments.factories import NOW, boards, make_ready, play_rounds, round_of
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_change_actions import WHY, odd, pairings
from tournaments.core.errors import RuleRefused
from tournaments.models import Decision
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.on_postgres("constraints")

__all__ = ["odd"]


class TestDraft:
    def test_c04_3_1_9_3_a_draft_is_arranged_by_hand_in_publication_order(
        self, ready, chief_arbiter
    ):
        draft = round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        assert boards(ready, 1) == [(1, 5, ""), (6, 2, ""), (3, 7, ""), (8, 4, "")]
        round_arrange(
            round_id=draft.pk,
            pairings=pairings(ready, "7-3 8-4 5-2 1-6"),
            reason="they share a lift home",
            actor=chief_arbiter,
            now=NOW,
        )
        assert boards(ready, 1) == [(1, 6, ""), (5, 2, ""), (7, 3, ""), (8, 4, "")]
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert (row.action, row.article, row.reason) == (
            "round.arranged",
            "C.04.3 1.9.3",
            "they share a lift home",
        )
        assert set(row.after["boards"]) == {"1", "2", "3"}
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)

    @pytest.mark.costly
    def test_c04_3_1_9_3_the_report_names_arranged_pairings_and_no_earlier_draft(
        self, ready, chief_arbiter
    ):
        """Arranged, discarded and paired again; arranged and restored;
        arranged twice and published.
        """

        def arranged(pairs):
            round_arrange(
                round_id=round_of(ready, 1).pk,
                pairings=pairings(ready, pairs),
                reason=WHY,
                actor=chief_arbiter,
                now=NOW,
            )

        def by_hand():
            return [line for line in trf_export(ready, public=True).splitlines() if "MPA @" in line]

        round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        engine = " ".join(f"{white}-{black}" for white, black, _ in boards(ready, 1))
        arranged("7-3 8-4 5-2 1-6")
        round_unpair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        draft = round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        with transaction.atomic():
            round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
            assert by_hand() == []
            transaction.set_rollback(True)
        arranged("7-3 8-4 5-2 1-6")
        arranged(engine)
        with transaction.atomic():
            round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
            assert by_hand() == []
            transaction.set_rollback(True)
        arranged("7-3 8-4 5-2 1-6")
        arranged("1-5 6-2 7-3 8-4")
        assert by_hand() == []
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
        assert by_hand() == ["### MPA @ Round 1: boards 3, C.04.3 1.9.3"]

    def test_c04_1_2_broken_rules_are_kept_in_the_record(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=4)
        play_rounds(tournament, [1], chief_arbiter)
        draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
        (white, black, _), (other, last, _) = boards(tournament, 1)
        round_arrange(
            round_id=draft.pk,
            pairings=pairings(tournament, f"{black}-{white} {last}-{other}"),
            reason="nothing else is left",
            actor=chief_arbiter,
            now=NOW,
        )
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert [(caution["code"], caution["article"]) for caution in row.after["cautions"]] == [
            ("met_before", "C.04.1 2"),
            ("met_before", "C.04.1 2"),
        ]

    def test_c04_2_4_4_a_published_round_is_not_arranged(self, odd, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            round_arrange(
                round_id=round_of(odd, 1).pk,
                pairings=pairings(odd, "1-2 5-4 3-6", U="7"),
                reason=WHY,
                actor=chief_arbiter,
                now=NOW,
            )
        assert (refused.value.code, refused.value.article) == (
            "round.already_published",
            "C.04.2 4.4",
        )
