"""A request that came before gets the bytes that the program would send, and never those of another state or reader."""

from __future__ import annotations

import operator
import re
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from config import repeats as module
from config.channel import Memory
from config.metrics import of_this_server
from config.postgres_states import PostgresStates
from config.repeats import NOT_READ, Repeats, SqliteStates, States, for_this_server
from config.server import listen, serve
from config.wsgi import application
from tests.tournaments import factories
from tests.tournaments.web.test_every_public_page import OPEN_PAGES, address, on_site
from tournaments.core.build import build
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.web import front

__all__ = ["on_site"]
pytestmark = pytest.mark.django_db(transaction=True)

NEW = re.compile(rb"\r\n(Date|X-Request-Id|X-Ask-Again): ([^\r\n]*)")
PHONE = "User-Agent: Phone/1\r\nReferer: http://localhost/t/\r\n"
BROTLI, GZIP, FRENCH = "Accept-Encoding: gzip, br\r\n", "Accept-Encoding: gzip\r\n", "Accept-Language: fr\r\n"
HTMX = "HX-Request: true\r\n"
WAYS = [
    "", BROTLI, GZIP, BROTLI + FRENCH, BROTLI + HTMX, HTMX + "HX-Boosted: true\r\n",
    "Cookie: django_language=fr\r\n", "Cookie: sessionid=stranger\r\n", "X-Forwarded-Proto: https\r\n",
    "X-Forwarded-Host: evil.example\r\n", "Authorization: Basic eDp5\r\n",
]  # fmt: skip
QUERIES = ["", "?order=name", "?v=1.old", "?v={key}", "?v={key}&b={build}", "?q=abara", "?utm_source=%25"]


def sent(connection_: socket.socket, request: str) -> tuple[bytes, bool]:
    """Return the whole answer to *request*, and whether the connection stays open."""
    connection_.sendall(request.encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = connection_.recv(65536)
        assert more, request
        answer += more
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    has_body = length and not request.startswith("HEAD") and not head.startswith((b"HTTP/1.1 204", b"HTTP/1.1 304"))
    while has_body and length and len(body) < int(length[1]):
        body += connection_.recv(65536)
    ends = re.search(rb"\r\n(Connection: close|Transfer-Encoding)", head)
    while ends and (more := connection_.recv(65536)):
        body += more
    return head + b"\r\n\r\n" + body, not ends


class Running:
    """The program behind the server, with *repeats*; ``asked`` counts what reaches the program."""

    def __init__(self, repeats: Memory | None) -> None:
        self.listener = listen("127.0.0.1", 0)
        self.over, self.asked = threading.Event(), 0
        arguments = (self._application, self.listener, 50, self.over.is_set, None, 2, None, repeats)
        self.thread = threading.Thread(target=serve, args=arguments)
        self.thread.start()
        self.connection = socket.create_connection(self.listener.getsockname(), timeout=30)

    def _application(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        self.asked += 1
        try:
            return application(environ, start)
        finally:
            connections.close_all()

    def ask(self, request: str) -> bytes:
        """Return the answer; a connection that the server has closed is opened again."""
        answer, stays = sent(self.connection, request)
        if not stays:
            self.connection.close()
            self.connection = socket.create_connection(self.listener.getsockname(), timeout=30)
        return answer

    def stop(self) -> None:
        self.connection.close()
        self.over.set()
        self.thread.join(30)
        self.listener.close()


def of_this_database() -> Repeats:
    """Return what the server would use."""
    found = for_this_server()
    assert found is not None
    return found


def until_ready(states: States) -> None:
    """Wait until a connection to PostgreSQL is made."""
    end = time.monotonic() + 30
    while isinstance(states, PostgresStates) and not states.is_ready:
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def served(repeats: Memory | None) -> Iterator[Running]:
    running = Running(repeats)
    try:
        if isinstance(repeats, Repeats):
            until_ready(repeats.states)
        yield running
    finally:
        running.stop()


def get(path: str, more: str = "", method: str = "GET", version: str = "1.1", host: str = "localhost") -> str:
    return f"{method} {path} HTTP/{version}\r\nHost: {host}\r\n{PHONE}{more}\r\n"


def without_new(answer: bytes) -> bytes:
    """Return *answer* without the values that are new each time; pages of errors show the number of the request too."""
    number = dict(NEW.findall(answer))[b"X-Request-Id"]
    return NEW.sub(rb"\r\n\1", answer).replace(number, b"")


def requests_of(tournament: Tournament) -> Iterator[str]:
    """Yield every kind of request: pages, ways, parameters, conditions, methods, hosts and versions."""
    client = Client()
    news = reverse("news", args=[tournament.slug])
    key = client.get(news).json()["key"]
    pairings = reverse("pairings-public", args=[tournament.slug, 2])
    for name, numbers in OPEN_PAGES.items():
        yield get(address(tournament, name, numbers), BROTLI)
    for way in WAYS:
        for path in (pairings, news):
            yield get(path, way)
        for query in QUERIES:
            yield get(pairings + query.format(key=key, build=build()), way)
    for path in (pairings, news):
        etag = client.get(path, headers={"Accept-Language": "en"}).headers["ETag"]
        yield get(path, f"If-None-Match: {etag}\r\n")
        yield get(path, f'If-None-Match: "other", {etag}\r\n')
        yield get(path, 'If-None-Match: "other"\r\n')
        yield get(path, method="HEAD")
        yield get(path, host="evil.example")
        yield get(path, "Connection: close\r\n")
        yield get(path, "Connection: keep-alive\r\n", version="1.0")
        yield get(path, version="1.0")
        yield get(path, "Content-Length: 0\r\n")
        yield get(path, "Expect: nothing\r\n")
    yield get("/t/nothing-here/")


def test_a_repeat_has_the_bytes_of_the_program(on_site: Tournament) -> None:
    repeats, repeated = of_this_database(), 0
    with served(repeats) as ours, served(None) as plain:
        for request in dict.fromkeys(requests_of(on_site)):
            for _ in range(2):
                plain.ask(request)  # now the front has it
            expected = plain.ask(request)
            before = ours.asked
            answers = [ours.ask(request) for _ in range(3)]
            assert [without_new(each) for each in answers] == [without_new(expected)] * 3, request
            assert [name for name, _ in NEW.findall(answers[2])] == [name for name, _ in NEW.findall(expected)]
            assert len({dict(NEW.findall(each))[b"X-Request-Id"] for each in answers}) == 3
            repeated += ours.asked == before + 1
    assert repeated == len(repeats) > 80


def test_a_session_gets_no_answer_of_a_visitor_where_arbiters_read_more(
    on_site: Tournament, chief_arbiter: User
) -> None:
    client = Client()
    client.force_login(chief_arbiter)
    cookie = f"Cookie: sessionid={client.cookies['sessionid'].value}\r\n"
    page = reverse("crosstable", args=[on_site.slug])
    with served(of_this_database()) as running:
        visitor = [running.ask(get(page)) for _ in range(4)]
        before = running.asked
        own = [running.ask(get(page, cookie)) for _ in range(3)]
    assert running.asked == before + 3
    assert without_new(own[2]) != without_new(visitor[3])
    assert all(b"no-store" in answer for answer in own)


def test_a_publication_is_seen_by_the_next_request(on_site: Tournament, chief_arbiter: User) -> None:
    paths = [reverse(name, args=[on_site.slug]) for name in ("standings", "news")]
    with served(of_this_database()) as running:
        for player in (5, 4):
            before = [[running.ask(get(path)) for _ in range(4)][3] for path in paths]
            entry_withdraw(entry_id=factories.entry_of(on_site, player).pk, actor=chief_arbiter, now=factories.NOW)
            after = [running.ask(get(path)) for path in paths]
            assert all(map(operator.ne, map(without_new, before), map(without_new, after)))


def test_another_build_is_another_answer(on_site: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(of_this_database()) as running:
        for _ in range(3):
            running.ask(get(f"/t/{on_site.slug}/"))
        before = running.asked
        monkeypatch.setattr(module, "build", lambda: "another")
        running.ask(get(f"/t/{on_site.slug}/"))
        assert running.asked == before + 1


NAMES = [
    "User-Agent", "Accept", "Referer", "Priority", "DNT", "Cache-Control", "Pragma", "Upgrade-Insecure-Requests",
    "Sec-Fetch-Site", "Sec-CH-UA-Mobile", "HX-Current-URL", "HX-Target", "HX-Trigger", "HX-Trigger-Name",
]  # fmt: skip
VALUES = ["", "x", "no-cache", "application/json", "https://evil.example/", "?1", 'W/"x"']


def test_lines_that_are_not_read_change_nothing(on_site: Tournament) -> None:
    page = reverse("pairings-public", args=[on_site.slug, 2])
    with served(None) as plain:
        for way in (BROTLI, HTMX):
            expected = [without_new(plain.ask(get(page, way))) for _ in range(3)][2]
            for name in NAMES:
                for value in VALUES:
                    request = get(page, f"{name}: {value}\r\n{way}")
                    assert without_new(plain.ask(request)) == expected, request
                    assert NOT_READ.sub(b"", request.encode()) == NOT_READ.sub(b"", get(page, way).encode())


@pytest.mark.parametrize(
    "line",
    ["Accept-Encoding: br", "Accept-Language: fr", "Cookie: a=b", "Host: x", "HX-Request: true", "X-Accept: y",
     "Accept: a\r\n b", "Referer: a\x00b", "User-Agent: a\nHX-Request: true", "If-None-Match: x", "Sec_Fetch: x"],
)  # fmt: skip
def test_every_other_line_counts(line: str) -> None:
    one, other = get("/t/open/").encode(), get("/t/open/", f"{line}\r\n").encode()
    assert NOT_READ.sub(b"", one) != NOT_READ.sub(b"", other)


def test_metrics_count_a_repeat(on_site: Tournament, settings: Settings) -> None:
    settings.METRICS_TOKEN = "t" * 32
    of_this_server.cache_clear()
    try:
        metrics = of_this_server()
        assert metrics is not None
        with served(of_this_database()) as running:
            for _ in range(5):
                running.ask(get(f"/t/{on_site.slug}/"))
        assert running.asked < 5
        # The program's own observer was made before this test: only repeats are counted here.
        assert f'swiss_requests_total{{kind="page",status="2xx"}} {5 - running.asked}' in list(metrics.lines())
    finally:
        of_this_server.cache_clear()


def test_behind_a_proxy_and_with_an_access_log_the_program_answers_everything(settings: Settings) -> None:
    assert for_this_server() is not None
    settings.TRUST_PROXY = True
    assert for_this_server() is None
    settings.TRUST_PROXY, settings.ACCESS_LOG = False, "short"
    assert for_this_server() is None


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="tests/tournaments/web/test_postgres_states.py tests it")
def test_states_are_those_of_the_front_and_errors_are_none(on_site: Tournament, tmp_path: Path) -> None:
    states = SqliteStates(Path(connection.settings_dict["NAME"]))
    assert SqliteStates(tmp_path / "none.sqlite3")(on_site.slug) is None
    assert not list(tmp_path.iterdir())
    assert states(on_site.slug) == front.state_now(on_site.slug) is not None
    assert states("nothing-here") is None


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a lock of SQLite")
def test_a_state_is_read_without_waiting_while_another_writes(on_site: Tournament) -> None:
    name = str(connection.settings_dict["NAME"])
    states, before = SqliteStates(Path(name)), front.state_now(on_site.slug)
    writer = sqlite3.connect(name, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE tournaments_tournament SET public_version = public_version + 1 WHERE id = ?", [on_site.pk])
    assert states(on_site.slug) == before
    writer.execute("COMMIT")
    writer.close()
    assert states(on_site.slug) == front.state_now(on_site.slug) != before


class OneState(SqliteStates):
    """Every tournament has the same state."""

    def __init__(self) -> None:
        super().__init__(Path("none"))

    def __call__(self, slug: str) -> tuple[int, str]:
        return 1, "1.a"


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 10_000)
    repeats = Repeats(OneState())
    environ = {front.ANSWERED_FOR: ("open", (1, "1.a")), "PATH_INFO": "/t/open/"}
    for number in range(50):
        head = f"GET /t/open/?x={number} HTTP/1.1\r\n\r\n".encode()
        for _ in range(2):
            repeats.learn(head, environ, "200 OK", b"HTTP/1.1 200 OK\r\n\r\n", bytes(900))
    assert len(repeats) == 10
    told: list[bytes | None] = []
    assert repeats.ask(head, "", told.append)
    assert told == [b"HTTP/1.1 200 OK\r\n\r\n" + bytes(900)]
    assert not repeats.ask(b"GET /t/open/?x=0 HTTP/1.1\r\n\r\n", "", told.append)
    repeats.learn(b"GET /t/large/ HTTP/1.1\r\n\r\n", environ, "200 OK", b"", bytes(front.LARGEST + 1))
    assert len(repeats) == 10
