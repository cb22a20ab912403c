"""``python -m tests.live.slow_load``: desk and public pages while 200 slow and 2,000 idle connections are open.

The slow ones come from one address and send a header line, or a character of a form, every three seconds; the idle
ones have asked for one page and stay. It prints the waiting times; an answer that does not come, or has another status
than 200, ends the command with 1. ``--server "gunicorn …"`` measures another server; ``{address}`` is where it listens.
"""

from __future__ import annotations

import argparse
import resource
import shlex
import socket
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Lost, Operator, percentile
from .during import machine
from .event import PASSWORD
from .load import processor_seconds
from .server import HOST, Site
from .slow import SlowClients

DESK_AIM, PUBLIC_AIM = 0.300, 1.0
PATIENCE = 10.0  # Seconds until an answer counts as missing.


class Idle:
    """Connections that have asked for a page once; those that the server closes are opened again."""

    def __init__(self, port: int, number: int, path: str) -> None:
        self._port, self._path = port, path
        self._over = threading.Event()
        self.failed = 0
        self._open = [self._connect() for _ in range(number)]
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    def _connect(self) -> socket.socket | None:
        try:
            connection = socket.create_connection((HOST, self._port), timeout=PATIENCE)
            connection.sendall(f"GET {self._path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            connection.recv(65536)
        except OSError:
            self.failed += 1
            return None
        connection.setblocking(False)
        return connection

    def _go_on(self) -> None:
        while not self._over.wait(1):
            for place, connection in enumerate(self._open):
                try:
                    if connection is None or not connection.recv(65536):
                        self._open[place] = self._connect()
                except BlockingIOError:
                    continue
                except OSError:
                    self._open[place] = self._connect()

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        for connection in self._open:
            if connection is not None:
                connection.close()


class Waits:
    """The seconds that the answers took, and how many did not come."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.failed = 0

    def line(self, name: str, aim: float) -> str:
        p50, p95 = (percentile(self.seconds or [PATIENCE], share) * 1000 for share in (0.5, 0.95))
        whole = len(self.seconds) + self.failed
        return f"| {name} | {len(self.seconds)} of {whole} | {p50:.0f} / {p95:.0f} | {aim * 1000:.0f} |"


def visit(site: Site, path: str, waits: Waits) -> None:
    """Request a page over a new connection, as a phone does."""
    begin = time.monotonic()
    connection = HTTPConnection(HOST, site.port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            waits.failed += 1
        else:
            waits.seconds.append(time.monotonic() - begin)
    except (OSError, HTTPException):
        waits.failed += 1
    finally:
        connection.close()


def at_work(site: Site, slug: str, number: int, seconds: float) -> tuple[Waits, Waits]:
    """Enter a result, open the desk and three public pages each second; return the waits of desk and visitors."""
    desk, public = Waits(), Waits()
    chief = Operator(site.port, "arbiter-1", PASSWORD)
    boards = list(chief.boards(slug, number).values())
    pages = [f"/t/{slug}/{page}" for page in (f"pairings/{number}/", "standings/", "crosstable/")]
    end = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < end:
        begin = time.monotonic()
        try:
            chief.enter(boards[turn % len(boards)], ("10", "01")[turn // len(boards) % 2], on_loss=lambda: _give_up())
            desk.seconds.append(time.monotonic() - begin)
            begin = time.monotonic()
            chief.request("GET", f"/t/{slug}/desk/")
            desk.seconds.append(time.monotonic() - begin)
        except Lost:
            desk.failed += 1
        for page in pages:
            visit(site, page, public)
        turn += 1
        time.sleep(max(0.0, 1 - (time.monotonic() - begin)))
    chief.close()
    return desk, public


def _give_up() -> None:
    raise Lost("no answer")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--slow", type=int, default=200)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--kind", choices=["headers", "body", "reading"], default="headers")
    parser.add_argument("--server", help="the command of another server")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard > 0 else 8192, hard))
    with tempfile.TemporaryDirectory() as folder:
        database = PostgresDatabase() if options.db == "postgres" else SqliteDatabase(Path(folder))
        site = Site(Path(folder), database.create("slow"))
        site.command = shlex.split(options.server) if options.server else None
        try:
            site.prepare()
            made = site.python(
                "-m", "tests.live.event", "--players", str(options.players), "--played", "1", "--arbiters", "1"
            )
            site.start()
            return measure(site, made.split()[-1], options)
        finally:
            site.kill()
            database.close()


def measure(site: Site, slug: str, options: argparse.Namespace) -> int:
    assert site.process is not None
    path = f"/t/{slug}/standings/"
    if options.kind != "reading":
        path = "/accounts/login/"
    print(f"{options.db}, {options.slow} slow ({options.kind}), {options.idle} idle; {machine()}")
    idle = Idle(site.port, options.idle, f"/t/{slug}/news.json")
    with SlowClients(site.port, options.slow, options.kind, path=path):
        before = processor_seconds(site.process.pid)
        desk, public = at_work(site, slug, 2, options.seconds)
        spent = processor_seconds(site.process.pid) - before
    idle.close()
    print("| who | answered | p50 / p95, ms | aim for p95 |\n|---|---|---|---|")
    print(desk.line("desk", DESK_AIM), public.line("public pages", PUBLIC_AIM), sep="\n")
    print(f"processor of the server: {spent / options.seconds:.2f} of a core; idle connections refused: {idle.failed}")
    print(machine())
    return int(desk.failed + public.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
