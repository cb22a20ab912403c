"""The name of a person with a role, on pages and in the record."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Q

from tournaments.core.names_of_people import name_of
from tournaments.models import Appointment, Decision
from tournaments.models.payload_data import Person


def role_name(role: Appointment) -> str:
    """Return the name of the person of *role*. One query while the
    person has not accepted it, otherwise none.

    Who made the file with the role may have guessed the account, and learns no more than the file
    says.
    """
    return (
        name_of(role.person) if role.accepted else name_in_record(role.person, [role.tournament_id])
    )


def name_in_record(person: User, tournaments: Collection[int]) -> str:
    """Return the newest name of *person* in the records of *tournaments*,
    otherwise that of the account. One query.
    """
    is_named = Q(after__person=person.pk) | Q(before__person=person.pk) | Q(actor=person)
    line = Decision.objects.filter(is_named, tournament__in=tournaments).order_by("-pk").first()
    if line is None:
        return person.get_username()
    found = next(
        (each for each in (line.after, line.before) if each.get("person") == person.pk), {}
    )
    return str(
        found.get("name")
        or (line.actor_name if line.actor_id == person.pk else person.get_username())
    )


def described(appointment: Appointment) -> Person:
    """Return *appointment* in the form that the record keeps."""
    return {
        "person": appointment.person_id,
        "name": role_name(appointment),
        "role": appointment.role,
    }
