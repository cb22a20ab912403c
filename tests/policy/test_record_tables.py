"""The record proves the tables: whoever changes what people see, past the program,
is found by ``verify_record``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from pairing.record.file import read
from pairing.record.verify import first_fault
from pairing.rounds.corrections import Report, result_correct
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.factories import NOW, make_ready, make_tournament, play_rounds, round_of
from tests.tournaments.reports.wanderers import exported, verified
from tournaments.models import Appointment, Correction, Game, PublishedList, Round, Seat, Tournament
from tournaments.people.people import account_appoint, person_remove
from tournaments.setup.schedule import round_schedule

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(chief_arbiter: User, stranger: User) -> Tournament:
    """Round 1 over with a correction, round 2 being played; a deputy whose role has ended;
    a deadline that ran.
    """
    tournament = make_ready(chief_arbiter, acceleration="baku", rounds=9, correction_minutes=30)
    chief = {"actor": chief_arbiter, "now": NOW}
    round_schedule(round_id=round_of(tournament, 1).pk, starts_at=NOW, results_due_at=NOW, **chief)
    given = {
        "tournament_id": tournament.pk,
        "username": stranger.username,
        "role": "deputy",
        **chief,
    }
    person_remove(appointment_id=account_appoint(**given).pk, **chief)
    play_rounds(tournament, [1], chief_arbiter)
    game = Game.objects.get(round=round_of(tournament, 1), board=1)
    result_correct(game_id=game.pk, result="==", report=Report(NOW, "both players say so"), **chief)
    tournament.refresh_from_db()
    return tournament


LATER = NOW + timedelta(hours=1)
OF_A_ROUND = ("starts_at", "results_due_at", "paired_at", "published_at", "results_published_at")
OF_A_CORRECTION: dict[str, object] = {
    "reported_at": LATER, "entered_at": LATER, "reason": "nobody said so", "effect": "rating_only",
    "before": {"result": "01"}, "after": {"result": "01"}, "waiting": True,
}  # fmt: skip


@pytest.mark.costly
@pytest.mark.parametrize("name", OF_A_ROUND)
def test_record_the_times_of_a_round_are_compared(event: Tournament, name: str) -> None:
    assert verified(event) == ""
    Round.objects.filter(tournament=event, number=1).update(**{name: LATER})
    assert verified(event).startswith(f"Round 1, {name}: the record says “{NOW:%Y-%m-%d}")


@pytest.mark.costly
@pytest.mark.parametrize("name", OF_A_CORRECTION)
def test_c04_2_4_3_the_table_of_corrections_is_compared(event: Tournament, name: str) -> None:
    assert verified(event) == ""
    Correction.objects.filter(tournament=event).update(**{name: OF_A_CORRECTION[name]})
    assert verified(event).startswith("Correction of the result of board 1 in round 1, entered ")


def test_c04_2_4_3_a_missing_correction_is_found(event: Tournament) -> None:
    Correction.objects.filter(tournament=event).delete()
    assert "the tables nothing" in verified(event)


def back_again(event: Tournament) -> None:
    Appointment.objects.filter(tournament=event, until__isnull=False).update(until=None)


def chief_exchanged(event: Tournament) -> None:
    boss = User.objects.create_user("boss", is_staff=True)
    Appointment.objects.filter(tournament=event, role="chief").update(person=boss)


def reader(event: Tournament) -> None:
    Appointment.objects.filter(tournament=event, until__isnull=False).update(role="reader")


def earlier(event: Tournament) -> None:
    Appointment.objects.filter(tournament=event, role="chief").update(since=NOW - timedelta(days=1))


@pytest.mark.parametrize("change", [back_again, chief_exchanged, reader, earlier])
def test_c04_2_4_appointments_are_compared(
    event: Tournament, change: Callable[[Tournament], None]
) -> None:
    assert verified(event) == ""
    change(event)
    assert verified(event).startswith("Appointment of account ")


def test_c04_2_4_3_the_deadline_is_compared(event: Tournament) -> None:
    assert event.corrections_until == NOW + timedelta(minutes=30)
    Tournament.objects.filter(pk=event.pk).update(corrections_until=LATER)
    assert verified(event).startswith("Setting corrections_until: ")


def test_c04_7_the_last_player_of_group_a_is_compared(event: Tournament) -> None:
    assert event.group_a_last_id
    Tournament.objects.filter(pk=event.pk).update(group_a_last=None)
    assert verified(event).startswith("Setting group_a_last: ")


def test_record_the_creator_is_compared(event: Tournament, stranger: User) -> None:
    Tournament.objects.filter(pk=event.pk).update(created_by=stranger)
    assert verified(event).startswith("Setting created_by: ")


def test_c04_2_3_6_the_table_of_a_board_is_compared(event: Tournament) -> None:
    Game.objects.filter(round__tournament=event, board=2).update(table=7)
    assert verified(event) == "Round 1, table of board 2: the record says nothing, the tables “7”."


@pytest.mark.costly
def test_c04_2_4_2_a_missing_list_is_found(event: Tournament) -> None:
    """The newest list of the round stays: only its number shows that there was another."""
    row = PublishedList.objects.filter(tournament=event, kind="standings").earliest("pk")
    with guard_lifted(connection):
        row.delete()
    assert verified(event) == f"List {row.number} of {event.lists} is missing."


def test_c04_2_4_3_the_missing_lists_of_the_last_correction_are_found(event: Tournament) -> None:
    """Whoever removes the newest lists and counts them back leaves no gap in the numbers."""
    line = event.decisions.get(action="result.corrected")
    rows = PublishedList.objects.filter(decision=line)
    with guard_lifted(connection):
        removed, _ = rows.delete()
    Tournament.objects.filter(pk=event.pk).update(lists=event.lists - removed)
    assert (
        verified(event)
        == f"#{line.sequence}, crosstable changed by this line: the list is missing."
    )


def test_c04_2_4_2_an_altered_list_is_reported_whatever_it_says(event: Tournament) -> None:
    rows = PublishedList.objects.filter(tournament=event, round_number=1)
    with guard_lifted(connection):
        rows.filter(kind="crosstable").delete()
        rows.filter(kind="standings").update(kind="pairings", content=[7], same_as=None)
        rows.filter(kind="pairings").exclude(content=[7]).update(round_number=99)
    assert verified(event)


def game_of_another_tournament(event: Tournament) -> Game:
    other = make_tournament(event.created_by, name="Winter Open")
    return Game.objects.create(round=round_of(other, 1), board=1)


def second_game(event: Tournament) -> None:
    games = Game.objects.filter(round__tournament=event, round__number=1)
    games.filter(board=2).update(first=games.get(board=1))


def place_elsewhere(event: Tournament) -> None:
    seats = Seat.objects.filter(round__tournament=event, round__number=1, game__board=1, colour="w")
    seats.update(game=game_of_another_tournament(event))


def game_elsewhere(event: Tournament) -> None:
    Game.objects.filter(round__tournament=event, round__number=1, board=2).update(
        round=round_of(event, 2)
    )


def correction_elsewhere(event: Tournament) -> None:
    Correction.objects.filter(tournament=event).update(game=game_of_another_tournament(event))


@pytest.mark.parametrize(
    "change", [second_game, place_elsewhere, game_elsewhere, correction_elsewhere]
)
def test_c04_2_4_rows_that_refer_to_another_game_or_round_are_found(
    event: Tournament, change: Callable[[Tournament], None]
) -> None:
    """What looks the same board by board is no longer the same to readers."""
    change(event)
    assert "Round 1, " in verified(event) or "in round 1, " in verified(event)


# Roles


@pytest.mark.costly
def test_c04_2_4_a_line_of_somebody_without_a_role_is_found_in_the_tables_and_in_the_file(
    event: Tournament,
) -> None:
    """Boss makes himself the Chief Arbiter by SQL, acts, and puts the row back."""
    boss = User.objects.create_user("boss", is_staff=True)
    there = Appointment.objects.filter(tournament=event, role="chief")
    chief = there.get().person
    there.update(person=boss)
    round_schedule(
        round_id=round_of(event, 2).pk, starts_at=LATER, results_due_at=None, actor=boss, now=NOW
    )
    there.update(person=chief)
    event.refresh_from_db()
    expected = f"#{event.version}: boss held no role in the tournament."
    assert verified(event) == f"{expected} The appointments are not compared with the record."
    for runs in (True, False):
        fault = first_fault(read(exported(event, runs=runs)))
        assert fault is not None
        assert fault.message == expected


def test_c04_2_4_a_line_after_the_end_of_a_role_is_found(event: Tournament, stranger: User) -> None:
    back_again(event)
    round_schedule(
        round_id=round_of(event, 2).pk,
        starts_at=LATER,
        results_due_at=None,
        actor=stranger,
        now=NOW,
    )
    assert "stranger held no role in the tournament." in verified(event)


def test_c04_2_4_a_line_that_the_role_does_not_allow_is_found(
    event: Tournament, stranger: User, chief_arbiter: User
) -> None:
    given = {
        "tournament_id": event.pk,
        "username": stranger.username,
        "actor": chief_arbiter,
        "now": timezone.now(),
    }
    made = account_appoint(role="result_desk", **given)
    Appointment.objects.filter(pk=made.pk).update(role="deputy")
    round_schedule(
        round_id=round_of(event, 2).pk,
        starts_at=LATER,
        results_due_at=None,
        actor=stranger,
        now=NOW,
    )
    Appointment.objects.filter(pk=made.pk).update(role="result_desk")
    assert "the role of stranger (result_desk) does not allow it." in verified(event)
