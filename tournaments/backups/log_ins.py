"""How the people of an event that was taken over log in here: the file does not say, and could not be trusted."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db.models import QuerySet

from pairing.rules.powers import TAKEN_OVER
from tournaments.backups.one_event import Imported
from tournaments.models import Appointment, Role
from tournaments.people.people import link_hash, log_in_changed, new_access
from tournaments.people.sign_in import signs_in_with_a_link


def links_give(done: Imported, *, actor: User, now: datetime) -> None:
    """Give each Chief Arbiter of the event without a password a new link and a new PIN, inside a transaction.

    They are in ``done.links``. *actor*, a site administrator, reads them, so the record of each
    tournament says so. Nobody who has a role in another tournament here gets one: that link would
    open the other tournament too. All other people get theirs from the Chief Arbiter.
    """
    for role in _roles(done).filter(role=Role.CHIEF):
        person = role.person
        others = Appointment.objects.filter(person=person, until=None).exclude(tournament__in=done.tournaments)
        known = any(each.person_id == person.pk for each, _ in done.links)
        if known or not signs_in_with_a_link(person) or others.exists():
            continue
        access = new_access()
        person.set_unusable_password()  # Sessions are bound to it.
        person.save(update_fields=["password"])
        Appointment.objects.filter(person=person, until=None).update(
            link=link_hash(access.secret), pin=make_password(access.pin), wrong_pins=0, accepted=True
        )
        log_in_changed(person=person, actor=actor, now=now, reason=TAKEN_OVER)
        done.links.append((role, access))
    for tournament in done.tournaments if done.links else ():
        tournament.refresh_from_db()


def roles_here(done: Imported) -> list[Appointment]:
    """Return the roles in the event of all accounts that were on this site before, in their order. One query.

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
