"""The key of this installation, which signs the fingerprints of all records.

It is given by the setting ``SWISS_SIGNING_KEY``, or made at the first signature and kept in the
data folder, readable only by its owner. docs/operations/record.md says how to keep it and how to
move it.
"""

from __future__ import annotations

import re
import secrets
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.env import stored_secret
from pairing.record import signatures


def sign(fingerprint: str) -> str:
    """Return the signature of *fingerprint*, in hexadecimal."""
    return signatures.sign(_private(), fingerprint)


def public_key() -> str:
    """Return the public key of this installation, in hexadecimal."""
    return signatures.public_key(_private())


def _private() -> str:
    return str(settings.SIGNING_KEY) or _kept(settings.SIGNING_KEY_FILE)


@lru_cache(maxsize=4)
def _kept(path: Path) -> str:
    key = stored_secret(path, secrets.token_hex(32))
    if not re.fullmatch("[0-9a-f]{64}", key):
        raise ImproperlyConfigured(
            f"The key in {path} is not 64 hexadecimal digits: put the saved one back."
        )
    return key
