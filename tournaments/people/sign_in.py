"""Sign in with a link and a PIN."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.actions import lock_if_live
from tournaments.core.link_secrets import link_hash
from tournaments.models import Appointment

MOST_WRONG_PINS: Final = 5
"""After so many wrong PINs a link is locked until the Chief Arbiter makes a new one."""


def signs_in_with_a_link(person: User) -> bool:
    """Return whether a link may open the account *person*:
    nobody who has a password or rights on the site.

    They log in with the password and the second step, whatever a row of the table says.
    """
    return person.is_active and not (
        person.has_usable_password() or person.is_staff or person.is_superuser
    )


class LinkBackend(BaseBackend):
    """The sessions that a link and a PIN opened. It logs nobody in and gives no rights.

    Rights that an account gets later, on a page or in the database, count only after a log-in with
    a password: until then its session of the link is that of a visitor. One query for each request,
    as with a password.
    """

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session opened by a link; None if it may not open it any more."""
        person = User.objects.filter(pk=user_id).first()
        return person if person is not None and signs_in_with_a_link(person) else None


def appointment_of(secret: str) -> Appointment | None:
    """Return the appointment whose link contains *secret*;
    None if there is none, or if it has ended. One query.

    Its ``wrong_pins`` are those of the link: a link opens all sections of an event, and the roles
    in some of them may have ended.
    """
    rows = list(
        Appointment.objects.filter(link=link_hash(secret))
        .select_related("person", "tournament")
        .order_by("pk")
    )
    there = next((row for row in rows if row.until is None), None)
    if there is None or not signs_in_with_a_link(there.person):
        return None
    there.wrong_pins = max(row.wrong_pins for row in rows)
    return there


def ended_appointment(secret: str) -> Appointment | None:
    """Return the ended appointment of *secret*; None for an unknown link. One query."""
    rows = Appointment.objects.filter(link=link_hash(secret), until__isnull=False)
    return rows.select_related("tournament").first()


def is_locked(appointment: Appointment) -> bool:
    """Return whether too many wrong PINs were entered with the link of *appointment*."""
    return appointment.wrong_pins >= MOST_WRONG_PINS


def pin_is_right(appointment: Appointment, pin: str) -> bool:
    """Return whether *pin* opens *appointment*, and count it if it
    is wrong. A locked link stays closed.

    So does every link in a copy that was handed over, because nothing is counted there.

    Only the digits of *pin* count. The hash is computed before the lock, because it takes long; the
    count is read and changed under the lock: of many attempts at once, at most
    :data:`MOST_WRONG_PINS` learn whether the PIN is right.
    """
    if is_locked(appointment):
        return False
    is_right = check_password("".join(filter(str.isdecimal, pin)), appointment.pin)
    with transaction.atomic():
        if lock_if_live(pk=appointment.tournament_id) is None:
            return False
        rows = list(
            Appointment.objects.select_for_update().filter(link=appointment.link).order_by("pk")
        )
        row = next((each for each in rows if each.pk == appointment.pk), None)
        wrong = max((each.wrong_pins for each in rows), default=0)
        if row is None or row.until is not None or wrong >= MOST_WRONG_PINS:
            return False
        if not is_right or wrong:
            wrong = 0 if is_right else wrong + 1
            Appointment.objects.filter(link=appointment.link).update(wrong_pins=wrong)
        return is_right
