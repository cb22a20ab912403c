"""Pairings and results published at their announced time:
when, in whose name, and why not [C.04.2 4.2].
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import psycopg
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from pairing.rounds import clock_watch
from pairing.rounds.arrange import round_arrange
from pairing.rounds.automatic import AGAIN_FOR, AT_REST, Step, outlook, publish_due
from pairing.rounds.clock_watch import watch
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.plausible import questions, result_confirm
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState, minutes_late
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, round_of
from tests.tournaments.rounds.test_change_actions import WHY, pairings
from tournaments.core import record
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_check_in, entry_withdraw
from tournaments.models import Appointment, Decision, Entry, Game, Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE: Final = 30
PAIRINGS_AT: Final = NOW + timedelta(minutes=30)
START: Final = PAIRINGS_AT + timedelta(minutes=BEFORE)
RESULTS_AT: Final = START + timedelta(hours=5)
SECOND: Final = timedelta(seconds=1)
SECOND_AT: Final = RESULTS_AT + timedelta(hours=1)


@pytest.fixture
def announced(chief_arbiter: User) -> Tournament:
    """Round 1 paired; its pairings and results are announced, and published automatically."""
    tournament = factories.make_ready(
        chief_arbiter, rounds=3, automatic_pairings=BEFORE, automatic_results=True
    )
    round_ = round_of(tournament, 1)
    announce(round_, chief_arbiter)
    round_pair(round_id=round_.pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def playing(announced: Tournament, chief_arbiter: User) -> Tournament:
    """The pairings of round 1 are published, and every result but that of board 4 is entered."""
    assert publish_due(PAIRINGS_AT)
    for game in Game.objects.filter(round__tournament=announced, board__lt=4):
        result_record(game_id=game.pk, result="==", actor=chief_arbiter, now=START)
    return announced


def announce(round_: Round, actor: User, **times: datetime | None) -> None:
    values = {"starts_at": START, "results_due_at": RESULTS_AT, **times}
    round_schedule(round_id=round_.pk, actor=actor, now=NOW, reason="the hall opens late", **values)


def last_result(tournament: Tournament, actor: User, at: datetime) -> None:
    game = Game.objects.get(round__tournament=tournament, round__number=1, board=4)
    result_record(game_id=game.pk, result="==", actor=actor, now=at)


def draft_of_second(tournament: Tournament, actor: User, *, adjourning: Sequence[int] = ()) -> None:
    """Publish the results of round 1, announce round 2 for :data:`SECOND_AT`, and pair it."""
    if not adjourning:
        last_result(tournament, actor, START)
    results_publish(
        round_id=round_of(tournament, 1).pk, actor=actor, now=RESULTS_AT, adjourning=adjourning
    )
    second = round_of(tournament, 2)
    announce(second, actor, starts_at=SECOND_AT + timedelta(minutes=BEFORE), results_due_at=None)
    round_pair(round_id=second.pk, actor=actor, now=RESULTS_AT)


def stops(tournament: Tournament, at: datetime, number: int = 1) -> list[str]:
    tournament.refresh_from_db()
    found = outlook(tournament, round_of(tournament, number), at)
    assert found is not None
    return [stop.code for stop in found.stops]


def state(tournament: Tournament, number: int = 1) -> str:
    return round_of(tournament, number).state


class TestWhen:
    @pytest.mark.on_postgres("somebody else comes first")
    def test_c04_2_4_2_pairings_appear_at_the_announced_time_and_not_before(
        self, announced: Tournament
    ) -> None:
        assert publish_due(PAIRINGS_AT - SECOND) == []
        assert state(announced) == RoundState.DRAFT
        (done,) = publish_due(PAIRINGS_AT)
        assert (done.step, done.number, done.at) == (Step.PAIRINGS, 1, PAIRINGS_AT)
        assert state(announced) == RoundState.PAIRINGS_PUBLISHED
        assert round_of(announced, 1).published_at == PAIRINGS_AT

    def test_c04_2_4_2_results_and_standings_appear_at_the_announced_time(
        self, playing: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        last_result(playing, chief_arbiter, START)
        assert publish_due(RESULTS_AT - SECOND) == []
        (done,) = publish_due(RESULTS_AT)
        assert done.step is Step.RESULTS
        assert state(playing) == RoundState.RESULTS_PUBLISHED
        # The standings come with the results.
        assert client.get(reverse("standings-after", args=[playing.slug, 1])).status_code == 200

    def test_nothing_is_published_twice(self, announced: Tournament) -> None:
        assert publish_due(PAIRINGS_AT) != []
        assert publish_due(PAIRINGS_AT + SECOND) == []
        assert (
            Decision.objects.filter(tournament=announced, action="pairings.published").count() == 1
        )

    @pytest.mark.costly
    def test_off_by_default(self, chief_arbiter: User) -> None:
        tournament = factories.make_ready(chief_arbiter, rounds=3)
        announce(round_of(tournament, 1), chief_arbiter)
        factories.pair_and_publish(tournament, 1, chief_arbiter)
        factories.enter_results(tournament, 1, chief_arbiter)
        assert publish_due(RESULTS_AT) == []
        assert outlook(tournament, round_of(tournament, 1), RESULTS_AT) is None

    def test_published_by_hand_before_the_time_nothing_is_left(
        self, announced: Tournament, chief_arbiter: User
    ) -> None:
        round_publish(round_id=round_of(announced, 1).pk, actor=chief_arbiter, now=NOW)
        assert publish_due(PAIRINGS_AT) == []
        line = Decision.objects.get(tournament=announced, action="pairings.published")
        assert (line.after["minutes_late"], "automatically" in line.after) == (-30, False)

    def test_the_time_was_changed_meanwhile(
        self, announced: Tournament, chief_arbiter: User
    ) -> None:
        announce(round_of(announced, 1), chief_arbiter, starts_at=START + timedelta(minutes=15))
        assert publish_due(PAIRINGS_AT) == []
        assert publish_due(PAIRINGS_AT + timedelta(minutes=15)) != []

    @pytest.mark.costly
    def test_the_draft_was_discarded(self, announced: Tournament, chief_arbiter: User) -> None:
        round_unpair(round_id=round_of(announced, 1).pk, actor=chief_arbiter, now=NOW)
        assert publish_due(PAIRINGS_AT) == []
        assert stops(announced, PAIRINGS_AT) == ["round.not_paired"]
        round_pair(
            round_id=round_of(announced, 1).pk, actor=chief_arbiter, now=PAIRINGS_AT + SECOND
        )
        # An arbiter has just paired it: the draft can be looked at for a minute.
        assert publish_due(PAIRINGS_AT + AT_REST) == []
        assert publish_due(PAIRINGS_AT + SECOND + AT_REST) != []

    def test_the_tournament_is_final(self, announced: Tournament) -> None:
        Tournament.objects.filter(pk=announced.pk).update(final_at=NOW)
        assert publish_due(PAIRINGS_AT) == []
        announced.refresh_from_db()
        assert outlook(announced, round_of(announced, 1), PAIRINGS_AT) is None
        Tournament.objects.filter(pk=announced.pk).update(final_at=None)

    def test_an_hour_later_the_program_does_not_try_any_more(self, announced: Tournament) -> None:
        assert publish_due(PAIRINGS_AT + AGAIN_FOR) == []
        found = outlook(announced, round_of(announced, 1), PAIRINGS_AT + AGAIN_FOR)
        assert found is not None
        assert found.is_over
        assert publish_due(PAIRINGS_AT + AGAIN_FOR - SECOND) != []

    @pytest.mark.costly
    @pytest.mark.on_postgres("somebody else comes first")
    def test_a_fault_in_one_tournament_does_not_stop_the_others(
        self, announced: Tournament, chief_arbiter: User, caplog: pytest.LogCaptureFixture
    ) -> None:
        other = factories.make_ready(
            chief_arbiter, rounds=3, name="Blitz", automatic_pairings=BEFORE
        )
        announce(round_of(other, 1), chief_arbiter)
        round_pair(round_id=round_of(other, 1).pk, actor=chief_arbiter, now=NOW)
        Tournament.objects.filter(pk=announced.pk).update(handling_edition="unknown")
        assert [done.round_id for done in publish_due(PAIRINGS_AT)] == [round_of(other, 1).pk]
        assert "is not published" in caplog.text


class TestWhyNot:
    @pytest.mark.costly
    def test_c04_2_4_2_a_missing_result_is_named_and_the_next_look_publishes(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        assert publish_due(RESULTS_AT) == []
        found = outlook(playing, round_of(playing, 1), RESULTS_AT)
        assert found is not None
        assert [(stop.code, stop.params["boards"]) for stop in found.stops] == [
            ("results.missing", (4,))
        ]
        late = RESULTS_AT + timedelta(minutes=7)
        last_result(playing, chief_arbiter, late)
        assert publish_due(late) == []  # a slip can be corrected for a minute
        assert publish_due(late + AT_REST) != []
        line = Decision.objects.get(tournament=playing, action="results.published")
        assert (line.after["minutes_late"], line.after["automatically"]) == (8, True)

    def test_a_draft_that_is_out_of_date(self, announced: Tournament, chief_arbiter: User) -> None:
        entry = factories.entry_of(announced, 3)
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW, from_round=1)
        assert publish_due(PAIRINGS_AT) == []
        assert "draft.stale" in stops(announced, PAIRINGS_AT)

    @pytest.mark.costly
    def test_c04_2_4_3_mistakes_can_still_be_reported(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        last_result(playing, chief_arbiter, START)
        Tournament.objects.filter(pk=playing.pk).update(correction_minutes=30)
        assert publish_due(RESULTS_AT) != []
        second = round_of(playing, 2)
        announce(
            second,
            chief_arbiter,
            starts_at=RESULTS_AT + timedelta(minutes=BEFORE + 10),
            results_due_at=None,
        )
        round_pair(round_id=second.pk, actor=chief_arbiter, now=RESULTS_AT)
        ten_later = RESULTS_AT + timedelta(minutes=10)
        assert publish_due(ten_later) == []
        assert stops(playing, ten_later, 2) == ["automatic.reports_open"]
        assert publish_due(RESULTS_AT + timedelta(minutes=30)) != []

    @pytest.mark.costly
    def test_an_unusual_result_waits_for_its_answer(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        last_result(playing, chief_arbiter, START)
        weak = Entry.objects.get(seats__game__board=1, seats__colour="w", tournament=playing)
        Entry.objects.filter(pk=weak.pk).update(rating=1000)
        game = Game.objects.get(round__tournament=playing, board=1)
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=START)
        assert publish_due(RESULTS_AT) == []
        assert stops(playing, RESULTS_AT) == ["automatic.questions"]
        (question,) = questions(playing, round_of(playing, 1))
        result_confirm(
            round_id=round_of(playing, 1).pk,
            question=question.key,
            actor=chief_arbiter,
            now=RESULTS_AT,
        )
        assert publish_due(RESULTS_AT + AT_REST) != []

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_has_not_arrived(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        late = entry_add(
            tournament_id=playing.pk, actor=chief_arbiter, now=START, name="Late, Lena"
        )
        bye_request(entry_id=late.pk, actor=chief_arbiter, now=START, round_number=2, kind="Z")
        draft_of_second(playing, chief_arbiter)
        assert stops(playing, SECOND_AT, 2) == ["entry.not_arrived"]
        assert publish_due(SECOND_AT) == []
        entry_check_in(entry_id=late.pk, checked_in=True, actor=chief_arbiter, now=RESULTS_AT)
        assert "entry.not_arrived" not in stops(playing, SECOND_AT, 2)

    def test_c04_2_1_5_a_draft_arranged_by_hand_waits_for_an_arbiter(
        self, announced: Tournament, chief_arbiter: User
    ) -> None:
        round_arrange(
            round_id=round_of(announced, 1).pk,
            pairings=pairings(announced, "7-3 8-4 5-2 1-6"),
            reason=WHY,
            actor=chief_arbiter,
            now=NOW,
        )
        assert stops(announced, PAIRINGS_AT) == ["automatic.by_hand"]
        assert publish_due(PAIRINGS_AT) == []

    @pytest.mark.costly
    def test_c04_2_3_1_a_draft_after_adjourned_games_waits_for_an_arbiter(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        draft_of_second(playing, chief_arbiter, adjourning=[4])
        assert stops(playing, SECOND_AT, 2) == ["automatic.adjourned"]
        assert publish_due(SECOND_AT) == []

    def test_results_wait_for_the_second_reading_that_the_tournament_requires(
        self, playing: Tournament, chief_arbiter: User
    ) -> None:
        last_result(playing, chief_arbiter, START)
        Tournament.objects.filter(pk=playing.pk).update(second_reading=True)
        assert stops(playing, RESULTS_AT) == ["reading.unread"]
        assert publish_due(RESULTS_AT) == []

    def test_who_set_it_is_no_arbiter_any_more(
        self, announced: Tournament, chief_arbiter: User, deputy: User
    ) -> None:
        for minutes in (20, BEFORE):
            tournament_update(
                tournament_id=announced.pk, actor=deputy, now=NOW, automatic_pairings=minutes
            )
        Appointment.objects.filter(tournament=announced, person=deputy).update(until=NOW)
        assert publish_due(PAIRINGS_AT) == []
        assert stops(announced, PAIRINGS_AT) == ["automatic.nobody"]
        for minutes in (20, BEFORE):
            tournament_update(
                tournament_id=announced.pk, actor=chief_arbiter, now=NOW, automatic_pairings=minutes
            )
        assert publish_due(PAIRINGS_AT) != []

    def test_after_a_restore_it_waits_until_an_arbiter_sets_it_again(
        self, announced: Tournament, chief_arbiter: User, deputy: User
    ) -> None:
        Tournament.objects.filter(pk=announced.pk).update(
            automatic_by=None
        )  # as backups.restoring does
        assert stops(announced, PAIRINGS_AT - SECOND) == ["automatic.restored"]
        assert publish_due(PAIRINGS_AT) == []
        assert stops(announced, PAIRINGS_AT) == ["automatic.restored"]
        tournament_update(tournament_id=announced.pk, actor=deputy, now=NOW, city="Lyon")
        assert publish_due(PAIRINGS_AT) == []
        for minutes in (None, BEFORE):
            tournament_update(
                tournament_id=announced.pk, actor=deputy, now=NOW, automatic_pairings=minutes
            )
        (done,) = publish_due(PAIRINGS_AT)
        assert done.by == deputy


class TestRecord:
    @pytest.mark.costly
    def test_c04_2_4_2_the_line_says_that_nobody_pressed_the_button_and_who_set_that(
        self, announced: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        publish_due(PAIRINGS_AT + timedelta(seconds=20))
        line = Decision.objects.get(tournament=announced, action="pairings.published")
        assert line.actor == chief_arbiter
        assert line.after["automatically"] is True
        assert (line.after["announced_for"], line.after["minutes_late"]) == (
            PAIRINGS_AT.isoformat(),
            0,
        )
        assert record.verify(announced) == []
        page = reverse("record", args=[announced.slug])
        assert "on time, automatically</span>" in client.get(page).content.decode()
        client.force_login(chief_arbiter)
        assert "on time, automatically, as set by Clara Chief" in client.get(page).content.decode()

    def test_c04_2_4_2_a_time_is_announced_in_minutes(self) -> None:
        late = [
            minutes_late(NOW, NOW + timedelta(seconds=s))
            for s in (-61, -60, -59, 0, 59, 60, 119, 120)
        ]
        assert late == [-1, -1, 0, 0, 0, 1, 1, 2]


class TestAtOnce:
    @pytest.mark.costly
    @pytest.mark.on_postgres("somebody else comes first")
    def test_four_processes_that_look_at_once_publish_once(self, announced: Tournament) -> None:
        outcomes = at_once(*[lambda: publish_due(PAIRINGS_AT)] * 4)
        assert sorted(len(outcome) for outcome in outcomes if isinstance(outcome, list)) == [
            0,
            0,
            0,
            1,
        ]
        assert (
            Decision.objects.filter(tournament=announced, action="pairings.published").count() == 1
        )
        assert record.verify(announced) == []

    @pytest.mark.on_postgres("somebody else comes first")
    def test_an_arbiter_publishes_at_the_same_moment(
        self, announced: Tournament, chief_arbiter: User
    ) -> None:
        round_id = round_of(announced, 1).pk
        at_once(
            lambda: round_publish(round_id=round_id, actor=chief_arbiter, now=PAIRINGS_AT),
            lambda: publish_due(PAIRINGS_AT),
        )
        assert (
            Decision.objects.filter(tournament=announced, action="pairings.published").count() == 1
        )

    @pytest.mark.costly
    def test_a_page_open_since_before_is_refused_with_a_reason(
        self, announced: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        seen = factories.round_version(announced, 1)
        publish_due(PAIRINGS_AT)
        answer = client.post(
            reverse("round-publish", args=[announced.slug, 1]), {"seen_version": seen}
        )
        assert answer.status_code == 409
        assert "are published and can no longer be changed" in answer.content.decode()


class TestPage:
    @pytest.mark.costly
    def test_the_page_says_what_was_not_published_and_why(
        self, playing: Tournament, client: Client, chief_arbiter: User, stranger: User
    ) -> None:
        page = reverse("round", args=[playing.slug, 1])
        client.force_login(chief_arbiter)
        assert "Not published automatically (announced for" in client.get(page).content.decode()
        assert "results are missing on board 4" in client.get(page).content.decode()
        client.force_login(stranger)
        assert client.get(page).status_code == 403

    def test_a_time_to_come_is_named_with_the_arbiter_who_set_it(
        self, announced: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        announce(round_of(announced, 1), chief_arbiter, starts_at=NOW + timedelta(days=9000))
        client.force_login(chief_arbiter)
        page = client.get(reverse("round", args=[announced.slug, 1])).content.decode()
        assert "Automatic publication of the pairings: " in page
        assert "; set by Clara Chief." in page

    def test_the_setting_is_on_the_page_of_the_settings(
        self, announced: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        page = client.get(reverse("settings-deadlines", args=[announced.slug])).content.decode()
        assert 'name="automatic_pairings" value="30"' in page


@pytest.mark.on_postgres("somebody else comes first")
def test_the_server_looks_until_it_stops(
    announced: Tournament, caplog: pytest.LogCaptureFixture
) -> None:
    looks = iter([False, False, True])
    watch(lambda: next(looks), first=0, every=0)
    assert state(announced) == RoundState.DRAFT
    assert caplog.text == ""


def test_a_fault_is_logged_once_until_a_look_succeeds(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([OSError("away"), OSError("away"), None, OSError("away again")])
    done: list[int] = []

    def look(_now: datetime) -> None:
        done.append(len(done))
        if (fault := next(answers)) is not None:
            raise fault

    monkeypatch.setattr(clock_watch, "publish_due", look)
    watch(lambda: len(done) == 4, first=0, every=0)
    assert [line.getMessage() for line in caplog.records] == [
        "the look for automatic publications has failed"
    ] * 2
    assert [line.exc_info and str(line.exc_info[1]) for line in caplog.records] == [
        "away",
        "away again",
    ]


def test_a_database_that_is_away_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look(_now: datetime) -> None:
        raise OperationalError(
            "connection failed:\n  no such server"
        ) from psycopg.OperationalError()

    monkeypatch.setattr(clock_watch, "publish_due", look)
    looks = iter([False, True])
    watch(lambda: next(looks), first=0, every=0)
    (line,) = caplog.records
    expected = "the look for automatic publications has failed (connection failed: no such server)"
    assert (line.getMessage(), line.exc_info) == (expected, None)


def test_the_server_looks_beside_its_other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_watch.time, "sleep", lambda _seconds: None)
    thread = clock_watch.start_watch(lambda: True)
    thread.join(timeout=30)
    assert (thread.is_alive(), thread.daemon) == (False, True)


@pytest.mark.on_postgres("somebody else comes first")
def test_the_command_publishes_what_is_due(
    announced: Tournament, chief_arbiter: User, capsys: object
) -> None:
    call_command("publish_due")
    assert state(announced) == RoundState.DRAFT  # its time is over by more than an hour
