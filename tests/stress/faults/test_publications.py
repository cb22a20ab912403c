"""An outage while the Chief Arbiter publishes results, pairs, or publishes pairings.

``CRASH_SEEDS=50`` runs fifty seeds.
"""

from __future__ import annotations

import os
import random
import threading
import time

import pytest

from tests.live.books import Books
from tests.live.conftest import SLUG
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Lost, Operator
from tests.live.server import Site

from .stage import HANG, start_again

pytestmark = pytest.mark.slow
SEEDS = range(1, 1 + int(os.environ.get("CRASH_SEEDS", "5")))
ACTIONS = (
    (1, "results/publish", "pairings_published", "results_published"),
    (2, "pair", "planned", "draft"),
    (2, "publish", "draft", "pairings_published"),
)
"""Round, button, and the state of the round before it and after it."""


@pytest.mark.parametrize("seed", SEEDS)
def test_an_outage_during_pairing_or_publication_leaves_the_round_whole(
    site: Site, database: SqliteDatabase | PostgresDatabase, operators: list[Operator], seed: int
) -> None:
    """The action is done completely or not at all, done if it was confirmed,
    and succeeds when repeated.
    """
    chance, chief = random.Random(seed), operators[0]
    for board in chief.boards(SLUG, 1).values():
        assert chief.enter(board, "10", on_loss=lambda: None).was_taken
    outcomes = []
    for number, button, before, after in ACTIONS:
        address, answers = f"/t/{SLUG}/rounds/{number}/{button}/", list[int]()
        thread = threading.Thread(target=press, args=(chief, address, answers), daemon=True)
        thread.start()
        time.sleep(chance.uniform(0, 0.12))
        victims = chance.choice(
            ["server"] if isinstance(database, SqliteDatabase) else ["server", "database", "both"]
        )
        if isinstance(database, PostgresDatabase) and victims != "server":
            database.server.kill()
        if victims != "database":
            site.kill()
        thread.join(HANG)
        assert not thread.is_alive()
        start_again(site, database)
        books = Books.read(site.database_url)
        assert books.faults() == []
        state = books.rounds[number][0]
        assert state in ({after} if answers else {before, after})
        outcomes.append((bool(answers), state))
        if state != after:
            assert chief.do(address).status == 302
            assert Books.read(site.database_url).rounds[number][0] == after
    print(outcomes)
    assert "is whole" in site.python("manage.py", "verify_record", SLUG)


def press(chief: Operator, address: str, answers: list[int]) -> None:
    """Press a button; *answers* remains empty if there was no answer."""
    try:
        answers.append(chief.do(address).status)
    except Lost:
        return
