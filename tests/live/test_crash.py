"""“It never loses a result”: five operators at once over HTTP, and a simulated power cut.

Afterwards all confirmed results exist, nothing is incomplete, and the record is consistent and agrees with the tables.
If two operators enter the same board, one gets a conflict. All random moments come from the seed in the test's name;
``CRASH_SEEDS=50`` runs fifty seeds.
"""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

from tests.waiting import wait_until

from .books import Books, lost, unseen
from .conftest import SLUG
from .databases import PostgresDatabase, SqliteDatabase
from .desk import Lost, Operator, Sent, percentile
from .server import Site

pytestmark = pytest.mark.slow

SEEDS = range(1, 1 + int(os.environ.get("CRASH_SEEDS", "5")))
OPERATORS = 5
CONTESTED = 10
"""In each round all five operators enter this many boards, each with a different result."""
RESULTS = ("10", "01", "==", "+-", "-+")
HANG = 120.0  # seconds


@dataclass
class Desk:
    """The five operators at work on a round.

    While the door is shut, an operator without an answer waits for it to open.
    """

    operators: list[Operator]
    door: threading.Event = field(default_factory=threading.Event)
    waiting: set[str] = field(default_factory=set)
    finished: set[str] = field(default_factory=set)
    failures: list[BaseException] = field(default_factory=list)

    def sent(self) -> list[Sent]:
        return [sent for operator in self.operators for sent in operator.diary]

    def start(self, number: int, plans: list[list[tuple[int, str, int]]]) -> list[threading.Thread]:
        self.door.set()
        start = threading.Barrier(len(self.operators))
        threads = [
            threading.Thread(target=self._work, args=(operator, number, plan, start), daemon=True)
            for operator, plan in zip(self.operators, plans, strict=True)
        ]
        for thread in threads:
            thread.start()
        return threads

    def wait_until(self, what: Callable[[], bool], words: str) -> None:
        def has_happened() -> bool:
            if self.failures:
                raise self.failures[0]
            return what()

        wait_until(has_happened, words, every=0.001)

    def is_quiet(self) -> bool:
        """Return whether nobody waits for an answer."""
        return len(self.waiting | self.finished) == len(self.operators)

    def _work(
        self, operator: Operator, number: int, plan: list[tuple[int, str, int]], start: threading.Barrier
    ) -> None:
        """Read the boards once, then enter the *plan*: board, result, and how often to repeat it after a conflict."""

        def on_loss() -> None:
            self.waiting.add(operator.name)
            self.door.wait(HANG)
            self.waiting.discard(operator.name)
            time.sleep(0.02)

        try:
            boards = operator.boards(SLUG, number)
            start.wait(HANG)
            for board, result, insistence in plan:
                sent = operator.enter(boards[board], result, on_loss)
                while not sent.was_taken and insistence:
                    insistence -= 1
                    sent = operator.enter(boards[board], result, on_loss)
        except BaseException as error:
            self.failures.append(error)
        self.finished.add(operator.name)


def plans(boards: int, chance: random.Random) -> list[list[tuple[int, str, int]]]:
    """Return for each operator a share of the boards and all contested ones, each in a different order."""
    numbers = list(range(1, boards + 1))
    chance.shuffle(numbers)
    contested, others = numbers[:CONTESTED], numbers[CONTESTED:]
    made = []
    for place in range(OPERATORS):
        mine = [(board, chance.choice(RESULTS), 0) for board in others[place::OPERATORS]]
        mine += [(board, RESULTS[(board + place) % OPERATORS], chance.choice([0, 0, 1])) for board in contested]
        chance.shuffle(mine)
        made.append(mine)
    return made


Outage = Callable[[Site, "SqliteDatabase | PostgresDatabase"], None]


def server_killed(site: Site, database: object) -> None:
    site.kill()


def worker_killed(site: Site, database: object) -> None:
    site.kill_a_worker()


def database_killed(site: Site, database: SqliteDatabase | PostgresDatabase) -> None:
    assert isinstance(database, PostgresDatabase)
    database.server.kill()


def everything_killed(site: Site, database: SqliteDatabase | PostgresDatabase) -> None:
    database_killed(site, database)
    site.kill()


def connections_cut(site: Site, database: SqliteDatabase | PostgresDatabase) -> None:
    assert isinstance(database, PostgresDatabase)
    database.cut_connections(urlsplit(site.database_url).path.removeprefix("/"))


GOES_ON = {worker_killed, connections_cut}
"""Outages during which the server stays up and needs no restart."""


def outages(database: SqliteDatabase | PostgresDatabase) -> list[Outage]:
    if isinstance(database, SqliteDatabase):
        return [server_killed, worker_killed, server_killed]
    return [server_killed, worker_killed, database_killed, everything_killed, connections_cut]


def start_again(site: Site, database: SqliteDatabase | PostgresDatabase) -> None:
    if isinstance(database, PostgresDatabase) and database.server.process.poll() is not None:
        database.server.start()
    if site.process is None:
        site.start()


@pytest.mark.parametrize("seed", SEEDS)
def test_no_result_is_lost_in_an_outage_with_five_operators(
    site: Site, database: SqliteDatabase | PostgresDatabase, operators: list[Operator], seed: int
) -> None:
    """Play a round for every kind of outage, each at a random moment."""
    chance = random.Random(seed)
    kinds = outages(database)
    chance.shuffle(kinds)
    for number, outage in enumerate(kinds, start=1):
        for operator in operators:
            operator.diary.clear()
        play_with_outage(site, database, operators, number, outage, chance)
        chief = operators[0]
        assert chief.do(f"/t/{SLUG}/rounds/{number}/results/publish/").status == 302
        assert chief.do(f"/t/{SLUG}/rounds/{number + 1}/pair/").status == 302
        assert chief.do(f"/t/{SLUG}/rounds/{number + 1}/publish/").status == 302
        assert Books.read(site.database_url).faults() == []
    assert f"is whole: {len(Books.read(site.database_url).record)} rows" in site.python(
        "manage.py", "verify_record", SLUG
    )


def play_with_outage(
    site: Site,
    database: SqliteDatabase | PostgresDatabase,
    operators: list[Operator],
    number: int,
    outage: Outage,
    chance: random.Random,
) -> None:
    """Enter round *number* with five operators, with *outage* in the middle, and check everything twice."""
    boards = Books.read(site.database_url).entries // 2
    desk = Desk(operators)
    threads = desk.start(number, plans(boards, chance))
    moment = chance.randint(1, boards + CONTESTED * (OPERATORS - 1) - OPERATORS)
    desk.wait_until(lambda: len(desk.sent()) >= moment, "nobody gets an answer")
    time.sleep(chance.uniform(0, 0.02))
    if outage not in GOES_ON:
        desk.door.clear()
    outage(site, database)
    begin, back = time.monotonic(), 0.0
    if outage not in GOES_ON:
        desk.wait_until(desk.is_quiet, "requests to a dead server")
        if outage is server_killed:  # The database is as the crash left it; no process has opened it since.
            look_at(site, number, desk)
        start_again(site, database)
        back = time.monotonic() - begin
        look_at(site, number, desk)
        assert "is whole" in site.python("manage.py", "verify_record", SLUG)
        desk.door.set()
    for thread in threads:
        thread.join(HANG)
    assert (desk.failures, [thread.is_alive() for thread in threads]) == ([], [False] * OPERATORS)
    look_at(site, number, desk)
    report(number, outage, desk, back)

    sent = desk.sent()
    refused = [one for one in sent if one.status not in (None, 200)]
    assert len(refused) >= CONTESTED * (OPERATORS - 1)
    for one in refused:
        assert (one.status, one.body["conflict"]) == (409, True)
        words = rf"Somebody else entered a result for board {one.board} in the meantime: it is now .+\."
        assert re.fullmatch(words, one.body["sentence"])
    assert [place for place, (result, *_) in Books.read(site.database_url).games.items() if not result] == []


def look_at(site: Site, number: int, desk: Desk) -> None:
    books = Books.read(site.database_url)
    sent = desk.sent()
    assert books.faults() == []
    assert lost(books, number, sent) == []
    assert unseen(books, number, sent) == []


def report(number: int, outage: Outage, desk: Desk, back: float) -> None:
    sent = desk.sent()
    answered = [one.seconds for one in sent if one.status is not None]
    conflicts = [one.seconds for one in sent if one.status == 409]
    print(
        f"round {number}, {outage.__name__}: {len(answered)} answers, {len(sent) - len(answered)} lost, "
        f"{len(conflicts)} conflicts; p50 {percentile(answered, 0.5) * 1000:.0f} ms, "
        f"p95 {percentile(answered, 0.95) * 1000:.0f} ms, slowest conflict {max(conflicts) * 1000:.0f} ms; "
        f"back after {back:.1f} s"
    )


ACTIONS = (
    ("planned", "draft", "/t/{slug}/rounds/{next}/pair/"),
    ("draft", "pairings_published", "/t/{slug}/rounds/{next}/publish/"),
)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_outage_during_pairing_or_publication_leaves_the_round_whole(
    site: Site, database: SqliteDatabase | PostgresDatabase, operators: list[Operator], seed: int
) -> None:
    """The action is done completely or not at all, done if it was confirmed, and succeeds when repeated."""
    chance = random.Random(seed)
    chief = operators[0]
    enter_everything(chief, 1)
    outcomes = []
    for before, after, path in ((None, "results_published", "/t/{slug}/rounds/1/results/publish/"), *ACTIONS):
        address = path.format(slug=SLUG, next=2)
        number = 2 if before else 1
        answers: list[int] = []
        thread = threading.Thread(target=press, args=(chief, address, answers), daemon=True)
        thread.start()
        time.sleep(chance.uniform(0, 0.12))
        kinds = [kind for kind in outages(database) if kind not in GOES_ON]
        chance.choice(kinds)(site, database)
        thread.join(HANG)
        assert not thread.is_alive()
        start_again(site, database)
        books = Books.read(site.database_url)
        assert books.faults() == []
        state = books.rounds[number][0]
        assert state in {after} if answers else {before or "pairings_published", after}
        outcomes.append((bool(answers), state))
        if state != after:
            assert chief.do(address).status == 302
            assert Books.read(site.database_url).rounds[number][0] == after
    print(outcomes)
    assert "is whole" in site.python("manage.py", "verify_record", SLUG)


def enter_everything(chief: Operator, number: int) -> None:
    for board in chief.boards(SLUG, number).values():
        assert chief.enter(board, "10", on_loss=lambda: None).was_taken


def press(chief: Operator, address: str, answers: list[int]) -> None:
    """Press a button; *answers* remains empty if there was no answer."""
    try:
        answers.append(chief.do(address).status)
    except Lost:
        return
