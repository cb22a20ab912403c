"""The names and addresses of this machine.

Only the standard library, because ``./run`` comes before packages.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - comparing, not binding
ENDINGS: Final = ("local", "lan", "home", "home.arpa", "internal", "fritz.box")
"""What routers and mDNS put after the name of a machine."""
_SOMEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody.

A datagram socket that is connected to one sends nothing, and shows our own address.
"""
_SIOCGIFADDR: Final = 0x8915


def own_addresses() -> list[str]:
    """Return the addresses of this machine in its networks,
    the one with the route to others first; IPv4 before IPv6.

    Without those of the loopback, and without link-local ones, which no browser can open.
    """
    found: dict[str, None] = {}
    for family, somewhere in _SOMEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))
            found[probe.getsockname()[0]] = None
    found.update(dict.fromkeys(_of_interfaces()))
    usable = [ipaddress.ip_address(text) for text in found if "%" not in text]
    usable = [
        each
        for each in usable
        if not (each.is_loopback or each.is_link_local or each.is_unspecified)
    ]
    return [str(each) for each in sorted(usable, key=lambda each: each.version)]


def own_names() -> list[str]:
    """Return the names of this machine: alone, as routers complete it, and with ``.local``."""
    name = socket.gethostname().lower().rstrip(".")
    names = dict.fromkeys((name, f"{name.partition('.')[0]}.local", _full_name()))
    return [
        each
        for each in names
        if each and each not in ("localhost", "localhost.localdomain", "localhost.local")
    ]


def is_own(host: str) -> bool:
    """Return whether *host*, a name or an address (IPv6 in brackets or not), is this machine.

    A socket can be bound to an own address only, also to one that the machine got a moment ago. An
    address counts as browsers write it, and of the loopback only :data:`LOOPBACK`: so there are
    few, whatever a stranger sends.
    """
    text = host.strip("[]").lower().rstrip(".")
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        first = socket.gethostname().lower().partition(".")[0]
        return text in own_names() or text in {f"{first}.{ending}" for ending in ENDINGS}
    if address.is_unspecified or address.is_multicast or text != str(address):
        return False
    if address.is_loopback:
        return text in LOOPBACK
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((text, 0))
        return True
    return False


def is_loopback(host: str) -> bool:
    """Return whether *host* can only be reached from this machine, as 127.0.0.2."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host in LOOPBACK


def all_hosts() -> str:
    """Return the address of all networks: ``::`` with IPv6 (and IPv4), else IPv4 alone."""
    if socket.has_dualstack_ipv6():
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe,
        ):
            probe.bind(("::", 0))
            return "::"
    return EVERYWHERE[0]


def bracketed(host: str) -> str:
    """Return *host* as an address contains it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


@lru_cache(maxsize=1)
def _full_name() -> str:
    """Return this machine's name with its domain; asked once, as networks may be slow."""
    return socket.getfqdn().lower().rstrip(".")


def _of_interfaces() -> list[str]:
    """Return the addresses of all interfaces, also of a network without a route.

    On Linux the kernel answers, because the name of the machine may be looked up in a network that
    does not answer.
    """
    if not sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
        return []
    import fcntl

    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(
                    probe.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15])
                )
                found.append(socket.inet_ntoa(answer[20:24]))
    with contextlib.suppress(OSError):
        lines = Path("/proc/net/if_inet6").read_text().splitlines()
        found += [str(ipaddress.IPv6Address(bytes.fromhex(line.split()[0]))) for line in lines]
    return found
