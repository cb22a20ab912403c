"""A copy takes times and people of its source alone;
a waiting row is compared with the players here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.tournaments.factories import NOW, make_tournament, round_of
from tournaments.lists.imports.duplicate import schedule_copy, tournament_duplicate
from tournaments.lists.imports.waiting_changes import entered_players
from tournaments.models import Tournament, WaitingEntry
from tournaments.people.people import account_appoint
from tournaments.setup.schedule import round_schedule


def test_the_times_of_a_copy_are_those_of_its_source(
    tournament: Tournament, chief_arbiter: User
) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    earlier, source, later = (
        make_tournament(chief_arbiter, name=name) for name in ("Earlier", "Source", "Later")
    )
    starts = {
        earlier: NOW + timedelta(days=1),
        source: NOW + timedelta(days=5),
        later: NOW + timedelta(days=9),
    }
    numbers = {earlier: 1, source: 2, later: 1}
    for each, at in starts.items():
        round_schedule(
            round_id=round_of(each, numbers[each]).pk, starts_at=at, results_due_at=None, **by
        )
    schedule_copy(source, tournament, **by)
    assert [round_of(tournament, number).starts_at for number in (1, 2)] == [None, starts[source]]
    first_day = timezone.localtime(NOW + timedelta(days=12)).date()
    made = tournament_duplicate(source_id=source.pk, name="Copy", first_day=first_day, **by)
    assert [round_of(made, number).starts_at for number in (1, 2)] == [
        None,
        NOW + timedelta(days=12),
    ]
    assert {each: round_of(each, numbers[each]).starts_at for each in starts} == starts
    assert round_of(later, 2).starts_at is None


def test_only_the_people_of_the_source_are_invited(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    other = make_tournament(chief_arbiter, name="Other")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    account_appoint(tournament_id=other.pk, username=stranger.username, role="deputy", **by)
    made = tournament_duplicate(
        source_id=tournament.pk, name="Copy", first_day=None, people=True, **by
    )
    assert made.invitations.count() == 0


def test_a_waiting_row_is_not_compared_with_a_namesake_next_door(
    tournament: Tournament, neighbour: Tournament
) -> None:
    there = neighbour.entries.earliest("pk")
    fields = {"name": there.name, "fide_id": str(there.fide_id)}
    row = WaitingEntry.objects.create(tournament=tournament, fields=fields, created_at=NOW)
    assert entered_players(neighbour, [row])[row.pk].entry == there
    assert entered_players(tournament, [row]) == {}
