"""An event goes to another computer and comes back, and another event is there:
nothing of it is read or changed.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from pairing.record import signatures
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import everything_of
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tournaments.events.sections import event_create
from tournaments.models import Event, PublishedList, Role, Tournament
from tournaments.people.people import account_appoint
from tournaments.reports.published_lists import signed_text
from tournaments.site.backups.accounts import without_secrets
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.log_ins import roles_here, waiting_for_a_link
from tournaments.site.backups.one_event import export_event, import_event
from tournaments.site.backups.taking_over import take_over

pytestmark = pytest.mark.django_db(transaction=True)


def leave(tournament: Tournament) -> None:
    """Delete *tournament*, its event and its Chief Arbiter, as on another computer;
    the neighbour stays.
    """
    found = [
        (table, row[0]) for table, rows in everything_of(tournament.pk).items() for row in rows
    ]
    with (
        guard_lifted(connection),
        connection.constraint_checks_disabled(),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        for table, pk in reversed(found):
            cursor.execute(f"DELETE FROM {table} WHERE id = %s", [pk])  # noqa: S608


@pytest.mark.costly
def test_an_event_goes_and_comes_back_with_another_event_on_both_computers(
    tmp_path: Path, neighbour: Tournament, chief_arbiter: User
) -> None:
    ours = factories.make_ready(actor=chief_arbiter, players=6)
    event = event_create(
        tournament_id=ours.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW
    )
    factories.play_rounds(ours, [1], chief_arbiter)
    hand_over(ours, chief_arbiter)
    export_event(event.slug, tmp_path / "away", now=LATER)

    leave(ours)
    done = take_over(tmp_path / "away", now=LATER)
    (there,) = done.tournaments
    # The only person of the event came with the file, and has no link yet.
    assert (roles_here(done), waiting_for_a_link(done)) == ([], 1)
    hand_over(there, User.objects.get(username="chief"))
    export_event(event.slug, tmp_path / "back", now=LATER)

    leave(there)
    import_event(tmp_path / "away")
    (again,) = take_over(tmp_path / "back", now=LATER).tournaments
    assert event_faults(again) == []
    assert sorted(Event.objects.values_list("name", "sections__tournament")) == [
        ("Autumn Festival", neighbour.pk),
        ("Festival", again.pk),
    ]


def test_name_and_age_of_an_account_are_those_in_the_record_of_the_event_alone(
    ready: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_ready(chief_arbiter, name="Other")
    person = User.objects.create_user(
        "visitor", first_name="Vera", last_name="Visitor", password="visitor-secret"
    )
    account_appoint(
        tournament_id=other.pk, username="visitor", role=Role.READER, actor=chief_arbiter, now=NOW
    )
    first = ready.decisions.earliest("at").at
    with guard_lifted(connection):
        other.decisions.update(at=first - timedelta(days=1))
    there = without_secrets(person, [ready.pk])
    assert (there.get_full_name(), there.date_joined) == ("visitor", first)


@pytest.mark.costly
def test_a_list_signed_with_the_key_of_another_event_is_a_fault(
    ready: Tournament, chief_arbiter: User
) -> None:
    key = "34" * 32
    other = factories.make_ready(chief_arbiter, name="Other")
    for tournament in (ready, other):
        factories.pair_and_publish(tournament, 1, chief_arbiter)
    assert event_faults(ready) == []
    row, line = ready.published_lists.get(), other.decisions.get(action="pairings.published")
    with guard_lifted(connection):
        other.published_lists.all().delete()
        other.decisions.update(key=signatures.public_key(key))
        row.decision = line
        PublishedList.objects.filter(pk=row.pk).update(
            decision=line, signature=signatures.sign(key, signed_text(row))
        )
    assert event_faults(ready) == [
        f"#{line.sequence}, pairings of round 1: the signature does not fit."
    ]


def test_a_hand_over_locks_its_event_and_no_other(ready: Tournament, chief_arbiter: User) -> None:
    event_create(tournament_id=ready.pk, name="Festival", label="A", actor=chief_arbiter, now=NOW)
    with CaptureQueriesContext(connection) as captured:
        hand_over(ready, chief_arbiter)
    locking = next(
        query["sql"] for query in captured if ' FROM "tournaments_event" ' in query["sql"]
    )
    assert f'"tournament_id" = {ready.pk} ' in locking
