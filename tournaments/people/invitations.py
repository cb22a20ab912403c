"""Invite people with an account: the Chief Arbiter types its name, its owner accepts."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Final

from django.contrib.auth.models import AnonymousUser, User

from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import Power
from tournaments.models import Appointment, Invitation, Role, Tournament
from tournaments.people.people import MAX_NAME, appointable
from tournaments.people.role_names import role_name

MOST: Final = 100
"""Invitations of one tournament at a time."""


def account_invite(
    *,
    tournament_id: int,
    username: str,
    role: str,
    actor: User,
    now: datetime,
    name: str = "",
    everywhere: bool = False,
) -> Invitation:
    """Offer a *role* to the account *username*, in all sections of the event with *everywhere*.

    The answer is the same if there is no such account. Only the Chief Arbiter can do this, and not
    while the standings are final. ``BadInput`` if there is also a *name*, for an empty or
    unreadable user name, an unknown role and too many invitations; :class:`Conflict` if this
    account has a role in the tournament, or was invited already.
    """
    if name.strip():
        raise BadInput("person.name_or_account", field="name")
    username = unicodedata.normalize("NFKC", username.strip())
    if not username or not username.isprintable() or len(username) > MAX_NAME:
        raise BadInput("person.name", field="username", most=MAX_NAME)
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        chosen, tournament = appointable(role), action.tournament
        found = User.objects.filter(username=username, is_active=True).first()
        person = found if found is not None and found.has_usable_password() else None
        there = Appointment.objects.filter(tournament=tournament, person=person, until=None).first()
        if there is not None:
            values = {"name": role_name(there), "role": Role(there.role).label}
            raise Conflict("person.is_there", params=values)
        if Invitation.objects.filter(tournament=tournament, username=username).exists():
            raise Conflict("invitation.is_there", params={"name": username})
        if Invitation.objects.filter(tournament=tournament).count() >= MOST:
            raise BadInput("invitation.too_many", field="username", most=MOST)
        return Invitation.objects.create(
            tournament=tournament,
            username=username,
            person=person,
            role=chosen,
            everywhere=everywhere,
            by=actor,
            at=now,
        )


def invitations_of(tournament: Tournament) -> list[Invitation]:
    """Return the invitations that are open in *tournament*, or look so, the oldest first.

    One query.
    """
    return list(Invitation.objects.filter(tournament=tournament).order_by("pk"))


def invitations_for(person: User | AnonymousUser) -> list[Invitation]:
    """Return the invitations that *person* can accept, the oldest first.

    One query, none for a visitor.
    """
    if not person.is_authenticated:
        return []
    rows = Invitation.objects.filter(
        person=person.pk, tournament__final_at=None, tournament__handed_over_at=None
    )
    return list(rows.select_related("tournament", "by").order_by("pk"))


def invitation_decline(*, invitation_id: int, actor: User) -> None:
    """Decline an invitation of *actor*. The Chief Arbiter does
    not learn that there is such an account.

    :class:`Conflict` if there is no such invitation.
    """
    if not Invitation.objects.filter(pk=invitation_id, person=actor).update(person=None):
        raise Conflict("person.nothing_offered")


def invitation_withdraw(
    *, tournament_id: int, invitation_id: int, actor: User, now: datetime
) -> None:
    """Withdraw an invitation. Only the Chief Arbiter can do this.

    :class:`Conflict` if it is gone.
    """
    with open_action(
        actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,), after_the_end=True
    ) as action:
        deleted, _ = Invitation.objects.filter(
            pk=invitation_id, tournament=action.tournament
        ).delete()
        if not deleted:
            raise Conflict("invitation.is_gone")


def invitation_of(invitation_id: int, actor: User) -> Invitation:
    """Return an invitation of *actor* with the arbiter who invited.

    :class:`Conflict` if there is none. One query.
    """
    row = Invitation.objects.filter(pk=invitation_id, person=actor).select_related("by").first()
    if row is None:
        raise Conflict("person.nothing_offered")
    return row
