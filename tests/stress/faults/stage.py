"""One prepared site whose arbiters enter results and publish while faults hit it,
and a check_pages at its books.
"""

from __future__ import annotations

import importlib.util
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.live.books import Books, lost, unseen
from tests.live.conftest import SLUG, copied
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Sent
from tests.live.event import PASSWORD
from tests.live.server import HOST, Site

from .people import EVENT, FINISHED, Arbiter, Plan, Publisher
from .relay import Relay

PLAYERS = 24
OPERATORS = 4
MOST = 10
"""Results that an operator enters in a run, on two own boards and one that all enter;
fewer when the fault is over.
"""
RESULTS = ("10", "01", "==", "+-", "-+")
HANG = 90.0  # seconds
PATIENCE = 4.0  # Seconds until an operator sends a result again.


@dataclass
class Run:
    """What came of one run."""

    met: bool = False
    """Whether the fault met a request on its way: an answer was lost, or was 503."""
    answers: int = 0
    lost: int = 0
    conflicts: int = 0
    longest: float = 0.0
    """Seconds from the fault to the end of the work."""
    faults: list[str] = field(default_factory=list)


class Stage:
    """The site in *folder* on a copy of the prepared database, with its server,
    relays and operators.

    For the kind ``network-visitor`` the operators reach the server through a relay, for
    ``network-database`` the server PostgreSQL; for ``clock`` the server follows the file ``clock``.
    """

    def __init__(
        self, database: SqliteDatabase | PostgresDatabase, prepared: Path, folder: Path, kind: str
    ) -> None:
        self.database, self.folder = database, folder
        folder.mkdir()
        self.site = copied(database, prepared, folder, f"stage_{kind}".replace("-", "_"))
        self.commands = Site(folder, self.site.database_url)
        """Commands do not go through the relay, and have the right time."""
        self.known: list[Sent] = []
        """What was sent in earlier runs."""
        self.relay: Relay | None = None
        if kind == "network-database":
            assert isinstance(database, PostgresDatabase)
            self.relay = Relay(database.server.folder / ".s.PGSQL.5432", folder / ".s.PGSQL.5432")
            through = self.url.replace(str(database.server.folder), str(folder))
            self.site.environment = {**self.site.environment, "DATABASE_URL": through}
        if kind == "clock":
            self.site.environment = {**self.site.environment, **changed_clock(folder / "clock")}
        self.site.start()
        port = self.site.port
        if kind == "network-visitor":
            self.relay = Relay((HOST, port))
            port = self.relay.port
        names = [f"arbiter-{number}" for number in range(1, OPERATORS + 1)]
        self.operators = [Arbiter(port, name, PASSWORD, PATIENCE) for name in names]
        self.publisher = Publisher(port, "arbiter-1", PASSWORD, PATIENCE)
        self.everybody = [*self.operators, self.publisher]

    @property
    def url(self) -> str:
        """The address of the database, without a relay."""
        return self.site.database_url

    def close(self) -> None:
        for operator in self.everybody:
            operator.close()
        self.site.kill()
        if self.relay:
            self.relay.close()

    def restart(self) -> None:
        """Start what does not run: PostgreSQL, the server."""
        start_again(self.site, self.database)

    def sent(self) -> list[Sent]:
        return [sent for operator in self.operators for sent in list(operator.diary)]

    def play(self, hit: Callable[[], None], chance: random.Random) -> Run:
        """Let the operators enter results, with *hit* at a random moment,
        and check_pages at everything afterwards.
        """
        run, failures, over = Run(), list[str](), threading.Event()
        rest = (failures, over, HANG - 10)
        works: list[threading.Thread] = [
            threading.Thread(target=self.publisher.publish, args=rest, daemon=True)
        ]
        for operator, plan in zip(self.operators, plans(chance), strict=True):
            works.append(threading.Thread(target=operator.work, args=(plan, *rest), daemon=True))
        for thread in works:
            thread.start()
        moment, end = chance.randint(0, OPERATORS * MOST // 4), time.monotonic() + HANG
        while (
            len(self.sent()) < moment
            and any(map(threading.Thread.is_alive, works))
            and time.monotonic() < end
        ):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.03))
        begin = time.monotonic()
        hit()
        over.set()
        for thread in works:
            thread.join(HANG)
        run.longest = time.monotonic() - begin
        run.faults += failures + [wrong for operator in self.everybody for wrong in operator.wrong]
        if any(map(threading.Thread.is_alive, works)):
            run.faults.append(f"an operator waits for more than {HANG:.0f} s")
        new = self.sent()
        run.answers = sum(sent.status is not None for sent in new)
        run.lost = sum(sent.status is None for sent in new)
        run.conflicts = sum(sent.status == 409 for sent in new)
        run.met = run.lost > 0
        run.faults += self.check_pages()
        self.known += new
        for operator in self.everybody:
            operator.diary.clear()
            operator.wrong.clear()
        return run

    def check_pages(self, *, is_quiet: bool = True) -> list[str]:
        """Return what is lost, entered twice or half saved.

        While requests are on their way, only what is lost.
        """
        sent = [*self.known, *self.sent()]
        books = Books.read(self.url)
        found = books.faults()
        found += [f"confirmed but lost: {one}" for one in lost(books, 1, sent)]
        if is_quiet:
            found += [f"nobody sent: {one}" for one in unseen(books, 1, sent)]
        return found

    def verified(self) -> list[str]:
        """Return what ``verify_record`` finds."""
        try:
            lines = [
                self.commands.python("manage.py", "verify_record", slug)
                for slug in (SLUG, FINISHED)
            ]
        except RuntimeError as error:
            return [str(error)]
        return [one for one in lines if "is whole" not in one]


def plans(chance: random.Random) -> list[Plan]:
    """Return what each operator enters: on two own boards, and on one that all enter."""
    boards = list(range(1, PLAYERS // 2 + 1))
    chance.shuffle(boards)
    found = []
    for place in range(OPERATORS):
        mine = [*boards[1 + 2 * place : 3 + 2 * place], boards[0]]
        choices = [(chance.choice(mine), chance.sample(RESULTS, 2)) for _ in range(MOST)]
        found.append([(board, result, other) for board, (result, other) in choices])
    return found


def start_again(site: Site, database: SqliteDatabase | PostgresDatabase) -> None:
    """Start what does not run: PostgreSQL, the server of *site*."""
    if isinstance(database, PostgresDatabase) and database.server.process.poll() is not None:
        database.server.start()
    if site.process is None:
        site.start()


def prepared_site(database: SqliteDatabase | PostgresDatabase, folder: Path) -> Path:
    """Return the data folder of a site with two events, one of them finished,
    whose database is ``prepared``.
    """
    folder.mkdir()
    site = Site(folder, database.create("prepared"))
    site.prepare()
    assert site.python("-m", "tests.live.event", "--players", str(PLAYERS)).split() == [SLUG]
    assert site.python("-m", "tests.live.event", *EVENT).split() == [FINISHED]
    return folder


def file_of(url: str) -> Path:
    """Return the file of an SQLite database."""
    return Path(urlsplit(url).path)


def clock_library() -> str | None:
    """Return the file of the package ``libfaketime``, which changes the clock of a process;
    None without it.

    Debian's ``faketime`` 0.9.10 does not serve: with it a pause of Python ends in “Invalid
    argument”.
    """
    spec = importlib.util.find_spec("libfaketime")
    folders = [Path(place) for place in spec.submodule_search_locations or []] if spec else []
    found = [path for folder in folders for path in folder.rglob("libfaketime.so.1")]
    return str(found[0]) if found else None


def changed_clock(file: Path) -> dict[str, str]:
    """Return what lets a process follow the clock in *file*, such as ``+26h``.

    Its monotonic clock goes on.
    """
    library = clock_library()
    assert library is not None
    file.write_text("+0")
    return {
        "LD_PRELOAD": library,
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
