"""Answer most requests of a full hall before session, account and messages are read: from memory, with one query.

What this process has sent to one visitor it sends to the next one who asks for the same: an answer is known by the
state of the tournament, the address with its known parameters, the language, page or part, and the compression. The
query reads the state. Every other request goes the ordinary way, and so does the first one for each answer.
"""

from __future__ import annotations

import re
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, Final, NamedTuple, cast
from urllib.parse import urlencode

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import Resolver404, resolve
from django.utils.http import parse_etags
from django.utils.translation import activate, get_language_from_request

from tournaments.core.build import build
from tournaments.core.frame import public_key
from tournaments.models import Tournament
from tournaments.web.pace import PACE, PACE_HEADER
from tournaments.web.public_page import ENDLESS, Reader, compression, known_parameters

MOST: Final = 6_000
"""So many answers are remembered: 300 players in two languages, as page and part. Each has 2 to 12 kB, compressed."""
MOST_SEARCHES: Final = 1_000
"""So many answers to searches are remembered, and nothing else is forgotten for them."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""The limit for all of them together."""
LARGEST: Final = 1024 * 1024
"""The limit in bytes for one: a page without compression."""
ANSWERED_FOR: Final = "swiss.answered_for"
"""In the environment of a request that was answered from memory: the tournament's slug and its state."""
_ADDRESS: Final = re.compile(r"/t/([-a-zA-Z0-9_]+)/")
_NOT_IN_304: Final = frozenset({"Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition"})


@dataclass(frozen=True, slots=True)
class Remembered:
    """An answer with all its headers. ``alike``: people with a session get it too."""

    content: bytes
    headers: Mapping[str, str]
    alike: bool
    status: int = 200


class Asked(NamedTuple):
    """The address asked for: ``parameters`` are those that the page knows, normalised."""

    slug: str
    parameters: str
    is_search: bool
    version: str


class Key(NamedTuple):
    """What an answer depends on; ``state`` is the number of the tournament and its public state.

    ``version`` is what the reader says to have: ``newest``, with the ``build`` too (then the page may be stored for a
    year), or nothing of interest.
    """

    state: tuple[int, str]
    path: str
    parameters: str
    version: str
    language: str
    htmx: str
    packed: tuple[str, ...]
    build: str


class Memory:
    """The *most* answers of this process that were used last, the latest used last."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._answers: OrderedDict[Key, Remembered] = OrderedDict()
        self._paths: Counter[str] = Counter()
        self.bytes = 0
        self._lock = Lock()

    def has_some_of(self, path: str) -> bool:
        """Return whether there is any answer for *path*; otherwise no query is needed."""
        return self._paths[path] > 0

    def get(self, key: Key) -> Remembered | None:
        with self._lock:
            found = self._answers.get(key)
            if found is not None:
                self._answers.move_to_end(key)
            return found

    def add(self, key: Key, answer: Remembered) -> None:
        if len(answer.content) > LARGEST:
            return
        with self._lock:
            if (before := self._answers.pop(key, None)) is None:
                self._paths[key.path] += 1
            else:
                self.bytes -= len(before.content)
            self._answers[key] = answer
            self.bytes += len(answer.content)
            while len(self._answers) > self._most or self.bytes > MOST_BYTES:
                oldest, removed = self._answers.popitem(last=False)
                self.bytes -= len(removed.content)
                self._paths[oldest.path] -= 1
                if not self._paths[oldest.path]:
                    del self._paths[oldest.path]

    def __len__(self) -> int:
        return len(self._answers)

    def forget(self) -> None:
        """Forget everything, for tests: the tournaments of the next one have the same keys."""
        with self._lock:
            self._answers.clear()
            self._paths.clear()
            self.bytes = 0


MEMORY: Final = Memory()
SEARCHES: Final = Memory(MOST_SEARCHES)
"""Answers to addresses with parameters that have any number of values."""


class PublicPagesFirstMiddleware:
    """Answer with what :data:`MEMORY` has; what ``web.public_page`` marks as public is added to it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = _asked(request)
        if asked is None:
            return self.get_response(request)
        memory = SEARCHES if asked.is_search else MEMORY
        try:
            state = state_now(asked.slug) if memory.has_some_of(request.path) else None
        except DatabaseError:
            activate(get_language_from_request(request))  # for the page that says so
            raise  # The view would have to wait just as long.
        if state is not None:
            found = memory.get(_key(request, state, asked))
            if found is not None and (found.alike or settings.SESSION_COOKIE_NAME not in request.COOKIES):
                request.get_host()  # refuses a host name that is not ours
                request.META[ANSWERED_FOR] = asked.slug, state
                return _again(request, found)
        response = self.get_response(request)
        # Not the state read above: something may have been published since.
        shown: tuple[int, str] | None = getattr(response, "public_state", None)
        if shown is not None and response.status_code in (200, 204) and not response.cookies:
            alike = not getattr(response, "visitors_only", False)
            answer = Remembered(response.content, dict(response.headers), alike, response.status_code)
            memory.add(_key(request, shown, asked), answer)
        return response


def _key(request: HttpRequest, state: tuple[int, str], asked: Asked) -> Key:
    htmx = request.headers.get("HX-Request", "")
    if htmx == "true" and request.headers.get("HX-Boosted") == "true":
        htmx = "boosted"
    version = ""
    if asked.version == state[1]:
        version = "build" if request.GET.get("b") == build() else "newest"
    packed = compression(request.headers.get("Accept-Encoding", ""))
    language = get_language_from_request(request)
    htmx = htmx if htmx in ("true", "boosted") else ""
    return Key(state, request.path, asked.parameters, version, language, htmx, packed, build())


def _again(request: HttpRequest, found: Remembered) -> HttpResponse:
    response: HttpResponse
    if found.status != 200:
        return HttpResponse(found.content, status=found.status, headers=found.headers)
    if found.headers["ETag"] in parse_etags(request.headers.get("If-None-Match", "")):
        headers = {name: value for name, value in found.headers.items() if name not in _NOT_IN_304}
        response = HttpResponseNotModified(headers=headers)
    else:
        response = HttpResponse(found.content, headers=found.headers)
    if PACE_HEADER in found.headers:  # a question for news counts, whoever answers it
        response.headers[PACE_HEADER] = f"{PACE.asked(time.monotonic()):.1f}"
    return response


def _asked(request: HttpRequest) -> Asked | None:
    """Return what *request* asks for; None if the answer is not remembered."""
    match = _ADDRESS.match(request.path_info) if request.method == "GET" else None
    if match is None or (known := _known(request.path_info)) is None:
        return None
    if not request.META.get("QUERY_STRING"):
        return Asked(match[1], "", is_search=False, version="")
    read = {name: reader(request.GET.get(name, "")) for name, reader in known.items()}
    told = {name: value for name, value in read.items() if value}
    return Asked(match[1], urlencode(told), bool(ENDLESS & told.keys()), request.GET.get("v", ""))


@lru_cache(maxsize=4_000)
def _known(path: str) -> Mapping[str, Reader] | None:
    """Return the parameters of the public page at *path*; None if there is no such page."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return {} if match.url_name == "news" else known_parameters(cast(Any, match.func))


def state_now(slug: str) -> tuple[int, str] | None:
    """Return the number of the tournament and the key of its public state. One query, without the model's."""
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [slug])
        row = cursor.fetchone()
    return None if row is None else state_of(row)


def state_of(row: Sequence[Any]) -> tuple[int, str]:
    """Return the state in a row of :data:`QUERY`."""
    return row[0], public_key(row[1], row[2])


QUERY: Final = (
    "SELECT id, public_version, public_fingerprint "  # noqa: S608 - the name of our own table
    f"FROM {Tournament._meta.db_table} WHERE slug = %s"
)
