"""A site administrator who sets the password of an arbiter can act as that arbiter:
the record says so.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rules.powers import NEW_ADDRESS, WITH_A_LINK
from tests.tournaments.factories import NOW, make_ready, make_tournament, play_rounds
from tests.tournaments.reports.wanderers import checked, exported, verified
from tournaments.models import Decision, Tournament
from tournaments.people.people import account_appoint, person_remove
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.web.people.accounts.new_password import link_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(db: None) -> User:
    return User.objects.create_superuser(
        "boss", password="boss-secret", first_name="Bo", last_name="Boss"
    )


def set_password(boss: User, person: User, letters: str = "another-secret-7") -> None:
    client = Client()
    client.force_login(boss)
    address = reverse("admin:auth_user_password_change", args=[person.pk])
    given = {
        "password1": letters,
        "password2": letters,
        "usable_password": "true",
        "set-password": "1",
    }
    client.post(address, given)


def newest(tournament: Tournament) -> Decision:
    return tournament.decisions.latest("sequence")


@pytest.mark.costly
def test_c04_2_4_a_password_set_by_a_site_administrator_is_in_every_record(
    chief_arbiter: User, stranger: User, boss: User, client: Client
) -> None:
    first, second, third = (
        make_tournament(chief_arbiter, name=name) for name in ("One", "Two", "Three")
    )
    for tournament in (first, second):
        given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
        made = account_appoint(username=stranger.username, role="deputy", **given)
    person_remove(appointment_id=made.pk, actor=chief_arbiter, now=NOW)
    set_password(boss, stranger)
    assert (newest(first).action, newest(first).actor) == ("password.set", boss)
    assert newest(first).after == {"person": stranger.pk, "name": "stranger", "role": "deputy"}
    assert [newest(each).action for each in (second, third)] == [
        "person.removed",
        "tournament.created",
    ]
    assert [verified(each) for each in (first, second, third)] == ["", "", ""]
    page = client.get(reverse("record", args=[first.slug])).content.decode()
    assert "log-in data of a person changed" in page
    assert "stranger, deputy" in page
    assert "Bo Boss" in page


@pytest.mark.parametrize("form", ["%2B{}", "%20{}", "0{}", "{}%20"])
def test_c04_2_4_a_password_set_at_another_form_of_the_address_is_in_every_record(
    chief_arbiter: User, boss: User, client: Client, form: str
) -> None:
    """Django reads the number of the account from the address with ``int``."""
    ours, old = make_tournament(chief_arbiter), chief_arbiter.password
    client.force_login(boss)
    letters = "another-secret-7"
    given = {
        "password1": letters,
        "password2": letters,
        "usable_password": "true",
        "set-password": "1",
    }
    client.post(f"/admin/auth/user/{form.format(chief_arbiter.pk)}/password/", given)
    chief_arbiter.refresh_from_db()
    assert chief_arbiter.password != old
    assert (newest(ours).action, newest(ours).actor) == ("password.set", boss)
    assert verified(ours) == ""


def test_c04_2_4_a_link_for_a_new_password_is_in_every_record(
    chief_arbiter: User, stranger: User, boss: User, client: Client
) -> None:
    """With the link the site administrator could log in as that person."""
    running, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Two"))
    client.force_login(boss)
    form = {
        "action": "link_for_a_new_password",
        "_selected_action": [chief_arbiter.pk, stranger.pk, boss.pk],
    }
    assert "/accounts/new-password/" in client.post("/admin/auth/user/", form, follow=True).text
    for tournament in (running, other):
        assert (newest(tournament).action, newest(tournament).actor) == ("password.set", boss)
        assert verified(tournament) == ""


@pytest.mark.costly
def test_c04_2_4_another_e_mail_address_by_a_site_administrator_is_in_every_record(
    chief_arbiter: User, boss: User, client: Client
) -> None:
    """A link for a new password is sent to it."""
    running, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Two"))
    client.force_login(boss)
    address = reverse("admin:auth_user_change", args=[chief_arbiter.pk])
    form = client.get(address).context["adminform"].form
    given = {
        name: value
        for name, value in form.initial.items()
        if value and name not in ("password", "id")
    }
    given |= {"date_joined_0": "2026-11-01", "date_joined_1": "10:00:00", "is_active": "on"}
    for email, lines in (("", 0), ("boss@example.org", 1), ("boss@example.org", 1), ("", 2)):
        assert client.post(address, given | {"email": email}).status_code == 302
        for tournament in (running, other):
            found = tournament.decisions.filter(
                action="password.set", actor=boss, reason=NEW_ADDRESS
            )
            assert found.count() == lines
            assert verified(tournament) == ""
    client.force_login(chief_arbiter)
    assert (
        "another e-mail address, to which links"
        in client.get(reverse("record", args=[running.slug])).text
    )


def test_c04_2_4_a_password_set_with_a_link_is_in_every_record(
    chief_arbiter: User, client: Client
) -> None:
    """The site administrator may have entered the address before the person had a role."""
    User.objects.filter(pk=chief_arbiter.pk).update(email="boss@example.org")
    running = make_tournament(chief_arbiter, name="One")
    chief_arbiter.refresh_from_db()
    page = client.get(link_for(chief_arbiter), follow=True)
    form = {"new_password1": "another-secret-7", "new_password2": "another-secret-8"}
    client.post(page.redirect_chain[-1][0], form)
    assert newest(running).action == "tournament.created"
    client.post(page.redirect_chain[-1][0], form | {"new_password2": "another-secret-7"})
    line = newest(running)
    assert (line.action, line.actor, line.reason) == ("password.set", chief_arbiter, WITH_A_LINK)
    assert verified(running) == ""


def test_c04_2_4_no_line_without_a_new_password_nor_about_the_own_one(
    chief_arbiter: User, boss: User
) -> None:
    running = make_tournament(chief_arbiter, name="One")
    set_password(boss, chief_arbiter, letters="short")
    assert newest(running).action == "tournament.created"
    mine = make_tournament(boss, name="Two")
    set_password(boss, boss)
    assert newest(mine).action == "tournament.created"


@pytest.mark.costly
def test_c04_2_4_final_standings_say_so_too_because_they_can_be_reopened(
    chief_arbiter: User, boss: User
) -> None:
    over = make_ready(chief_arbiter, rounds=1)
    play_rounds(over, [1], chief_arbiter)
    end = {"tournament_id": over.pk, "actor": chief_arbiter, "now": NOW + timedelta(hours=1)}
    standings_make_final(**end, ties_stay=True)
    set_password(boss, chief_arbiter)
    assert newest(over).action == "password.set"
    standings_reopen(**end, reason="a scoresheet was found")
    over.refresh_from_db()
    assert verified(over) == ""
    assert checked(exported(over, runs=False)) is None
