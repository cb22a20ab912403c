"""What a file says about an account, made safe for the pages of this site."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from django.contrib.auth.models import User

from tournaments.models import Appointment, Decision
from tournaments.people.role_names import name_in_record

EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_DIRECTIONS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def tidy_account(person: User, *, now: datetime) -> str:
    """Give the new account *person* a name that is free here, whatever its capitals;
    return that of the file.

    Control characters, and those that turn the direction of a text, leave the names. A time that
    cannot be, which no page could show in a time zone, becomes *now*. ``ValueError`` without a
    name. One query.
    """
    if not person.username:
        raise ValueError(f"account {person.pk} has no name")
    person.first_name, person.last_name = _readable(person.first_name), _readable(person.last_name)
    if not EARLIEST <= person.date_joined <= now + timedelta(days=1):
        person.date_joined = now
    given, number = person.username, 2
    taken = {_same(name) for name in User.objects.values_list("username", flat=True)}
    person.username = User.normalize_username(given)
    while _same(person.username) in taken:
        person.username = f"{User.normalize_username(given)[:140]}-{number}"
        number += 1
    return given


def without_secrets(person: User, tournaments: Collection[int]) -> User:
    """Return the account *person* as a file of *tournaments* names it:
    the real name only with a role that counts.

    The others may never have heard of the event: their name is that in the record, and their time
    that of its first line. One query, or three.
    """
    if Appointment.objects.filter(
        person=person, tournament__in=tournaments, accepted=True
    ).exists():
        return person
    person.first_name, person.last_name = name_in_record(person, tournaments)[:150], ""
    first = Decision.objects.filter(tournament__in=tournaments).order_by("at").first()
    person.date_joined = EARLIEST if first is None else first.at
    return person


def _same(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _readable(name: str) -> str:
    kept = (" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp") else sign for sign in name)
    return " ".join("".join(sign for sign in kept if sign not in _DIRECTIONS).split())
