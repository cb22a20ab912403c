"""Pages for everybody, made for a hall full of phones: the version of the tournament is their ETag.

        news_key(tournament, minutes_left(tournament.corrections_until, now), runs=False),
        request.build_absolute_uri(),  # a printed list names the host
Whoever is logged in gets a fresh page (it carries a form token).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from functools import wraps
from threading import Lock
from typing import Concatenate, Final, NamedTuple, ParamSpec, cast

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from pairing.rules.corrections import minutes_left
from tournaments.htmx import HtmxHttpRequest
from tournaments.models import Tournament
from tournaments.permissions import may_run
from tournaments.selectors.frame import Frame, news_key, tournament_frame

P = ParamSpec("P")

KEPT_FOR: Final = 3600
"""Seconds."""
_TOLD_BY: Final = ("slug", "created_at", "created_by", "version", "public_version", "corrections_until")
"""The columns that tell whether a reader has the newest page already: the others are read when one is rendered."""
_RENDERING: Final = tuple(Lock() for _ in range(64))
"""A page that many want at once is rendered once in this process: the others wait for it, which is sooner than if all
rendered it side by side."""
_INDENTED: Final = re.compile(rb"\n\s+")


class _Kept(NamedTuple):
    """An answer as bytes, packed for the air of a full hall (there is no secret in it to be guessed)."""

    packed: bytes
    headers: dict[str, str]


def visitor_page(
    view: Callable[Concatenate[HtmxHttpRequest, Frame, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """A page of a tournament that anybody may read.

    ``?v=N`` from a page that asks for news: 204 while the tournament is still at version N (and a countdown at the
    same step).
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        tournament = get_object_or_404(Tournament.objects.only(*_TOLD_BY), slug=slug)
        now = timezone.now()
        runs = may_run(request.user, tournament)
        key = news_key(tournament, minutes_left(tournament.corrections_until, now), runs=runs)
        if ours.htmx and request.GET.get("v") == key:
            return HttpResponse(status=204)
        if request.user.is_authenticated:
            frame = _frame(tournament, now, runs=runs)
            response = view(ours, frame, *args, **kwargs)
            response.headers["Cache-Control"] = "private, no-cache"
            return response
        return _for_visitors(ours, tournament, now, lambda frame: view(ours, frame, *args, **kwargs))

    return answer  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional


def _for_visitors(
    request: HtmxHttpRequest, tournament: Tournament, now: datetime, render: Callable[[Frame], HttpResponse]
) -> HttpResponse:
    etag = _etag(request, tournament, now)
    response: HttpResponse
    if _has_it(request, etag):
        response = HttpResponseNotModified()
    else:
        # A search has too many forms to be kept.
        key = f"page:{etag}" if not request.GET.get("q") else ""
        kept: _Kept | HttpResponse | None = cache.get(key) if key else None
        if kept is None:
            with _alone(key):
                kept = (cache.get(key) if key else None) or _rendered(render(_frame(tournament, now, runs=False)), key)
        if isinstance(kept, HttpResponse):
            return kept
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            response = HttpResponse(kept.packed, headers=kept.headers | {"Content-Encoding": "gzip"})
        else:
            response = HttpResponse(gzip.decompress(kept.packed), headers=kept.headers)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request", "Cookie", "Accept-Encoding"])
    return response


def _frame(tournament: Tournament, now: datetime, *, runs: bool) -> Frame:
    """The frame of *tournament*, read whole. Two queries."""
    return tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=runs, now=now)


def _alone(key: str) -> AbstractContextManager[object]:
    return _RENDERING[hash(key) % len(_RENDERING)] if key else nullcontext()


def _rendered(response: HttpResponse, key: str) -> _Kept | HttpResponse:
    """*response* packed, and kept under *key* if there is one; the response itself where it is not a page."""
    if response.status_code != 200:
        return response
    content = response.content
    if response.headers["Content-Type"].startswith("text/html"):
        # A third of a long list is the indentation of its template.
        content = _INDENTED.sub(b"\n", content)
    kept = _Kept(gzip.compress(content, compresslevel=6, mtime=0), dict(response.headers))
    if key:
        cache.set(key, kept, KEPT_FOR)
    return kept


def _etag(request: HtmxHttpRequest, tournament: Tournament, now: datetime) -> str:
    parts = (
        # Not the slug: it is free again when a tournament is deleted.
        str(tournament.pk),
        tournament.created_at.isoformat(),
        news_key(tournament, minutes_left(tournament.corrections_until, now), runs=False),
        request.build_absolute_uri(),  # a printed list names the host
        get_language() or "",
        "part" if request.htmx else "page",
        static("css/components.css"),
    )
    # Weak, because the packed answer says the same in other bytes.
    return f'W/"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"'


def _has_it(request: HttpRequest, etag: str) -> bool:
    return etag in parse_etags(request.headers.get("If-None-Match", ""))
