"""The connections of the server: answers in order, complete, and as few calls of the system as there can be."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import pytest

from config.channel import Channel
from config.server import listen, serve

HANG = 30.0  # seconds
LONG = b"x" * 5_000_000
Told = Callable[[bytes | None], None]
KNOWN = b"GET /t/known/ HTTP/1.1\r\nHost: x\r\n\r\n"


class Known:
    """Knows one request; ``learnt`` has what the server gave it. Answers at once."""

    def __init__(self) -> None:
        self.learnt: list[tuple[bytes, str, bytes, bytes]] = []
        self.body, self.answered, self.is_valid = b"known", 0, True

    def ask(self, head: bytes, address: str, told: Told) -> bool:
        if head != KNOWN:
            return False
        assert address == "127.0.0.1"
        self._tell(told)
        return True

    def _tell(self, told: Told) -> None:
        if self.is_valid:
            self.answered += 1
            told(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(self.body), self.body))
        else:
            told(None)

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        pass

    def look(self) -> None:
        pass

    def close(self) -> None:
        pass

    def learn(self, head: bytes, environ: dict[str, Any], status: str, answer: bytes, body: bytes) -> None:
        self.learnt.append((head, status, answer, body))


class KnownLater(Known):
    """Answers in a later turn of the loop, by an event of a socket of its own, after ``go_on``."""

    accepting = False

    def __init__(self) -> None:
        super().__init__()
        self.ours, self.theirs = socket.socketpair()
        self.those: list[Told] = []
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def join(self, sockets: MutableMapping[int, Any]) -> None:
        sockets[self.ours.fileno()] = self

    def _tell(self, told: Told) -> None:
        self.those.append(told)
        self.begun.set()
        self.theirs.send(b"x")

    def readable(self) -> bool:
        return self.go_on.is_set()

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        self.ours.recv(1)
        super()._tell(self.those.pop(0))

    def close(self) -> None:
        self.ours.close()
        self.theirs.close()


class Running:
    """The server with a small application, which waits for ``go_on`` at the path ``/wait``."""

    def __init__(self, known: Known) -> None:
        self.known, self.over, self.go_on, self.begun = known, threading.Event(), threading.Event(), threading.Event()
        self.listener = listen("127.0.0.1", 0)
        arguments = (self._application, self.listener, 50, self.over.is_set, None, 2, None, known)
        self.thread = threading.Thread(target=serve, args=arguments)
        self.thread.start()

    def _application(self, environ: dict[str, Any], start: Callable[..., object]) -> list[bytes]:
        path = environ["PATH_INFO"]
        if path == "/wait":
            self.begun.set()
            self.go_on.wait(HANG)
        if path.endswith("/nothing"):
            start("204 No Content", [("X-Path", path)])
            return []
        body = self.known.body if path == "/t/known/" else path.encode()
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def connect(self) -> socket.socket:
        return socket.create_connection(self.listener.getsockname(), timeout=HANG)

    def stop(self) -> None:
        self.over.set()
        self.thread.join(HANG)
        self.listener.close()


@pytest.fixture(params=[Known, KnownLater], ids=["at once", "later"])
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    found = Running(request.param())
    yield found
    found.stop()


def get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode()


def answers(connection: socket.socket, number: int) -> list[bytes]:
    """Return the bodies of the next *number* answers."""
    file, found = connection.makefile("rb"), []
    for _ in range(number):
        lines = list(iter(file.readline, b"\r\n"))
        (length,) = (int(line[16:]) for line in lines if line.startswith(b"Content-Length: "))
        found.append(file.read(length))
    return found


def test_a_known_answer_waits_for_the_one_before_it(running: Running) -> None:
    with running.connect() as connection:
        connection.sendall(get("/wait"))
        assert running.begun.wait(HANG)
        connection.sendall(KNOWN)
        connection.sendall(get("/last"))
        running.go_on.set()
        assert answers(connection, 3) == [b"/wait", b"known", b"/last"]


def test_what_comes_while_a_state_is_awaited_is_answered_after_it() -> None:
    known = KnownLater()
    running = Running(known)
    known.go_on.clear()
    with running.connect() as connection, running.connect() as other, running.connect() as leaving:
        connection.sendall(KNOWN)
        assert known.begun.wait(HANG)
        connection.sendall(get("/after") + KNOWN)
        leaving.sendall(KNOWN)
        other.sendall(get("/other"))
        assert answers(other, 1) == [b"/other"]
        leaving.close()
        known.go_on.set()
        assert answers(connection, 3) == [b"known", b"/after", b"known"]
    running.stop()


def test_an_answer_of_another_state_is_made_by_the_program(running: Running) -> None:
    running.known.is_valid = False
    with running.connect() as connection:
        connection.sendall(KNOWN)
        assert answers(connection, 1) == [b"known"]
    running.stop()
    assert running.known.answered == 0
    assert [head for head, *_ in running.known.learnt] == [KNOWN]


def test_requests_in_one_piece_and_in_small_pieces_are_answered_in_order(running: Running) -> None:
    with running.connect() as connection:
        connection.sendall(KNOWN + get("/one") + KNOWN)
        assert answers(connection, 3) == [b"known", b"/one", b"known"]
        for place in range(0, len(KNOWN), 5):
            connection.sendall(KNOWN[place : place + 5])
        assert answers(connection, 1) == [b"known"]
        before = running.known.answered
        connection.sendall(KNOWN)
        assert answers(connection, 1) == [b"known"]
        assert running.known.answered == before + 1


def test_a_long_answer_to_a_slow_reader_is_complete_and_keeps_nobody_waiting(running: Running) -> None:
    running.known.body = LONG
    with running.connect() as slow, running.connect() as other:
        slow.sendall(KNOWN)
        other.sendall(get("/other"))
        assert answers(other, 1) == [b"/other"]
        slow.sendall(get("/after"))
        assert answers(slow, 2) == [LONG, b"/after"]
    assert running.known.answered == 1


def test_who_leaves_before_the_answer_disturbs_nobody(running: Running) -> None:
    running.known.body = LONG
    for _ in range(5):
        with running.connect() as leaving:
            leaving.sendall(KNOWN)
    with running.connect() as connection:
        connection.sendall(get("/still"))
        assert answers(connection, 1) == [b"/still"]


def test_the_connection_stays_open_after_an_answer_without_a_body(running: Running) -> None:
    with running.connect() as connection:
        file = connection.makefile("rb")
        for _ in range(2):
            connection.sendall(get("/nothing"))
            lines = list(iter(file.readline, b"\r\n"))
            assert lines[0] == b"HTTP/1.1 204 No Content\r\n"
            assert not [line for line in lines if line.startswith((b"Connection", b"Content-Length", b"Transfer"))]
        connection.sendall(get("/nothing", "Connection: close\r\n"))
        assert b"Connection: close\r\n" in list(iter(file.readline, b"\r\n"))
        assert file.read() == b""
    with running.connect() as connection:
        connection.sendall(b"GET /nothing HTTP/1.0\r\n\r\n")
        file = connection.makefile("rb")
        assert b"Connection: close" in file.read()


def test_header_and_body_are_sent_together(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    send = Channel.send

    def note(self: Channel, data: bytes, do_close: bool = True) -> int:
        sent.append(data)
        return send(self, data, do_close)

    monkeypatch.setattr(Channel, "send", note)
    with running.connect() as connection:
        connection.sendall(get("/abc"))
        assert answers(connection, 1) == [b"/abc"]
    (whole,) = sent
    assert whole.endswith(b"\r\n\r\n/abc")


def test_only_answers_after_which_the_connection_stays_are_learnt(running: Running) -> None:
    asked = [
        get("/t/a/"), get("/t/a/nothing"), get("/a/"), get("/t/a/", "Connection: close\r\n"),
        get("/t/a/", "Content-Length: 3\r\n") + b"abc", get("/t/a/").replace(b"GET", b"HEAD"),
    ]  # fmt: skip
    for request in asked:
        with running.connect() as connection:
            connection.sendall(request)
            assert connection.makefile("rb").readline().startswith(b"HTTP/1.1 20")
    running.stop()  # the threads have done their work now
    assert [(head, status) for head, status, _, _ in running.known.learnt] == [
        (asked[0], "200 OK"),
        (asked[1], "204 No Content"),
    ]
    (_, _, header, body), (_, _, _, nothing) = running.known.learnt
    assert (header[:17], body, nothing) == (b"HTTP/1.1 200 OK\r\n", b"/t/a/", b"")


def test_whether_the_process_runs_is_answered_while_all_threads_are_at_work(running: Running) -> None:
    with running.connect() as one, running.connect() as other, running.connect() as probe:
        for connection in (one, other):
            connection.sendall(get("/wait"))
            assert running.begun.wait(HANG)
            running.begun.clear()
        probe.settimeout(5)
        file = probe.makefile("rb")
        try:
            for more in ("", "X-More: 1\r\n", "Connection: close\r\n"):
                probe.sendall(get("/livez", more))
                lines = list(iter(file.readline, b"\r\n"))
                assert lines[0] == b"HTTP/1.1 200 OK\r\n"
                assert file.read(6) == b"/livez"
            assert file.read() == b""
        finally:
            running.go_on.set()
        assert answers(one, 1) == answers(other, 1) == [b"/wait"]


def test_whether_the_process_runs_waits_for_what_was_asked_before_it(running: Running) -> None:
    with running.connect() as connection:
        connection.sendall(get("/wait"))
        assert running.begun.wait(HANG)
        connection.sendall(get("/livez") + get("/last"))
        running.go_on.set()
        assert answers(connection, 3) == [b"/wait", b"/livez", b"/last"]
        connection.sendall(get("/livez")[:20])
        connection.sendall(get("/livez")[20:] + get("/livez"))
        assert answers(connection, 2) == [b"/livez", b"/livez"]


def test_with_half_of_the_connections_open_each_ends_after_its_answer(running: Running) -> None:
    crowd = [running.connect() for _ in range(26)]  # of 50
    for connection in crowd:  # all are accepted
        connection.sendall(get("/wait")[:9])
    running.go_on.set()
    for request in (KNOWN, get("/nothing"), get("/some")):
        with running.connect() as connection:
            connection.sendall(request)
            assert b"\r\nConnection: close\r\n" in connection.makefile("rb").read()
    for connection in crowd:
        connection.close()
    for _ in range(3):  # the server notices that they have gone
        with running.connect() as connection:
            connection.sendall(get("/some", "Connection: close\r\n"))
            assert connection.makefile("rb").read()
    with running.connect() as connection:
        for request in (KNOWN, get("/nothing"), KNOWN):
            connection.sendall(request)
            assert b"Connection: close" not in connection.recv(65536)
