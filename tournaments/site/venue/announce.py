"""Print the site's addresses at its start, a QR code, and how safe the network is."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Final

import segno
from django.conf import settings

from tournaments.site.venue.addresses import LOOPBACK, bracketed
from tournaments.site.venue.certificate import fingerprint, up_to_date

QUIET: Final = 4
"""The light modules around the code, as many as the standard of QR codes asks for."""


def announce(port: str, hosts: list[str]) -> None:
    """Print what *hosts* are for, if there are any, and the fingerprint or a warning.

    With https the certificate is made if there is none yet.
    """
    scheme = "https" if settings.VENUE_HTTPS else "http"
    addresses = [f"{scheme}://{bracketed(host)}:{port}/" for host in hosts]
    if addresses:
        print("  In the network: " + "\n                  ".join(addresses))
        best = f"{settings.PUBLIC_ADDRESS}/" if settings.PUBLIC_ADDRESS else addresses[0]
        print(f"  The QR code leads to {best} (for a screen: {best}hall/)")
        print(qr_code(best) if _shows_blocks() else "", end="", flush=True)
    if settings.VENUE_HTTPS:
        up_to_date(settings.DATA_DIR, [*LOOPBACK, *hosts], now=datetime.now(UTC))
        print(
            "  https with a certificate of this computer. Each browser warns once; compare the "
            "SHA-256 there:"
        )
        digits = fingerprint(settings.DATA_DIR)
        print(f"    {digits[:47]}\n    {digits[48:]}")
    else:
        print(
            "  Everybody in this network can read along, passwords and PINs too. With https: "
            "./run --https"
        )


def qr_code(text: str) -> str:
    """Return the QR code of *text* in half blocks, dark on light in any terminal."""
    matrix = [
        list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=QUIET)
    ]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    signs = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
    lines = []
    for upper, lower in zip(matrix[::2], matrix[1::2], strict=True):
        row = "".join(signs[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))
        lines.append(f"    \x1b[30;107m{row}\x1b[0m\n")
    return "".join(lines)


def _shows_blocks() -> bool:
    """Return whether the output is a terminal that can show half blocks and colours."""
    return sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf")
