"""Download a rating list from an address that somebody typed: public addresses only, with limits of size and time."""

from __future__ import annotations

import http.client
import ipaddress
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urljoin, urlsplit

from tournaments.core.errors import BadInput

MAX_BYTES: Final = 1_000_000_000
MAX_SECONDS: Final = 15 * 60
PATIENCE: Final = 30
"""Seconds without any answer."""
PART: Final = 256 * 1024
REDIRECTS: Final = 5


def fetch(
    url: str, to: Path, *, allow_private: bool, tick: Callable[[int, int], None], seconds: Callable[[], float]
) -> None:
    """Save what is at *url* in the file *to*; *tick* gets the bytes so far and in all (0: unknown).

    Every redirect is checked like the first address. The connection goes to the very address that was checked, so a
    name that changes its address in between gains nothing. *seconds* is a clock. ``BadInput`` if it is refused.
    """
    begun = seconds()
    try:
        for _ in range(REDIRECTS + 1):
            with closing(_connection(parts := require_web_address(url), allow_private)) as connection:
                target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("GET", target, headers={"User-Agent": "SwissArbiter"})
                answer = connection.getresponse()
                if answer.status in (301, 302, 303, 307, 308):
                    url = urljoin(url, answer.headers.get("Location", ""))
                    continue
                if answer.status != 200:
                    raise BadInput("rating_list.not_fetched", problem=f"HTTP {answer.status}")
                _save(answer, to, tick, lambda: seconds() - begun)
                return
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise BadInput("rating_list.not_fetched", problem=str(error) or type(error).__name__) from error
    raise BadInput("rating_list.not_fetched", problem="HTTP 310")


def require_web_address(url: str) -> SplitResult:
    """Return the parts of *url*; ``BadInput`` unless it is http or https with a host, without a password."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        _ = parts.port
    except ValueError:
        usable = False
    if not usable or any(ord(letter) <= 32 for letter in url):
        raise BadInput("rating_list.address", field="url")
    return parts


def _connection(parts: SplitResult, allow_private: bool) -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection: Any = kind(
        parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80), timeout=PATIENCE
    )

    def connect(address: tuple[str, int], *more: Any, **named: Any) -> socket.socket:
        return socket.create_connection((_checked(*address, allow_private=allow_private), address[1]), *more, **named)

    connection._create_connection = connect
    return connection  # type: ignore[no-any-return]


def _checked(host: str, port: int, *, allow_private: bool) -> str:
    """Return the first address of *host*; ``BadInput`` if one of its addresses is not public."""
    found = [str(entry[4][0]).partition("%")[0] for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not allow_private and not all(_is_public(address) for address in found):
        raise BadInput("rating_list.private_address", field="url")
    return found[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return bool(inner.is_global) and not inner.is_multicast


def _save(
    answer: http.client.HTTPResponse, to: Path, tick: Callable[[int, int], None], elapsed: Callable[[], float]
) -> None:
    total = int(length) if (length := answer.headers.get("Content-Length", "")).isdigit() else 0
    if total > MAX_BYTES:
        raise BadInput("rating_list.too_large", limit=MAX_BYTES // 1_000_000)
    read = 0
    with to.open("wb") as file:
        while part := answer.read1(PART):
            read += len(part)
            if read > MAX_BYTES:
                raise BadInput("rating_list.too_large", limit=MAX_BYTES // 1_000_000)
            if elapsed() > MAX_SECONDS:
                raise BadInput("rating_list.fetch_too_slow", limit=MAX_SECONDS // 60)
            file.write(part)
            tick(read, total)
    if total and read < total:
        raise BadInput("rating_list.not_fetched", problem=f"{read} < {total}")
