"""The server itself, with a small test application."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from config import server
from config.server import listen, serve

HANG = 30.0  # seconds
Environ = dict[str, Any]


class Body(list[bytes]):
    """A body that tells its server when it is closed."""

    def __init__(self, parts: list[bytes], running: Running) -> None:
        super().__init__(parts)
        self.running = running

    def close(self) -> None:
        self.running.closed += 1


class Running:
    """*server* in a thread; ``answer`` makes the bodies and may wait."""

    def __init__(self, database: str = "sqlite") -> None:
        self.listener = listen("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.over = threading.Event()
        self.closed = 0
        self.answer: Callable[[Environ], str] = lambda environ: "done"
        arguments = (self._application, self.listener, 50, self.over.is_set, None, server.THREADS[database])
        self.thread = threading.Thread(target=serve, args=arguments)
        self.thread.start()

    def _application(self, environ: Environ, start: Callable[..., object]) -> Body:
        body = self.answer(environ).encode()
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
        return Body([body], self)

    def request(self, body: bytes | None = None, **headers: str) -> tuple[int, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        connection.request("GET" if body is None else "POST", "/", body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def stop(self) -> None:
        self.over.set()
        self.thread.join(HANG)
        self.listener.close()


@pytest.fixture
def running() -> Iterator[Running]:
    found = Running()
    yield found
    found.stop()


def test_a_request_that_has_begun_is_answered_after_the_stop(running: Running) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(environ: Environ) -> str:
        begun.set()
        go_on.wait(HANG)
        return "late"

    running.answer = slow
    answers: list[tuple[int, str]] = []
    visitor = threading.Thread(target=lambda: answers.append(running.request()))
    visitor.start()
    assert begun.wait(HANG)
    running.over.set()
    go_on.set()
    visitor.join(HANG)
    running.thread.join(HANG)
    assert (answers, running.thread.is_alive()) == ([(200, "late")], False)


def test_on_postgresql_a_result_does_not_wait_for_four_publications() -> None:
    running = Running("postgresql")
    begun, go_on = threading.Semaphore(0), threading.Event()

    def answer(environ: Environ) -> str:
        if environ["REQUEST_METHOD"] == "POST":
            begun.release()
            go_on.wait(HANG)
        return "done"

    running.answer = answer
    publications = [threading.Thread(target=running.request, args=(b"publish",)) for _ in range(4)]
    try:
        for publication in publications:
            publication.start()
        assert [begun.acquire(timeout=HANG) for _ in publications] == [True] * 4
        assert running.request() == (200, "done")
    finally:
        go_on.set()
        for publication in publications:
            publication.join(HANG)
        running.stop()


def test_a_request_that_never_ends_is_closed(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LONGEST_REQUEST", 0.0)
    with socket.create_connection(("127.0.0.1", running.port), timeout=HANG) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        assert connection.recv(1) == b""


def test_the_address_is_that_of_the_connection_and_proxy_headers_are_passed_on(running: Running) -> None:
    """config.middleware decides whether to trust a proxy."""
    running.answer = lambda environ: f"{environ['REMOTE_ADDR']} {environ['HTTP_X_FORWARDED_FOR']}"
    assert running.request(**{"X-Forwarded-For": "198.51.100.7"}) == (200, "127.0.0.1 198.51.100.7")


def test_a_request_that_is_too_long_does_not_reach_the_program(running: Running) -> None:
    running.answer = lambda environ: str(len(environ["wsgi.input"].read()))
    assert running.request(b"a" * 1_000_000) == (200, "1000000")
    assert running.request(**{"Content-Length": str(server.LARGEST_BODY + 1)})[0] == 413
    assert running.request(**{"X-Long": "a" * server.LARGEST_HEADER})[0] == 431


def test_head_is_answered_without_a_body_and_the_connection_goes_on(running: Running) -> None:
    running.answer = lambda environ: environ["PATH_INFO"]
    with socket.create_connection(("127.0.0.1", running.port), timeout=HANG) as connection:
        answers = connection.makefile("rb")
        for method in (b"HEAD", b"GET"):
            connection.sendall(method + b" /abc HTTP/1.1\r\nHost: x\r\n\r\n")
            lines = list(iter(answers.readline, b"\r\n"))
            assert lines[0] == b"HTTP/1.1 200 OK\r\n"
            assert b"Content-Length: 4\r\n" in lines
        assert answers.read(4) == b"/abc"
    assert running.closed >= 1


def test_all_is_loaded_before_the_processes_and_no_database_is_open(tmp_path: Path) -> None:
    """Otherwise the first visitors of each process wait; and a connection must not be shared by processes."""
    order = """
        import sys
        import config.wsgi
        from config.server import load_ahead
        load_ahead()
        from django.db import connection
        from django.conf import settings
        from django.urls import get_resolver
        assert connection.connection is None
        assert "url_patterns" in vars(get_resolver())
        assert get_resolver()._reverse_dict.keys() >= {"en", "fr"} == dict(settings.LANGUAGES).keys()
        assert "tournaments.web.urls" in sys.modules
    """
    environment = {**os.environ, "SWISS_DATA_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3"}
    done = subprocess.run([sys.executable, "-c", dedent(order)], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
