"""A file that names an account of this site learns no more about it than the file says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.site.backups.test_hand_over import hand_over
from tests.tournaments.site.backups.test_hostile_event import (
    NUMBERS,
    by_page,
    hostile,  # noqa: F401  a fixture
    old_form,  # noqa: F401  a fixture
    pytestmark as pytestmark,
    site,  # noqa: F401  a fixture
)
from tests.tournaments.site.backups.test_squatted_account import with_link
from tournaments.models import Action, Appointment, Decision, Tournament
from tournaments.people.log_in_changes import log_in_changed
from tournaments.people.people import role_accept, role_decline
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.copy_file import extract
from tournaments.site.backups.copying import ROWS
from tournaments.site.backups.one_event import export_tournaments


@pytest.mark.costly
def test_the_name_of_an_account_here_is_that_of_the_record_while_its_role_waits(
    site: Tournament,  # noqa: F811
    hostile: Path,  # noqa: F811
    tmp_path: Path,
    logged_in: Callable[[User], Client],
) -> None:
    boss = User.objects.get(username="boss")
    mallory = with_link(by_page(logged_in(boss), hostile))
    trap, vera = Tournament.objects.get(name="Trap"), User.objects.get(pk=NUMBERS["vera"])
    people = reverse("people", args=[trap.slug])
    assert [name in mallory.get(people).text for name in ("vera", "Victim", "Hal Helper")] == [
        True,
        False,
        False,
    ]
    role = Appointment.objects.get(tournament=trap, person=vera, until=None)
    form = {"seen_version": Tournament.objects.get(pk=trap.pk).version}
    renewed = mallory.post(reverse("person-renew", args=[trap.slug, role.pk]), form)
    assert (renewed.status_code, "Victim" in renewed.text) == (400, False)
    # A password that is set for the account does not concern this event.
    log_in_changed(person=vera, actor=boss, now=timezone.now())
    lines = Decision.objects.filter(action=Action.PASSWORD_SET, actor=boss).values_list(
        "tournament__name", flat=True
    )
    assert list(lines.filter(after__person=vera.pk)) == ["Spring Open"]
    # Nor is the file in which the event goes back.
    hand_over(Tournament.objects.get(pk=trap.pk), User.objects.get(username="mallory"))
    export_tournaments([trap.pk], tmp_path / "back", now=timezone.now())
    extract(tmp_path / "back", ROWS, tmp_path / "part")
    text = (tmp_path / "part").read_text()
    assert [each in text for each in ("Victim", "Hal Helper", vera.date_joined.isoformat())] == [
        False
    ] * 3
    assert f'[{vera.pk},"vera","vera",""' in text
    assert event_faults(Tournament.objects.get(pk=trap.pk)) == []


def test_the_end_of_a_waiting_role_has_the_name_of_the_record_and_an_accepted_role_the_real_one(
    site: Tournament,  # noqa: F811
    hostile: Path,  # noqa: F811
    logged_in: Callable[[User], Client],
) -> None:
    mallory = with_link(by_page(logged_in(User.objects.get(username="boss")), hostile))
    trap, vera = Tournament.objects.get(name="Trap"), User.objects.get(pk=NUMBERS["vera"])
    role = Appointment.objects.get(tournament=trap, person=vera)
    staff = User.objects.get(username="staff")
    theirs = Appointment.objects.get(tournament=trap, person=staff)
    role_decline(appointment_id=theirs.pk, actor=staff, now=timezone.now())
    assert Decision.objects.filter(tournament=trap).latest("sequence").before["name"] == "staff"
    role_accept(appointment_id=role.pk, actor=vera)
    assert "Vera Victim" in mallory.get(reverse("people", args=[trap.slug])).text
    assert event_faults(Tournament.objects.get(pk=trap.pk)) == []
