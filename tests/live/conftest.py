"""Give each test its own site, on the database of ``--db``."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .databases import PostgresDatabase, SqliteDatabase
from .desk import Operator
from .event import PASSWORD
from .server import Site


@pytest.fixture(scope="session")
def database(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[object]:
    if request.config.getoption("--db") == "postgres":
        found: PostgresDatabase | SqliteDatabase = PostgresDatabase()
    else:
        found = SqliteDatabase(tmp_path_factory.mktemp("live"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def prepared(
    database: SqliteDatabase | PostgresDatabase,
    migrated_copy: Path | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return the data folder of a site with an event of 60 players, five arbiters,
    round 1 published.

    Its database is ``prepared``; its tables are those that an earlier process has made.
    """
    folder = tmp_path_factory.mktemp("prepared")
    if isinstance(database, SqliteDatabase) and migrated_copy and migrated_copy.exists():
        database.restore("prepared", migrated_copy)
    site = Site(folder, database.create("prepared"))
    site.prepare()
    assert site.python("-m", "tests.live.event", "--players", "60").split() == [SLUG]
    return folder


def copied(
    database: SqliteDatabase | PostgresDatabase, prepared: Path, folder: Path, name: str
) -> Site:
    """Return a site in *folder* on a copy of the prepared database,
    with the key that signs its record.
    """
    shutil.copy(prepared / "signing-key", folder)
    return Site(folder, database.copy(name, "prepared"))


SLUG = "under-load"


@pytest.fixture
def site(
    database: SqliteDatabase | PostgresDatabase,
    prepared: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> Iterator[Site]:
    """Yield the running server on a copy of the prepared database."""
    name = f"site_{abs(hash(request.node.nodeid))}"
    site = copied(database, prepared, tmp_path, name)
    site.start()
    yield site
    site.kill()


@pytest.fixture(scope="module")
def served(
    database: SqliteDatabase | PostgresDatabase,
    prepared: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """Yield one running server for the tests of a module, which all leave it running."""
    site = copied(database, prepared, tmp_path_factory.mktemp("served"), "served")
    site.start()
    yield site
    site.kill()


@pytest.fixture
def operators(site: Site) -> Iterator[list[Operator]]:
    """Yield the five arbiters of the event, each logged in with a separate connection;
    the first is the chief.
    """
    five = [Operator(site.port, f"arbiter-{place}", PASSWORD) for place in range(1, 6)]
    yield five
    for operator in five:
        operator.close()
