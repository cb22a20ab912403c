"""The address of the site for other machines."""

from __future__ import annotations

from typing import Final

from django.conf import settings

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def printed_address(path: str) -> str | None:
    """Return *path* under the public address of the site, the same for every reader; None if other
    machines cannot reach the site.

    Without the setting, it is the first name in ALLOWED_HOSTS that other machines can reach.
    """
    if settings.PUBLIC_ADDRESS:
        return f"{settings.PUBLIC_ADDRESS}{path}"
    name = name_for_others()
    scheme = "https" if settings.PRODUCTION or settings.VENUE_HTTPS else "http"
    return f"{scheme}://{name}{path}" if name else None


def name_for_others() -> str | None:
    """Return the first name in ALLOWED_HOSTS that other machines can reach."""
    names = (
        name
        for name in settings.ALLOWED_HOSTS
        if name.strip("[]") not in LOOPBACK and name[0] not in ".*"
    )
    return next(names, None)
