"""``python -m tests.stress.proxies``: what reaches the program
behind each proxy of ``deploy``, as a table.

The site runs in production mode, as behind a real proxy, and gets requests by https: with forged
headers, from slow clients, with uploads at the limit and beyond, and for parts of files. A line
that is not as it must be ends the command with 1.
"""

from __future__ import annotations

import re
import socket
import ssl
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

from tests.live.databases import SqliteDatabase
from tests.live.server import HOST, Site

from .proxy import KINDS, NAME, Proxy, is_installed

EVIL = "evil.example.org"
FORGED = "203.0.113.7"
MEGABYTE = 1024 * 1024
LIMIT = 65 * MEGABYTE
SLOW = 200  # clients
STATIC = "/static/css/"


@dataclass(frozen=True, slots=True)
class Line:
    """One trial: its name, its result, and whether that is as it must be."""

    what: str
    came: str
    is_good: bool


@contextmanager
def production_site(folder: Path) -> Iterator[Site]:
    """Serve a site without tournaments as behind a proxy with https."""
    folder.mkdir(exist_ok=True)
    site = Site(folder, SqliteDatabase(folder).create("proxies"))
    site.environment = {
        **site.environment,
        "SWISS_MODE": "production",
        "SWISS_TRUST_PROXY": "1",
        "SECRET_KEY": "for this test alone: zK8vQ2xW6pT4nR9mJ3hG7fD5sA1bC0eY",
        "ALLOWED_HOSTS": f"{NAME},{HOST}",
    }
    site.prepare()
    site.start()
    try:
        yield site
    finally:
        site.kill()


class Trial:
    """Ask *site* through *proxy*."""

    def __init__(self, site: Site, proxy: Proxy) -> None:
        self.site, self.proxy = site, proxy

    def lines(self) -> Iterator[Line]:
        """Try everything."""
        yield from self.addresses()
        yield from self.names()
        yield from self.slow_clients()
        yield from self.uploads()
        yield from self.parts()

    def ask(
        self,
        path: str,
        headers: dict[str, str] | None = None,
        method: str = "GET",
        body: Any = None,
    ) -> tuple[HTTPResponse | None, bytes]:
        """Return the answer and its body; None if the proxy closes the connection without one."""
        connection = self.proxy.connection()
        try:
            connection.request(method, path, body, {"Host": NAME, **(headers or {})})
            answer = connection.getresponse()
            return answer, answer.read()
        except (OSError, HTTPException):
            return None, b""
        finally:
            connection.close()

    def addresses(self) -> Iterator[Line]:
        """Forged addresses of a visitor: the log of wrong passwords
        has the address the program believes.
        """
        for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "True-Client-IP"):
            value = f"for={FORGED}" if header == "Forwarded" else FORGED
            before = len(self.site.log.read_text())
            status = self.wrong_password({header: value})
            output = self.site.log.read_text()[before:]
            found = re.findall(
                r"\d+\.\d+\.\d+\.\d+",
                "".join(line for line in output.splitlines() if "Wrong password" in line),
            )
            came = f"log-in answered {status}, logged as from {', '.join(found) or 'nobody'}"
            yield Line(f"forged {header}", came, found == [HOST])

    def wrong_password(self, headers: dict[str, str]) -> int:
        """Send a wrong password as a browser does; return the status."""
        page, body = self.ask("/accounts/login/", headers)
        assert page is not None
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', body)
        assert token is not None
        who = f"username={self.proxy.folder.name}&password=wrong-{time.monotonic_ns()}"
        form = f"csrfmiddlewaretoken={token[1].decode()}&{who}"
        sent = {
            **headers,
            "Cookie": cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "Referer": f"https://{NAME}/accounts/login/",
        }
        answer, _ = self.ask("/accounts/login/", sent, "POST", form)
        return answer.status if answer else 0

    def names(self) -> Iterator[Line]:
        """Forged names of the site, and forged schemes."""
        answer, body = self.ask("/", {"Host": EVIL})
        status = answer.status if answer else 0
        ours = status == 200 and b"Swiss Arbiter" in body
        yield Line(
            "foreign Host",
            f"{status}, with our page: {_word(ours)}",
            not ours and EVIL.encode() not in body,
        )
        good, plain = self.ask("/")
        assert good is not None
        yield Line(
            "right Host afterwards",
            str(good.status),
            good.status == 200 and EVIL.encode() not in plain,
        )
        for header in ("X-Forwarded-Host", "X-Forwarded-Server", "X-Host"):
            answer, body = self.ask("/", {header: EVIL})
            status, foreign = (answer.status if answer else 0), EVIL.encode() in body
            yield Line(
                f"forged {header}",
                f"{status}, its name in the answer: {_word(foreign)}",
                status == 200 and not foreign,
            )
        answer, _ = self.ask("/accounts/login/", {"X-Forwarded-Proto": "http"})
        status = answer.status if answer else 0
        yield Line("forged X-Forwarded-Proto: http by https", str(status), status == 200)
        found = self.without_https({"X-Forwarded-Proto": "https"})
        yield Line(
            "forged X-Forwarded-Proto: https by http",
            found,
            bool(re.match("30[18] https://", found)),
        )

    def without_https(self, headers: dict[str, str]) -> str:
        """Return the status and the address to which plain http leads."""
        lines = [f"GET /accounts/login/ HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n"]
        lines += [f"{name}: {value}\r\n" for name, value in headers.items()]
        with socket.create_connection((HOST, self.proxy.http_port), timeout=20) as plain:
            plain.sendall(("".join(lines) + "\r\n").encode())
            answer = HTTPResponse(plain)
            answer.begin()
            return f"{answer.status} {answer.headers['Location']}"

    def slow_clients(self) -> Iterator[Line]:
        """Clients that never finish their request, half of them
        in the header and half in the body.
        """
        usual = self.waiting(20)
        secure = ssl.create_default_context(cafile=str(self.proxy.folder / "certificate.pem"))
        with ExitStack() as stack:
            slow = []
            for turn in range(SLOW):
                plain = socket.create_connection((HOST, self.proxy.port), timeout=20)
                one = stack.enter_context(secure.wrap_socket(plain, server_hostname=NAME))
                start = (
                    f"POST /accounts/login/ HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 1000\r\n"
                )
                one.sendall((start + ("X-Slow: " if turn % 2 else "\r\na=")).encode())
                slow.append(one)
            waits = []
            for _ in range(5):
                for one in slow:
                    one.sendall(b"a")
                waits += self.waiting(10)
            worst = max(waits)
            came = (
                f"{len(waits)} answered, median {_ms(waits)} instead of {_ms(usual)}, longest "
                f"{worst * 1000:.0f} ms"
            )
            yield Line(f"a page while {SLOW} clients send a byte at a time", came, len(waits) == 50)
            begin = time.monotonic()
            yield Line("a client that stops in its header", *self.closed(slow[1], begin))

    @staticmethod
    def closed(one: ssl.SSLSocket, begin: float) -> tuple[str, bool]:
        """Return when the proxy closes the connection."""
        one.settimeout(40)
        try:
            while one.recv(4096):
                pass
        except TimeoutError:
            return "open after 40 s", False
        except OSError:
            pass
        return f"closed after {time.monotonic() - begin:.0f} s", True

    def waiting(self, times: int) -> list[float]:
        """Return the seconds that each of some visitors waits for a page."""
        found = []
        for turn in range(times):
            begin = time.monotonic()
            answer, _ = self.ask(f"/accounts/login/?x={turn}{begin}")
            assert answer is not None
            assert answer.status == 200
            found.append(time.monotonic() - begin)
        return found

    def uploads(self) -> Iterator[Line]:
        """The largest body that is read, and one that is larger."""
        for what, size, good in (
            (
                "an upload of 65 MB",
                LIMIT,
                {400, 403},
            ),  # The program has read it; it does not want it.
            ("an upload of 65 MB and a byte", LIMIT + 1, {413}),
        ):
            form = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
            begin = time.monotonic()
            answer, _ = self.ask("/accounts/login/", form, "POST", _bytes(size))
            status = answer.status if answer else 0
            came = f"{status or 'connection closed'} after {time.monotonic() - begin:.1f} s"
            yield Line(what, came, status in good or (status == 0 and size > LIMIT))
        answer, _ = self.ask("/")
        yield Line(
            "a page afterwards",
            str(answer and answer.status),
            bool(answer and answer.status == 200),
        )

    def parts(self) -> Iterator[Line]:
        """Requests for parts of a file and of a page."""
        _, page = self.ask("/accounts/login/", {"Accept-Encoding": "identity"})
        found = re.search(rf'"({STATIC}[^"]+\.css)"'.encode(), page)
        assert found is not None
        path = found[1].decode()
        _, whole = self.ask(path, {"Accept-Encoding": "identity"})
        for turn in ("first", "again"):
            answer, part = self.ask(path, {"Accept-Encoding": "identity", "Range": "bytes=5-14"})
            assert answer is not None
            same = part == whole[5:15] if answer.status == 206 else part == whole
            yield Line(
                f"bytes 5-14 of a style sheet, {turn}", f"{answer.status}, {len(part)} bytes", same
            )
        answer, part = self.ask(path, {"Accept-Encoding": "identity", "Range": "bytes=99999999-"})
        status = answer.status if answer else 0
        yield Line("bytes behind its end", str(status), status in (200, 416))
        many = ",".join(f"{start}-{start + 1}" for start in range(0, 1000, 2))
        answer, part = self.ask(path, {"Accept-Encoding": "identity", "Range": f"bytes={many}"})
        status = answer.status if answer else 0
        yield Line(
            "five hundred parts at once",
            f"{status}, {len(part)} bytes",
            len(part) <= 100 * len(whole) and status < 500,
        )
        answer, part = self.ask("/", {"Range": "bytes=0-9"})
        status = answer.status if answer else 0
        yield Line("bytes 0-9 of a page", f"{status}, {len(part)} bytes", status in (200, 206))


def _bytes(size: int) -> Iterator[bytes]:
    for start in range(0, size, MEGABYTE):
        yield bytes(min(MEGABYTE, size - start))


def _word(is_so: bool) -> str:
    return "yes" if is_so else "no"


def _ms(times: list[float]) -> str:
    return f"{statistics.median(times) * 1000:.0f} ms"


def main(say: Callable[[str], None] = print) -> int:
    bad = 0
    with (
        tempfile.TemporaryDirectory(prefix="swiss-proxies-") as folder,
        production_site(Path(folder) / "site") as site,
    ):
        for kind in KINDS:
            if not is_installed(kind):
                say(f"{KINDS[kind]} is not installed: {kind} was not tried.")
                continue
            say(f"\n| {kind} ({KINDS[kind]}) | what came | as it must be |\n|---|---|---|")
            with Proxy(Path(folder) / f"proxy-{kind}", site.port, kind, https=True) as proxy:
                for line in Trial(site, proxy).lines():
                    say(f"| {line.what} | {line.came} | {_word(line.is_good)} |")
                    bad += not line.is_good
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(lambda text: print(text, flush=True)))
