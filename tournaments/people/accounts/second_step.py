"""The second step of a log-in: a code from an app on the phone (TOTP), a passkey,
or one of ten recovery codes.

The codes, their delays after wrong ones, and their tables are those of django-otp. This module asks
for them; :mod:`tournaments.people.accounts.passkeys` asks for passkeys. A person chooses it;
without a phone a site administrator switches it off, and the log says so.
"""

from __future__ import annotations

import logging
from base64 import b32encode
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.models import Passkey
from tournaments.people.accounts.sessions import FIELD

logger = logging.getLogger(__name__)

WAITING: Final = "second_step"
"""The key in the session between password and code:
who, since when, and whether the computer is shared.
"""
PATIENCE: Final = timedelta(minutes=10)
RECOVERY_CODES: Final = 10
CODE_LENGTH: Final = 6
NEW_KEY: Final = "second_step_key"


def is_on(user: User) -> bool:
    """Return whether *user* needs more than the password to log in. At most two queries."""
    return has_app(user) or bool(Passkey.objects.filter(user=user).exists())


def has_app(user: User) -> bool:
    """Return whether an app of *user* makes codes. One query."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def wait_for_code(request: HttpRequest, user: User, *, now: datetime) -> None:
    """Remember in the session that *user* gave the right password. It opens nothing."""
    request.session.cycle_key()
    request.session[WAITING] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "at": now.isoformat(),
        FIELD: FIELD in request.POST,
    }


def waiting_user(request: HttpRequest, *, now: datetime) -> User | None:
    """Return who gave the right password a moment ago;
    None after :data:`PATIENCE` or with another password since.
    """
    kept = request.session.get(WAITING)
    if kept is None or now - datetime.fromisoformat(kept["at"]) > PATIENCE:
        return None
    user = get_user_model().objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(kept["password"], user.get_session_auth_hash()):
        return None
    return user


def is_right(user: User, code: str) -> bool:
    """Return whether *code* opens the account now, and use it up. After
    wrong ones every code is refused for a while.

    Six digits are a code from the phone, anything else a recovery code. Of two requests with one
    code the second fails.
    """
    text = "".join(code.split()).lower()
    kind = TOTPDevice if len(text) == CODE_LENGTH and text.isdecimal() else StaticDevice
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        return device is not None and bool(device.verify_token(text))


def seconds_to_wait(user: User) -> int:
    """Return how long codes or passkeys of *user* are refused after wrong ones; 0: not at all."""
    ends = []
    for kind in (TOTPDevice, StaticDevice, Passkey):
        for device in kind.objects.filter(user=user):
            allowed, why = device.verify_is_allowed()
            if not allowed and why and why.get("locked_until"):
                ends.append((why["locked_until"] - timezone.now()).total_seconds())
    return max(0, *map(int, ends)) + 1 if ends else 0


def new_device(user: User, key: str) -> TOTPDevice:
    """Return a device with the secret *key* (hexadecimal) that is not saved yet."""
    return TOTPDevice(user=user, key=key, name="phone")


def typed_key(device: TOTPDevice) -> str:
    """Return the secret as one types it into an app: Base32 in groups of four."""
    text = b32encode(device.bin_key).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def switch_on(user: User, key: str, code: str) -> list[str] | None:
    """Ask *user* for a code from now on, if *code* is right for *key*;
    return the recovery codes, or None.

    Those made with a passkey stay, and none are returned. A second request finds it on, and changes
    nothing.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if not key or has_app(user):
            return None
        device = new_device(user, key)
        device.save()
        if not device.verify_token("".join(code.split())):
            device.delete()
            return None
        logger.info("Second step switched on: %r", user.get_username())
        return missing_recovery_codes(user)


def missing_recovery_codes(user: User) -> list[str]:
    """Make recovery codes if *user* has none left, and return those that were made."""
    return [] if codes_left(user) else new_recovery_codes(user)


def new_recovery_codes(user: User) -> list[str]:
    """Replace the recovery codes of *user*; each works once."""
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes")
        codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
        StaticToken.objects.bulk_create([StaticToken(device=device, token=code) for code in codes])
    return codes


def codes_left(user: User) -> int:
    """Return how many recovery codes of *user* are unused."""
    return int(StaticToken.objects.filter(device__user=user).count())


def switch_off(user: User, *, by: User) -> bool:
    """Ask *user* for the password alone; return whether that is new. The log names *by*."""
    with transaction.atomic():
        gone = [
            kind.objects.filter(user=user).delete()[0]
            for kind in (TOTPDevice, Passkey, StaticDevice)
        ]
    was_on = any(gone[:2])
    if was_on:
        logger.warning(
            "Second step of %r switched off by %r", user.get_username(), by.get_username()
        )
    return was_on


def forget_app(user: User) -> None:
    """Ask *user* for no code of the app any more: a passkey is enough.

    Without one nothing changes.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if (
            Passkey.objects.filter(user=user).exists()
            and TOTPDevice.objects.filter(user=user).delete()[0]
        ):
            logger.info("Codes from the app switched off: %r", user.get_username())
