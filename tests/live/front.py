"""``python -m tests.live.front``: the server's processor time for what phones ask most, over HTTP.

A stored page, the same page where the phone has it (304), the part for an open page that has the newest version (204)
and the news file, each over one kept connection, over fifty, and over a connection for each request. ``--program``
measures another checkout too, in turns with this one. A status that should not come ends the command with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

from .databases import PostgresDatabase, SqliteDatabase
from .during import machine, processor_time
from .server import HOST, Site

WAYS = {"one connection": 1, "50 connections": 50, "a connection each": 0}
BROWSER = (
    "User-Agent: Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 "
    "Mobile Safari/537.36\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
    "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-GB,en;q=0.9\r\nSec-Fetch-Site: same-origin\r\n"
    "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
)
_PHONES = count(10_000_000)
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """A request, and the status of its answer."""

    name: str
    request: bytes
    status: int


def questions(port: int, slug: str, number: int) -> Iterator[Question]:
    """Yield the requests to the event *slug*, whose newest round is *number*."""
    page, news = f"/t/{slug}/pairings/{number}/", f"/t/{slug}/news.json"
    key, etag = _news_and_etag(port, page, news)
    yield Question("page, 200", _request(port, page), 200)
    yield Question("page, 304", _request(port, page, f"If-None-Match: {etag}\r\n"), 304)
    yield Question("part, 204", _request(port, f"{page}?v={key}", "HX-Request: true\r\n"), 204)
    yield Question("news file, 200", _request(port, news), 200)
    yield Question("page, 200, for a phone unlike all others", _request(port, page, "Cookie: phone=00000000\r\n"), 200)


def _request(port: int, address: str, more: str = "") -> bytes:
    return f"GET {address} HTTP/1.1\r\nHost: {HOST}:{port}\r\n{BROWSER}{more}\r\n".encode()


def _news_and_etag(port: int, page: str, news: str) -> tuple[str, str]:
    connection = HTTPConnection(HOST, port)
    connection.request("GET", news)
    key: str = json.loads(connection.getresponse().read())["key"]
    connection.request("GET", page, headers={"Accept-Encoding": "gzip, br", "Accept-Language": "en"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return key, answer.headers["ETag"]


def ask(connection: socket.socket, question: Question) -> bool:
    """Send one request and read the whole answer; raise :class:`ValueError` for another status.

    Return whether the server keeps the connection.
    """
    connection.sendall(question.request.replace(b"phone=00000000", b"phone=%08d" % next(_PHONES)))
    told = b""
    while b"\r\n\r\n" not in told:
        told += _some(connection)
    head, _, body = told.partition(b"\r\n\r\n")
    if int(head[9:12]) != question.status:
        message = f"{question.name}: {head[:80]!r} instead of {question.status}"
        raise ValueError(message)
    is_kept = b"\r\nConnection: close" not in head
    length = LENGTH.search(head) if question.status == 200 else None
    missing = int(length[1]) - len(body) if length else 0
    while missing > 0:
        missing -= len(_some(connection))
    while not is_kept and connection.recv(65536):
        pass  # to the end of the connection
    return is_kept


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        message = "the server closed the connection"
        raise ValueError(message)
    return data


def ask_all(port: int, question: Question, kept: int, number: int) -> None:
    """Send *number* requests over *kept* connections in turns; 0: over a connection each."""
    if not kept:
        for _ in range(number):
            with socket.create_connection((HOST, port)) as connection:
                ask(connection, question)
        return
    open_ones = [socket.create_connection((HOST, port)) for _ in range(kept)]
    for turn in range(number):
        place = turn % kept
        if not ask(open_ones[place], question):
            open_ones[place].close()
            open_ones[place] = socket.create_connection((HOST, port))
    for connection in open_ones:
        connection.close()


class Program:
    """The server of the checkout *root*, on a database of its own."""

    def __init__(self, name: str, root: Path, kind: str, folder: Path, stack: ExitStack, players: int) -> None:
        self.name = name
        folder.mkdir()
        database = PostgresDatabase() if kind == "postgres" else SqliteDatabase(folder)
        stack.callback(database.close)
        self.site = Site(folder, database.create("front"))
        self.site.program = root
        self.site.prepare()
        if not (root / "staticfiles").exists():
            self.site.python("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        order = ["--players", str(players), "--rounds", "9", "--played", "2"]
        slug = self.site.python("-m", "tests.live.event", *order).strip()
        self.site.start()
        stack.callback(self.site.kill)
        assert self.site.process is not None
        self._pids = [self.site.process.pid, *self.site.workers()]
        self.questions = list(questions(self.site.port, slug, 3))

    def cost(self, question: Question, kept: int, number: int) -> float:
        """Return the milliseconds of processor time of the server for one of *number* requests."""
        before = processor_time(self._pids)
        ask_all(self.site.port, question, kept, number)
        return (processor_time(self._pids) - before) / number * 1000


def measure(programs: list[Program], repeats: int, number: int) -> Iterator[str]:
    """Yield the lines of a table with the lowest of *repeats* figures, each of *number* requests, in turns."""
    names = [f"{program.name}: {way}" for way in WAYS for program in programs]
    yield f"| ms of processor time | {' | '.join(names)} |"
    yield "|---" * (1 + len(names)) + "|"
    for place, question in enumerate(programs[0].questions):
        found: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(repeats):
            for way, kept in WAYS.items():
                for program in programs:
                    cost = program.cost(program.questions[place], kept, number)
                    found[f"{program.name}: {way}"].append(cost)
        yield f"| {question.name} | {' | '.join(f'{min(costs):.2f}' for costs in found.values())} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--requests", type=int, default=1000, help="for each figure")
    parser.add_argument("--repeats", type=int, default=5, help="the lowest of so many figures is shown")
    parser.add_argument("--program", type=Path, help="another checkout, measured before this one in each turn")
    options = parser.parse_args()
    roots = {"before": options.program.resolve()} if options.program else {}
    roots["now"] = Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="swiss-front-") as folder, ExitStack() as stack:
        programs = [
            Program(name, root, options.db, Path(folder) / name, stack, options.players) for name, root in roots.items()
        ]
        begin = time.monotonic()
        try:
            for line in measure(programs, options.repeats, options.requests):
                print(line, flush=True)
        except ValueError as error:
            sys.exit(str(error))
        seconds = time.monotonic() - begin
    print(f"\n{options.db}, {machine()}; load at the end {os.getloadavg()[0]:.1f}; {seconds:.0f} s")


if __name__ == "__main__":
    main()
