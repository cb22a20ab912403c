"""Give every request an id, and write it into the access log and metrics if these are on.

The id is in the header ``X-Request-ID`` of the answer, in each line that the log has about the
request, and on error pages. So what somebody reads aloud at the venue leads to the reason in the
log.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from ipaddress import ip_network
from random import getrandbits
from time import perf_counter
from typing import Any, Final
from urllib.parse import quote

from config.addresses import address_of
from config.log import CURRENT_REQUEST, SECRET

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Observer = Callable[[Environ, str, int, float], None]
"""Called with the request, the status line, the bytes of the answer (-1:
not known) and the seconds it took.
"""

HEADER: Final = "X-Request-ID"
_GIVEN: Final = re.compile(r"[A-Za-z0-9._-]{6,64}")

access = logging.getLogger("access")


class RequestLog:
    """*application* with an id for each request; *observers* are called after each answer was made.

    The id is new; behind a trusted proxy it is the id of the proxy.
    """

    def __init__(
        self, application: Application, *, trust_proxy: bool, observers: Iterable[Observer] = ()
    ) -> None:
        self._application = application
        self._trust_proxy = trust_proxy
        self._observers = tuple(observers)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        given = environ.get("HTTP_X_REQUEST_ID", "") if self._trust_proxy else ""
        found = given if given and _GIVEN.fullmatch(given) else new_id()
        status, length, begin = "500 ", -1, perf_counter()

        def start(line: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal status, length
            if self._observers:
                status = line
                length = next(
                    (int(value) for name, value in headers if name == "Content-Length"), -1
                )
            return start_response(line, [*headers, (HEADER, found)], *more)

        token = CURRENT_REQUEST.set(found)
        try:
            return self._application(environ, start)
        finally:
            for observe in self._observers:
                observe(environ, status, length, perf_counter() - begin)
            CURRENT_REQUEST.reset(token)


def new_id() -> str:
    """Return an id for a request."""
    # It need not be secret; asking the system for random bytes would take longer than everything
    # else here.
    return f"{getrandbits(40):010x}"


class AccessLog:
    """Write a line for each request: address, method, path, status, bytes and milliseconds.

    The query is left out, because it contains searches for names. Addresses are shortened unless
    *whole_addresses*.
    """

    def __init__(self, *, trust_proxy: bool, whole_addresses: bool) -> None:
        self._trust_proxy = trust_proxy
        self._whole = whole_addresses

    def __call__(self, environ: Environ, status: str, length: int, seconds: float) -> None:
        address = address_of(environ, trust_proxy=self._trust_proxy) or "-"
        values = {
            "address": address if self._whole else shortened(address),
            "method": environ["REQUEST_METHOD"],
            # The server has decoded it, and a line break in it must not begin a line of its own.
            "path": SECRET.sub(
                r"\1…", quote(environ.get("PATH_INFO", "").encode("latin-1", "replace"))
            ),
            "status": int(status[:3]),
            "bytes": length,
            "ms": round(seconds * 1000, 1),
        }
        access.info(
            "%(address)s %(method)s %(path)s %(status)s %(bytes)s B %(ms)s ms",
            values,
            extra={"values": values},
        )


def shortened(address: str) -> str:
    """Return the network of *address*, of many people: 192.0.2.0 in IPv4, 48 bits in IPv6."""
    address = address.partition("%")[0]
    if address == "-":
        return address
    bits = 48 if ":" in address else 24
    return str(ip_network((address, bits), strict=False).network_address)
