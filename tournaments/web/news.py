"""The news file: what an open public page asks for every few seconds. It is the same for everybody."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from functools import lru_cache
from typing import Final

from django.db.models import Max, Min, Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from pairing.rules.corrections import may_still_report
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import news_key
from tournaments.models import Round, Tournament
from tournaments.web.public_page import mark_public

MOST_BYTES: Final = 150
JSON: Final = "application/json"
_SEEN: Final = ("public_version", "public_fingerprint", "corrections_until")
_IS_PUBLIC: Final = Q(state__in=PUBLIC_STATES)
_HAS_RESULTS: Final = Q(state=RoundState.RESULTS_PUBLISHED)


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the newest public state in at most 150 bytes; 404 without such an event.

    ``key`` is the version of all public pages; ``pairings`` and ``results`` are the newest rounds where they are
    public, 0 for none; ``next`` is the time (Unix seconds) announced for the next publication: for the results of a
    round their own, for its pairings the start of play; 0 if none is announced. No session, no cookie, one query.
    """
    row = Tournament.objects.filter(slug=slug).only(*_SEEN).first()
    if row is None:
        return HttpResponse("{}", JSON, status=404, headers={"Cache-Control": "no-store"})
    reports_open = may_still_report(row.corrections_until, timezone.now())
    key = news_key(row, runs=False, reports_open=reports_open)
    content, etag = content_of(row.pk, key)
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(content, JSON)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, max-age=2"
    mark_public(response, row.pk, key)
    return response


@lru_cache(maxsize=64)
def content_of(tournament_id: int, key: str) -> tuple[bytes, str]:
    """Return the file and its ETag. One query, once for each *key*: nothing else in the file changes without it."""
    found = Round.objects.filter(tournament_id=tournament_id).aggregate(
        pairings=Max("number", filter=_IS_PUBLIC),
        results=Max("number", filter=_HAS_RESULTS),
        # A draft is a round like one not paired yet: nothing here tells them apart.
        next_start=Min("starts_at", filter=~_IS_PUBLIC),
        next_results=Min("results_due_at", filter=~_HAS_RESULTS),
    )
    body = {
        "key": key,
        "pairings": found["pairings"] or 0,
        "results": found["results"] or 0,
        "next": _seconds(found["next_start"], found["next_results"]),
    }
    content = json.dumps(body, separators=(",", ":")).encode()
    return content, f'"{hashlib.sha256(content).hexdigest()[:16]}"'


def _seconds(*times: datetime | None) -> int:
    return int(min((at.timestamp() for at in times if at), default=0))
