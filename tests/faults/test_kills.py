"""SIGKILL during an upgrade, and of PostgreSQL during an upgrade and a backup.

``CRASH_SEEDS=50 ./run test --only sqlite --run-slow tests/faults/test_kills.py -s``
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.test_copies import FAILING, KILLS, MANAGE, killed, newer, site, state
from tests.faults.test_moves import asked, manage
from tests.live.databases import PostgresDatabase
from tournaments.backups.copy_file import read_manifest
from tournaments.backups.restoring import environment_of

__all__ = ["newer", "site"]
pytestmark = pytest.mark.slow


@pytest.fixture
def good(newer: Path) -> Path:
    """A newer checkout whose migration takes a moment and succeeds."""
    steps = "migrations.RunPython(lambda apps, editor: __import__('time').sleep(0.5)),"
    migration = newer / "tournaments" / "migrations" / "9999_newer.py"
    migration.write_text(FAILING.replace("migrations.RunPython(fail),", steps))
    model = newer / "tournaments" / "models" / "entry.py"
    model.write_text(
        model.read_text().replace(
            "    created_at = models.DateTimeField(",
            '    extra = models.CharField(max_length=3, default="")\n    created_at = models.DateTimeField(',
            1,
        )
    )
    return newer


def test_a_killed_upgrade_leaves_the_old_state_or_the_new_one_and_can_be_repeated(
    site: Path, good: Path, tmp_path: Path
) -> None:
    moments, before, hits = random.Random(3), state(site), []
    first = tmp_path / "first"
    shutil.copytree(site, first)
    begin = time.monotonic()
    manage(environment_of(first), "upgrade", program=good)
    whole = time.monotonic() - begin
    for number in range(KILLS):
        folder = tmp_path / f"upgrade-{number}"
        shutil.copytree(site, folder)
        after = moments.uniform(0.2, 1.05) * whole
        hits.append(killed(folder, after, "upgrade", command=[sys.executable, str(good / "manage.py")]))
        assert state(folder) == before
        manage(environment_of(folder), "upgrade", program=good)
        assert state(folder) == before
        manage(environment_of(folder), "verify_site", program=good)
        shutil.rmtree(folder)
    print(f"upgrade: {sum(hits)} of {KILLS} kills while it ran")


@pytest.fixture(scope="module")
def on_postgres(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PostgresDatabase, Path]]:
    """A PostgreSQL server with the site in the database ``site``, and the data folder."""
    database, folder = PostgresDatabase(), tmp_path_factory.mktemp("postgres")
    database.create("site")
    manage({**environment_of(folder), "DATABASE_URL": database.url("site")}, "restore", site / "early.backup")
    yield database, folder
    database.close()


def database_killed(database: PostgresDatabase, environment: dict[str, str], after: float, command: list[str]) -> bool:
    """Start *command*, kill PostgreSQL *after* seconds, and start it again; return whether the command has failed."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    database.server.kill()
    failed = process.wait() != 0
    database.server.start()
    return failed


@pytest.mark.parametrize("verb", ["upgrade", "backup"])
def test_postgresql_killed_during_an_upgrade_or_a_backup_has_all_or_nothing(
    verb: str, on_postgres: tuple[PostgresDatabase, Path], good: Path
) -> None:
    database, folder = on_postgres
    moments, hits = random.Random(4), 0
    command = [sys.executable, str(good / "manage.py"), verb]
    begin = time.monotonic()
    whole = {**environment_of(folder), "DATABASE_URL": database.copy(f"{verb}_whole", "site")}
    if verb == "backup":
        manage(whole, "upgrade", program=good)
        begin = time.monotonic()
    manage(whole, verb, program=good)
    seconds = time.monotonic() - begin
    for number in range(KILLS):
        url = database.copy(f"{verb}_{number}", f"{verb}_whole" if verb == "backup" else "site")
        environment = {**environment_of(folder), "DATABASE_URL": url}
        before = asked(environment)
        hits += database_killed(database, environment, moments.uniform(0.2, 1) * seconds, command)
        assert asked(environment) == before
        manage(environment, "upgrade", program=good)
        assert asked(environment) == before
    for path in (folder / "backups").glob("*.backup"):
        read_manifest(path)
    print(f"PostgreSQL during {verb}: {hits} of {KILLS} kills stopped it")


STOPPED = """
import os
from django.core.management import call_command
from django.db.models.signals import post_migrate
post_migrate.connect(lambda **kwargs: os._exit(9), weak=False)
call_command("upgrade")
"""
NUMBER = "from django.contrib.auth.models import User as U; print(U.objects.create_user('first').pk)"


@pytest.mark.parametrize("db", ["sqlite", "postgres"])
def test_a_first_start_that_was_cut_off_is_repeated_and_draws_its_numbers(db: str, tmp_path: Path) -> None:
    """It ends when all tables are made, but before the site has drawn its own numbers."""
    environment, postgres = environment_of(tmp_path), PostgresDatabase() if db == "postgres" else None
    try:
        if postgres:
            environment = {**environment, "DATABASE_URL": postgres.create("first")}
        command = [*MANAGE, "shell", "--no-imports", "-c", STOPPED]
        assert subprocess.run(command, env=environment, capture_output=True).returncode == 9
        manage(environment, "upgrade")
        assert int(manage(environment, "shell", "--no-imports", "-c", NUMBER)) > 1
        manage(environment, "verify_site")
    finally:
        if postgres:
            postgres.close()
