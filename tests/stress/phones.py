"""Many phones that read the public pages of an event."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPMessage

from tests.live.server import HOST

from .report import together

PHONES = 500
"""300 players and their companions."""
TIMEOUT = 30.0  # seconds
LANGUAGES = ("en", "fr")
PAGES = {
    "pairings": 27, "standings": 20, "my board": 10, "crosstable": 10, "search": 13, "player": 20,
}  # fmt: skip
"""The share of each page in a hundred visits: a third are searches and pages of players."""
MIDDLE, REST = 1.5, 0.7
"""An open page asks again after 1.5 seconds, or what the server wants, times 0.7 to 1 (news.js)."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request that is planned for *due*, in seconds from the beginning."""

    due: float
    phone: int
    kind: str
    address: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came: ``status`` 0 if nothing did; ``seconds`` from the planned moment."""

    kind: str
    status: int
    seconds: float

    @property
    def is_good(self) -> bool:
        """Whether this is an answer that a visitor should get."""
        return self.status in (200, 204, 304)


@dataclass(frozen=True, slots=True)
class Event:
    """The addresses of an event: *players* are keys of entries, *number* is its newest round."""

    slug: str
    players: Sequence[int]
    number: int

    @property
    def news(self) -> str:
        """The file that open pages ask for."""
        return f"/t/{self.slug}/news.json"

    def address(self, kind: str, chance: random.Random) -> str:
        """Return the address of a page of *kind*, with another player each time."""
        base = f"/t/{self.slug}"
        match kind:
            case "pairings":
                return f"{base}/pairings/{self.number}/{chance.choice(['', '?order=name'])}"
            case "search":
                page = chance.choice([f"pairings/{self.number}", "standings"])
                return f"{base}/{page}/?q=Surname{chance.randrange(len(self.players)) + 1:03}"
            case "player":
                return f"{base}/player/{chance.choice(self.players)}/"
            case "my board":
                return f"{base}/me/"
            case _:
                return f"{base}/{kind}/"

    def visits(
        self, rate: float, seconds: float, chance: random.Random, phones: int = PHONES
    ) -> list[Request]:
        """Return *rate* visits a second, in both languages."""
        found = []
        for turn in range(int(rate * seconds)):
            (kind,) = chance.choices(list(PAGES), list(PAGES.values()))
            phone = chance.randrange(phones)
            address = self.address(kind, chance)
            found.append(Request(turn / rate, phone, kind, address, LANGUAGES[phone % 2]))
        return found


@dataclass
class Phones:
    """The phones at *port* with the pages that they have stored, and the answers so far."""

    port: int
    answers: list[Answer] = field(default_factory=list)
    _has: dict[tuple[int, str], str] = field(default_factory=dict)
    _open: dict[int, HTTPConnection] = field(default_factory=dict)

    def fetch(self, request: Request, begin: float, *, keep: bool = False) -> Mapping[str, str]:
        """Send one request and note its answer; return its headers, none if it was lost.

        The time counts from the planned moment, so queues are included. With *keep* the phone uses
        its connection again, as an open page does.
        """
        phone, key = request.phone, (request.phone, request.address)
        sent = {"Accept-Encoding": "gzip, deflate, br", "Accept-Language": request.language}
        if etag := self._has.get(key):
            sent["If-None-Match"] = etag
        connection = self._open.get(phone) if keep else None
        connection = connection or HTTPConnection(HOST, self.port, timeout=TIMEOUT)
        if keep:
            self._open[phone] = connection  # It opens itself again if the server has closed it.
        status, headers = 0, HTTPMessage()
        try:
            connection.request("GET", request.address, headers=sent)
            answer = connection.getresponse()
            answer.read()
            status, headers = answer.status, answer.headers
            if status == 200 and (etag := headers["ETag"]):
                self._has[key] = etag
        except (OSError, HTTPException):
            connection.close()
        if not keep:
            connection.close()
        self.answers.append(Answer(request.kind, status, time.monotonic() - begin - request.due))
        return dict(headers)

    def send(self, plan: Sequence[Request], readers: int) -> list[Answer]:
        """Send *plan* at the planned moments, at most *readers* at once; return the answers."""
        before, begin = len(self.answers), time.monotonic()
        rest, lock = iter(sorted(plan, key=lambda request: request.due)), threading.Lock()

        def read() -> None:
            while True:
                with lock:
                    request = next(rest, None)
                if request is None:
                    return
                time.sleep(max(0.0, begin + request.due - time.monotonic()))
                self.fetch(request, begin)

        together([read] * readers)
        return self.answers[before:]

    def poll(
        self, event: Event, phones: int, seconds: float, readers: int, chance: random.Random
    ) -> list[Answer]:
        """Ask for news as *phones* open pages do: they wait as long as the last answer wants."""
        before, begin = len(self.answers), time.monotonic()
        waiting = [(chance.uniform(0, min(MIDDLE, seconds)), phone) for phone in range(phones)]
        heapq.heapify(waiting)
        lock = threading.Lock()

        def read() -> None:
            while True:
                with lock:
                    due, phone = heapq.heappop(waiting) if waiting else (seconds, 0)
                if due >= seconds:
                    return
                time.sleep(max(0.0, begin + due - time.monotonic()))
                headers = self.fetch(Request(due, phone, "news", event.news), begin, keep=True)
                wanted = max(MIDDLE, float(headers.get("X-Ask-Again", MIDDLE)))
                wait = wanted * (REST + (1 - REST) * chance.random())
                with lock:
                    heapq.heappush(waiting, (time.monotonic() - begin + wait, phone))

        together([read] * readers)
        while self._open:
            self._open.popitem()[1].close()
        return self.answers[before:]

    def load_without_pause(
        self, events: Sequence[Event], seconds: float, readers: int
    ) -> Callable[[], None]:
        """Return the work of *readers* who load one page after the other for *seconds*."""

        def read(seed: int) -> None:
            chance, end = random.Random(seed), time.monotonic() + seconds
            while (now := time.monotonic()) < end:
                (request,) = chance.choice(events).visits(1, 1, chance, 10**9)
                self.fetch(request, now)

        return lambda: together(lambda seed=seed: read(seed) for seed in range(readers))  # type: ignore[misc]
