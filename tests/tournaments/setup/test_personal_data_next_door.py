"""Another tournament neither counts nor loses anything when personal data are deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import override_settings

from pairing.rules.personal_data import FORGOTTEN
from pairing.rules.verdict import Refused
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.setup.conftest import LATER
from tests.tournaments.setup.test_personal_data import delete
from tournaments.core.actions import open_action
from tournaments.models import Entry, Tournament
from tournaments.models.payloads import ReportSent
from tournaments.people.accounts.store import SessionStore
from tournaments.people.people import Access, person_appoint, person_remove
from tournaments.setup.personal_data import Found, deletion_due_at, found, may_delete_now


@pytest.mark.costly
def test_nothing_of_the_tournament_next_door_is_counted(full: Tournament) -> None:
    one, two = (factories.entry_of(full, tpn) for tpn in (1, 2))
    assert found(full) == Found(
        birth_dates=2, full_names=1, national_ids=0, check_ins=0, desk=1, mails=1, registrations=1, waiting=1,
        kept_records=0, reasons=1, lines=5,
    )  # fmt: skip
    assert (found(full, one).desk, found(full, two).desk) == (1, 0)
    assert (found(full, one).mails, found(full, two).mails) == (1, 0)


def test_a_player_of_another_tournament_is_not_found(
    over: Tournament, neighbour: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(Entry.DoesNotExist):
        delete(over, chief_arbiter, entry_id=neighbour.entries.earliest("pk").pk)
    assert found(over)


def test_a_longer_record_next_door_does_not_say_since_when_nothing_happened(
    tournament: Tournament,
) -> None:
    assert isinstance(may_delete_now(tournament, NOW + FORGOTTEN), Refused)
    assert not isinstance(
        may_delete_now(tournament, NOW + FORGOTTEN + timedelta(seconds=1)), Refused
    )


def test_a_report_of_another_tournament_does_not_put_off_the_deletion(
    over: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    later = LATER + timedelta(days=3)
    for tournament, due in ((other, LATER), (over, later)):
        with open_action(
            actor=chief_arbiter, now=later, pk=tournament.pk, after_the_end=True
        ) as action:
            sent: Any = {
                "number": 1,
                "sha256": "0" * 64,
                "until": None,
                "games": [],
                "corrected": [],
            }
            action.record(ReportSent(before={}, after=sent))
        with override_settings(KEEP_PERSONAL_DATA_DAYS=0):
            assert deletion_due_at(over) == due


@pytest.mark.costly
def test_a_role_that_ended_in_another_tournament_ends_no_session(
    over: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    helper = person_appoint(
        tournament_id=other.pk, name="Hal Helper", role="result_desk", access=Access("a-secret", "123456"),
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    person_remove(appointment_id=helper.pk, actor=chief_arbiter, now=NOW)
    session = SessionStore()
    session["_auth_user_id"] = str(helper.person_id)
    session.create()
    delete(over, chief_arbiter)
    assert Session.objects.count() == 1
