"""Limit how often one visitor sends the form or searches the rating list. No third party, and no address is kept."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac

from pairing.rules.verdict import Refused
from tournaments.core.errors import RuleRefused
from tournaments.models import RequestCount

SEND: Final = "send"
SEARCH: Final = "search"
MAIL: Final = "mail"
REPORT: Final = "report"
KIOSK: Final = "kiosk"
LIMITS: Final = {
    SEND: (20, timedelta(hours=1)),
    SEARCH: (120, timedelta(minutes=10)),
    MAIL: (3, timedelta(days=1)),
    REPORT: (12, timedelta(minutes=10)),
    KIOSK: (60, timedelta(minutes=1)),
}
"""The most requests of each kind in a time. A club that registers its players from one address stays below.

Players' reports are counted for each table and for the kiosk: all phones of a hall may have one address.
"""
TOO_MANY_REPORTS: Final = Refused("players_report.busy")
BUSY: Final = Refused("registration.busy")
KEPT: Final = timedelta(days=2)


def count_request(kind: str, whose: str | None, *, now: datetime, busy: Refused = BUSY) -> None:
    """Count a request of *kind* by *whose*, an address; refused with *busy* if there were too many lately.

    Requests without an address count together. A refused request is not written, so that many of them cost little.
    """
    most, span = LIMITS[kind]
    key = salted_hmac("tournaments.registration", f"{kind} {whose or ''}", algorithm="sha256").hexdigest()
    found = RequestCount.objects.filter(key=key).first()
    if found is not None and now - found.since < span and found.count >= most:
        raise RuleRefused(busy)
    with transaction.atomic():
        if found is None or now - found.since >= KEPT:
            RequestCount.objects.filter(since__lt=now - KEPT).delete()
            RequestCount.objects.bulk_create([RequestCount(key=key, since=now)], ignore_conflicts=True)
        row = RequestCount.objects.select_for_update().get(key=key)
        if now - row.since >= span:
            row.since, row.count = now, 0
        is_too_many = row.count >= most
        if not is_too_many:
            row.count += 1
            row.save(update_fields=["since", "count"])
    if is_too_many:
        raise RuleRefused(busy)
