"""Count how often somebody has asked for one thing lately;
only a keyed hash of both is stored.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac

from tournaments.models import RequestCount

KEPT: Final = timedelta(days=2)


def count(kind: str, whose: str, *, most: int, span: timedelta, now: datetime) -> bool:
    """Count a request of *kind* by *whose*; return False if there were *most* within *span*.

    A refused request is not written, so that many of them cost little.
    """
    key = _key(kind, whose)
    found = RequestCount.objects.filter(key=key).first()
    if found is not None and now - found.since < span and found.count >= most:
        return False
    with transaction.atomic():
        if found is None or now - found.since >= KEPT:
            RequestCount.objects.filter(since__lt=now - KEPT).delete()
            RequestCount.objects.bulk_create(
                [RequestCount(key=key, since=now)], ignore_conflicts=True
            )
        row = RequestCount.objects.select_for_update().get(key=key)
        if now - row.since >= span:
            row.since, row.count = now, 0
        is_too_many = row.count >= most
        if not is_too_many:
            row.count += 1
            row.save(update_fields=["since", "count"])
    return not is_too_many


def forget(kind: str, whose: str) -> None:
    """Begin again with the requests of *kind* by *whose*."""
    RequestCount.objects.filter(key=_key(kind, whose)).delete()


def _key(kind: str, whose: str) -> str:
    return salted_hmac(
        "tournaments.events.registration", f"{kind} {whose}", algorithm="sha256"
    ).hexdigest()
