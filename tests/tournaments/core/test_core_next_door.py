"""Roles, ratings, the record and newer lines are those of one tournament,
also beside one with a longer record.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.factories import NOW, make_entries, make_ready, make_tournament
from tournaments.core import record
from tournaments.core.newer_lines import OF_THE_LIST, newer_lines
from tournaments.core.permissions import role_of
from tournaments.core.rating import take_ratings_again
from tournaments.entries.entries import entry_add
from tournaments.models import Appointment, Decision, Entry, Role, Tournament
from tournaments.setup.personal_data import data_delete


@pytest.fixture
def longer(tournament: Tournament, chief_arbiter: User) -> Tournament:
    """A tournament made after the other one, with more lines in its record."""
    return make_ready(chief_arbiter, name="Longer", players=14)


def test_lines_next_door_make_no_page_out_of_date(
    tournament: Tournament, longer: Tournament
) -> None:
    assert newer_lines(tournament, 0, OF_THE_LIST) == ()
    assert len(newer_lines(longer, 0, OF_THE_LIST)) == 15


def test_a_role_next_door_is_none_here(
    tournament: Tournament, longer: Tournament, stranger: User
) -> None:
    Appointment.objects.create(tournament=longer, person=stranger, role=Role.DEPUTY, since=NOW)
    assert [role_of(stranger, each) for each in (tournament, longer)] == [None, Role.DEPUTY]


def test_ratings_next_door_stay_when_they_are_taken_again_here(
    tournament: Tournament, longer: Tournament
) -> None:
    Entry.objects.filter(tournament=longer).update(rating=1234)
    take_ratings_again(tournament)
    assert set(longer.entries.values_list("rating", flat=True)) == {1234}


@pytest.mark.costly
def test_each_record_counts_and_verifies_its_own_lines(
    tournament: Tournament, longer: Tournament, chief_arbiter: User
) -> None:
    make_entries(tournament, chief_arbiter, 2)
    for each, lines in ((tournament, 3), (longer, 17)):
        assert Tournament.objects.get(pk=each.pk).version == lines
        assert [line.sequence for line in record.lines_of(each, private=True)] == list(
            range(1, lines + 1)
        )
        assert list(record.lines_by_key(each).values()) == [lines]
        assert (record.verify(each), record.ending_faults(each)) == ([], [])


def test_deleted_and_altered_lines_next_door_are_no_faults_here(
    tournament: Tournament, chief_arbiter: User
) -> None:
    other = make_tournament(chief_arbiter, name="Other")
    for each in (tournament, other):
        entry_add(
            tournament_id=each.pk, actor=chief_arbiter, now=NOW, name="Ito, Ines", fide_id=98765431,
            birth_date="1999/01/01",
        )  # fmt: skip
    later = NOW + timedelta(days=100)
    data_delete(tournament_id=other.pk, actor=chief_arbiter, now=later, confirmed=True)
    assert [record.verify(each) for each in (tournament, other)] == [[], []]
    with guard_lifted(connection):
        line = Decision.objects.get(tournament=other, sequence=2)
        Decision.objects.filter(pk=line.pk).update(after={**line.after, "birth_date": "1999/01/01"})
    assert record.verify(other) != []
    assert record.verify(tournament) == []
