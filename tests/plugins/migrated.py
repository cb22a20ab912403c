"""Make the test database on SQLite once, and copy it until a table or a migration changes.

The migrations take most of the time of a run of one module, and each step of ``./run test`` makes a
database of its own. The copy is in the cache of pytest (``--cache-clear`` removes it); CI begins
without any, so it runs all migrations.
"""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

ROOT = Path(__file__).resolve().parents[2]
MADE_FROM = (
    "tournaments/migrations/*.py",
    "tournaments/models/*.py",
    "tournaments/apps.py",
    "config/settings.py",
    "requirements-dev.lock",
)
"""The files that decide what the migrations write: tables, triggers, content types, permissions."""


def fingerprint() -> str:
    """Return the fingerprint of the files in :data:`MADE_FROM`."""
    digest = hashlib.sha256()
    for pattern in MADE_FROM:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:32]


@pytest.fixture(scope="session")
def migrated_copy(request: pytest.FixtureRequest) -> Path | None:
    """Return the path of the migrated database, whether it is there or not;
    None on PostgreSQL and without a cache.
    """
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    if cache is None or connections["default"].vendor != "sqlite":
        return None
    return cache.mkdir("migrated") / f"{fingerprint()}.sqlite3"


@pytest.fixture(scope="session")
def django_db_keepdb(migrated_copy: Path | None, django_db_modify_db_settings: None) -> bool:
    """Whether Django finds a migrated database in the place of the test database."""
    if migrated_copy is None:
        return False
    try:
        content = migrated_copy.read_bytes()
    except FileNotFoundError:
        return False
    Path(connections["default"].settings_dict["TEST"]["NAME"]).write_bytes(content)
    return True


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None,
    migrated_copy: Path | None,
    django_db_keepdb: bool,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database as pytest-django does, and keep a copy for the next process."""
    if migrated_copy is not None and not django_db_keepdb:
        with django_db_blocker.unblock():
            _keep(migrated_copy)
    yield
    if django_db_keepdb:
        with django_db_blocker.unblock():
            connections.close_all()


def _keep(path: Path) -> None:
    # Processes that begin together write the same; each puts its file in place at once.
    fresh = path.with_suffix(f".{os.getpid()}")
    target = sqlite3.connect(fresh)
    connection = connections["default"]
    connection.ensure_connection()
    connection.connection.backup(target)
    target.close()
    for old in path.parent.glob("*.sqlite3"):
        old.unlink(missing_ok=True)
    fresh.replace(path)
