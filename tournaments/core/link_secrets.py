"""The secrets in links: only their hashes are kept."""

from __future__ import annotations

import hashlib


def link_hash(secret: str) -> str:
    """Return the hash under which the *secret* of a link is kept.

    It is long and random, so a fast hash is enough.
    """
    return hashlib.sha256(secret.encode()).hexdigest()
