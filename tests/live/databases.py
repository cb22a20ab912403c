"""Databases that are killed: a file of SQLite's, and a PostgreSQL server of our own that keeps what was committed."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg

from tests.plugins.postgres import Server


class SqliteDatabase:
    """A file beside the site's data. It has no process: it dies with whoever has it open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def url(self, name: str) -> str:
        return f"sqlite:///{self._file(name)}"

    def create(self, name: str) -> str:
        return self.url(name)

    def copy(self, name: str, of: str) -> str:
        """The address of a new database *name* with all that is in *of*, which nobody has open."""
        shutil.copy(self._file(of), self._file(name))
        return self.url(name)

    def close(self) -> None:
        """Nothing to stop."""

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.sqlite3"


class PostgresDatabase:
    """A server with PostgreSQL's own settings: a commit is on the disk before it is answered."""

    def __init__(self) -> None:
        self.server = Server(durable=True)

    def url(self, name: str) -> str:
        return self.server.url.replace("/swiss?", f"/{name}?")

    def create(self, name: str) -> str:
        self._order(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def copy(self, name: str, of: str) -> str:
        """The address of a new database *name* with all that is in *of*, which nobody has open."""
        # Not by the strategy wal_log: it copies a sequence with numbers said to be in the log ahead, which the copy's
        # log has not. After a crash soon after, the copy gives those numbers a second time.
        self._order(f'CREATE DATABASE "{name}" TEMPLATE "{of}" STRATEGY file_copy')
        return self.url(name)

    def cut_connections(self, name: str) -> None:
        """End every connection to *name*, in the middle of whatever it is doing."""
        self._order(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")  # noqa: S608

    def close(self) -> None:
        self.server.stop()

    def _order(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())
