"""A web space that takes PUT, as WebDAV servers do, and what it may answer."""

from __future__ import annotations

import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_django import Settings

from tests.tournaments.site.mirrors.conftest import MirrorOf
from tournaments.core.errors import BadInput
from tournaments.site.mirrors.destinations import WebSpace, destination_of
from tournaments.site.mirrors.store import MirrorSettings
from tournaments.site.mirrors.updating import bring_up_to_date


class Server:
    """A web space in memory: folders must be made before files. ``answer`` overrules it."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders = {"/dav/"}
        self.answer: int | None = None
        self.requests: list[tuple[str, str]] = []
        self.secrets: set[str | None] = set()
        self.cuts = False
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, content = owner.handle(
                    self.command, self.path, body, self.headers.get("Authorization")
                )
                if owner.cuts:
                    owner.cuts = False
                    self.close_connection = True
                    return
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://127.0.0.1:9/")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_PUT = do_MKCOL = do_DELETE = handle_one  # noqa: N815 - by the library

            def log_message(self, *arguments: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    def handle(self, method: str, path: str, body: bytes, secret: str | None) -> tuple[int, bytes]:
        self.requests.append((method, path))
        self.secrets.add(secret)
        if self.answer is not None:
            return self.answer, b""
        if method == "GET":
            return (200, self.files[path]) if path in self.files else (404, b"nothing")
        above = path.rstrip("/").rpartition("/")[0] + "/"
        if method == "MKCOL":
            if above not in self.folders:
                return 409, b""
            known = path in self.folders
            self.folders.add(path)
            return (405 if known else 201), b""
        if method == "PUT":
            if above not in self.folders:
                return 409, b""
            self.files[path] = body
            return 201, b""
        return (204 if self.files.pop(path, None) is not None else 404), b""


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    thread = threading.Thread(target=found.http.serve_forever, daemon=True)
    thread.start()
    yield found
    found.http.shutdown()
    found.http.server_close()
    thread.join()


@pytest.fixture
def chosen(server: Server) -> MirrorSettings:
    address = f"http://127.0.0.1:{server.http.server_port}/dav/open%20mirror/"
    return MirrorSettings(kind="web", address=address, user="club", secret="pass:wörd", is_on=True)


def test_folders_are_made_and_the_password_is_sent(server: Server, chosen: MirrorSettings) -> None:
    place = WebSpace(chosen, allow_private=True)
    assert place.read("manifest.json") is None
    place.write("a/en/index.html", b"one")
    place.write("a/en/me.html", b"two")
    root = "/dav/open%20mirror/"
    assert server.files == {f"{root}a/en/index.html": b"one", f"{root}a/en/me.html": b"two"}
    assert [path for method, path in server.requests if method == "MKCOL"] == [
        root,
        f"{root}a/",
        f"{root}a/en/",
    ]
    assert place.read("a/en/me.html") == b"two"
    place.remove("a/en/me.html")
    place.remove("a/en/me.html")
    assert list(server.files) == [f"{root}a/en/index.html"]
    assert server.secrets == {"Basic " + b64encode("club:pass:wörd".encode()).decode()}
    place.close()


def test_a_token_is_sent_without_a_user_name(server: Server, chosen: MirrorSettings) -> None:
    token = MirrorSettings(kind="web", address=chosen.address, secret="t0ken")
    place = WebSpace(token, allow_private=True)
    place.read("manifest.json")
    place.close()
    assert server.secrets == {"Bearer t0ken"}


def test_a_connection_that_the_server_has_closed_is_opened_again(
    server: Server, chosen: MirrorSettings
) -> None:
    place = WebSpace(chosen, allow_private=True)
    place.write("index.html", b"one")
    server.cuts = True
    place.write("index.html", b"two")
    assert list(server.files.values()) == [b"two"]
    place.close()


@pytest.mark.parametrize(
    "answer, code",
    [
        (401, "mirror.not_allowed"),
        (403, "mirror.not_allowed"),
        (302, "mirror.redirect"),
        (405, "mirror.no_put"),
        (507, "mirror.full"),
        (500, "mirror.answer"),
    ],
)
def test_an_answer_of_the_web_space_has_a_sentence(
    server: Server, chosen: MirrorSettings, answer: int, code: str
) -> None:
    server.answer = answer
    place = WebSpace(chosen, allow_private=True)
    with pytest.raises(BadInput) as refused:
        place.write("index.html", b"")
    assert refused.value.code == code
    assert str(answer) in str(refused.value)
    assert "pass" not in str(refused.value).replace("password", "")
    place.close()


@pytest.mark.parametrize(
    "address, code",
    [
        ("https://127.0.0.1:9/", "mirror.private_address"),
        ("https://[::ffff:10.0.0.1]/", "mirror.private_address"),
        ("https://169.254.169.254/latest/", "mirror.private_address"),
        ("https://localhost:9/", "mirror.private_address"),
        ("http://example.org/", "mirror.not_encrypted"),
        ("ftp://example.org/", "mirror.address"),
        ("file:///etc/", "mirror.address"),
        ("https://club:secret@example.org/", "mirror.address"),
        ("https://example.org/?a=b", "mirror.address"),
    ],
)
def test_addresses_in_the_network_of_the_server_are_refused(address: str, code: str) -> None:
    """As for rating lists: nothing is sent, and the secret is never sent in the clear."""
    with pytest.raises(BadInput) as refused:
        destination_of(MirrorSettings(kind="web", address=address, secret="t0ken"), "open").read(
            "manifest.json"
        )
    assert refused.value.code == code


@pytest.mark.costly
def test_a_mirror_in_a_web_space(
    mirror: MirrorOf, server: Server, chosen: MirrorSettings, settings: Settings
) -> None:
    settings.MIRRORS_IN_PRIVATE = True
    mirror.store.save_settings(chosen)
    assert bring_up_to_date(mirror.source, lambda: mirror.now) is not None
    assert mirror.fault == ""
    writes = [
        path.rpartition("open%20mirror/")[2] for method, path in server.requests if method == "PUT"
    ]
    assert {"manifest.json", "index.html", "me.html", "news.json", "a/en/index.html"} <= set(writes)
    assert bring_up_to_date(mirror.source, lambda: mirror.now) is None
    pages = [body for path, body in server.files.items() if path.endswith("/b/en/index.html")]
    assert pages == [
        body for path, body in server.files.items() if path.endswith("/a/en/index.html")
    ]
    server.answer = 401
    mirror.store.forget_sent()
    assert bring_up_to_date(mirror.source, lambda: mirror.now) is None
    assert mirror.fault == "mirror.not_allowed"
