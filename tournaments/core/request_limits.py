"""Limit how often one visitor sends the form or searches the rating list.

No third party, and no address is kept.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from pairing.rules.verdict import Refused
from tournaments.core import request_counts
from tournaments.core.errors import RuleRefused

SEND: Final = "send"
SEARCH: Final = "search"
MAIL: Final = "mail"
REPORT: Final = "report"
KIOSK: Final = "kiosk"
PUSH: Final = "push"
MISTAKE: Final = "mistake"
MISTAKES: Final = "mistakes"
LIMITS: Final = {
    SEND: (20, timedelta(hours=1)),
    SEARCH: (120, timedelta(minutes=10)),
    MAIL: (3, timedelta(days=1)),
    REPORT: (12, timedelta(minutes=10)),
    KIOSK: (60, timedelta(minutes=1)),
    MISTAKE: (6, timedelta(minutes=10)),
    MISTAKES: (120, timedelta(hours=1)),
    PUSH: (1_200, timedelta(hours=1)),
}
"""The most requests of each kind in a time. A club that registers
its players from one address stays below.

Players' reports are counted for each table and for the kiosk: all phones of a hall may have one
address. Their subscriptions to notifications are counted by it all the same: 600 phones have room.
"""
TOO_MANY_REPORTS: Final = Refused("players_report.busy")
BUSY: Final = Refused("registration.busy")


def count_request(kind: str, whose: str | None, *, now: datetime, busy: Refused = BUSY) -> None:
    """Count a request of *kind* by the address *whose*.

    Refused with *busy* if there were too many lately. Requests without an address count together. A
    refused request is not written, so that many of them cost little.
    """
    most, span = LIMITS[kind]
    if not request_counts.count(kind, whose or "", most=most, span=span, now=now):
        raise RuleRefused(busy)
