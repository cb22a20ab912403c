"""Upgrades that fail, succeed or are killed, also with PostgreSQL under them,
and a first start that is cut off.

``CRASH_SEEDS`` is the number of kills of each kind.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from tests.live.databases import PostgresDatabase
from tournaments.site.backups.copy_file import read_manifest
from tournaments.site.backups.restoring import environment_of

from .commands import (
    FAILS,
    KILLS,
    TAKES_A_MOMENT,
    begin,
    content,
    duration,
    killed,
    manage,
    newer_program,
    python,
    run,
    state,
)

pytestmark = pytest.mark.slow


def test_an_upgrade_that_fails_leaves_the_site_and_says_so_in_plain_words(
    copy_of_site: Path, tmp_path: Path
) -> None:
    before, newer = state(copy_of_site), newer_program(tmp_path / "newer", FAILS)
    done = run(copy_of_site, "upgrade", program=newer)
    assert done.returncode == 1
    assert "is as it was before: nothing is lost" in done.stderr
    assert "the new tables do not fit" in done.stderr
    assert state(copy_of_site) == before
    # The version from before goes on.
    manage(copy_of_site, "upgrade")
    manage(copy_of_site, "verify_site")
    print(done.stderr)


def test_an_upgrade_that_succeeds_copies_first_and_keeps_every_record(
    copy_of_site: Path, tmp_path: Path
) -> None:
    before, newer = state(copy_of_site), newer_program(tmp_path / "newer", TAKES_A_MOMENT)
    assert "A copy of the site as it was is in" in manage(copy_of_site, "upgrade", program=newer)
    assert state(copy_of_site) == before
    # The older program says that it cannot read this, and restores its own copy.
    done = run(copy_of_site, "upgrade")
    assert (done.returncode, "A newer version of the program made these tables" in done.stderr) == (
        1,
        True,
    )
    (copy,) = (copy_of_site / "backups").glob("before-upgrade-*")
    manage(copy_of_site, "restore", copy)
    manage(copy_of_site, "upgrade")
    assert state(copy_of_site) == before


def test_a_killed_upgrade_leaves_the_old_state_or_the_new_one_and_can_be_repeated(
    demo_site: Path, tmp_path: Path
) -> None:
    moments, before, hits = random.Random(3), state(demo_site), 0
    newer = newer_program(tmp_path / "newer", TAKES_A_MOMENT)
    first = tmp_path / "first"
    shutil.copytree(demo_site, first)
    whole = duration(first, "upgrade", program=newer)
    for number in range(KILLS):
        folder = tmp_path / f"upgrade-{number}"
        shutil.copytree(demo_site, folder)
        hits += killed(folder, moments.uniform(0.2, 1.05) * whole, "upgrade", program=newer)
        assert state(folder) == before
        manage(folder, "upgrade", program=newer)
        assert state(folder) == before
        manage(folder, "verify_site", program=newer)
        shutil.rmtree(folder)
    print(f"upgrade: {hits} of {KILLS} kills while it ran")


@pytest.mark.parametrize("victim", ["command", "database"])
@pytest.mark.parametrize("verb", ["upgrade", "backup"])
def test_postgresql_killed_during_an_upgrade_or_a_backup_has_all_or_nothing(
    verb: str, victim: str, postgres: PostgresDatabase, demo_site: Path, tmp_path: Path
) -> None:
    """Or only the command is killed; afterwards it can be repeated."""
    newer, moments, hits = newer_program(tmp_path / "newer", TAKES_A_MOMENT), random.Random(4), 0
    name = f"{verb}_{victim}"

    def at(url: str) -> dict[str, str]:
        return {**environment_of(tmp_path), "DATABASE_URL": url}

    start = at(postgres.create(name))
    manage(start, "restore", demo_site / "early.backup")
    if verb == "backup":
        manage(start, "upgrade", program=newer)
    before = content(start)
    whole = duration(at(postgres.copy(f"{name}_whole", name)), verb, program=newer)
    for number in range(KILLS):
        environment = at(postgres.copy(f"{name}_{number}", name))
        moment = moments.uniform(0.2, 1) * whole
        if victim == "command":
            hits += killed(environment, moment, verb, program=newer)
        else:
            with begin(environment, verb, program=newer) as process:
                time.sleep(moment)
                postgres.server.kill()
                process.communicate()
            hits += process.returncode != 0
            postgres.server.start()
        assert content(environment) == before
        manage(environment, "upgrade", program=newer)
        assert content(environment) == before
    for path in (tmp_path / "backups").glob("*.backup"):
        read_manifest(path)
    print(f"{victim} during {verb}: {hits} of {KILLS} kills stopped it")


STOPPED = """
import os
from django.core.management import call_command
from django.db.models.signals import post_migrate
post_migrate.connect(lambda **kwargs: os._exit(9), weak=False)
call_command("upgrade")
"""
NUMBER = (
    "from django.contrib.auth.models import User as U; print(U.objects.create_user('first').pk)"
)


@pytest.mark.parametrize("db", ["sqlite", "postgres"])
def test_a_first_start_that_was_cut_off_is_repeated_and_draws_its_numbers(
    db: str, postgres: PostgresDatabase, tmp_path: Path
) -> None:
    """It ends when all tables are made, but before the site has drawn its own numbers."""
    environment = environment_of(tmp_path)
    if db == "postgres":
        environment = {**environment, "DATABASE_URL": postgres.create("first")}
    assert run(environment, "shell", "--no-imports", "-c", STOPPED).returncode == 9
    manage(environment, "upgrade")
    assert int(python(environment, NUMBER)) > 1
    manage(environment, "verify_site")
