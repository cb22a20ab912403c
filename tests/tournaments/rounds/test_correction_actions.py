"""Corrections: the values that change, the values that stay, and the record [C.04.2/2026 4.3]."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rounds.corrections import Report, colours_correct, rating_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.snapshot import snapshot
from pairing.rules.corrections import CorrectionEffect
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from tests.tournaments.factories import (
    CUT_SHORT,
    NOW,
    boards,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_update
from tournaments.models import Correction, Decision, Game, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.standings import standings

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]

REASON = "White of board 1 showed the scoresheet"


def after(minutes: int) -> datetime:
    """Return *minutes* after everything else (all at ``NOW``)."""
    return NOW + timedelta(minutes=minutes)


def report(
    minutes: int = 5, chosen: CorrectionEffect | None = None, reason: str = REASON
) -> Report:
    return Report(reported_at=after(minutes), reason=reason, chosen=chosen)


def game_of(tournament: Tournament, number: int, board: int = 1) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=number, board=board)


def correct(
    game: Game, actor: User, *, result: str = "01", minutes: int = 5, **kwargs: object
) -> Correction:
    return result_correct(
        game_id=game.pk,
        result=result,
        report=report(minutes, **kwargs),
        actor=actor,
        now=after(minutes),  # type: ignore[arg-type]
    )


def points_by_tpn(tournament: Tournament, after_round: int) -> dict[int, int]:
    lines = standings(tournament_frame(tournament, runs=True), after_round=after_round).lines
    return {line.tpn: line.points for line in lines}


class TestInTime:
    def test_c04_2_4_3_1_the_right_result_counts_for_the_standings(self, timed, chief_arbiter):
        assert (points_by_tpn(timed, 1)[1], points_by_tpn(timed, 1)[5]) == (10, 0)
        made = correct(game_of(timed, 1), chief_arbiter)
        assert (made.effect, made.waiting, made.round_number) == ("next_round", False, 1)
        assert (points_by_tpn(timed, 1)[1], points_by_tpn(timed, 1)[5]) == (0, 10)

    def test_a_correction_from_a_stale_page_is_refused(self, timed, chief_arbiter):
        seen = game_of(timed, 1).version
        correct(game_of(timed, 1), chief_arbiter)
        assert game_of(timed, 1).version == seen + 1
        given = {
            "game_id": game_of(timed, 1).pk,
            "actor": chief_arbiter,
            "now": after(6),
            "report": report(),
        }
        with pytest.raises(Conflict):
            result_correct(result="==", seen_version=seen, **given)

    @pytest.mark.costly
    def test_c04_2_4_3_a_draft_made_from_the_wrong_result_is_out_of_date(
        self, timed, chief_arbiter
    ):
        draft = round_pair(round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=NOW)
        before = boards(timed, 2)
        correct(game_of(timed, 1), chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            round_publish(round_id=draft.pk, actor=chief_arbiter, now=after(6), cut_short=CUT_SHORT)
        assert refused.value.code == "draft.stale"
        round_pair(round_id=draft.pk, actor=chief_arbiter, now=after(6))
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=after(6), cut_short=CUT_SHORT)
        assert boards(timed, 2) != before

    def test_the_record_has_the_mistake_the_article_and_the_reason(self, timed, chief_arbiter):
        correct(game_of(timed, 1), chief_arbiter)
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert (row.action, row.article, row.round_number, row.reason, row.actor) == (
            "result.corrected", "C.04.2 4.3.1", 1, REASON, chief_arbiter,
        )  # fmt: skip
        assert row.before == {"board": 1, "result": "10"}
        assert row.after == {
            "board": 1,
            "result": "01",
            "reported": after(5).isoformat(),
            "entered": after(5).isoformat(),
            "backdated": False,
            "moment": "in_time",
            "effect": "next_round",
            "chosen": False,
            "waiting": False,
        }

    def test_c04_2_4_3_2_colours_are_corrected_and_points_stay(self, timed, chief_arbiter):
        game = game_of(timed, 1)
        assert boards(timed, 1)[0] == (1, 5, "10")
        colours_correct(game_id=game.pk, report=report(), actor=chief_arbiter, now=after(5))
        assert boards(timed, 1)[0] == (5, 1, "01")
        assert points_by_tpn(timed, 1)[1] == 10
        state, _ = snapshot(timed, 2)
        record = state.by_tpn()[1].rounds[0]  # type: ignore[index]
        assert (record.opponent, record.colour.letter) == (5, "b")

    def test_c04_2_4_3_2_colours_can_be_corrected_while_the_round_is_played(
        self, published_round, chief_arbiter
    ):
        tournament = published_round.tournament
        game = game_of(tournament, 1)
        made = colours_correct(game_id=game.pk, report=report(), actor=chief_arbiter, now=after(5))
        assert made.effect == "next_round"
        assert boards(tournament, 1)[0] == (5, 1, "")
        # The line is public with the round, so it must not show a result.
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert set(row.before) == {"board", "white", "black"}

    def test_c04_2_4_3_3_a_corrected_rating_orders_the_player_and_no_number_changes(
        self, timed, chief_arbiter
    ):
        entry = entry_of(timed, 8)
        rating_correct(
            entry_id=entry.pk,
            ratings={"fide_rating": 2500},
            report=report(),
            actor=chief_arbiter,
            now=after(5),
        )
        entry.refresh_from_db()
        assert (entry.fide_rating, entry.rating, entry.rating_source, entry.tpn) == (
            2500,
            2500,
            "fide",
            8,
        )

    def test_c04_2_4_3_3_the_ordinary_form_no_longer_changes_a_rating(self, timed, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            entry_update(
                entry_id=entry_of(timed, 8).pk, actor=chief_arbiter, now=NOW, fide_rating=2500
            )
        assert (refused.value.code, refused.value.article) == (
            "rating.results_published",
            "C.04.2 4.3.3",
        )
        assert entry_of(timed, 8).fide_rating == 2330

    def test_c04_2_4_3_3_before_the_first_results_a_rating_is_changed_like_any_field(
        self, ready, chief_arbiter
    ):
        entry_update(entry_id=entry_of(ready, 8).pk, actor=chief_arbiter, now=NOW, fide_rating=2500)
        assert entry_of(ready, 8).fide_rating == 2500


class TestLater:
    @pytest.mark.costly
    def test_c04_2_4_3_after_the_pairing_it_counts_for_the_one_to_be_done(
        self, timed, chief_arbiter
    ):
        pair_and_publish(timed, 2, chief_arbiter)
        published = boards(timed, 2)
        made = correct(game_of(timed, 1), chief_arbiter)
        assert (made.effect, made.waiting) == ("next_pairing", False)
        assert (boards(timed, 2), game_of(timed, 1).result) == (published, "01")
        enter_results(timed, 2, chief_arbiter)
        results_publish(round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=after(6))
        state, _ = snapshot(timed, 3)
        assert state.by_tpn()[1].rounds[0].result.value == "0"  # type: ignore[index]

    @pytest.mark.costly
    def test_c04_2_4_3_after_the_next_round_it_is_for_the_rating_report_only(
        self, timed, chief_arbiter
    ):
        play_rounds(timed, [2], chief_arbiter)
        points = points_by_tpn(timed, 2)
        version = timed.pairing_version
        made = correct(game_of(timed, 1), chief_arbiter)
        assert (made.effect, made.waiting) == ("rating_only", False)
        assert (made.before, made.after) == ({"result": "10"}, {"result": "01"})
        timed.refresh_from_db()
        assert (points_by_tpn(timed, 2), game_of(timed, 1).result, timed.pairing_version) == (
            points,
            "10",
            version,
        )

    @pytest.mark.costly
    def test_c04_2_4_3_late_colours_do_not_change_the_history_for_the_engine(
        self, timed, chief_arbiter
    ):
        play_rounds(timed, [2], chief_arbiter)
        before = list(own(Seat).order_by("pk").values())
        colours_correct(
            game_id=game_of(timed, 1).pk, report=report(), actor=chief_arbiter, now=after(5)
        )
        assert list(own(Seat).order_by("pk").values()) == before

    @pytest.mark.costly
    def test_c04_2_4_3_3_after_the_last_round_a_rating_is_for_the_report_if_the_chief_arbiter_says_so(
        self, chief_arbiter
    ):
        tournament = make_ready(chief_arbiter, rounds=1, correction_minutes=10)
        play_rounds(tournament, [1], chief_arbiter)
        entry = entry_of(tournament, 8)
        rating_correct(
            entry_id=entry.pk,
            ratings={"fide_rating": 2500},
            report=report(11, CorrectionEffect.RATING_ONLY),
            actor=chief_arbiter,
            now=after(11),
        )
        entry.refresh_from_db()
        assert (entry.fide_rating, entry.rating) == (2330, 2330)


class TestNothingHalf:
    @pytest.mark.parametrize(
        "change, code",
        [
            ({"result": "10"}, "correction.nothing_wrong"),
            ({"result": ""}, "result.unknown"),
            ({"result": "??"}, "result.unknown"),
            ({"reason": "ok."}, "correction.reason_missing"),
        ],
    )
    def test_invalid_values_are_refused_and_nothing_is_recorded(
        self, timed, chief_arbiter, change, code
    ):
        rows = own(Decision).count()
        with pytest.raises(BadInput) as refused:
            correct(game_of(timed, 1), chief_arbiter, **change)
        assert refused.value.code == code
        assert (own(Decision).count(), own(Correction).count(), game_of(timed, 1).result) == (
            rows,
            0,
            "10",
        )

    def test_a_report_in_the_future_is_refused(self, timed, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            result_correct(
                game_id=game_of(timed, 1).pk,
                result="01",
                report=report(6),
                actor=chief_arbiter,
                now=after(5),
            )
        assert refused.value.code == "correction.from_the_future"

    def test_another_result_in_the_meantime_is_a_conflict(self, timed, chief_arbiter):
        game = game_of(timed, 1)
        with pytest.raises(Conflict):
            result_correct(
                game_id=game.pk,
                result="01",
                report=report(),
                actor=chief_arbiter,
                now=after(5),
                seen_version=7,
            )

    def test_a_result_that_is_not_published_is_entered_and_not_corrected(
        self, published_round, chief_arbiter
    ):
        game = game_of(published_round.tournament, 1)
        with pytest.raises(RuleRefused) as refused:
            correct(game, chief_arbiter)
        assert (refused.value.code, refused.value.article) == (
            "correction.enter_the_result",
            "C.04.2 4.2",
        )

    def test_strangers_correct_nothing(self, timed, stranger):
        with pytest.raises(PermissionDenied):
            correct(game_of(timed, 1), stranger)


class TestDeadline:
    def test_c04_2_4_3_the_deadline_runs_from_the_publication_to_the_next_pairing(
        self, timed, chief_arbiter
    ):
        assert timed.corrections_until == after(30)
        pair_and_publish(timed, 2, chief_arbiter)
        timed.refresh_from_db()
        assert timed.corrections_until is None

    def test_c04_2_4_3_the_deadline_is_fixed_before_round_1(self, timed, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            tournament_update(
                tournament_id=timed.pk, actor=chief_arbiter, now=NOW, correction_minutes=60
            )
        assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 4.3")

    def test_the_handling_rules_follow_the_pairing_system(self, tournament):
        assert (tournament.system, tournament.handling_edition) == ("dutch_2026", "c04_2_2026")


@pytest.mark.costly
def test_c04_2_3_1_the_end_of_an_adjourned_game_is_not_a_correction(timed, chief_arbiter):
    pair_and_publish(timed, 2, chief_arbiter)
    enter_results(timed, 2, chief_arbiter, lambda board, white, black: "??" if board == 1 else "==")
    results_publish(round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=NOW)
    game = game_of(timed, 2)
    with pytest.raises(RuleRefused) as refused:
        correct(game, chief_arbiter)
    assert refused.value.article == "C.04.2 3.1"
    result_record(game_id=game.pk, result="01", actor=chief_arbiter, now=after(5), confirmed=True)
    assert game_of(timed, 2).result == "01"


@pytest.mark.costly
def test_c04_2_4_3_the_report_lists_every_correction(timed, chief_arbiter):
    correct(game_of(timed, 1), chief_arbiter)
    colours_correct(
        game_id=game_of(timed, 1, 2).pk, report=report(), actor=chief_arbiter, now=after(5)
    )
    play_rounds(timed, [2], chief_arbiter)
    correct(game_of(timed, 1, 3), chief_arbiter)
    text = trf_export(timed, public=True)
    assert [line for line in text.splitlines() if line.startswith("### Correction")] == [
        "### Correction @ Round 1: board 1, result 10 -> 01, C.04.2 4.3.1, standings and next pairing",
        "### Correction @ Round 1: board 2, colours reversed, C.04.2 4.3.2, standings and next pairing",
        "### Correction @ Round 1: board 3, result 10 -> 01, C.04.2 4.3.1, rating report only",
    ]
    # The results are those of the standings.
    assert state_before_round(read(text), 3).players == snapshot(timed, 3)[0].players


def test_a_correction_of_something_else_than_a_rating_is_refused(
    timed: Tournament, chief_arbiter: User
) -> None:
    lines = own(Decision).count()
    with pytest.raises(BadInput) as bad:
        rating_correct(
            entry_id=entry_of(timed, 1).pk,
            ratings={"fide_rating": 2500, "name": 1},
            report=report(),
            actor=chief_arbiter,
            now=after(5),
        )
    assert (bad.value.code, bad.value.params["name"]) == ("field.unknown", "name")
    assert (own(Decision).count(), entry_of(timed, 1).fide_rating) == (lines, 2400)


@pytest.mark.costly
def test_c04_2_4_3_2_colours_corrected_twice_while_they_wait_stay_as_they_are(
    timed: Tournament, chief_arbiter: User
) -> None:
    round_pair(round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=NOW)
    game = game_of(timed, 1)
    before = boards(timed, 1)
    for minutes in (40, 41):
        given = report(minutes, CorrectionEffect.NEXT_PAIRING)
        made = colours_correct(
            game_id=game.pk, report=given, actor=chief_arbiter, now=after(minutes)
        )
    assert [row.pk for row in own(Correction).filter(waiting=True)] == [made.pk]
    round_publish(round_id=round_of(timed, 2).pk, actor=chief_arbiter, now=after(42))
    assert not own(Correction).filter(waiting=True).exists()
    assert boards(timed, 1) == before
