"""The server itself, with a small test application."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.polling import wait_until
from tournaments.site import server, serving
from tournaments.site.serving import listen, serve

HANG = 60.0
"""Seconds after which something hangs, also on a busy machine."""
LONG = b"x" * 12_000_000
"""More than the system takes for a reader who does not read."""
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

    def __init__(self, threads: int = 4) -> None:
        self.listener = listen("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.over = threading.Event()
        self.closed = 0
        self.answer: Callable[[Environ], str | Iterable[bytes]] = lambda environ: "done"
        arguments = (self._application, self.listener, 50, self.over.is_set)
        self.thread = threading.Thread(target=serve, args=arguments, kwargs={"threads": threads})
        self.thread.start()

    def _application(self, environ: Environ, start: Callable[..., object]) -> Iterable[bytes]:
        body = self.answer(environ)
        if not isinstance(body, str):
            start("200 OK", [("Content-Length", str(len(LONG)))])
            return body
        start(
            "200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body.encode())))]
        )
        return Body([body.encode()], self)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=HANG)

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


def body_of(connection: socket.socket) -> bytes:
    """Return the body of the next answer."""
    with connection.makefile("rb") as file:
        lines = list(iter(file.readline, b"\r\n"))
        (length,) = (int(line[16:]) for line in lines if line.startswith(b"Content-Length: "))
        return file.read(length)


def test_what_has_begun_is_answered_after_the_stop_also_what_waits_for_a_thread() -> None:
    running = Running(threads=1)
    begun, go_on = threading.Event(), threading.Event()

    def slow(environ: Environ) -> str:
        begun.set()
        go_on.wait(HANG)
        return environ["PATH_INFO"]

    running.answer = slow
    with running.connect() as first, running.connect() as second, running.connect() as idle:
        first.sendall(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n")
        assert begun.wait(HANG)
        second.sendall(b"GET /second HTTP/1.1\r\nHost: x\r\n\r\n")
        idle.sendall(b"GET /never HTTP/1.1\r\n")
        time.sleep(0.1)
        running.over.set()
        time.sleep(0.3)
        with running.connect() as late:
            late.sendall(b"GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
            go_on.set()
            assert (body_of(first), body_of(second)) == (b"/first", b"/second")
            running.thread.join(HANG)
            assert not running.thread.is_alive()
            late.settimeout(0.2)
            with pytest.raises(
                OSError, match=r"timed out|reset"
            ):  # for another process, or refused at the end
                late.recv(1)
    running.stop()


@pytest.mark.parametrize("kind", ["at once", "piece by piece"])
def test_a_long_answer_is_sent_to_its_end_after_the_stop(running: Running, kind: str) -> None:
    pieces = [LONG] if kind == "at once" else [LONG[:1_000_000]] * 12
    running.answer = lambda environ: iter(pieces)
    with running.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(15, socket.MSG_PEEK) == b"HTTP/1.1 200 OK"
        running.over.set()
        time.sleep(0.5)
        assert body_of(connection) == LONG
    running.thread.join(HANG)
    assert not running.thread.is_alive()


def test_who_does_not_read_keeps_the_server_for_a_limited_time(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LAST_ANSWERS", 0.5)
    running.answer = lambda environ: iter([LONG])
    with running.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(1) == b"H"
        running.over.set()
        running.thread.join(HANG)
        assert not running.thread.is_alive()


@pytest.mark.costly
def test_who_leaves_before_the_answer_keeps_nobody(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LAST_ANSWERS", 2 * HANG)
    running.answer = lambda environ: iter([LONG])
    for _ in range(3):
        with running.connect() as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(1) == b"H"
    running.answer = lambda environ: "still"
    assert running.request() == (200, "still")
    running.over.set()
    running.thread.join(HANG)
    assert not running.thread.is_alive()


def test_a_fault_of_the_program_counts_as_answered(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LAST_ANSWERS", 2 * HANG)

    def fail(environ: Environ) -> str:
        raise ValueError

    running.answer = fail
    assert running.request()[0] == 500
    running.over.set()
    running.thread.join(HANG)
    assert not running.thread.is_alive()


def test_on_postgresql_a_result_does_not_wait_for_four_publications() -> None:
    running = Running(server.THREADS["postgresql"])
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


def test_a_request_that_never_ends_is_closed(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LONGEST_REQUEST", 0.2)
    with running.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert body_of(connection) == b"done"
        time.sleep(0.3)  # A connection may be silent for longer.
        connection.sendall(b"GET / HTTP/1.1\r\n")
        time.sleep(0.3)
        connection.sendall(b"Host: x\r\n")
        assert connection.recv(1) == b""


def test_a_body_that_is_cut_does_not_reach_the_program(running: Running) -> None:
    requested: list[str] = []
    running.answer = lambda environ: requested.append(environ["PATH_INFO"]) or "done"
    for header in (b"Content-Length: 60", b"Transfer-Encoding: chunked"):
        with running.connect() as connection:
            start = b"" if b"Length" in header else b"3c\r\n"
            connection.sendall(
                b"POST /cut HTTP/1.1\r\nHost: x\r\n" + header + b"\r\n\r\n" + start + b"a" * 23
            )
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
    assert running.request() == (200, "done")
    assert requested == ["/"]


def test_the_address_is_that_of_the_connection_and_proxy_headers_are_passed_on(
    running: Running,
) -> None:
    """config.middleware decides whether to trust a proxy."""
    running.answer = lambda environ: f"{environ['REMOTE_ADDR']} {environ['HTTP_X_FORWARDED_FOR']}"
    assert running.request(**{"X-Forwarded-For": "198.51.100.7"}) == (200, "127.0.0.1 198.51.100.7")


def test_a_request_that_is_too_long_does_not_reach_the_program(running: Running) -> None:
    running.answer = lambda environ: str(len(environ["wsgi.input"].read()))
    assert running.request(b"a" * 1_000_000) == (200, "1000000")
    assert running.request(**{"Content-Length": str(serving.LARGEST_BODY + 1)})[0] == 413
    assert running.request(**{"X-Long": "a" * serving.LARGEST_HEADER})[0] == 431


def test_head_is_answered_without_a_body_and_the_connection_goes_on(running: Running) -> None:
    running.answer = lambda environ: environ["PATH_INFO"]
    with running.connect() as connection, connection.makefile("rb") as answers:
        for method in (b"HEAD", b"GET"):
            connection.sendall(method + b" /abc HTTP/1.1\r\nHost: x\r\n\r\n")
            lines = list(iter(answers.readline, b"\r\n"))
            assert lines[0] == b"HTTP/1.1 200 OK\r\n"
            assert b"Content-Length: 4\r\n" in lines
        assert answers.read(4) == b"/abc"
    assert running.closed >= 1


@pytest.mark.costly
def test_all_is_loaded_before_the_processes_and_no_database_is_open(tmp_path: Path) -> None:
    """Otherwise the first visitors of each process wait;
    and a connection must not be shared by processes.
    """
    order = """
        import gc
        import sys
        import config.wsgi
        from tournaments.site.start import NEW_OBJECTS, load_ahead
        load_ahead()
        assert gc.get_freeze_count() > 100_000
        assert gc.get_threshold()[0] == NEW_OBJECTS
        from django.db import connection
        from django.conf import settings
        from django.urls import get_resolver
        assert connection.connection is None
        assert "url_patterns" in vars(get_resolver())
        assert get_resolver()._reverse_dict.keys() >= {"en", "fr"} == set(settings.ARBITER_LANGUAGES)
        assert "tournaments.web.urls" in sys.modules
    """
    environment = {
        **os.environ,
        "SWISS_DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3",
    }
    done = subprocess.run(
        [sys.executable, "-c", dedent(order)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


class Supervised:
    """Two processes that serve a small application, in a process of their own;
    ``/pid`` says who answers.
    """

    PROGRAM = """
        import os, sys, time
        from tournaments.site.serving import listen, serve
        from tournaments.site.server import Workers, signals
        def application(environ, start):
            if environ["PATH_INFO"] == "/slow":
                time.sleep(float(environ["QUERY_STRING"]))
            body = str(os.getpid()).encode()
            start("200 OK", [("Content-Length", str(len(body)))])
            return [body]
        listener, stopped = listen("127.0.0.1", 0), signals()
        print(listener.getsockname()[1], flush=True)
        def work(stop, place):
            os.write(1, f"place {place} {os.getpid()}\\n".encode())
            serve(application, listener, 50, stop, threads=2)
        Workers(2, work).run(stopped)
    """

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", dedent(self.PROGRAM)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.lines = self.process.stdout
        self.port = int(self.lines.readline())
        self.pids = dict(self.started() for _ in range(2))

    def started(self) -> tuple[int, int]:
        _, place, pid = self.lines.readline().split()
        return int(place), int(pid)

    def get(self, path: str) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=HANG)
        connection.request("GET", path)
        pid = int(connection.getresponse().read())
        connection.close()
        return pid


@pytest.fixture
def supervised() -> Iterator[Supervised]:
    found = Supervised()
    yield found
    if found.process.poll() is None:
        os.killpg(found.process.pid, signal.SIGKILL)
    found.process.wait()
    found.lines.close()


@pytest.mark.costly
def test_a_process_that_dies_is_replaced_in_its_place(supervised: Supervised) -> None:
    for _ in range(2):  # also after it replaced another
        os.kill(supervised.pids[1], signal.SIGKILL)
        place, supervised.pids[1] = supervised.started()
        assert place == 1
        assert supervised.get("/pid") in supervised.pids.values()


@pytest.mark.costly
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_stop_finishes_the_request_that_has_begun(
    supervised: Supervised, number: signal.Signals
) -> None:
    """Ctrl+C goes to all processes of the terminal, SIGTERM to the first one."""
    answers: list[int] = []
    visitor = threading.Thread(
        target=lambda: answers.append(supervised.get("/slow?6"))
    )  # waitress itself waits for 5
    visitor.start()
    time.sleep(0.5)
    if number == signal.SIGINT:
        os.killpg(supervised.process.pid, number)
    else:
        supervised.process.send_signal(number)
    assert supervised.process.wait(HANG) == 0
    visitor.join(HANG)
    assert answers[0] in supervised.pids.values()


@pytest.mark.costly
def test_the_processes_end_with_the_first_one(supervised: Supervised) -> None:
    supervised.process.kill()
    supervised.process.wait()

    def nobody_listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", supervised.port)) != 0

    wait_until(nobody_listens, "somebody still listens")


@pytest.mark.costly
@pytest.mark.parametrize("can_fork", [True, False])
def test_the_program_is_served_also_where_there_is_no_fork(can_fork: bool, tmp_path: Path) -> None:
    """Windows has one process."""
    order = f"""
        import os, sys
        if not {can_fork}:
            del os.fork
        from tournaments.site.server import main
        sys.exit(main(["127.0.0.1:{free_port()}", "--pages", "http://here/", "--since", "0"]))
    """
    given = {
        "SWISS_DATA_DIR": str(tmp_path),
        "SWISS_BACKUP_MINUTES": "0",
        "PYTHONWARNINGS": "error::ResourceWarning",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", dedent(order)],
        env={**os.environ, **given, "DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith("Ready after "), process.communicate()
        port = int(order.partition("127.0.0.1:")[2].partition('"')[0])
        connection = HTTPConnection("127.0.0.1", port, timeout=HANG)
        connection.request("GET", "/livez")
        assert connection.getresponse().read() == b"ok\n"
        connection.close()
        # All have been started when the first answers, or a moment later: the runner, and two
        # workers, or what the standard library starts where there is no fork.
        wait_until(lambda: children(process.pid) >= 2 + can_fork, "a process is missing")
        assert children(process.pid) == 2 + can_fork
        process.terminate()
        assert process.wait(HANG) == 0
    finally:
        process.kill()
        process.communicate()


def children(pid: int) -> int:
    """Return how many processes the process *pid* has started."""
    found = subprocess.run(["pgrep", "--parent", str(pid)], capture_output=True, text=True)
    return len(found.stdout.split())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
