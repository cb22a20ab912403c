"""The phones that get notifications: subscribe, stop, and forget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from pairing.rules.verdict import Refused
from tournaments.core import jobs
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.push_services import is_known_service
from tournaments.core.web_push import browser_keys, encoded
from tournaments.models import Entry, PushSubscription, Tournament
from tournaments.web.events.followed import MOST_FOLLOWED, tournaments_of

JOB: Final = "push"
MOST_PHONES: Final = 3_000
"""So many phones can get notifications of one tournament."""
FORGOTTEN: Final = timedelta(days=30)
"""A phone that did not open a page of the tournament for so long gets nothing more."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a phone has sent: its subscription, its language and its players, as ids of entries."""

    endpoint: str
    public: str
    secret: str
    language: str
    own: int | None
    players: Collection[int]


def subscribe(tournament: Tournament, wanted: Wanted, now: datetime) -> int:
    """Let the phone be notified about its players in all sections of the event of *tournament*;
    return about how many.

    The first time a message says that notifications are on. ``BadInput`` ``push.service`` for an
    unknown push service, ``push.keys`` for others than keys, ``push.nobody`` without a player of
    the event. Refused with ``push.over`` once the standings are final, and with ``push.full``.
    """
    if not settings.PUSH or tournament.handed_over_at is not None:
        raise RuleRefused(Refused("push.off"))
    if not is_known_service(wanted.endpoint):
        raise BadInput("push.service")
    try:
        keys = browser_keys(wanted.public, wanted.secret)
    except ValueError as error:
        raise BadInput("push.keys") from error
    known = tournaments_of(tournament)
    by_tournament: defaultdict[int, list[int]] = defaultdict(list)
    ids = {*list(wanted.players)[:MOST_FOLLOWED], *([wanted.own] if wanted.own else [])}
    entries = Entry.objects.filter(pk__in=ids, tournament__in=known, tpn__isnull=False)
    for pk, of in entries.order_by("pk").values_list("pk", "tournament"):
        by_tournament[of].append(pk)
    if not by_tournament:
        raise BadInput("push.nobody")
    running = {pk: found for pk, found in by_tournament.items() if known[pk][0].final_at is None}
    if not running:
        raise RuleRefused(Refused("push.over"))
    rows = [
        PushSubscription(
            tournament_id=pk,
            endpoint=wanted.endpoint,
            public=encoded(keys.public),
            secret=encoded(keys.secret),
            language=wanted.language,
            own_id=wanted.own if wanted.own in found else None,
            players=[each for each in found if each != wanted.own],
            renewed_at=now,
        )
        for pk, found in running.items()
    ]
    with transaction.atomic():
        _save(rows, known)
    return sum(map(len, running.values()))


def _save(rows: list[PushSubscription], known: Collection[int]) -> None:
    own = PushSubscription.objects.filter(endpoint=rows[0].endpoint)
    there = set(own.filter(tournament__in=known).values_list("tournament", flat=True))
    for row in rows:
        if row.tournament_id not in there and _is_full(row.tournament_id):
            raise RuleRefused(Refused("push.full"))
    kept = [row.tournament_id for row in rows]
    own.filter(tournament__in=known).exclude(tournament__in=kept).delete()
    fields = ["public", "secret", "language", "own", "players", "renewed_at"]
    PushSubscription.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["tournament", "endpoint"], update_fields=fields
    )
    for row in rows:
        if row.tournament_id not in there:
            jobs.enqueue(JOB, str(row.tournament_id))


def _is_full(tournament_id: int) -> bool:
    return PushSubscription.objects.filter(tournament=tournament_id).count() >= MOST_PHONES


def unsubscribe(tournament: Tournament, endpoint: str) -> None:
    """Stop the notifications of a phone for all sections of the event of *tournament*."""
    of_event = PushSubscription.objects.filter(tournament__in=tournaments_of(tournament))
    of_event.filter(endpoint=endpoint).delete()


def forget_old(now: datetime) -> None:
    """Delete the phones of events that are over, and those that nobody uses any more."""
    over = Q(tournament__final_at__lt=now - timedelta(days=1))
    PushSubscription.objects.filter(over | Q(renewed_at__lt=now - FORGOTTEN)).delete()
