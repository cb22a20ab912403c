"""A file brings the number and the name of an honest person,
before the event of that person comes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tests.tournaments.site.backups.test_hostile_event import by_page
from tests.tournaments.site.backups.test_taking_over import link_and_pin
from tournaments.core.errors import BadInput
from tournaments.core.permissions import role_of
from tournaments.models import Action, Appointment, Decision, Role, Tournament
from tournaments.people.people import access_renew, account_appoint, new_access
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.log_ins import role_confirm
from tournaments.site.backups.one_event import export_tournaments

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is emptied, as if it were another computer"),
]
VERA: Final = 701


def event(path: Path, name: str, chief: User, deputy: str = "") -> Path:
    """Make an event that was handed over on another computer, and leave that computer."""
    ours = factories.make_ready(actor=chief, players=4, name=name)
    if deputy:
        account_appoint(
            tournament_id=ours.pk, username=deputy, role="deputy", actor=chief, now=LATER
        )
    hand_over(ours, chief)
    export_tournaments([ours.pk], path / name, now=LATER)
    empty_tables(connection)
    return path / name


@pytest.fixture
def honest(tmp_path: Path) -> Path:
    vera = User.objects.create_user(
        "vera", pk=VERA, password="vera-secret", first_name="Vera Victim"
    )
    return event(tmp_path, "Spring Open", vera)


@pytest.fixture
def trap(tmp_path: Path, honest: Path) -> Path:
    User.objects.create_user("vera", pk=VERA, password="known-to-mallory", first_name="Vera Victim")
    mallory = User.objects.create_user(
        "mallory", pk=801, password="mallory-secret", first_name="Mallory"
    )
    return event(tmp_path, "Trap", mallory, "vera")


@pytest.fixture
def boss(trap: Path, logged_in: Callable[[User], Client]) -> Client:
    return logged_in(
        User.objects.create_superuser("boss", pk=900, password="boss-secret", first_name="Bo Boss")
    )


def with_link(page: str) -> Client:
    client = Client()
    link, pin = link_and_pin(page)
    assert client.post(link, {"pin": pin}).status_code == 302
    return client


def new_link(chief: Client, tournament: Tournament, person: int) -> tuple[int, str]:
    row = Appointment.objects.get(tournament=tournament, person=person, until=None)
    seen = Tournament.objects.get(pk=tournament.pk).version
    url = reverse("person-renew", args=[tournament.slug, row.pk])
    answer = chief.post(url, {"seen_version": seen}, follow=True)
    return answer.status_code, unescape(answer.content.decode())


@pytest.mark.costly
def test_a_link_of_another_event_accepts_no_role(boss: Client, trap: Path, honest: Path) -> None:
    mallory = with_link(by_page(boss, trap))
    theirs = Tournament.objects.get(name="Trap")
    as_vera = with_link(new_link(mallory, theirs, VERA)[1])
    page = by_page(boss, honest)
    assert "“Spring Open”. This role has no effect until you confirm it below." in page
    assert "/join/" not in page
    ours, vera = Tournament.objects.get(name="Spring Open"), User.objects.get(pk=VERA)
    role = Appointment.objects.get(tournament=ours, person=vera)
    assert (
        reverse("role-accept", args=[role.pk]) not in as_vera.get(reverse("home")).content.decode()
    )
    assert as_vera.post(reverse("role-accept", args=[role.pk])).status_code == 409
    # A role that does not count yet does not keep the Chief Arbiter of the other event from making
    # a new link.
    as_vera = with_link(new_link(mallory, theirs, VERA)[1])
    assert (role_of(vera, ours), as_vera.get(reverse("desk", args=[ours.slug])).status_code) == (
        None,
        403,
    )
    # The site administrator confirms, and the links from before end.
    page = unescape(boss.get(reverse("take-over")).content.decode())
    assert "Vera Victim" in page
    assert "This account came here with: Trap." in page
    answers = [boss.post(reverse("take-over"), {"confirm": role.pk}, follow=True) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 409]
    real = with_link(unescape(answers[0].content.decode()))
    assert real.get(reverse("people", args=[ours.slug])).status_code == 200
    assert as_vera.get(reverse("desk", args=[theirs.slug])).status_code == 302
    assert new_link(mallory, theirs, VERA)[0] == 403
    for tournament in (ours, theirs):
        line = Decision.objects.filter(tournament=tournament).latest("sequence")
        assert (line.action, line.actor_name) == (Action.PASSWORD_SET, "Bo Boss")
        assert event_faults(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.costly
def test_only_a_site_administrator_confirms_and_only_a_role_that_waits(
    boss: Client, trap: Path, honest: Path, logged_in: Callable[[User], Client]
) -> None:
    mallory = with_link(by_page(boss, trap))
    by_page(boss, honest)
    role = Appointment.objects.get(tournament__name="Spring Open", person=VERA)
    staff = User.objects.create_user("staff", pk=901, password="staff-secret", is_staff=True)
    for client in (mallory, logged_in(staff)):
        assert client.post(reverse("take-over"), {"confirm": role.pk}).status_code == 403
    with pytest.raises(PermissionDenied):
        role_confirm(appointment_id=role.pk, access=new_access(), actor=staff, now=LATER)
    others = [each.pk for each in Appointment.objects.exclude(pk=role.pk)]
    for wrong in (*others, 0, 987654, "x", "9" * 30):
        assert boss.post(reverse("take-over"), {"confirm": wrong}).status_code == 409
    assert not Appointment.objects.get(pk=role.pk).accepted


@pytest.mark.costly
def test_an_account_that_was_here_before_gets_no_link_by_a_file(boss: Client, trap: Path) -> None:
    """Without a role here there is nothing else that a new link would open;
    but it would be the name of the person.
    """
    User.objects.create_user("vera", pk=VERA, first_name="Vera Victim")
    page = by_page(boss, trap)
    assert "the Chief Arbiter ends it and appoints the person again" in page
    theirs = Tournament.objects.get(name="Trap")
    row = Appointment.objects.get(tournament=theirs, person=VERA)
    chief = Appointment.objects.get(tournament=theirs, role=Role.CHIEF, until=None).person
    with pytest.raises(
        BadInput, match="was on this computer before this tournament came with a file"
    ):
        access_renew(appointment_id=row.pk, access=new_access(), actor=chief, now=LATER)
    assert new_link(with_link(page), theirs, VERA)[0] == 400
    assert Appointment.objects.get(pk=row.pk).link == ""


def test_a_chief_arbiter_whose_account_was_here_before_gets_no_link_by_itself(
    boss: Client, honest: Path
) -> None:
    User.objects.create_user("vera", pk=VERA)  # without a password, and without a role
    page = by_page(boss, honest)
    assert "/join/" not in page
    assert "Confirm and make a new link" in page
    assert re.search("This account came here with", page) is None


@pytest.mark.costly
def test_the_page_names_only_events_that_came_with_a_file_and_what_else_to_do(
    boss: Client, honest: Path
) -> None:
    vera, admin = User.objects.create_user("vera", pk=VERA), User.objects.get(username="boss")
    for name, until in (("Demo Open", None), ("Ended Open", LATER)):
        other = factories.make_tournament(admin, name=name)
        Appointment.objects.create(
            tournament=other, person=vera, role=Role.DEPUTY, since=LATER, until=until
        )
    page = by_page(boss, honest)
    there = Tournament.objects.get(name="Spring Open")
    assert "Confirm and make a new link" in page
    assert "This account came here with" not in page
    assert f"./run manage appoint {there.slug} NAME makes somebody else the Chief Arbiter" in page
    call_command("appoint", there.slug, "boss")
    assert "Confirm and make a new link" not in boss.get(reverse("take-over")).text


@pytest.mark.costly
def test_the_console_says_who_confirms_the_role_of_an_account_with_a_link(
    boss: Client, honest: Path
) -> None:
    User.objects.create_user("vera", pk=VERA)
    call_command("import_event", str(honest), stdout=(output := StringIO()))
    assert "no effect until a site administrator confirms it" in output.getvalue()
