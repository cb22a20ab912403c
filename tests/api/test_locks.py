"""What a request that saves something locks:
its tournament with the other sections of the event.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import NOW, make_tournament
from tournaments.api.writes import _locked
from tournaments.events.sections import event_create, section_add

pytestmark = pytest.mark.django_db


def test_a_request_locks_the_sections_of_its_event_and_no_other_tournament(
    chief_arbiter: User,
) -> None:
    one, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Other"))
    event = event_create(tournament_id=one.pk, name="One", label="A", actor=chief_arbiter, now=NOW)
    two = section_add(
        event_id=event.pk, like_id=one.pk, label="B", limits={}, actor=chief_arbiter, now=NOW
    )
    for tournament, together in ((one, [one, two]), (two, [one, two]), (other, [other])):
        with CaptureQueriesContext(connection) as captured, transaction.atomic():
            assert _locked(tournament.slug) == tournament
        (locking,) = (query["sql"] for query in captured if " IN (" in query["sql"])
        assert f" IN ({', '.join(str(each.pk) for each in together)})" in locking
