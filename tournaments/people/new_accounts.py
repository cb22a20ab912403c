"""An account that a Chief Arbiter makes: its user name, and the password that it has yet to get."""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils.text import slugify

from pairing.rules.names import fold

WITH_LINK: Final = "person-"
"""The beginning of the account names of people who sign in with a link."""
MADE_HERE: Final = "-new-account"
"""The end of the unusable password of an account that was made here and has no password yet.

An account that came with a file never has it: its number may be that of somebody else.
"""


def chooses_password(person: User) -> bool:
    """Return whether *person* got a new account from
    :func:`~tournaments.people.people.person_appoint` and has yet to choose its password.

    Only then may a Chief Arbiter hand over a link for the password: whoever has a password accepts
    roles that came with the file of another event (:func:`~tournaments.people.people.role_accept`).
    """
    return not person.has_usable_password() and person.password.endswith(MADE_HERE)


def no_password_yet() -> str:
    """Return another unusable password for which :func:`chooses_password` holds.

    A link for the password that was made before no longer works.
    """
    return make_password(None) + MADE_HERE


def account_name(name: str) -> str:
    """Return a user name for *name* that no account has, such as ``lea-martin-4821``.

    The digits are random, so that it does not reveal which other accounts there are. It never
    begins with :data:`WITH_LINK`: site administrators see no such accounts. One query.
    """
    words = slugify(fold(name))[:40].strip("-") or "arbiter"
    if f"{words}-".startswith(WITH_LINK):
        words = f"arbiter-{words}"
    while True:
        found = f"{words}-{secrets.randbelow(9000) + 1000}"
        if not User.objects.filter(username=found).exists():
            return found
