"""The names of people with an account."""

from __future__ import annotations

from django.contrib.auth.models import User


def name_of(person: User) -> str:
    """Return the name of *person*; the account's name if no other is known."""
    return person.get_full_name() or person.get_username()
