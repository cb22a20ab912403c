"""One prepared site whose arbiters enter results and publish while faults hit it, and a look at its books."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests.faults import publisher
from tests.faults.arbiter import Arbiter
from tests.faults.clocks import changed_clock
from tests.faults.relay import Relay
from tests.faults.warm import Warm, WarmSite
from tests.live.books import Books, lost, unseen
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Lost, Operator, Sent
from tests.live.event import PASSWORD
from tests.live.server import HOST, ROOT, Site

SLUG = "under-load"
PLAYERS = 24
OPERATORS = 4
MOST = 10
"""Results that an operator enters in a run, on two own boards and one that all enter; fewer when the fault is over."""
RESULTS = ("10", "01", "==", "+-", "-+")
HANG = 90.0  # seconds
PATIENCE = 4.0  # Seconds until an operator sends a result again.
VERIFY_EVERY = 10  # Runs; the record is compared with the tables after each.


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
    """The site in *folder* on a copy of the prepared database, with its server, relays and operators.

    *through_relay*: the server reaches PostgreSQL through a relay. *clock*: it follows the file ``clock``.
    """

    def __init__(
        self,
        database: SqliteDatabase | PostgresDatabase,
        prepared: Path,
        folder: Path,
        *,
        through_relay: bool = False,
        clock: bool = False,
    ) -> None:
        self.database, self.folder = database, folder
        folder.mkdir()
        shutil.copy(prepared / "signing-key", folder)
        self.name = f"stage_{folder.name}".replace("-", "_")
        self.url = database.copy(self.name, "prepared")
        """The database without a relay."""
        self.site = WarmSite(folder, self.url)
        self.known: list[Sent] = []
        """What was sent in earlier runs."""
        self.database_relay: Relay | None = None
        if through_relay:
            assert isinstance(database, PostgresDatabase)
            self.database_relay = Relay(database.server.folder / ".s.PGSQL.5432", folder / ".s.PGSQL.5432")
            through = self.url.replace(str(database.server.folder), str(folder))
            self.site.environment = {**self.site.environment, "DATABASE_URL": through}
        # Commands do not go through the relay, and have the right time.
        self.warm = Warm(Site(folder, self.url).environment, ROOT, folder / "verify.log")
        if clock:
            self.site.environment = {**self.site.environment, **changed_clock(folder / "clock")}
        differs = clock or through_relay
        self.site.warm = Warm(self.site.environment, ROOT, self.site.log) if differs else self.warm
        self.site.start()
        self.visitor_relay = Relay((HOST, self.site.port))
        self.operators = [
            Arbiter(self.site.port, f"arbiter-{number}", PASSWORD, PATIENCE) for number in range(1, OPERATORS + 1)
        ]
        self.publisher = publisher.Publisher(self.site.port, "arbiter-1", PASSWORD, PATIENCE)
        # With their sessions, for the next kind of fault.
        self.site.kill()
        if isinstance(database, SqliteDatabase):
            sqlite3.connect(file_of(self.url)).execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        else:
            database.cut_connections(self.name)
        database.copy(f"{self.name}_start", self.name)

    def begin(self, *, through_visitor_relay: bool) -> None:
        """Begin with another kind of fault, on the database as it was at the start."""
        self.site.kill()
        self.database.drop(self.name)
        self.database.copy(self.name, f"{self.name}_start")
        self.known.clear()
        self.site.start()
        for operator in (*self.operators, self.publisher):
            operator.wrong.clear()
            operator.diary.clear()
            operator.use_port(self.visitor_relay.port if through_visitor_relay else self.site.port)

    def close(self) -> None:
        for operator in (*self.operators, self.publisher):
            operator.close()
        self.site.kill()
        for relay in (self.visitor_relay, self.database_relay):
            if relay:
                relay.close()
        for warm in {self.warm, self.site.warm}:
            warm.close()

    def restart(self) -> None:
        """Start what does not run: PostgreSQL, the server."""
        if isinstance(self.database, PostgresDatabase) and self.database.server.process.poll() is not None:
            self.database.server.start()
        if not self.site.is_running:
            self.site.start()

    def sent(self) -> list[Sent]:
        return [sent for operator in self.operators for sent in list(operator.diary)]

    def play(self, hit: Callable[[], None], chance: random.Random) -> Run:
        """Let the operators enter results, with *hit* at a random moment, and look at everything afterwards."""
        run, before = Run(), len(self.sent())
        failures: list[str] = []
        boards = list(range(1, PLAYERS // 2 + 1))
        chance.shuffle(boards)
        threads, over = [], threading.Event()
        for place, operator in enumerate(self.operators):
            mine = [*boards[1 + 2 * place : 3 + 2 * place], boards[0]]
            plan = [(chance.choice(mine), *chance.sample(RESULTS, 2)) for _ in range(MOST)]
            threads.append(threading.Thread(target=_work, args=(operator, plan, failures, over), daemon=True))
        publish = threading.Thread(target=self.publisher.publish, args=(failures, over, HANG - 10), daemon=True)
        for thread in (*threads, publish):
            thread.start()
        moment = before + chance.randint(0, OPERATORS * MOST // 4)
        end = time.monotonic() + HANG
        while len(self.sent()) < moment and any(thread.is_alive() for thread in threads) and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.03))
        begin = time.monotonic()
        hit()
        over.set()
        for thread in (*threads, publish):
            thread.join(HANG)
        run.longest = time.monotonic() - begin
        everybody = (*self.operators, self.publisher)
        run.faults += failures + [wrong for operator in everybody for wrong in operator.wrong]
        if any(thread.is_alive() for thread in (*threads, publish)):
            run.faults.append(f"an operator waits for more than {HANG:.0f} s")
        for operator in everybody:
            operator.wrong.clear()
        new = self.sent()
        run.answers = sum(sent.status is not None for sent in new)
        run.lost = sum(sent.status is None for sent in new)
        run.conflicts = sum(sent.status == 409 for sent in new)
        run.met = run.lost > 0
        run.faults += self.look()
        self.known += new
        for operator in self.operators:
            operator.diary.clear()
        return run

    def look(self, *, is_quiet: bool = True) -> list[str]:
        """Return what is lost, entered twice or half saved. While requests are on their way, only what is lost."""
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
            said = [self.warm.run("verify_record", slug) for slug in (SLUG, publisher.SLUG)]
        except RuntimeError as error:
            return [str(error)]
        return [one for one in said if "is whole" not in one]


def _work(operator: Operator, plan: list[tuple[int, str, str]], failures: list[str], over: threading.Event) -> None:
    """Read the boards, then enter the *plan*: board, a result, and another one in case it is there already.

    When the fault is *over*, one more.
    """
    end = time.monotonic() + HANG - 10

    def on_loss() -> None:
        if time.monotonic() > end:
            raise TimeoutError("no answer, and no end of the fault")
        time.sleep(0.05)

    try:
        while True:
            with suppress(Lost):
                boards = operator.boards(SLUG, 1)
                break
            on_loss()
        for number, result, other in plan:
            is_last, board = over.is_set(), boards[number]
            sent = operator.enter(board, other if result == board["result"] else result, on_loss)
            board["result"] = sent.body.get("result", sent.result) if sent.status == 409 else sent.result
            if sent.status not in (200, 409):
                failures.append(f"board {number}: {sent.status} {sent.body}")
            if is_last:
                break
    except Exception as error:
        failures.append(f"{operator.name}: {type(error).__name__}: {error}")


def prepared_site(database: SqliteDatabase | PostgresDatabase, folder: Path) -> Path:
    """Return the data folder of a site with two events, one of them finished, whose database is ``prepared``."""
    folder.mkdir()
    site = Site(folder, database.create("prepared"))
    site.prepare()
    assert site.python("-m", "tests.live.event", "--players", str(PLAYERS)).split() == [SLUG]
    assert site.python("-m", "tests.live.event", *publisher.EVENT).split() == [publisher.SLUG]
    return folder


def file_of(url: str) -> Path:
    """Return the file of an SQLite database."""
    return Path(urlsplit(url).path)
