"""Ed25519 signatures of fingerprints, in hexadecimal: keys of 32 bytes, signatures of 64.

The library ``cryptography`` is imported when a signature is made or checked. Without it a record
can still be read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


def can_check() -> bool:
    """Return whether signatures can be checked here."""
    return find_spec("cryptography") is not None


def is_key(text: str) -> bool:
    """Return whether *text* is written as a public key: 64 digits of hexadecimal."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def public_key(private: str) -> str:
    """Return the public key of *private*."""
    return _private(private).public_key().public_bytes_raw().hex()


def sign(private: str, message: str) -> str:
    """Return the signature of the text *message*; the same text always gets the same signature."""
    return _private(private).sign(message.encode("ascii")).hex()


def is_signed(key: str, message: str, signature: str) -> bool:
    """Return whether *signature* is that of *message* by the owner of the public *key*."""
    from cryptography.exceptions import InvalidSignature

    try:
        _public(key).verify(bytes.fromhex(signature), message.encode("ascii"))
    except (InvalidSignature, ValueError):
        return False
    return True


@lru_cache(maxsize=8)
def _private(key: str) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key))


@lru_cache(maxsize=8)
def _public(key: str) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
