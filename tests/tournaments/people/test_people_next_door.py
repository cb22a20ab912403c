"""Roles and invitations in another tournament neither count nor end here."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW, make_tournament
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Role, Tournament
from tournaments.people import invitations
from tournaments.people.invitations import account_invite, invitation_withdraw, invitations_of
from tournaments.people.log_in_changes import log_in_changed
from tournaments.people.people import account_appoint, people_of, person_remove, role_end


def test_an_invitation_next_door_is_neither_shown_nor_counted_nor_withdrawn(
    tournament: Tournament,
    neighbour: Tournament,
    chief_arbiter: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by: dict[str, Any] = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
    there = neighbour.invitations.get()
    assert invitations_of(tournament) == []
    with pytest.raises(Conflict):
        invitation_withdraw(invitation_id=there.pk, **by)
    monkeypatch.setattr(invitations, "MOST", 1)
    made = account_invite(username=there.username, role="reader", **by)
    assert invitations_of(tournament) == [made]
    with pytest.raises(BadInput):
        account_invite(username="another", role="reader", **by)


def test_a_role_in_another_tournament_does_not_count_here(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    other = make_tournament(chief_arbiter, name="Other")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    for each in (other, tournament):
        account_appoint(tournament_id=each.pk, username=stranger.username, role="deputy", **by)
    assert [row.person for row in people_of(tournament)] == [chief_arbiter, stranger]
    log_in_changed(person=stranger, **by)
    here = people_of(tournament)[1]
    person_remove(appointment_id=here.pk, **by)
    ended = role_end(tournament, stranger.pk)
    assert ended is not None
    assert role_end(other, stranger.pk) is None
    assert [row.role for row in people_of(other)] == [Role.CHIEF, Role.DEPUTY]


def test_a_role_that_ended_in_another_tournament_did_not_end_here(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    other = make_tournament(chief_arbiter, name="Other")
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    appointment = account_appoint(
        tournament_id=other.pk, username=stranger.username, role="deputy", **by
    )
    person_remove(appointment_id=appointment.pk, **by)
    assert role_end(other, stranger.pk) is not None
    assert role_end(tournament, stranger.pk) is None
