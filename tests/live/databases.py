"""Databases that are killed in tests: an SQLite file, and a PostgreSQL
server of our own that keeps committed data.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg

from tests.plugins.postgres import Server


class SqliteDatabase:
    """A file beside the site's data.

    It has no process, so it stops with the process that has it open.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, name: str) -> str:
        return f"sqlite:///{self._file(name)}"

    def create(self, name: str) -> str:
        return self.url(name)

    def copy(self, name: str, of: str) -> str:
        """Return the address of a new database *name* with all data of *of*,
        which must not be open.
        """
        shutil.copy(self._file(of), self._file(name))
        return self.url(name)

    def restore(self, name: str, path: Path) -> None:
        """Make the database *name* from the file at *path*."""
        shutil.copy(path, self._file(name))

    def drop(self, name: str) -> None:
        """Remove the database *name*, if it is there."""
        for path in self.folder.glob(f"{name}.sqlite3*"):
            path.unlink()

    def close(self) -> None:
        """Do nothing: there is no server to stop."""

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.sqlite3"


class PostgresDatabase:
    """A server with PostgreSQL's own settings: a commit is on the disk before it is confirmed."""

    def __init__(self) -> None:
        self.server = Server(durable=True)

    def url(self, name: str) -> str:
        return self.server.url.replace("/swiss?", f"/{name}?")

    def create(self, name: str) -> str:
        self._order(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def copy(self, name: str, of: str) -> str:
        """Return the address of a new database *name* with all data of *of*,
        which must not be open.
        """
        # Do not use the strategy wal_log: it copies sequences with numbers reserved ahead in the
        # log, but the copy's log does not contain the reservation. After a crash soon afterwards,
        # the copy would use those numbers a second time.
        self._order(f'CREATE DATABASE "{name}" TEMPLATE "{of}" STRATEGY file_copy')
        return self.url(name)

    def cut_connections(self, name: str) -> None:
        """Close all connections to *name*, even in the middle of a query."""
        self._order(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
        )

    def drop(self, name: str) -> None:
        """Remove the database *name*, if it is there, and close its connections."""
        self._order(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def close(self) -> None:
        self.server.stop()

    def _order(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())
