"""Only the owner can read the database of a site."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pytest_django import Settings

from tournaments.site.backups import upgrading
from tournaments.site.backups.upgrading import upgrade


@pytest.mark.django_db
@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_only_the_owner_can_read_the_database_of_a_site(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one before anything is written, and one that an earlier version made open,
    in a folder open to all.
    """
    settings.DATA_DIR = tmp_path
    file = tmp_path / "swiss-arbiter.sqlite3"
    monkeypatch.setattr(upgrading, "database_file", lambda: file)
    before = os.umask(0o022)
    try:
        upgrade(say=lambda _: None)
        assert modes(tmp_path) == {file.name: "0o600"}
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("CREATE TABLE players (name TEXT)")
            private = dict.fromkeys((file.name, f"{file.name}-wal", f"{file.name}-shm"), "0o600")
            assert modes(tmp_path) == private
            for path in tmp_path.iterdir():
                path.chmod(0o644)
            upgrade(say=lambda _: None)
            assert modes(tmp_path) == private
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


def test_a_database_in_memory_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(upgrading, "database_file", lambda: Path("file:memory?mode=memory"))
    upgrading.keep_private()
    assert list(tmp_path.iterdir()) == []
