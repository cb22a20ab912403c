"""Move a whole site and one event between SQLite and PostgreSQL, there and back."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.live.databases import PostgresDatabase
from tournaments.site.backups.restoring import environment_of

from .commands import FAILS, content, make_administrator, manage, newer_program, run

pytestmark = pytest.mark.slow


def test_a_site_and_an_event_go_from_one_database_to_the_other_and_back(
    postgres: PostgresDatabase, tmp_path: Path
) -> None:
    laptop, cloud, other, there = (
        tmp_path / name for name in ("laptop", "cloud", "other", "third")
    )
    for folder in (laptop, cloud, other, there):
        folder.mkdir()
    url = postgres.create("moves")
    on_postgres = {**environment_of(cloud), "DATABASE_URL": url}
    for folder in (laptop, there):
        manage(folder, "upgrade")
        make_administrator(folder)
        manage(folder, "demo")
    wanted = content(laptop)
    # The whole site: SQLite to PostgreSQL.
    manage(laptop, "backup", tmp_path)
    (copy,) = tmp_path.glob("swiss-arbiter-*")
    manage(on_postgres, "restore", copy)
    assert content(on_postgres) == wanted
    assert (cloud / "signing-key").read_text() == (laptop / "signing-key").read_text()
    manage(on_postgres, "verify_site")
    manage(on_postgres, "backup")
    # Over a site that is there, which is kept; so is the table of another program.
    with psycopg.connect(url) as other_program:
        other_program.execute("CREATE TABLE ledger AS SELECT 7 AS amount")
    assert "The state before is kept in" in manage(on_postgres, "restore", copy)
    with psycopg.connect(url) as other_program:
        assert other_program.execute("SELECT amount FROM ledger").fetchall() == [(7,)]
        other_program.execute("DROP TABLE ledger")
    (back,) = (cloud / "backups").glob("before-restore-*")
    # PostgreSQL to SQLite.
    manage(other, "restore", back)
    assert content(other) == wanted
    # One event, into a site with an event and accounts of its own.
    manage(on_postgres, "export_event", "demo-open", tmp_path / "demo.event")
    answer = manage(there, "import_event", tmp_path / "demo.event")
    assert "/t/demo-open-2/" in answer
    assert "The account 'arbiter' of the file is 'arbiter-2' here." in answer
    manage(there, "verify_site")
    # And from there to PostgreSQL, after the original was replaced by an empty site.
    manage(there, "export_event", "demo-open", tmp_path / "own.event")
    manage(on_postgres, "import_event", tmp_path / "own.event")
    manage(on_postgres, "verify_site")
    # An upgrade that fails is rolled back in its transaction.
    before, newer = content(on_postgres), newer_program(tmp_path / "newer", FAILS)
    done = run(on_postgres, "upgrade", program=newer)
    assert (done.returncode, "nothing is lost" in done.stderr) == (1, True), done.stderr
    assert content(on_postgres) == before
    manage(on_postgres, "upgrade")
