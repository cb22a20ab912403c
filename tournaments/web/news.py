"""The news files: what an open public page asks for every few seconds.

They are the same for everybody.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, Final

from django.db.models import Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core import page_store
from tournaments.core.frame import state_now, state_of
from tournaments.core.page_store import State
from tournaments.events.event_page import event_key, sections_of
from tournaments.events.screens import screen_at, screen_key, tournaments_of
from tournaments.models import Action, Decision, Event, Round, Tournament
from tournaments.models.payloads import ResultCorrected, ResultRecorded, RoundChanged
from tournaments.reports.publications import is_correction, standings_record
from tournaments.web.pace import PACE, PACE_HEADER, Busy, RoundTimes, busy_times, least_pause

MOST_BYTES: Final = 150
JSON: Final = "application/json"
FOR_A_MOMENT: Final = "public, max-age=1"
"""Half as long as a page: behind a proxy, this comes on top of the pace of the questions."""
NAME: Final = "news.json"
"""The name of the file in the store."""
BUSY: Final = "X-Busy"
"""Its header in the store: when something may be published."""


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

    No session, two queries, and those of :func:`content_of` for a section whose file is not there.
    """
    found = Event.objects.filter(slug=slug).first()
    if found is None:
        return _missing()
    sections = sections_of(found)
    content, etag = packed({"key": event_digest(event_key(sections, runs=False))})
    files = [content_of(state_of(section.tournament)) for section in sections]
    return _answer(request, content, etag, tuple(time for file in files for time in file[2]))


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


def content_of(
    state: State, *, still: Callable[[], bool] = lambda: True
) -> tuple[bytes, str, Busy]:
    """Return the file, its ETag and when something may be published. Nothing else in the file
    changes without the *state*: the store keeps it.

    *still* says whether the state is still the newest. Without the store one query, one more once
    pairings are published, and two more once results are.
    """
    if (stored := page_store.read(state, NAME)) is not None:
        busy = json.loads(stored.headers.get(BUSY, "[]"))
        return stored.body, _etag(stored.body), tuple((begin, end) for begin, end in busy)
    content, etag, busy = _made(int(state.owner), state.key)
    page_store.write(state, NAME, {BUSY: json.dumps(busy)}, content, still=still)
    return content, etag, busy


def _made(tournament_id: int, key: str) -> tuple[bytes, str, Busy]:
    # The file is made when the state changes, so the newest line is that of the change.
    newest = Decision.objects.filter(tournament=tournament_id).order_by("-sequence")
    rows = list(
        Round.objects.filter(tournament_id=tournament_id).values_list(
            "number",
            "state",
            "published_at",
            "starts_at",
            "results_due_at",
            "tournament__final_at",
            Subquery(newest.values("at")[:1]),
        )
    )
    states = {number: RoundState(state) for number, state, *_times in rows}
    pairings = max((n for n, state in states.items() if state in PUBLIC_STATES), default=0)
    results = max(
        (n for n, state in states.items() if state == RoundState.RESULTS_PUBLISHED), default=0
    )
    body: dict[str, Any] = {"key": key, "pairings": pairings, "results": results}
    is_final = any(final_at for *_values, final_at, _newest in rows)
    if is_final:
        body["final"] = 1
    more = _changes(tournament_id, pairings) if pairings else {}
    more |= _corrections(tournament_id, results) if results else {}
    times = [RoundTimes(RoundState(row[1]), *row[2:5]) for row in rows]
    busy = busy_times(rows[0][6] if rows else None, () if is_final else times)
    return *packed(body, more), busy


def _changes(tournament_id: int, number: int) -> dict[str, Any]:
    """Return how often the pairings of round *number* were changed, and the last changed boards."""
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
    """Return how often the standings after round *after* were corrected.

    With round and board of the last correction, if that was of a result.
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


def _answer(
    request: HttpRequest, content: bytes, etag: str, busy: Busy | None = None
) -> HttpResponse:
    """Answer with *content*; without *busy* the reader may always ask often."""
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response: HttpResponse = HttpResponseNotModified()
    else:
        # With its length the server keeps the connection open for the next question.
        response = HttpResponse(content, JSON, headers={"Content-Length": str(len(content))})
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = FOR_A_MOMENT
    pause = PACE.interval(time.monotonic())
    if busy is not None:
        pause = max(pause, least_pause(busy, time.time()))
    response.headers[PACE_HEADER] = f"{pause:.1f}"
    return response


def _missing() -> HttpResponse:
    return HttpResponse("{}", JSON, status=404, headers={"Cache-Control": "no-store"})
