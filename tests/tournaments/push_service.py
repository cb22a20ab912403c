"""A push service of our own, and a browser that subscribed there: it decrypts what arrives."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tournaments.core.web_push import encoded


@dataclass
class Browser:
    """The keys of a phone; ``endpoint`` is its address at the service."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> dict[str, str]:
        """What the script of the page sends."""
        keys = {"p256dh": encoded(self.public), "auth": encoded(self.auth)}
        return {"endpoint": self.endpoint, **keys}

    def decrypt(self, body: bytes) -> bytes:
        """Read a message as RFC 8291 3.4 says, written without the code under test."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, secret = body[21 : 21 + length], body[21 + length :]
        assert len(body) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), point)
        info = b"WebPush: info\x00" + self.public + sender
        key = HKDF(SHA256(), 32, self.auth, info).derive(shared)
        cipher = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(key)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(key)
        text, _mark, padding = AESGCM(cipher).decrypt(nonce, secret, None).rpartition(b"\x02")
        assert not padding.strip(b"\x00")
        return text


@dataclass
class Service:
    """The service at ``origin``: what arrived, and how it answers each address."""

    origin: str
    answers: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    pauses: dict[str, float] = field(default_factory=dict)
    arrived: list[tuple[str, dict[str, str], bytes, float]] = field(default_factory=list)

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.origin}/send/{name}")

    def messages(self, browser: Browser) -> list[dict[str, Any]]:
        """Return what *browser* was sent, the oldest first."""
        return [
            json.loads(browser.decrypt(body))
            for path, _headers, body, _at in list(self.arrived)
            if browser.endpoint.endswith(path)
        ]


@contextmanager
def push_service() -> Iterator[Service]:
    """Run a push service at a free port of this machine."""
    service = Service("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(service.pauses.get(self.path, 0))
            status, headers = service.answers.get(self.path, (201, {}))
            if status == 201:
                service.arrived.append((self.path, dict(self.headers), body, time.time()))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.origin = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
