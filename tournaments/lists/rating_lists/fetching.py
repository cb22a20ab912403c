"""Download a list from a typed address: a public one, within limits of size and time."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urljoin

from tournaments.core.errors import BadInput
from tournaments.core.web_address import connection_to, require_web_address

MAX_BYTES: Final = 1_000_000_000
MAX_SECONDS: Final = 15 * 60
PART: Final = 256 * 1024
REDIRECTS: Final = 5


def fetch(
    url: str,
    to: Path,
    *,
    allow_private: bool,
    tick: Callable[[int, int], None],
    seconds: Callable[[], float],
) -> None:
    """Save what is at *url* in the file *to*; *tick* gets the bytes so far and in all (0: unknown).

    Every redirect is checked like the first address (:mod:`tournaments.core.web_address`).
    *seconds* is a clock. ``BadInput`` if it is refused.
    """
    begun = seconds()
    try:
        for _ in range(REDIRECTS + 1):
            parts = require_list_address(url)
            private = BadInput("rating_list.private_address", field="url")
            with closing(connection_to(parts, private, allow_private=allow_private)) as connection:
                target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                connection.request("GET", target, headers={"User-Agent": "SwissArbiter"})
                with connection.getresponse() as answer:
                    if answer.status in (301, 302, 303, 307, 308):
                        url = urljoin(url, answer.headers.get("Location", ""))
                        continue
                    if answer.status != 200:
                        raise BadInput("rating_list.not_fetched", problem=f"HTTP {answer.status}")
                    _save(answer, to, tick, lambda: seconds() - begun)
                    return
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        raise BadInput(
            "rating_list.not_fetched", problem=str(error) or type(error).__name__
        ) from error
    raise BadInput("rating_list.not_fetched", problem="HTTP 310")


def require_list_address(url: str) -> SplitResult:
    """Return the parts of *url*; ``BadInput`` unless a list could be there."""
    return require_web_address(url, BadInput("rating_list.address", field="url"))


def _save(
    answer: http.client.HTTPResponse,
    to: Path,
    tick: Callable[[int, int], None],
    elapsed: Callable[[], float],
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
