"""An account that the Chief Arbiter makes for a person, with a link for its password."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tournaments.models import Appointment, Decision, Role, Tournament
from tournaments.people import people
from tournaments.people.accounts.sessions import end_others
from tournaments.people.new_accounts import chooses_password
from tournaments.people.people import person_appoint
from tournaments.web.people.accounts import new_password

NEW = {"name": "Léa Martin", "role": "deputy", "how": "account"}
PASSWORD = "a long new password 7"


def page_of(tournament: Tournament) -> str:
    return reverse("people", args=[tournament.slug])


def link_in(text: str) -> str:
    (path,) = set(re.findall(r'href="[^"]*(/accounts/new-password/[^"]+)"', text))
    return path


def choose_password(client: Client, path: str) -> int:
    """Open the link at *path* and set the password; return the status of the first answer."""
    first = client.get(path)
    if first.status_code == 302:
        values = {"new_password1": PASSWORD, "new_password2": PASSWORD}
        client.post(first.headers["Location"], values)
    return first.status_code


@pytest.fixture
def chief(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def test_a_deputy_gets_an_account_chooses_the_password_and_works(
    tournament: Tournament, chief: Client
) -> None:
    shown = chief.post(page_of(tournament), NEW, follow=True).content.decode()
    made = Appointment.objects.select_related("person").get(tournament=tournament, role=Role.DEPUTY)
    assert re.fullmatch(r"lea-martin-[1-9]\d{3}", made.person.username)
    assert (made.link, made.pin, made.person.has_usable_password()) == ("", "", False)
    assert made.person.username in shown
    path = link_in(shown)
    assert "new-password" not in chief.get(page_of(tournament)).content.decode()  # shown once
    assert "no password yet" in chief.get(page_of(tournament)).content.decode()
    deputy = Client()
    assert "Choose a password" in deputy.get(path, follow=True).content.decode()
    assert choose_password(deputy, path) == 302
    log_in_page = deputy.get(reverse("login"), {"name": made.person.username}).content.decode()
    assert f'value="{made.person.username}"' in log_in_page
    focused = [tag for tag in re.findall("<input[^>]*>", log_in_page) if "autofocus" in tag]
    assert ["password" in tag for tag in focused] == [True]
    log_in = {"username": made.person.username, "password": PASSWORD}
    assert deputy.post(reverse("login"), log_in).status_code == 302
    assert deputy.get(reverse("desk", args=[tournament.slug])).status_code == 200
    assert deputy.get(reverse("tournament-create")).status_code == 200
    actions = Decision.objects.filter(tournament=tournament).values_list("action", "actor_name")
    assert ("person.appointed", "Clara Chief") in actions
    assert ("password.set", "Léa Martin") in actions
    assert choose_password(Client(), path) == 200  # it works once


@pytest.mark.costly
def test_a_new_link_ends_the_old_one_and_there_is_none_after_the_password(
    tournament: Tournament, chief: Client
) -> None:
    old = link_in(chief.post(page_of(tournament), NEW, follow=True).content.decode())
    made = Appointment.objects.get(tournament=tournament, role=Role.DEPUTY)
    renew = reverse("person-renew", args=[tournament.slug, made.pk])
    tournament.refresh_from_db()
    sent = {"seen_version": tournament.version}
    new = link_in(chief.post(renew, sent, follow=True).content.decode())
    made.refresh_from_db()
    assert (made.link, made.pin) == ("", "")
    assert choose_password(Client(), old) == 200
    assert choose_password(Client(), new) == 302
    tournament.refresh_from_db()
    assert chief.post(renew, {"seen_version": tournament.version}).status_code == 400
    assert "Léa Martin" in chief.get(page_of(tournament)).content.decode()


@pytest.mark.costly
def test_the_link_for_the_password_ends_with_the_role(
    tournament: Tournament, chief: Client
) -> None:
    path = link_in(chief.post(page_of(tournament), NEW, follow=True).content.decode())
    made = Appointment.objects.select_related("person").get(tournament=tournament, role=Role.DEPUTY)
    remove = reverse("person-remove", args=[tournament.slug, made.pk])
    tournament.refresh_from_db()
    assert chief.post(remove, {"seen_version": tournament.version}).status_code == 302
    assert choose_password(Client(), path) == 200
    renew = reverse("person-renew", args=[tournament.slug, made.pk])
    assert chief.post(renew, {"seen_version": tournament.version}).status_code == 409
    made.person.refresh_from_db()
    assert not made.person.has_usable_password()


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_a_new_link_while_the_password_is_set_with_the_old_one(
    tournament: Tournament, chief: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = link_in(chief.post(page_of(tournament), NEW, follow=True).content.decode())
    made = Appointment.objects.get(tournament=tournament, role=Role.DEPUTY)
    deputy = Client()
    form = deputy.get(path).headers["Location"]
    tournament.refresh_from_db()
    sent = {"seen_version": tournament.version}
    renew = reverse("person-renew", args=[tournament.slug, made.pk])
    has_locked, has_set = threading.Event(), threading.Event()

    def slowly(person: User) -> bool:
        has_locked.set()
        has_set.wait(1)  # The other waits for the tournament until this one is through.
        return chooses_password(person)

    def set_and_wait(*arguments: Any, **named: Any) -> int:
        has_set.set()
        return end_others(*arguments, **named)

    def choose() -> int:
        has_locked.wait(10)
        values = {"new_password1": PASSWORD, "new_password2": PASSWORD}
        return deputy.post(form, values).status_code

    monkeypatch.setattr(people, "chooses_password", slowly)
    monkeypatch.setattr(new_password, "end_others", set_and_wait)
    assert at_once(lambda: chief.post(renew, sent).status_code, choose) == [302, 200]
    made.person.refresh_from_db()
    assert not made.person.has_usable_password()


@pytest.mark.costly
def test_an_account_with_a_password_stays_when_its_role_ends(
    tournament: Tournament, chief: Client
) -> None:
    path = link_in(chief.post(page_of(tournament), NEW, follow=True).content.decode())
    made = Appointment.objects.select_related("person").get(tournament=tournament, role=Role.DEPUTY)
    assert choose_password(Client(), path) == 302
    tournament.refresh_from_db()
    remove = reverse("person-remove", args=[tournament.slug, made.pk])
    assert chief.post(remove, {"seen_version": tournament.version}).status_code == 302
    made.person.refresh_from_db()
    assert made.person.check_password(PASSWORD)


@pytest.mark.costly
def test_an_account_that_was_not_made_here_gets_no_link_for_a_password(
    tournament: Tournament, chief: Client
) -> None:
    # As it comes with the file of an event: the same name, and nothing to log in with.
    came = User.objects.create_user("lea-martin-4821", first_name="Léa Martin")
    row = Appointment.objects.create(
        tournament=tournament, person=came, role=Role.DEPUTY, since=NOW
    )
    assert "no password yet" not in chief.get(page_of(tournament)).content.decode()
    renew = reverse("person-renew", args=[tournament.slug, row.pk])
    tournament.refresh_from_db()
    sent = {"seen_version": tournament.version}
    shown = chief.post(renew, sent, follow=True).content.decode()
    assert ("/join/" in shown, "new-password" in shown) == (True, False)


def test_a_form_sent_twice_makes_one_account(tournament: Tournament, chief: Client) -> None:
    before = User.objects.count()
    assert [chief.post(page_of(tournament), NEW).status_code for _ in range(2)] == [302, 409]
    assert User.objects.count() == before + 1


def test_the_name_of_an_account_tells_nothing_about_others(
    tournament: Tournament, chief_arbiter: User
) -> None:
    User.objects.create_user("lea-martin", password="x")
    names = []
    for name in ("Léa Martin", "李", "Person Anna", "Person"):
        made = person_appoint(
            tournament_id=tournament.pk,
            name=name,
            role="deputy",
            access=None,
            actor=chief_arbiter,
            now=NOW,
        )
        names.append(re.sub(r"\d{4}$", "", made.person.username))
    # Site administrators see no account whose name begins with “person-”.
    assert names == ["lea-martin-", "arbiter-", "arbiter-person-anna-", "arbiter-person-"]


def test_only_a_chief_arbiter_with_a_password_makes_accounts(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User, client: Client
) -> None:
    before = User.objects.count()
    for person in (deputy, stranger):
        client.force_login(person)
        assert client.post(page_of(tournament), NEW).status_code == 403
    chief_arbiter.set_unusable_password()
    chief_arbiter.save()
    with pytest.raises(PermissionDenied):
        person_appoint(
            tournament_id=tournament.pk,
            name="Max",
            role="deputy",
            access=None,
            actor=chief_arbiter,
            now=NOW,
        )
    assert User.objects.count() == before
