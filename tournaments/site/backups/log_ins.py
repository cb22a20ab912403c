"""How people of an event taken over log in here: the file cannot be trusted with it."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from pairing.rules.powers import TAKEN_OVER
from tournaments.core.errors import Conflict
from tournaments.core.link_secrets import link_hash
from tournaments.core.permissions import require_may_take_over
from tournaments.models import Action, Appointment, Decision, Role, Tournament
from tournaments.people.log_in_changes import log_in_changed
from tournaments.people.people import Access, new_access
from tournaments.people.sign_in import signs_in_with_a_link
from tournaments.site.backups.one_event import Imported


def links_give(done: Imported, *, actor: User, now: datetime) -> None:
    """Give each Chief Arbiter without a password a new link and PIN, in a transaction.

    They are in ``done.links``. *actor*, a site administrator, reads them, so the record of each
    tournament says so. Nobody who has a role in another tournament here gets one: that link would
    open the other tournament too. Nor does an account that was here before without this role
    (:func:`role_confirm`). All other people get theirs from the Chief Arbiter.
    """
    for role in _roles(done).filter(role=Role.CHIEF, accepted=True):
        person = role.person
        others = _active(person).filter(accepted=True).exclude(tournament__in=done.tournaments)
        known = any(each.person_id == person.pk for each, _ in done.links)
        if known or not signs_in_with_a_link(person) or others.exists():
            continue
        access = new_access()
        _give(person, access, actor, now)
        done.links.append((role, access))
    for tournament in done.tournaments if done.links else ():
        tournament.refresh_from_db()


def roles_to_confirm() -> list[tuple[Appointment, list[str]]]:
    """Return the Chief Arbiters who came with a file, and whose accounts
    were here before and log in with a link.

    Each with the names of the other tournaments that came with a file and in which the account has
    a role. One query, and one for each.
    """
    rows = Appointment.objects.filter(
        role=Role.CHIEF, until=None, accepted=False, tournament__handed_over_at=None
    ).select_related("person", "tournament")
    there = [row for row in rows.order_by("tournament", "pk") if signs_in_with_a_link(row.person)]
    return [(row, _elsewhere(row)) for row in there]


def role_confirm(*, appointment_id: int, access: Access, actor: User, now: datetime) -> Appointment:
    """Let the role of one of :func:`roles_to_confirm` count, with a new link and PIN.

    The older link and PIN of the account end, and so does every session: the holder may be
    somebody else, who brought the number of the account here with another file. The record of each
    tournament of the account says so. *actor* must be a site administrator: ``PermissionDenied``.
    :class:`Conflict` if there is nothing to confirm.
    """
    require_may_take_over(actor)
    with transaction.atomic():
        row = Appointment.objects.select_related("person").filter(pk=appointment_id).first()
        if row is not None:
            ids = _active(row.person).values("tournament")
            # All are locked in the order of their ids, as in access_renew().
            list(
                Tournament.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk")
            )
        there = next((each for each, _ in roles_to_confirm() if each.pk == appointment_id), None)
        if there is None:
            raise Conflict("person.nothing_offered")
        there.accepted = True
        there.save(update_fields=["accepted"])
        _give(there.person, access, actor, now)
        return there


def _give(person: User, access: Access, actor: User, now: datetime) -> None:
    person.set_unusable_password()  # Sessions are bound to it.
    person.save(update_fields=["password"])
    _active(person).update(link="", pin="")
    _active(person).filter(accepted=True).update(
        link=link_hash(access.secret), pin=make_password(access.pin), wrong_pins=0
    )
    log_in_changed(person=person, actor=actor, now=now, reason=TAKEN_OVER)


def _active(person: User) -> QuerySet[Appointment]:
    return Appointment.objects.filter(person=person, until=None)


def _elsewhere(role: Appointment) -> list[str]:
    came = Decision.objects.filter(action=Action.TOURNAMENT_TAKEN_OVER).values("tournament")
    rows = Appointment.objects.filter(person=role.person_id, until=None, tournament__in=came)
    rows = rows.exclude(tournament=role.tournament_id)
    return list(
        rows.order_by("tournament__name").values_list("tournament__name", flat=True).distinct()
    )


def roles_here(done: Imported) -> list[Appointment]:
    """Return the roles of accounts that were here before, in order. One query.

    A role that is not ``accepted`` counts once the account has accepted it.
    """
    return list(_roles(done).exclude(person__in=done.came))


def waiting_for_a_link(done: Imported) -> int:
    """Return how many people of the event log in with a link and have none yet. One query."""
    rows = _roles(done).filter(link="", accepted=True)
    return len({row.person_id for row in rows if signs_in_with_a_link(row.person)})


def _roles(done: Imported) -> QuerySet[Appointment]:
    rows = Appointment.objects.filter(tournament__in=done.tournaments, until=None)
    return rows.select_related("person", "tournament").order_by("tournament", "pk")
