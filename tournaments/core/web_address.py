"""Connect to a typed address, if it is public: not to the server's own network."""

from __future__ import annotations

import http.client
import ipaddress
import socket
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from tournaments.core.errors import BadInput

PATIENCE: Final = 30
"""Seconds without any answer."""


def require_web_address(url: str, refused: BadInput) -> SplitResult:
    """Return the parts of *url*; raise *refused* unless it is http(s) with a host, no password."""
    try:
        parts = urlsplit(url)
        usable = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        )
        _ = parts.port
    except ValueError:
        usable = False
    if not usable or any(ord(letter) <= 32 for letter in url):
        raise refused
    return parts


def connection_to(
    parts: SplitResult, refused: BadInput, *, allow_private: bool, patience: float = PATIENCE
) -> http.client.HTTPConnection:
    """Return a connection to the host of *parts*, not opened yet; *patience*: the seconds without
    any answer.

    It is opened to the very address that was checked, so a name that changes its address in between
    gains nothing. Opening it raises *refused* if the host has an address in a private network,
    unless *allow_private*.
    """
    secure = parts.scheme == "https"
    make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    connection: Any = make(
        parts.hostname or "", parts.port or (443 if secure else 80), timeout=patience
    )

    def connect(address: tuple[str, int], *more: Any, **named: Any) -> socket.socket:
        checked = _checked(*address, None if allow_private else refused)
        return socket.create_connection((checked, address[1]), *more, **named)

    connection._create_connection = connect
    return connection  # type: ignore[no-any-return]


def _checked(host: str, port: int, refused: BadInput | None) -> str:
    """Return the first address of *host*; raise *refused* if one of its addresses is not public."""
    found = [
        str(entry[4][0]).partition("%")[0]
        for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ]
    if refused and not all(_is_public(address) for address in found):
        raise refused
    return found[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return bool(inner.is_global) and not inner.is_multicast
