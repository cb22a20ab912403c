"""Two people at once, and power cuts at any moment: one outcome, or nothing saved at all."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, connections

from pairing.engine.systems import SYSTEMS
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tests.engine.systems import paired_by
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.models import Decision, Entry, Game, Round, Seat, Tournament
from tournaments.reports.sent_reports import next_report, report_mark_sent

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run *actions* at once, each in a thread with its own connection;
    return each result or exception.
    """
    outcomes: list[object] = [None] * len(actions)
    start = threading.Barrier(len(actions))

    def run(place: int, action: Callable[[], object]) -> None:
        try:
            start.wait(10)
            outcomes[place] = action()
        except Exception as error:  # an expected outcome: the test checks it
            outcomes[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


def everything() -> dict[str, list[tuple[object, ...]]]:
    return {
        model.__name__: list(model.objects.order_by("pk").values_list())
        for model in (Tournament, Entry, Round, Game, Seat, Decision)
    }


class TestAtOnce:
    def test_two_arbiters_who_pair_at_once_get_one_round_and_one_clear_message(
        self, ready, chief_arbiter, deputy
    ):
        round_id = round_of(ready, 1).pk
        outcomes = at_once(
            lambda: round_pair(round_id=round_id, actor=chief_arbiter, now=NOW),
            lambda: round_pair(round_id=round_id, actor=deputy, now=NOW),
        )
        paired = [outcome for outcome in outcomes if isinstance(outcome, Round)]
        errors = [outcome for outcome in outcomes if isinstance(outcome, (Conflict, RuleRefused))]
        assert (len(paired), len(errors)) == (1, 1)
        # The code depends on when the loser read: before the other saved, or after.
        assert errors[0].code in ("round.paired_meanwhile", "round.already_paired")
        assert (own(Game).count(), own(Seat).count()) == (4, 8)
        assert own(Decision).filter(action="round.paired").count() == 1
        assert record.verify(ready) == []

    def test_the_refused_arbiter_reads_who_paired_first(self, ready, chief_arbiter, deputy):
        """Both compute their pairing before either saves:
        a barrier in the engine makes them wait for each other.
        """
        system = SYSTEMS["dutch_2026"]
        both_computed = threading.Barrier(2)

        def pair_when_both_are_here(state):
            both_computed.wait(10)
            return system.pair(state)

        round_id = round_of(ready, 1).pk
        SYSTEMS["dutch_2026"] = paired_by(pair_when_both_are_here)
        try:
            outcomes = at_once(
                lambda: round_pair(round_id=round_id, actor=chief_arbiter, now=NOW),
                lambda: round_pair(round_id=round_id, actor=deputy, now=NOW),
            )
        finally:
            SYSTEMS["dutch_2026"] = system
        winner = own(Decision).get(action="round.paired").actor_name
        assert sorted(str(outcome) for outcome in outcomes) == sorted(
            [
                "Autumn Open R1",
                f"{winner} paired round 1 a moment ago. This page now shows that pairing.",
            ]
        )
        assert (own(Game).count(), own(Seat).count()) == (4, 8)

    def test_a_pairing_made_from_changed_data_is_not_saved(self, ready, chief_arbiter, deputy):
        """A player withdraws between the snapshot and the lock."""
        system = SYSTEMS["dutch_2026"]
        computing, withdrawn = threading.Event(), threading.Event()

        def pair_while_somebody_withdraws(state):
            computing.set()
            assert withdrawn.wait(10)
            return system.pair(state)

        def withdraw():
            assert computing.wait(10)
            entry_withdraw(entry_id=entry_of(ready, 3).pk, actor=deputy, now=NOW, from_round=1)
            withdrawn.set()

        before = own(Decision).count()
        SYSTEMS["dutch_2026"] = paired_by(pair_while_somebody_withdraws)
        try:
            conflict, _ = at_once(
                lambda: round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW),
                withdraw,
            )
        finally:
            SYSTEMS["dutch_2026"] = system
        assert isinstance(conflict, Conflict)
        assert conflict.code == "facts.changed_meanwhile"
        assert (round_of(ready, 1).state, own(Game).count()) == (RoundState.PLANNED, 0)
        assert own(Decision).count() == before + 1  # the withdrawal

    @pytest.mark.costly
    def test_two_arbiters_who_confirm_one_rating_report_at_once_send_it_once(
        self, ready, chief_arbiter, deputy
    ):
        play_rounds(ready, [1], chief_arbiter)
        given = {
            "tournament_id": ready.pk,
            "sha256": next_report(ready).sha256,
            "until": None,
            "now": NOW,
        }
        outcomes = at_once(
            lambda: report_mark_sent(actor=chief_arbiter, **given),
            lambda: report_mark_sent(actor=deputy, **given),
        )
        refused = [outcome.code for outcome in outcomes if isinstance(outcome, Conflict)]
        assert refused == ["report.moved_meanwhile"]
        assert own(Decision).filter(action="report.sent").count() == 1
        assert record.verify(ready) == []

    def test_ten_people_enter_results_at_once_and_all_are_recorded(self, ready, chief_arbiter):
        pair_and_publish(ready, 1, chief_arbiter)
        games = list(own(Game).order_by("board"))
        results = ["10", "01", "==", "+-", "-+"]
        outcomes = at_once(
            *(
                lambda game=game, result=result: result_record(
                    game_id=game.pk, result=result, actor=chief_arbiter, now=NOW
                )
                for result in results
                for game in games[:2]
            )
        )
        assert [type(outcome) for outcome in outcomes] == [Game] * 10
        assert sorted(own(Game).filter(board__lte=2).values_list("version", flat=True)) == [5, 5]
        assert record.verify(ready) == []
        ready.refresh_from_db()
        assert ready.version == Decision.objects.filter(tournament=ready).count()

    def test_two_arbiters_at_one_board_get_one_result_and_one_conflict(
        self, ready, chief_arbiter, deputy
    ):
        pair_and_publish(ready, 1, chief_arbiter)
        game = own(Game).get(board=1)
        outcomes = at_once(
            lambda: result_record(
                game_id=game.pk, result="10", actor=chief_arbiter, now=NOW, seen_version=0
            ),
            lambda: result_record(
                game_id=game.pk, result="01", actor=deputy, now=NOW, seen_version=0
            ),
        )
        assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "Game"]
        game.refresh_from_db()
        assert game.version == 1

    def test_late_entries_added_at_once_get_different_numbers(self, ready, chief_arbiter):
        pair_and_publish(ready, 1, chief_arbiter)
        at_once(
            *(
                lambda i=i: entry_add(
                    tournament_id=ready.pk,
                    actor=chief_arbiter,
                    now=NOW,
                    name=f"Late {i}",
                    fide_rating=2350,
                )
                for i in range(4)
            )
        )
        assert sorted(own(Entry).values_list("tpn", flat=True)) == list(range(1, 13))


class PlugPulled(Exception):  # noqa: N818
    """The process dies here."""


def writes_of(action: Callable[[], object]) -> int:
    """Count the database writes of *action*."""
    count = 0

    def counting(execute, sql, params, many, context):
        nonlocal count
        count += is_write(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(counting):
        action()
    return count


def is_write(sql: str) -> bool:
    return sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE"))


def with_plug_pulled_at(write: int, action: Callable[[], object]) -> None:
    """Do *action*, and die just before its write number *write* (from 1)."""
    count = 0

    def counting(execute, sql, params, many, context):
        nonlocal count
        count += is_write(sql)
        if is_write(sql) and count == write:
            raise PlugPulled
        return execute(sql, params, many, context)

    with connection.execute_wrapper(counting), pytest.raises(PlugPulled):
        action()


class TestPlugPulled:
    """Cut the power before every single write of an action:
    the database is as before the action.
    """

    def prove(self, action: Callable[[], object], *, writes: int) -> None:
        before = everything()
        for write in range(1, writes + 1):
            with_plug_pulled_at(write, action)
            assert everything() == before
        assert writes_of(action) == writes
        assert everything() != before

    @pytest.mark.costly
    def test_while_pairing(self, ready, chief_arbiter):
        # games, seats, round, version, record
        self.prove(
            lambda: round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW),
            writes=5,
        )

    @pytest.mark.costly
    def test_while_publishing(self, draft_round, chief_arbiter):
        # among them the job that makes a copy
        self.prove(
            lambda: round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW), writes=6
        )

    def test_while_entering_a_result(self, published_round, chief_arbiter):
        game_id = published_round.games.get(board=1).pk
        self.prove(
            lambda: result_record(game_id=game_id, result="10", actor=chief_arbiter, now=NOW),
            writes=3,
        )

    @pytest.mark.costly
    def test_while_publishing_results(self, ready, published_round, chief_arbiter):
        enter_results(ready, 1, chief_arbiter)
        # the players' reports are deleted, too
        self.prove(
            lambda: results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW),
            writes=9,
        )

    def test_while_renumbering(self, ready, chief_arbiter):
        play_rounds(ready, [1], chief_arbiter)
        own(Entry).filter(tpn=8).update(rating=3000)
        # clear, number, version, record
        self.prove(
            lambda: numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=NOW), writes=4
        )
