"""Passkeys as the second step of a log-in: after the password a device
signs a question of the server (WebAuthn).

python-fido2 writes the questions and checks the answers; what it leaves to the site is here: the
address that may ask, one use for each answer, and the counter. The pauses after wrong answers are
those of django-otp, as for codes.
"""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.crypto import salted_hmac
from fido2.server import Fido2Server, to_descriptor
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from config.middleware import visitor_address
from tournaments.models import Passkey
from tournaments.people.accounts.second_step import (
    PATIENCE,
    has_app,
    missing_recovery_codes,
    switch_off,
)

logger = logging.getLogger(__name__)

LOG_IN: Final = "passkey_question"
"""The key in the session of the question at the log-in: what was asked, and when."""
NEW: Final = "passkey_new"
"""The key in the session of the question for a new passkey:
what was asked, when, and the name of the passkey.
"""
MOST: Final = 20
"""The number of passkeys that one account may have."""
LONGEST: Final = 20_000
"""The characters that an answer may have; the longest, with a certificate of a TPM,
have about 8,000.
"""
ALGORITHMS: Final = (-7, -8, -257)
"""ES256, EdDSA and RS256 [RFC 9053, RFC 8812]: one of them is known to every device."""
UNREADABLE: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    NotImplementedError,
    RecursionError,
    UnsupportedAlgorithm,
    struct.error,
)
"""What python-fido2 raises for answers that are wrong or no answers at all."""


@dataclass(frozen=True, slots=True)
class Site:
    """The site as browsers name it: the host of a passkey, and the start of addresses."""

    host: str
    origin: str

    @property
    def server(self) -> Fido2Server:
        """The questions and checks for this site."""
        server = Fido2Server(
            PublicKeyCredentialRpEntity(name="Swiss Arbiter", id=self.host),
            verify_origin=lambda origin: origin == self.origin,
        )
        server.allowed_algorithms = [
            one for one in server.allowed_algorithms if one.alg in ALGORITHMS
        ]
        return server


def site_of(request: HttpRequest) -> Site | None:
    """Return the site under the name that the browser used; None where browsers refuse passkeys.

    They want https and a name; of addresses on one machine only ``localhost``. ``ALLOWED_HOSTS``
    decides about names.
    """
    address = request.get_host().lower()
    host, _ = split_domain_port(address)
    if _is_number(host) or not (request.is_secure() or host == "localhost"):
        return None
    return Site(host, f"{request.scheme}://{address}")


def passkeys_of(user: User) -> list[Passkey]:
    """Return the passkeys of *user*, the oldest first."""
    return list(Passkey.objects.filter(user=user))


def question_for_new(
    session: SessionBase, user: User, site: Site, name: str, *, now: datetime
) -> str:
    """Return the question to the browser for a new passkey of *user*, as JSON.

    The password was given.
    """
    options, state = site.server.register_begin(
        PublicKeyCredentialUserEntity(
            id=salted_hmac(
                "tournaments.people.accounts.passkeys", str(user.pk), algorithm="sha256"
            ).digest(),
            name=user.get_username(),
            display_name=user.get_full_name() or user.get_username(),
        ),
        [to_descriptor(_data(one)) for one in passkeys_of(user) if one.host == site.host],
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    session[NEW] = {"state": state, "at": now.isoformat(), "name": name}
    return _as_json(options)


def add(
    session: SessionBase, user: User, site: Site, answer: str, *, now: datetime
) -> list[str] | None:
    """Add a passkey to *user*, if *answer* answers the question;
    return the recovery codes that were made, or None.

    They are made with the first passkey, unless there are some. A question has one answer, within
    ten minutes.
    """
    kept = session.pop(NEW, None)
    if kept is None or _is_old(kept, now=now):
        return None
    try:
        found = site.server.register_complete(kept["state"], _parsed(answer))
        data = found.credential_data
        if data is None or data.public_key.ALGORITHM not in ALGORITHMS:
            raise ValueError("not a key of a kind that was asked for")
    except UNREADABLE as error:
        logger.warning("Passkey not added: %r: %s", user.get_username(), _shown(error))
        return None
    try:
        with transaction.atomic():
            User.objects.select_for_update().get(pk=user.pk)
            if Passkey.objects.filter(user=user, answered=kept["state"]["challenge"]).exists():
                logger.warning(
                    "Passkey not added: %r: the question was answered before", user.get_username()
                )
                return None
            Passkey.objects.create(
                user=user,
                name=kept["name"],
                host=site.host,
                credential=websafe_encode(data.credential_id),
                data=bytes(data),
                counter=found.counter,
                answered=kept["state"]["challenge"],
            )
            codes = missing_recovery_codes(user)
    except IntegrityError:
        logger.warning("Passkey not added: %r: it belongs to an account", user.get_username())
        return None
    logger.info("Passkey added: %r of %r", kept["name"], user.get_username())
    return codes


def question(session: SessionBase, user: User, site: Site, *, now: datetime) -> str | None:
    """Return the question to the browser at the log-in of *user*, as JSON;
    None without a passkey for this site.

    An unanswered question is repeated, so that a second window does not outdate the
    first.
    """
    rows = [one for one in passkeys_of(user) if one.host == site.host]
    if not rows:
        return None
    kept = session.get(LOG_IN)
    if kept is not None and _is_old(kept, now=now):
        kept = None
    options, state = site.server.authenticate_begin(
        [to_descriptor(_data(one)) for one in rows],
        user_verification=UserVerificationRequirement.DISCOURAGED,
        challenge=websafe_decode(kept["state"]["challenge"]) if kept else None,
    )
    if not kept:
        session[LOG_IN] = {"state": state, "at": now.isoformat()}
    return _as_json(options)


def opens(request: HttpRequest, user: User, site: Site, answer: str, *, now: datetime) -> bool:
    """Return whether *answer* opens the account now; the log says why not.

    A question has one answer, within ten minutes. After a wrong one all passkeys of *user* are
    refused for a while.
    """
    kept = request.session.pop(LOG_IN, None)
    with transaction.atomic():
        rows = list(Passkey.objects.select_for_update().filter(user=user, host=site.host))
        if (
            kept is None
            or _is_old(kept, now=now)
            or any(one.answered == kept["state"]["challenge"] for one in rows)
        ):
            return _refused(request, user, "the question was answered before, or is too old")
        if not all(one.verify_is_allowed()[0] for one in rows):
            return _refused(request, user, "too soon after a wrong answer")
        try:
            used = _signer(site.server, kept["state"], rows, answer)
        except UNREADABLE as error:
            for one in rows:
                one.throttle_increment()
            return _refused(request, user, _shown(error))
        used.answered = kept["state"]["challenge"]
        used.set_last_used_timestamp(commit=False)
        for one in rows:
            one.throttle_reset()
    logger.info(
        "Passkey used: %r of %r from %s", used.name, user.get_username(), visitor_address(request)
    )
    return True


def remove(user: User, passkey: Passkey) -> bool:
    """Remove *passkey* of *user*; return whether a second step is left.

    The last one takes the recovery codes along.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        left = has_app(user) or Passkey.objects.filter(user=user).exclude(pk=passkey.pk).exists()
        if left:
            passkey.delete()
        else:
            switch_off(user, by=user)
    logger.info("Passkey removed: %r of %r", passkey.name, user.get_username())
    return left


def _signer(server: Fido2Server, state: Any, rows: Sequence[Passkey], answer: str) -> Passkey:
    """Return which of *rows* signed *answer*, with its new counter;
    raise one of :data:`UNREADABLE`.

    A counter that does not grow means that the key was copied [WebAuthn 7.2]; a device that counts
    nothing says 0.
    """
    response = AuthenticationResponse.from_dict(_parsed(answer))
    signed_by = server.authenticate_complete(
        state, [_data(one) for one in rows], response
    ).credential_id
    used = next(one for one in rows if one.credential == websafe_encode(signed_by))
    counter = response.response.authenticator_data.counter
    if (counter or used.counter) and counter <= used.counter:
        raise ValueError(
            f"the counter of {used.name!r} did not grow, so the key may have been copied"
        )
    used.counter = counter
    return used


def _refused(request: HttpRequest, user: User, why: str) -> bool:
    logger.warning(
        "Passkey refused: %r from %s: %s", user.get_username(), visitor_address(request), why
    )
    return False


def _data(passkey: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(bytes(passkey.data))


def _parsed(answer: str) -> Any:
    if len(answer) > LONGEST:
        raise ValueError("longer than any answer")
    return json.loads(answer)


def _as_json(options: Any) -> str:
    return json.dumps(dict(options)["publicKey"])


def _shown(error: Exception) -> str:
    """Return kind and text of *error* for the log; the browser may have sent the text."""
    return f"{type(error).__name__} {str(error)[:200]!r}"


def _is_old(kept: dict[str, Any], *, now: datetime) -> bool:
    return now - datetime.fromisoformat(kept["at"]) > PATIENCE


def _is_number(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
