"""The file of an event that somebody wrote to replace the live event:
only the computer that has it goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from pytest_django import Settings

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tests.tournaments.site.backups.test_hostile_event import by_page, send
from tournaments.models import Tournament
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.one_event import export_tournaments, import_event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is emptied, as if it were another computer"),
]


@pytest.mark.costly
def test_a_live_event_is_not_replaced_with_lines_that_another_computer_signed(
    tmp_path: Path, chief_arbiter: User, logged_in: Callable[[User], Client], settings: Settings
) -> None:
    """A deputy knows all data of the event, and could write
    that its Chief Arbiter handed it over.
    """
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    own_key = settings.SIGNING_KEY
    export_tournaments([ours.pk], tmp_path / "live", now=LATER)
    for name, key in (("forged", "34" * 32), ("own", own_key)):
        empty_tables(connection)
        settings.SIGNING_KEY = own_key
        import_event(tmp_path / "live")
        settings.SIGNING_KEY = key
        hand_over(Tournament.objects.get(), User.objects.get(username="chief"))
        export_tournaments([Tournament.objects.get().pk], tmp_path / name, now=LATER)
    empty_tables(connection)
    settings.SIGNING_KEY = own_key
    import_event(tmp_path / "live")
    boss = logged_in(User.objects.create_superuser("boss", password="boss-secret"))
    before = all_rows()
    answer = send(boss, tmp_path / "forged")
    assert (answer.status_code, all_rows()) == (409, before)
    assert (
        "is live here and was not handed over from here, but another computer signed action"
        in answer.text
    )
    # A copy that was restored from before the hand-over goes on.
    assert "is taken over" in by_page(boss, tmp_path / "own")
    assert event_faults(Tournament.objects.get()) == []


def test_a_live_event_is_not_replaced_by_a_computer_that_had_it_before(
    tmp_path: Path, chief_arbiter: User, logged_in: Callable[[User], Client], settings: Settings
) -> None:
    """The older lines are signed with the key of that computer,
    so the key alone does not say who goes on.
    """
    own_key, former = settings.SIGNING_KEY, "34" * 32
    settings.SIGNING_KEY = former
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "first", now=LATER)
    empty_tables(connection)
    settings.SIGNING_KEY = own_key
    boss = User.objects.create_superuser("boss", password="boss-secret")
    assert "is taken over" in by_page(logged_in(boss), tmp_path / "first")
    export_tournaments([Tournament.objects.get().pk], tmp_path / "live", now=LATER)
    empty_tables(connection)
    settings.SIGNING_KEY = former
    import_event(tmp_path / "live")
    hand_over(Tournament.objects.get(), User.objects.get(username="chief"))
    export_tournaments([Tournament.objects.get().pk], tmp_path / "forged", now=LATER)
    empty_tables(connection)
    settings.SIGNING_KEY = own_key
    import_event(tmp_path / "live")
    client = logged_in(User.objects.create_superuser("another", password="boss-secret"))
    before = all_rows()
    answer = client.post(
        "/api/v1/take-over/",
        (tmp_path / "forged").read_bytes(),
        content_type="application/octet-stream",
    )
    assert (answer.status_code, "take_over.is_live" in answer.text, all_rows()) == (
        409,
        True,
        before,
    )
