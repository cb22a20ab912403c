"""The people of an event: one link and one PIN for all sections."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q

from tournaments.core.actions import open_action
from tournaments.core.errors import Conflict
from tournaments.core.names_of_people import name_of
from tournaments.core.permissions import Power, may_decide
from tournaments.events.sections import appoint_also
from tournaments.models import Appointment, Role, Tournament
from tournaments.people.invitations import invitation_of
from tournaments.people.people import account_appoint, person_remove


def shared(
    appoint: Callable[..., Appointment],
    *,
    everywhere: bool,
    tournament_id: int,
    actor: User,
    now: datetime,
    **given: Any,
) -> Appointment:
    """Appoint a person in one section; with *everywhere* also in the others, all or none.

    The others are those of the same event of which *actor* is the Chief Arbiter, and whose
    standings are not final. A person who has a role there keeps it.
    """
    with transaction.atomic():
        others = _others(tournament_id, actor) if everywhere else []
        made = appoint(tournament_id=tournament_id, actor=actor, now=now, **given)
        for tournament in others:
            if tournament.final_at is not None:
                continue
            with open_action(
                actor=actor, now=now, pk=tournament.pk, powers=(Power.DECIDE,)
            ) as action:
                if not Appointment.objects.filter(
                    tournament=tournament, person=made.person, until=None
                ).exists():
                    appoint_also(action, made, Role(made.role))
    return made


def invitation_accept(*, invitation_id: int, actor: User, now: datetime) -> Appointment:
    """Appoint *actor*, who was invited; the line in the record is that of the arbiter who invited.

    :class:`Conflict` if there is no such invitation of *actor*, or if that arbiter is not the Chief
    Arbiter any more; otherwise as :func:`~tournaments.people.people.account_appoint`.
    """
    with transaction.atomic():
        _lock_sections(invitation_of(invitation_id, actor).tournament_id)
        row = invitation_of(invitation_id, actor)
        row.delete()
        try:
            return shared(
                account_appoint,
                everywhere=row.everywhere,
                tournament_id=row.tournament_id,
                username=actor.get_username(),
                role=row.role,
                actor=row.by,
                now=now,
            )
        except PermissionDenied as error:
            raise Conflict("invitation.void", params={"name": name_of(row.by)}) from error


def person_leave(
    *, appointment_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Appointment:
    """End the role of a person in every section of the event of which
    *actor* is the Chief Arbiter, all or none.

    :class:`Conflict` if the role has changed since *seen_version*.
    """
    with transaction.atomic():
        row = Appointment.objects.get(pk=appointment_id)
        others = _others(row.tournament_id, actor)
        left = person_remove(
            appointment_id=appointment_id, actor=actor, now=now, seen_version=seen_version
        )
        roles = Appointment.objects.filter(tournament__in=others, person=row.person_id, until=None)
        for role in roles.exclude(role=Role.CHIEF).order_by("tournament_id"):
            person_remove(appointment_id=role.pk, actor=actor, now=now)
    return left


def _others(tournament_id: int, actor: User) -> list[Tournament]:
    """Return the other sections of which *actor* is the Chief Arbiter, after locking all of them.

    All are locked in the order of their ids, so that two people who lock the same sections never
    wait for each other.
    """
    together = Tournament.objects.filter(
        section__event__sections__tournament=tournament_id
    ).order_by("pk")
    rows = list(together.select_for_update(of=("self",)))
    return [row for row in rows if row.pk != tournament_id and may_decide(actor, row)]


def _lock_sections(tournament_id: int) -> None:
    """Lock the tournament and the other sections, in the order of ids, as all actions do."""
    together = Tournament.objects.filter(
        Q(pk=tournament_id) | Q(section__event__sections__tournament=tournament_id)
    )
    ids = set(together.values_list("pk", flat=True))
    list(Tournament.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk"))
