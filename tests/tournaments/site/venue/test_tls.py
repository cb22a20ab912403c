"""https at the venue, over real sockets: :mod:`tournaments.site.venue.tls`
in front of the server.
"""

from __future__ import annotations

import http.client
import json
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tournaments.site import serving
from tournaments.site.serving import listen, serve
from tournaments.site.venue import tls
from tournaments.site.venue.certificate import FILE, Certificate, up_to_date

HOSTS = ["127.0.0.1", "::1", "localhost"]
LONG = b"x" * 8_000_000


DONE = threading.Event()
"""A form has reached the program."""


def application(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    sent = environ["wsgi.input"].read()
    if environ["REQUEST_METHOD"] == "POST":
        DONE.set()
    values = {
        "scheme": environ["wsgi.url_scheme"],
        "address": environ["REMOTE_ADDR"],
        "sent": len(sent),
    }
    body = LONG if environ["PATH_INFO"] == "/long" else json.dumps(values).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


class Site:
    """The server with https, in threads of this process."""

    def __init__(self, folder: Path, room: int = 1000) -> None:
        self.folder, self.certificate = folder, Certificate(folder, HOSTS)
        self.listener = listen("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.over = threading.Event()
        arguments = (application, self.listener, room, self.over.is_set)
        self.thread = threading.Thread(
            target=serve, args=arguments, kwargs={"threads": 4, "https": self.certificate}
        )
        self.thread.start()

    def connect(self) -> ssl.SSLSocket:
        """Return an encrypted connection, on which nothing was sent yet."""
        context = ssl.create_default_context(cafile=str(self.folder / FILE))
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        return context.wrap_socket(plain, server_hostname="localhost")

    def stop(self) -> None:
        self.over.set()
        self.thread.join()
        self.listener.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    found = Site(tmp_path_factory.mktemp("https"))
    yield found
    found.stop()


def connected(site: Site) -> http.client.HTTPSConnection:
    """A browser whose owner has compared the certificate."""
    context = ssl.create_default_context(cafile=str(site.folder / FILE))
    return http.client.HTTPSConnection("localhost", site.port, context=context, timeout=60)


def test_pages_come_encrypted_with_the_address_of_the_visitor(site: Site) -> None:
    connection = connected(site)
    for sent in (b"", b"y" * 500_000, b""):  # one connection for all
        connection.request("POST", "/", sent)
        answer = json.loads(connection.getresponse().read())
        assert answer == {"scheme": "https", "address": "127.0.0.1", "sent": len(sent)}
    connection.close()


def test_a_long_answer_to_a_slow_reader_is_complete_and_keeps_nobody_waiting(site: Site) -> None:
    slow, fast = connected(site), connected(site)
    slow.request("GET", "/long")
    fast.request("GET", "/")
    assert fast.getresponse().status == 200
    assert slow.getresponse().read() == LONG
    slow.close()
    fast.close()


def test_many_at_once(site: Site) -> None:
    lengths: list[int] = []

    def ask() -> None:
        connection = connected(site)
        connection.request("GET", "/long")
        lengths.append(len(connection.getresponse().read()))
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lengths == [len(LONG)] * 8


@pytest.mark.parametrize(
    "sent",
    [b"", b"\x16", b"\x16\x03\x01\x00\x05hello", b"\x00" * 50, b"GET", b"GET / HTTP/1.1\r\n\r\n"],
)
def test_what_is_no_handshake_closes_its_own_connection_only(sent: bytes, site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as stranger:
        stranger.sendall(sent)
        connection = connected(site)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()


def test_plain_http_is_sent_to_https(site: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
    connection.request("GET", "/t/open/?v=1")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (
        307,
        f"https://127.0.0.1:{site.port}/t/open/?v=1",
    )
    connection.close()


def test_a_renewed_certificate_is_used_by_the_next_connection(tmp_path: Path) -> None:
    site = Site(tmp_path)

    def shown() -> str:
        return ssl.get_server_certificate(("127.0.0.1", site.port), timeout=60)

    with site.connect() as open_one:
        before = shown()
        assert shown() == before
        up_to_date(tmp_path, ["192.168.1.99"], now=datetime.now(UTC))
        assert shown() != before
        (tmp_path / FILE).unlink()  # for a moment
        assert shown() != before
        open_one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert open_one.recv(15) == b"HTTP/1.1 200 OK"
    site.stop()


@pytest.mark.costly
def test_strangers_who_send_nothing_or_half_a_handshake_keep_nobody_waiting(site: Site) -> None:
    with ExitStack() as stack:
        for sent in [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"] * 70:
            stranger = stack.enter_context(socket.create_connection(("127.0.0.1", site.port)))
            stranger.sendall(sent)
        silent = [stack.enter_context(site.connect()) for _ in range(30)]
        connection = connected(site)
        for _ in range(20):
            connection.request("GET", "/")
            answer = connection.getresponse()
            assert (answer.status, bool(answer.read())) == (200, True)
        connection.close()
        silent[-1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert silent[-1].recv(15) == b"HTTP/1.1 200 OK"


def test_strangers_are_given_up_after_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tls, "PATIENCE", 0.2)
    site = Site(tmp_path)
    with caplog.at_level(logging.ERROR):
        for sent in (b"", b"\x16\x03\x01\x02\x00\x01"):
            with socket.create_connection(("127.0.0.1", site.port), timeout=60) as stranger:
                stranger.sendall(sent)
                assert stranger.recv(1) == b""
    site.stop()
    assert caplog.messages == []


def test_who_does_not_read_is_given_up_after_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "UNREAD", 0.5)
    site = Site(tmp_path)
    with site.connect() as connection:
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n" * 5)
        time.sleep(1.5)
        read = 0
        with suppress(OSError):
            while data := connection.recv(100_000):
                read += len(data)
        assert 0 < read < 5 * len(LONG)
    site.stop()


def test_what_was_sent_is_done_although_the_visitor_has_left(site: Site) -> None:
    for number in range(5):
        DONE.clear()
        with site.connect() as leaving:
            leaving.sendall(
                b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" % number
                + b"a" * 100_000
            )
            with suppress(ssl.SSLError):  # The answer came before the end was agreed.
                leaving.unwrap()
        assert DONE.wait(60)


def test_a_body_that_is_cut_does_not_reach_the_program(site: Site) -> None:
    DONE.clear()
    with site.connect() as leaving:
        leaving.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n" + b"a" * 23)
    connection = connected(site)
    connection.request("GET", "/long")
    assert connection.getresponse().read() == LONG
    connection.close()
    assert not DONE.is_set()


@pytest.mark.costly
def test_who_leaves_inside_an_answer_disturbs_nobody(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(10):
            with site.connect() as leaving:
                leaving.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
                assert leaving.recv(1) == b"H"
        connection = connected(site)
        connection.request("GET", "/long")
        assert connection.getresponse().read() == LONG
        connection.close()
    assert caplog.messages == []


def test_after_the_stop_a_slow_reader_gets_the_whole_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "LAST_ANSWERS", 120.0)
    site = Site(tmp_path)
    slow = connected(site)
    slow.request("GET", "/long")
    answer = slow.getresponse()
    with site.connect():  # a phone that is asleep
        site.over.set()
        time.sleep(0.5)
        assert answer.read() == LONG
        slow.close()
        site.thread.join(60)
        assert not site.thread.is_alive()
    site.stop()
