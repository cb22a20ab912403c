"""Send notifications to phones, as a job: nothing waits for it."""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import F, Min, Q
from django.utils import timezone

from tournaments.core import jobs, push_services
from tournaments.core.actions import OpenAction
from tournaments.core.jobs import Work
from tournaments.core.push_services import Answer, Parcel
from tournaments.core.web_push import MOST_BYTES, browser_keys
from tournaments.models import Action, PushSubscription, Tournament
from tournaments.web.push.subscriptions import JOB, forget_old
from tournaments.web.push.texts import NEWS, Message, message_for, news_for

logger = logging.getLogger(__name__)

EVERY: Final = 6 * 3600.0
"""Seconds between two looks for phones that are to be forgotten."""
SOON: Final = timedelta(seconds=10)
"""A result may be undone at once: so long nobody is notified of it."""
TRIES: Final = 5
WAITS: Final = (30, 60, 120, 240)
"""Seconds before each new attempt, unless the service says more."""
TTL: Final = 4 * 3600
"""Seconds: whoever switches the phone on later reads the page."""
AT_ONCE: Final = 50
"""So many phones are written together: a process that dies sends to no more of them twice."""


def follow(action: OpenAction) -> None:
    """Let phones be notified once *action* is committed.

    One query for an action that phones are notified of, and one statement if there is a phone. A
    copy that was handed over sends nothing.
    """
    found = {line.action for line in action.lines} & NEWS
    tournament = action.tournament
    if not found or not settings.PUSH or tournament.handed_over_at is not None:
        return
    if PushSubscription.objects.filter(tournament=tournament).exists():
        is_result = found == {Action.RESULT_RECORDED}
        jobs.enqueue(JOB, str(tournament.pk), due=action.now + SOON if is_result else None)


def push_job(work: Work) -> None:
    """Send each phone of a tournament what is new for it; without a key, forget old phones."""
    now = timezone.now()
    if not work.key:
        forget_old(now)
        return
    found = Tournament.objects.select_related("section__event").filter(pk=work.key)
    tournament = found.first()
    if tournament is not None and tournament.handed_over_at is None and settings.PUSH:
        _send(tournament, now)


def _send(tournament: Tournament, now: datetime) -> None:
    phones = list(
        PushSubscription.objects.filter(tournament=tournament).filter(Q(due=None) | Q(due__lte=now))
    )
    news = news_for(tournament, phones)
    phones = [each for each in phones if each.sequence is None or each.sequence < news.newest]
    messages = {each.pk: found for each in phones if (found := message_for(each, news))}
    _write(tournament, [each.pk for each in phones if each.pk not in messages], news.newest)
    waiting = {each.pk: each for each in phones if each.pk in messages}
    parcels = [_parcel(each, messages[each.pk]) for each in waiting.values()]
    sent: list[int] = []
    counts: defaultdict[str, int] = defaultdict(int)
    for name, answer in push_services.send(parcels):
        phone = waiting[name]
        if answer.is_gone:
            counts["gone"] += 1
            PushSubscription.objects.filter(endpoint=phone.endpoint).delete()
        elif answer.may_work_later and phone.tries + 1 < TRIES:
            counts["later"] += 1
            _postpone(phone, answer, now)
        else:
            kind = "sent" if answer.is_sent else "refused" if answer.is_refused else "given up"
            counts[kind] += 1
            sent.append(name)
        if len(sent) >= AT_ONCE:
            _write(tournament, sent, news.newest)
            sent = []
    _write(tournament, sent, news.newest)
    # Also for phones that wait since an earlier attempt: this job may have taken the place of
    # theirs.
    later = PushSubscription.objects.filter(tournament=tournament, due__gt=now)
    due = later.aggregate(Min("due"))["due__min"]
    if due is not None:
        jobs.enqueue(JOB, str(tournament.pk), due=due)
    elif tournament.final_at is not None:
        PushSubscription.objects.filter(tournament=tournament, sequence__gte=news.newest).delete()
    if counts:
        logger.info("Notifications of %r: %s", tournament.slug, dict(counts))
    if counts["refused"]:
        logger.warning(
            "Push services refused the signature of %d notifications: is the clock of this computer"
            " right, and is push-key the file that the phones know?",
            counts["refused"],
        )


def _write(tournament: Tournament, phones: Sequence[int], newest: int) -> None:
    """Write that *phones* have everything up to the line *newest*. One statement."""
    if phones:
        rows = PushSubscription.objects.filter(tournament=tournament, pk__in=phones)
        rows.update(sequence=newest, tries=0, due=None)


def _postpone(phone: PushSubscription, answer: Answer, now: datetime) -> None:
    wait = max(WAITS[min(phone.tries, len(WAITS) - 1)], answer.wait or 0)
    due = now + timedelta(seconds=wait)
    PushSubscription.objects.filter(pk=phone.pk).update(tries=F("tries") + 1, due=due)


def _parcel(phone: PushSubscription, message: Message) -> Parcel:
    content = asdict(message)
    while len(body := json.dumps(content, ensure_ascii=False).encode()) > MOST_BYTES:
        content["body"] = content["body"][: len(content["body"]) * 3 // 4] + "…"
    keys = browser_keys(phone.public, phone.secret)
    return Parcel(phone.pk, phone.endpoint, keys, body, TTL)
