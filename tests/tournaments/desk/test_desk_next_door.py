"""The desk, the finder and the undo know only their own tournament."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.actions import open_action
from tournaments.core.frame import tournament_frame
from tournaments.desk.desk import desk
from tournaments.desk.find import find_in_event
from tournaments.desk.undo import action_undo, undoable_actions
from tournaments.entries.entries import entry_add, entry_remove, entry_update
from tournaments.models import Appointment, Decision, Entry, Round, Tournament
from tournaments.models.payloads import TournamentImported
from tournaments.people.people import account_appoint


@pytest.fixture
def hall(published_round: Round, chief_arbiter: User) -> Tournament:
    """A larger tournament with the same numbers; its first round is being played."""
    other = factories.make_ready(chief_arbiter, name="The Hall Next Door", players=12)
    factories.pair_and_publish(other, 1, chief_arbiter)
    return other


def test_the_desk_shows_boards_and_lines_of_its_tournament(
    ready: Tournament, hall: Tournament, chief_arbiter: User
) -> None:
    factories.enter_results(ready, 1, chief_arbiter)
    shown = desk(tournament_frame(Tournament.objects.get(pk=ready.pk), runs=True))
    assert (shown.boards, shown.missing) == (4, ())
    assert {line.tournament_id for line in shown.decisions} == {ready.pk}


@pytest.mark.costly
def test_c04_2_4_2_a_later_time_of_results_next_door_is_not_announced_here(
    ready: Tournament, hall: Tournament, client: Client, chief_arbiter: User
) -> None:
    factories.enter_results(ready, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    address, times = (
        reverse("desk", args=[ready.slug]),
        [timezone.now() + timedelta(hours=n) for n in (1, 2)],
    )
    first = Round.objects.filter(number=1)
    first.filter(tournament=hall).update(results_due_at=times[0])
    assert client.get(address).context["announced_later"] is None
    first.filter(tournament=ready).update(results_due_at=times[1])
    assert client.get(address).context["announced_later"] == times[1]


def test_a_player_is_found_in_the_sections_of_the_event_alone(
    tournament: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    for each, fide_id in ((tournament, 98765431), (other, 98765432)):
        entry_add(
            tournament_id=each.pk, actor=chief_arbiter, now=NOW, name="Quetzal, Xanthippe", initials=True,
            fide_id=fide_id,
        )  # fmt: skip
    assert find_in_event([tournament], "abara", own=[tournament.pk]) == ([], 0)
    # A role in the one section does not show the whole names of the other.
    (player,) = find_in_event([tournament, other], "quetzal xanthippe", own=[tournament.pk])[0]
    assert player[0] == tournament.pk
    assert find_in_event([tournament, other], "quetzal xanthippe", own=[])[1] == 0


def test_longer_records_of_others_do_not_stop_an_undo(
    tournament: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    entry = entry_add(tournament_id=tournament.pk, name="Kovar, Eva", **by)
    entry_update(entry_id=entry.pk, club="Mate", **by)
    newest = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert newest.sequence < Decision.objects.filter(tournament=neighbour).count()
    line = action_undo(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW + timedelta(hours=1),
        sequence=newest.sequence,
    )
    assert (line.tournament_id, line.after["undone"]) == (tournament.pk, newest.sequence)
    entry.refresh_from_db()
    assert entry.club == ""


@pytest.mark.costly
def test_only_actions_of_this_tournament_are_offered_to_undo(
    ready: Tournament, hall: Tournament, chief_arbiter: User
) -> None:
    for each in (ready, hall):
        factories.enter_results(each, 1, chief_arbiter)
    frame = tournament_frame(Tournament.objects.get(pk=ready.pk), runs=True)
    offered = [line.pk for line in undoable_actions(frame, chief_arbiter, now=NOW)]
    results = Decision.objects.filter(tournament=ready, action="result.recorded").order_by(
        "-sequence"
    )
    assert offered == list(results.values_list("pk", flat=True))


def test_an_undone_appointment_ends_the_role_here_alone(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    for each in (other, tournament):
        account_appoint(tournament_id=each.pk, username=stranger.username, role="deputy", **by)
    newest = Decision.objects.filter(tournament=tournament).latest("sequence")
    action_undo(tournament_id=tournament.pk, sequence=newest.sequence, **by)
    assert [row.tournament for row in Appointment.objects.filter(person=stranger, until=None)] == [
        other
    ]


def test_an_imported_tournament_elsewhere_does_not_keep_a_removed_player_away(
    tournament: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    with open_action(pk=other.pk, **by) as action:
        values: Any = {}
        action.record(TournamentImported(before={}, after=values))
    factories.make_entries(tournament, chief_arbiter, 2)
    entry = Entry.objects.filter(tournament=tournament).latest("pk")
    entry_remove(entry_id=entry.pk, **by)
    newest = Decision.objects.filter(tournament=tournament).latest("sequence")
    action_undo(tournament_id=tournament.pk, sequence=newest.sequence, **by)
    assert Entry.objects.get(pk=entry.pk).tournament == tournament
