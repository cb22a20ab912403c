"""C.04.2 4.2 and 4.3: results as published, and corrections by the time of the report."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.corrections import Report, colours_correct, rating_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.corrections import CorrectionEffect
from tests.policy.refusals import NOT_THEIRS, conflict, page_refuses, refused
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    get_or_make,
    make_ready,
    page_versions,
    play_rounds,
    round_of,
)
from tournaments.core.errors import BadInput
from tournaments.entries.entries import entry_update
from tournaments.models import Correction, Game, Round, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.standings.adjust_points import points_adjust

WHY: Final = "both players say so"


def by(actor: User, at: int = 0) -> dict[str, Any]:
    return {"actor": actor, "now": minute(at)}


def minute(at: int) -> datetime:
    return NOW + timedelta(minutes=at)


def board(tournament: Tournament, number: int, n: int = 1) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=number, board=n)


@pytest.fixture
def third(chief_arbiter: User) -> Tournament:
    """Rounds 1 and 2 are over, round 3 is public since minute 400; reports within 30 minutes."""

    def make() -> Tournament:
        tournament = make_ready(chief_arbiter, correction_minutes=30)
        for number in (1, 2, 3):
            begin, row = 200 * (number - 1), round_of(tournament, number)
            round_pair(round_id=row.pk, **by(chief_arbiter, begin))
            round_publish(round_id=row.pk, **by(chief_arbiter, begin))
            if number < 3:
                for game in row.games.all():
                    result_record(game_id=game.pk, result="10", **by(chief_arbiter, begin))
                results_publish(round_id=row.pk, **by(chief_arbiter, begin + 100))
        return tournament

    return get_or_make("round 3 since minute 400", chief_arbiter.pk, make)


class TestResults:
    @pytest.mark.costly
    def test_c04_2_4_2_results_are_not_published_unseen(
        self, published_round: Round, deputy: User, as_deputy: Client
    ) -> None:
        tournament = published_round.tournament
        url = reverse("results-publish", args=[tournament.slug, 1])
        row = {"round_id": published_round.pk, **by(deputy)}
        refused(lambda: results_publish(**row), "results.missing C.04.2 4.2")
        page_refuses(as_deputy, url, page_versions(tournament, 1), 409, "C.04.2 4.2")
        enter_results(tournament, 1, deputy)
        old = page_versions(tournament, 1)
        game = board(tournament, 1)
        result_record(game_id=game.pk, result="==", seen_version=game.version, **by(deputy))
        for stale in (old, {}, {"seen_version": ""}):
            page_refuses(as_deputy, url, stale, 409)
        conflict(lambda: results_publish(**row, **old), "round.changed_meanwhile")

    def test_c04_2_4_2_a_result_is_not_overwritten_unseen(
        self, published_round: Round, deputy: User, as_deputy: Client
    ) -> None:
        tournament = published_round.tournament
        game = board(tournament, 1)
        result_record(game_id=game.pk, result="10", **by(deputy))
        given: dict[str, Any] = {"game_id": game.pk, "result": "01", **by(deputy)}
        refused(lambda: result_record(**given, seen_version=0), "result.changed_meanwhile")
        url = reverse("game-result", args=[tournament.slug, game.pk])
        for stale in ({}, {"seen_version": "0"}, {"seen_version": "-1"}):
            response = as_deputy.post(url, {"result": "01", **stale})
            assert response.status_code in (409, 422)
        game.refresh_from_db()
        assert game.result == "10"

    @pytest.mark.costly
    def test_c04_2_4_2_a_draft_is_published_only_as_read(
        self, draft_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
    ) -> None:
        """A reads the draft; B discards it and pairs again; A publishes."""
        tournament = draft_round.tournament
        url = reverse("round-publish", args=[tournament.slug, 1])
        old = page_versions(tournament, 1)
        discard = reverse("round-discard", args=[tournament.slug, 1])
        assert as_deputy.post(discard, old).status_code == 302
        round_pair(round_id=draft_round.pk, **by(chief_arbiter))
        for stale in (old, {}, {"seen_version": "0"}):
            page_refuses(as_deputy, url, stale, 409)
        page_refuses(as_deputy, url, {"seen_version": "9" * 5000}, 422)

    def test_c04_2_4_3_published_results_are_not_entered_again(
        self, played_round: Round, deputy: User, as_deputy: Client
    ) -> None:
        tournament = played_round.tournament
        game = board(tournament, 1)
        given: dict[str, Any] = {"game_id": game.pk, "result": "01", **by(deputy)}
        refused(lambda: result_record(**given), "result.closed C.04.2 4.3")
        url = reverse("game-result", args=[tournament.slug, game.pk])
        answer = as_deputy.post(url, {"result": "01", "seen_version": game.version})
        assert (answer.status_code, "C.04.2 4.3" in answer.json()["sentence"]) == (409, True)


class TestReports:
    @pytest.mark.parametrize(
        "reported, code",
        [
            (-400 * 24 * 60, "correction.before_pairings"),
            (-1, "correction.before_pairings"),
            (110, "correction.backdated"),
            (439, "correction.backdated"),
            (451, "correction.from_the_future"),
        ],
    )
    def test_c04_2_4_3_1_an_old_result_is_not_dated_back(
        self, reported: int, code: str, third: Tournament, deputy: User
    ) -> None:
        report = Report(minute(reported), WHY)
        given: dict[str, Any] = {"report": report, **by(deputy, 450)}
        game = board(third, 1)
        refused(
            lambda: result_correct(game_id=game.pk, result="01", **given), f"{code} C.04.2 4.3.1"
        )
        refused(lambda: colours_correct(game_id=game.pk, **given), f"{code} C.04.2 4.3.2")

    def test_c04_2_4_3_1_an_older_result_counts_for_the_rating_report_only(
        self, third: Tournament, deputy: User, chief_arbiter: User
    ) -> None:
        """For each user who enters it at its true time, and for each effect in the request."""
        requested = Report(minute(450), WHY, chosen=CorrectionEffect.NEXT_ROUND)
        given: dict[str, Any] = {"game_id": board(third, 1).pk, "result": "01"}
        for actor in (deputy, chief_arbiter):
            with_choice: dict[str, Any] = {**given, "report": requested, **by(actor, 450)}
            code = "correction.not_open C.04.2 4.3.1"
            refused(lambda: result_correct(**with_choice), code)  # noqa: B023
        made = result_correct(**given, report=Report(minute(450), WHY), **by(deputy, 450))
        assert (made.effect, made.waiting) == ("rating_only", False)
        assert board(third, 1).result == "10"

    @pytest.mark.costly
    @pytest.mark.parametrize("reported", [0, 110, 210, 299, 450])
    def test_c04_2_4_3_no_time_of_the_report_lets_a_result_or_colours_of_an_old_round_count_again(
        self, reported: int, third: Tournament, chief_arbiter: User
    ) -> None:
        """Round 2 is over: a mistake in round 1 changes neither standings nor pairings,
        whatever its date.
        """
        first, other = (board(third, 1, n) for n in (1, 2))
        places = set(Seat.objects.filter(game=other).values_list("entry_id", "colour"))
        version = Tournament.objects.get(pk=third.pk).pairing_version
        given: dict[str, Any] = {"report": Report(minute(reported), WHY), **by(chief_arbiter, 470)}
        made = [
            result_correct(game_id=first.pk, result="01", **given),
            colours_correct(game_id=other.pk, **given),
        ]
        assert [(one.effect, one.waiting) for one in made] == [("rating_only", False)] * 2
        assert board(third, 1).result == "10"
        assert set(Seat.objects.filter(game=other).values_list("entry_id", "colour")) == places
        assert Tournament.objects.get(pk=third.pk).pairing_version == version
        back = f", reported {470 - reported} minutes before its entry"
        assert [
            text for text in trf_export(third, public=True).splitlines() if "### Correction" in text
        ] == [
            f"### Correction @ Round 1: board 1, result 10 -> 01, C.04.2 4.3.1, rating report only{back}",
            f"### Correction @ Round 1: board 2, colours reversed, C.04.2 4.3.2, rating report only{back}",
        ]

    def test_c04_2_4_3_a_report_dated_back_keeps_both_times(
        self, third: Tournament, chief_arbiter: User
    ) -> None:
        report = Report(minute(110), WHY)
        result_correct(
            game_id=board(third, 1).pk, result="01", report=report, **by(chief_arbiter, 450)
        )
        line = third.decisions.latest("sequence")
        kept = [line.after[name] for name in ("reported", "entered", "backdated")]
        assert kept == [minute(110).isoformat(), minute(450).isoformat(), True]

    @pytest.mark.costly
    def test_c04_2_4_3_the_chief_arbiter_chooses_where_the_text_is_silent(
        self, deputy: User, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, correction_minutes=30)
        play_rounds(tournament, [1], chief_arbiter)
        given: dict[str, Any] = {"game_id": board(tournament, 1).pk, "result": "01"}
        late = Report(minute(60), WHY)
        chosen = Report(minute(60), WHY, chosen=CorrectionEffect.NEXT_ROUND)
        article = "C.04.2 4.3.1"
        refused(
            lambda: result_correct(**given, report=late, **by(deputy, 60)),
            f"correction.choice_needed {article}",
        )
        refused(
            lambda: result_correct(**given, report=chosen, **by(deputy, 60)),
            f"correction.chief_arbiter_decides {article}",
        )
        nothing = Report(minute(60), ".", chosen=CorrectionEffect.NEXT_ROUND)
        refused(
            lambda: result_correct(**given, report=nothing, **by(chief_arbiter, 60)),
            "correction.reason_missing",
        )

    def test_c04_2_4_3_3_a_rating_is_edited_by_a_correction_only(
        self, third: Tournament, deputy: User, chief_arbiter: User, as_deputy: Client
    ) -> None:
        entry = entry_of(third, 8)
        given: dict[str, Any] = {"entry_id": entry.pk, "fide_rating": 2999, "reason": WHY}
        for actor in (deputy, chief_arbiter):
            edited: dict[str, Any] = {**given, **by(actor, 450)}
            refused(lambda: entry_update(**edited), "rating.results_published C.04.2 4.3.3")  # noqa: B023
        back: dict[str, Any] = {
            "entry_id": entry.pk,
            "ratings": {"fide_rating": 2999},
            **by(deputy, 450),
        }
        refused(
            lambda: rating_correct(**back, report=Report(minute(1), WHY)),
            "correction.backdated C.04.2 4.3.3",
        )
        seen = {"fide_rating": 1, "national_rating": None}
        refused(
            lambda: rating_correct(**back, report=Report(minute(449), WHY), seen=seen),
            "correction.rating_changed_meanwhile",
        )

    @pytest.mark.costly
    def test_c04_2_4_3_the_page_accepts_no_forged_time(
        self, third: Tournament, as_deputy: Client
    ) -> None:
        now = timezone.now()
        for number, (published, ended) in {1: (9, 8), 2: (7, 1)}.items():
            Round.objects.filter(tournament=third, number=number).update(
                published_at=now - timedelta(hours=published),
                results_published_at=now - timedelta(hours=ended),
            )
        url = reverse("round-correct", args=[third.slug, 1]) + "?kind=result&board=1"
        early = timezone.localtime(now - timedelta(hours=8, minutes=-5)).strftime(
            "%Y-%m-%dT%H:%M:%S"
        )
        form = {"result": "01", "reason": WHY, "version": board(third, 1).version, "save": "yes"}
        page_refuses(as_deputy, url, form | {"reported_at": early}, 409, "C.04.2 4.3.1")
        page_refuses(
            as_deputy,
            url,
            form | {"reported_at": early, "effect": "next_round"},
            409,
            "C.04.2 4.3.1",
        )
        for missing in ("", "yesterday"):
            assert as_deputy.post(url, form | {"reported_at": missing}).status_code == 422
        assert not Correction.objects.filter(tournament=third).exists()

    def test_c04_2_4_3_points_are_given_by_the_chief_arbiter(
        self, played_round: Round, deputy: User, as_deputy: Client
    ) -> None:
        """An adjustment would be another way to correct a result."""
        tournament = played_round.tournament
        given: dict[str, Any] = {
            "tournament_id": tournament.pk, "entry_id": entry_of(tournament, 8).pk, "points": 10, "round_number": 1,
            "article": "Laws 12.9", "reason": WHY, "seen": 0, **by(deputy),
        }  # fmt: skip
        refused(lambda: points_adjust(**given), NOT_THEIRS)
        assert as_deputy.post(
            reverse("points", args=[tournament.slug]), {"points": "1"}
        ).status_code in (403, 422)


class TestDeadline:
    @pytest.fixture
    def running(self, chief_arbiter: User) -> Tournament:
        """Round 2 is a draft while mistakes in round 1 can be reported for another 30 minutes."""
        tournament = make_ready(chief_arbiter, correction_minutes=30)
        play_rounds(tournament, [1], chief_arbiter)
        round_pair(round_id=round_of(tournament, 2).pk, **by(chief_arbiter))
        until = timezone.now() + timedelta(minutes=20)
        Tournament.objects.filter(pk=tournament.pk).update(corrections_until=until)
        tournament.refresh_from_db()
        return tournament

    @pytest.mark.costly
    def test_c04_2_4_3_a_deputy_does_not_end_the_time_for_reports(
        self, running: Tournament, deputy: User, as_deputy: Client
    ) -> None:
        row = round_of(running, 2)
        code = "deadline.chief_arbiter_decides C.04.2 4.3"
        for reason in (None, "the hall closes"):
            refused(lambda: round_publish(round_id=row.pk, cut_short=reason, **by(deputy)), code)  # noqa: B023
        url = reverse("round-publish", args=[running.slug, 2])
        form = {**page_versions(running, 2), "cut_short": "yes", "reason": "the hall closes"}
        page_refuses(as_deputy, url, form, 409, "C.04.2 4.3")

    def test_c04_2_4_3_the_chief_arbiter_ends_it_with_a_reason_on_record(
        self, running: Tournament, chief_arbiter: User
    ) -> None:
        row = round_of(running, 2)
        early: dict[str, Any] = {"round_id": row.pk, **by(chief_arbiter)}
        refused(lambda: round_publish(**early), "deadline.running C.04.2 4.3")
        for reason in ("", "."):
            with pytest.raises(BadInput, match="for ending the time"):
                round_publish(**early, cut_short=reason)
        round_publish(round_id=row.pk, cut_short="the hall closes", **by(chief_arbiter))
        cut = running.decisions.get(action="deadline.cut_short")
        assert (cut.article, cut.reason) == ("C.04.2 4.3", "the hall closes")
        assert int(str(cut.after["minutes_left"])) > 0
