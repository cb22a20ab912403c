"""A site that an unreleased version made is left alone; of every site only the owner can read the database."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from tournaments.backups import upgrading
from tournaments.backups.checks import is_from_before_release
from tournaments.backups.copy_file import CopyError
from tournaments.backups.upgrading import upgrade

OLDER = {
    "a column is missing": "ALTER TABLE tournaments_tournament DROP COLUMN handed_over_address",
    "a table is missing": "DROP TABLE tournaments_passkey",
}


def put_back(cursor: CursorWrapper) -> None:
    """Make the tables and columns again that later migrations have removed."""
    state = MigrationLoader(connection).project_state(("tournaments", "0003_recheck_runs"))
    there = set(connection.introspection.table_names(cursor))
    for model in state.apps.get_app_config("tournaments").get_models():
        table, columns = model._meta.db_table, [str(field.column) for field in model._meta.concrete_fields]
        if table not in there:
            cursor.execute(f"CREATE TABLE {table} ({', '.join(f'{name} integer' for name in columns)})")
            continue
        for name in {*columns} - {each.name for each in connection.introspection.get_table_description(cursor, table)}:
            cursor.execute(f"ALTER TABLE {table} ADD COLUMN {name} integer")


@pytest.mark.django_db
def test_a_site_from_before_the_first_release_is_left_alone(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    connection.check_constraints()
    for change in OLDER.values():
        with transaction.atomic():
            MigrationRecorder.Migration.objects.filter(app="tournaments", name__gt="0003").delete()
            with connection.cursor() as cursor:
                put_back(cursor)
                assert not is_from_before_release()
                cursor.execute(change)
            with pytest.raises(CopyError) as refused:
                upgrade(say=lambda _: None)
            transaction.set_rollback(True)
        said = str(refused.value)
        assert said.startswith("This site was made by a version before the first release")
        assert "Nothing was changed. Go on with the program that made it. Or move each event: save its report" in said
        assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_only_the_owner_can_read_the_database_of_a_site(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new one before anything is written, and one that an earlier version made open, in a folder open to all."""
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


def test_a_database_in_memory_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(upgrading, "database_file", lambda: Path("file:memory?mode=memory"))
    upgrading.keep_private()
    assert list(tmp_path.iterdir()) == []
