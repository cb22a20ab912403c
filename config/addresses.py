"""Read the address of a visitor from the variables of a request."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any


def address_of(environ: Mapping[str, Any], *, trust_proxy: bool) -> str | None:
    """Return the address from which a request came; None if there is none (a Unix socket).

    Behind a proxy that we trust it is the last entry of ``X-Forwarded-For``, which the proxy itself
    wrote; the visitor can invent the entries before it. An IPv4 address in IPv6 notation counts as
    an IPv4 address.
    """
    addresses = [environ.get("REMOTE_ADDR", "")]
    if trust_proxy:
        addresses.insert(0, environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    found = next(filter(_is_address, addresses), None)
    if found is None:
        return None
    address = ip_address(found)
    return str(address.ipv4_mapped or address) if isinstance(address, IPv6Address) else str(address)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
