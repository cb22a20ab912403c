"""A message of Web Push: encrypted for one browser, and signed for its push service.

Encryption [RFC 8291, RFC 8188], signature of the site (VAPID) [RFC 8292]. Our own, because
pywebpush needs eleven packages, one of which cannot be carried to a venue without network.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.env import stored_secret

MOST_BYTES: Final = 3_000
"""A message may have 3,993 bytes, and some services take less [RFC 8291 4]."""
HOLDS: Final = 12 * 3600
"""Seconds for which a signature is good; at most a day [RFC 8292 2]."""
_RECORD: Final = 4096
_KEY_BYTES: Final = 65
_SECRET_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser gives to those who may send it messages: its public key and a secret."""

    public: bytes
    secret: bytes


def browser_keys(public: str, secret: str) -> BrowserKeys:
    """Return the keys of a browser from base64url; raise ``ValueError`` for others."""
    keys = BrowserKeys(decoded(public), decoded(secret))
    if len(keys.public) != _KEY_BYTES or len(keys.secret) != _SECRET_BYTES:
        raise ValueError("a key of another length")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), keys.public)
    return keys


def encrypt(
    message: bytes,
    keys: BrowserKeys,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return *message* as only the browser with *keys* reads it, as one record of aes128gcm.

    The key *own* and the *salt* are new for each message; only a test gives them. About 0.2 ms.
    """
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    browser = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), keys.public)
    mine = _point(own.public_key())
    shared = own.exchange(ec.ECDH(), browser)
    info = b"WebPush: info\0" + keys.public + mine
    key = _derived(shared, keys.secret, info, 32)
    cipher = AESGCM(_derived(key, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(key, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(mine)]) + mine
    return head + cipher.encrypt(nonce, message + b"\x02", None)


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(key)


def authorization(origin: str, now: float) -> str:
    """Return the header with which this site introduces itself to the push service at *origin*.

    *now* is the Unix time.
    """
    return _authorization(_private(), origin, now)


def _authorization(private: ec.EllipticCurvePrivateKey, origin: str, now: float) -> str:
    claims = {"aud": origin, "exp": int(now) + HOLDS, "sub": _contact()}
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    text = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    r, s = decode_dss_signature(private.sign(text.encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={text}.{signature}, k={encoded(_point(private.public_key()))}"


def public_key() -> str:
    """Return the public key of this site, with which browsers subscribe, in base64url."""
    return encoded(_point(_private().public_key()))


def _contact() -> str:
    """Return where the people of a push service find those of this site."""
    return settings.PUBLIC_ADDRESS or f"mailto:{settings.DEFAULT_FROM_EMAIL}"


def _private() -> ec.EllipticCurvePrivateKey:
    return _kept(settings.PUSH_KEY_FILE)


@lru_cache(maxsize=4)
def _kept(path: Path) -> ec.EllipticCurvePrivateKey:
    # Below the order of the curve, which begins with 32 ones.
    text = stored_secret(path, f"{1 + secrets.randbits(255):064x}")
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ImproperlyConfigured(
            f"The key in {path} is not 64 hexadecimal digits: delete the file, and phones "
            "subscribe again."
        )
    return ec.derive_private_key(int(text, 16), ec.SECP256R1())


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encoded(data: bytes) -> str:
    """Return *data* in base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes:
    """Return the bytes of *text* in base64url or base64; raise ``ValueError`` for other texts."""
    plain = text.rstrip("=")
    padded = plain + "=" * (-len(plain) % 4)
    return b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
