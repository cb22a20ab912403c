"""The news file: what an open public page asks for every few seconds. It is the same for everybody."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Final

from django.db.models import Max, Min, Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from pairing.rules.corrections import may_still_report
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import news_key
from tournaments.models import Tournament

MOST_BYTES: Final = 150
_JSON: Final = "application/json"
_SEEN: Final = ("pk", "public_version", "public_fingerprint", "corrections_until")
_IS_PUBLIC: Final = Q(rounds__state__in=PUBLIC_STATES)
_HAS_RESULTS: Final = Q(rounds__state=RoundState.RESULTS_PUBLISHED)
_WITHOUT_PAIRINGS: Final = Q(rounds__state__in=[state for state in RoundState if state not in PUBLIC_STATES])
_WITHOUT_RESULTS: Final = Q(rounds__state__in=[state for state in RoundState if state != RoundState.RESULTS_PUBLISHED])


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the newest public state in at most 150 bytes: no session, no cookie, one query. 404 without such an event.

    ``key`` is the version of all public pages; ``pairings`` and ``results`` are the newest rounds where they are
    public, 0 for none; ``next`` is the time (Unix seconds) announced for the next publication: for the results of a
    round their own, for its pairings the start of play; 0 if none is announced.
    """
    row = (
        Tournament.objects.filter(slug=slug)
        .annotate(
            pairings=Max("rounds__number", filter=_IS_PUBLIC),
            results=Max("rounds__number", filter=_HAS_RESULTS),
            # A draft is a round like one not paired yet: nothing here tells them apart.
            next_start=Min("rounds__starts_at", filter=_WITHOUT_PAIRINGS),
            next_results=Min("rounds__results_due_at", filter=_WITHOUT_RESULTS),
        )
        .only(*_SEEN)
        .first()
    )
    if row is None:
        return HttpResponse("{}", _JSON, status=404, headers={"Cache-Control": "no-store"})
    reports_open = may_still_report(row.corrections_until, timezone.now())
    body = {
        "key": news_key(row, runs=False, reports_open=reports_open),
        "pairings": row.pairings or 0,
        "results": row.results or 0,
        "next": _seconds(row.next_start, row.next_results),
    }
    content = json.dumps(body, separators=(",", ":")).encode()
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(content, _JSON)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, max-age=2"
    return response


def _seconds(*times: datetime | None) -> int:
    return int(min((at.timestamp() for at in times if at), default=0))
