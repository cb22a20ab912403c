"""The news files: what an open public page asks for every few seconds.

They are the same for everybody.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, Final

from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core import page_store
from tournaments.core.frame import state_now
from tournaments.core.page_store import State
from tournaments.events.event_page import event_key, sections_of
from tournaments.events.screens import screen_at, screen_key, tournaments_of
from tournaments.models import Action, Decision, Event, Round, Tournament
from tournaments.models.payloads import ResultCorrected, ResultRecorded, RoundChanged
from tournaments.reports.publications import is_correction, standings_record
from tournaments.web.pace import PACE, PACE_HEADER

MOST_BYTES: Final = 150
JSON: Final = "application/json"
FOR_A_MOMENT: Final = "public, max-age=1"
"""Half as long as a page: behind a proxy, this comes on top of the pace of the questions."""
NAME: Final = "news.json"
"""The name of the file in the store."""
_IS_PUBLIC: Final = Q(state__in=PUBLIC_STATES)
_HAS_RESULTS: Final = Q(state=RoundState.RESULTS_PUBLISHED)


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the newest public state in at most 150 bytes; 404 without such an event.

    ``key`` is the version of all public pages; ``pairings`` and ``results`` are the newest rounds
    where they are public, 0 for none. If pairings of the newest round were changed
    [C.04.2/2026 4.4], ``changes`` says how often, and ``boards`` are those of the last change, if
    they have room. ``corrected`` says how often the newest standings were corrected
    [C.04.2/2026 4.3], and ``board`` has round and board if the last time a result was; ``ended``
    has them instead if it was the end of an adjourned game [C.04.2/2026 3.1]. ``final`` is 1 while
    the standings are final. No session, no cookie, one query.
    """
    state = state_now(slug)
    if state is None:
        return _missing()
    return _answer(request, *content_of(state, still=lambda: state_now(slug) == state))


@require_safe
def event_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the version of the public page of an event; 404 without such an event.

    No session, two queries.
    """
    found = Event.objects.filter(slug=slug).first()
    if found is None:
        return _missing()
    return _answer(
        request, *packed({"key": event_digest(event_key(sections_of(found), runs=False))})
    )


@require_safe
def screen_news(request: HttpRequest, code: str) -> HttpResponse:
    """Return the version of a hall screen; 404 for an address that has ended.

    No session, at most two queries.
    """
    found = screen_at(code)
    if found is None:
        return _missing()
    key = screen_key(found, tournaments_of(found))
    return _answer(request, *packed({"key": event_digest(key)}))


def event_digest(key: str) -> str:
    """Return the *key* of an event, which grows with its sections, in 16 letters."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def content_of(state: State, *, still: Callable[[], bool] = lambda: True) -> tuple[bytes, str]:
    """Return the file and its ETag. Nothing else in the file changes without the *state*:
    the store keeps it.

    *still* says whether the state is still the newest. Without the store one query, one more once
    pairings are published, and two more once results are.
    """
    if (stored := page_store.read(state, NAME)) is not None:
        return stored.body, _etag(stored.body)
    content, etag = _made(int(state.owner), state.key)
    page_store.write(state, NAME, {}, content, still=still)
    return content, etag


def _made(tournament_id: int, key: str) -> tuple[bytes, str]:
    found = Round.objects.filter(tournament_id=tournament_id).aggregate(
        pairings=Max("number", filter=_IS_PUBLIC),
        results=Max("number", filter=_HAS_RESULTS),
        final_at=Max("tournament__final_at"),
    )
    body: dict[str, Any] = {
        "key": key,
        "pairings": found["pairings"] or 0,
        "results": found["results"] or 0,
    }
    if found["final_at"]:
        body["final"] = 1
    more = _changes(tournament_id, found["pairings"]) if found["pairings"] else {}
    return packed(
        body, more | (_corrections(tournament_id, found["results"]) if found["results"] else {})
    )


def _changes(tournament_id: int, number: int) -> dict[str, Any]:
    """Return how often the published pairings of round *number* were changed,
    and the boards of the last change.
    """
    lines = Decision.objects.filter(
        tournament_id=tournament_id, round_number=number, action=Action.ROUND_CHANGED
    )
    changes = list(lines.order_by("sequence"))
    if not changes:
        return {}
    match changes[-1].payload:
        case RoundChanged(before=left, after=taken):
            boards = sorted(map(int, {*left["boards"], *taken["boards"]}))
        case _:
            boards = []
    return {"changes": len(changes), "boards": boards}


def _corrections(tournament_id: int, after: int) -> dict[str, Any]:
    """Return how often the standings after round *after* were corrected,
    and where if the last one was a result.
    """
    lines = standings_record(Tournament.objects.get(pk=tournament_id), after).corrections
    corrections = [line for line in lines if is_correction(line)]
    if not corrections:
        return {}
    count, number = len(corrections), corrections[-1].round_number
    match corrections[-1].payload:
        case ResultCorrected(after=right):
            return {"corrected": count, "board": [number, right["board"]]}
        case ResultRecorded(after=right):
            return {"corrected": count, "ended": [number, right["board"]]}
        case _:
            return {"corrected": count}


def packed(body: dict[str, Any], more: dict[str, Any] | None = None) -> tuple[bytes, str]:
    """Return the file with *body*, and *more* as far as there is room for it, and its ETag."""
    for name, value in (more or {}).items():
        if len(_bytes({**body, name: value})) <= MOST_BYTES:
            body = {**body, name: value}
    content = _bytes(body)
    return content, _etag(content)


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:16]}"'


def _bytes(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _answer(request: HttpRequest, content: bytes, etag: str) -> HttpResponse:
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        # With its length the server keeps the connection open for the next question.
        response = HttpResponse(content, JSON, headers={"Content-Length": str(len(content))})
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = FOR_A_MOMENT
    response.headers[PACE_HEADER] = f"{PACE.interval(time.monotonic()):.1f}"
    return response


def _missing() -> HttpResponse:
    return HttpResponse("{}", JSON, status=404, headers={"Cache-Control": "no-store"})
