"""People with an account: the Chief Arbiter types the name of the account,
its owner accepts or declines.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, make_tournament
from tests.tournaments.neighbour import own
from tests.tournaments.reports.wanderers import checked, exported, verified
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import role_of
from tournaments.desk.undo import action_undo
from tournaments.events.sections import event_create, section_add
from tournaments.events.staff import invitation_accept
from tournaments.lists.imports.duplicate import tournament_duplicate
from tournaments.models import Appointment, Decision, Invitation, Role, Tournament
from tournaments.people import invitations
from tournaments.people.invitations import (
    account_invite,
    invitation_decline,
    invitation_withdraw,
    invitations_for,
)
from tournaments.people.people import chief_hand_over, person_remove

LogIn = Callable[[User], Client]


def invite(
    tournament: Tournament, actor: User, username: str = "stranger", role: str = "deputy"
) -> Invitation:
    return account_invite(
        tournament_id=tournament.pk, username=username, role=role, actor=actor, now=NOW
    )


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def test_an_invitation_gives_nothing_before_it_is_accepted(
    tournament: Tournament, chief_arbiter: User, stranger: User, logged_in: LogIn
) -> None:
    made = invite(tournament, chief_arbiter)
    client, desk = logged_in(stranger), reverse("desk", args=[tournament.slug])
    assert (role_of(stranger, fresh(tournament)), client.get(desk).status_code) == (None, 403)
    assert (fresh(tournament).version, own(Appointment).count()) == (tournament.version, 1)
    home = client.get(reverse("home")).content.decode()
    assert "Clara Chief invites you to <strong>Autumn Open</strong> as deputy." in home
    answers = [client.post(reverse("invitation", args=[made.pk])).status_code for _ in range(2)]
    assert answers == [302, 409]
    assert (role_of(stranger, fresh(tournament)), client.get(desk).status_code) == (
        Role.DEPUTY,
        200,
    )
    line = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert (line.action, line.actor, line.after["person"]) == (
        "person.appointed",
        chief_arbiter,
        stranger.pk,
    )
    assert verified(tournament) == ""
    assert [checked(exported(tournament, runs=runs)) for runs in (True, False)] == [None, None]
    assert "invites you" not in client.get(reverse("home")).content.decode()
    action_undo(tournament_id=tournament.pk, sequence=line.sequence, actor=chief_arbiter, now=NOW)
    assert role_of(stranger, fresh(tournament)) is None


@pytest.mark.costly
def test_the_chief_arbiter_does_not_learn_which_accounts_there_are(
    tournament: Tournament, chief_arbiter: User, stranger: User, logged_in: LogIn
) -> None:
    User.objects.create_user("idle", password="a-secret", is_active=False)
    User.objects.create_user("person-1")
    chief, url = logged_in(chief_arbiter), reverse("people", args=[tournament.slug])
    pages = {}
    for name in ("stranger", "nobody", "idle", "person-1"):
        answer = chief.post(url, {"username": name, "role": "reader"}, follow=True)
        again = chief.post(url, {"username": name, "role": "reader"})
        (row,) = Invitation.objects.filter(tournament=tournament)
        if name == "stranger":
            invitation_decline(invitation_id=row.pk, actor=stranger)
        later = chief.get(url)
        texts = [each.content.decode().replace(name, "NAME") for each in (answer, again, later)]
        pages[name] = [without_tokens(text) for text in texts], again.status_code
        withdrawn = chief.post(reverse("invitation-withdraw", args=[tournament.slug, row.pk]))
        assert withdrawn.status_code == 302
        chief.get(url)  # the message
    assert pages["stranger"][1] == 409
    assert [name for name in pages if pages[name] != pages["stranger"]] == []


def without_tokens(page: str) -> list[str]:
    return [
        line
        for line in page.splitlines()
        if "csrf" not in line.lower() and "/invitations/" not in line
    ]


@pytest.mark.costly
def test_only_the_invited_account_answers(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User, logged_in: LogIn
) -> None:
    made = invite(tournament, chief_arbiter)
    address = reverse("invitation", args=[made.pk])
    assert Client().post(address).headers["Location"].startswith(reverse("login"))
    for other in (chief_arbiter, deputy):
        client = logged_in(other)
        assert [client.post(address, {"do": do}).status_code for do in ("", "decline")] == [
            409,
            409,
        ]
        assert "Autumn Open</strong> as" not in client.get(reverse("home")).content.decode()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(stranger)
    assert (strict.post(address).status_code, strict.get(address).status_code) == (403, 405)
    assert logged_in(stranger).post(address, {"do": "decline"}).status_code == 302
    with pytest.raises(Conflict):
        invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
    assert role_of(stranger, fresh(tournament)) is None


def test_only_the_chief_arbiter_invites_and_withdraws(
    tournament: Tournament,
    chief_arbiter: User,
    deputy: User,
    stranger: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = invite(tournament, chief_arbiter)
    gone = {"tournament_id": tournament.pk, "invitation_id": made.pk, "now": NOW}
    for other in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            invite(tournament, other, "somebody")
        with pytest.raises(PermissionDenied):
            invitation_withdraw(actor=other, **gone)
    for name, role in (
        ("", "deputy"),
        ("x" * 151, "deputy"),
        ("a\x00b", "deputy"),
        ("max", "chief"),
    ):
        with pytest.raises(BadInput):
            invite(tournament, chief_arbiter, name, role)
    with pytest.raises(Conflict, match="is invited already"):
        invite(tournament, chief_arbiter, " stranger ")
    with pytest.raises(Conflict, match="has a role in this tournament already"):
        invite(tournament, chief_arbiter, "deputy")
    monkeypatch.setattr(invitations, "MOST", 1)
    with pytest.raises(BadInput, match="withdraw some first"):
        invite(tournament, chief_arbiter, "somebody")
    invitation_withdraw(actor=chief_arbiter, **gone)
    with pytest.raises(Conflict):
        invitation_withdraw(actor=chief_arbiter, **gone)
    with pytest.raises(Conflict):
        invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)


def test_an_invitation_ends_with_the_power_of_the_arbiter_who_invited(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    made = invite(tournament, chief_arbiter)
    role = Appointment.objects.get(tournament=tournament, person=deputy)
    chief_hand_over(appointment_id=role.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(
        Conflict, match="Clara Chief, who invited you, is not the Chief Arbiter any more"
    ):
        invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
    assert Invitation.objects.filter(pk=made.pk).exists()


def test_an_account_that_is_made_later_under_the_name_is_not_invited(
    tournament: Tournament, chief_arbiter: User
) -> None:
    made = invite(tournament, chief_arbiter, "newcomer")
    later = User.objects.create_user("newcomer", password="a-secret")
    assert invitations_for(later) == []
    with pytest.raises(Conflict):
        invitation_accept(invitation_id=made.pk, actor=later, now=NOW)


def test_one_acceptance_for_all_sections(chief_arbiter: User, stranger: User) -> None:
    first = make_tournament(chief_arbiter)
    event = event_create(
        tournament_id=first.pk, name="Autumn", label="A", actor=chief_arbiter, now=NOW
    )
    second = section_add(
        event_id=event.pk, like_id=first.pk, label="B", actor=chief_arbiter, now=NOW, limits={}
    )
    made = account_invite(
        tournament_id=first.pk,
        username="stranger",
        role="reader",
        everywhere=True,
        actor=chief_arbiter,
        now=NOW,
    )
    invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
    assert [role_of(stranger, fresh(each)) for each in (first, second)] == [Role.READER] * 2


def test_a_duplicate_invites_the_people_again(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    """Whoever accepted a role in one tournament has not accepted another one."""
    made = invite(tournament, chief_arbiter)
    invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
    again = tournament_duplicate(
        source_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Winter Open",
        first_day=None,
        people=True,
    )
    assert role_of(stranger, again) is None
    (offered,) = invitations_for(stranger)
    assert (offered.tournament, offered.role) == (again, "deputy")


@pytest.mark.django_db(transaction=True)
def test_an_acceptance_and_a_withdrawal_at_once(
    ready: Tournament, chief_arbiter: User, stranger: User
) -> None:
    made = invite(ready, chief_arbiter)

    def accept() -> bool:
        try:
            invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
        except Conflict:
            return False
        return True

    def withdraw() -> bool:
        try:
            with transaction.atomic():
                given = {"tournament_id": ready.pk, "invitation_id": made.pk}
                invitation_withdraw(**given, actor=chief_arbiter, now=NOW)
        except Conflict:
            return False
        return True

    answers = at_once(accept, accept, withdraw)
    assert sorted(map(bool, answers)) == [False, False, True]
    has_role = Appointment.objects.filter(tournament=ready, person=stranger, until=None).exists()
    assert has_role == (answers[2] is False)


def test_a_role_that_ended_can_be_offered_again(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    for _ in range(2):
        made = invite(tournament, chief_arbiter)
        role = invitation_accept(invitation_id=made.pk, actor=stranger, now=NOW)
        person_remove(appointment_id=role.pk, actor=chief_arbiter, now=NOW)
    assert role_of(stranger, fresh(tournament)) is None
