"""Move a whole site and one event between SQLite and PostgreSQL, there and back.

``./run test --only sqlite --run-slow tests/faults -s``
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests.faults.test_copies import FAILING, newer
from tests.plugins.postgres import Server
from tournaments.backups.restoring import environment_of

pytestmark = pytest.mark.slow
__all__ = ["newer"]
ASK = """
import json
from tournaments.models import *
from tournaments.core.record import lines_of
print(json.dumps([
    [[t.slug, t.version, t.fingerprint] for t in Tournament.objects.order_by("slug")],
    [[d.sequence, d.hash, d.signature] for d in Decision.objects.order_by("tournament__slug", "sequence")],
    [[g.board, g.result] for g in Game.objects.order_by("round__tournament__slug", "round__number", "board")],
    [[p.number, p.sha256, p.signature] for p in PublishedList.objects.order_by("tournament__slug", "number")],
]))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    psql = [server.binaries / "psql", "-h", server.folder, "-U", "arbiter", "postgres", "-c", "CREATE DATABASE swiss"]
    subprocess.run(psql, check=True, capture_output=True)
    yield server
    server.stop()


def manage(environment: Mapping[str, str], *arguments: object, program: Path | None = None) -> str:
    command = [sys.executable, str((program or settings.BASE_DIR) / "manage.py"), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def asked(environment: Mapping[str, str]) -> object:
    return json.loads(manage(environment, "shell", "--no-imports", "-c", ASK).splitlines()[-1])


def test_a_site_and_an_event_go_from_one_database_to_the_other_and_back(
    server: Server, tmp_path: Path, newer: Path
) -> None:
    laptop = tmp_path / "laptop"
    cloud = tmp_path / "cloud"
    for folder in (laptop, cloud):
        folder.mkdir()
    on_sqlite = environment_of(laptop)
    on_postgres = {**environment_of(cloud), "DATABASE_URL": server.url}
    manage(on_sqlite, "upgrade")
    make = "from django.contrib.auth.models import User as U; U.objects.create_superuser('arbiter', password='secret')"
    manage(on_sqlite, "shell", "-c", make)
    manage(on_sqlite, "demo")
    wanted = asked(on_sqlite)
    # The whole site: SQLite to PostgreSQL.
    manage(on_sqlite, "backup", tmp_path)
    (copy,) = tmp_path.glob("swiss-arbiter-*")
    manage(on_postgres, "restore", copy)
    assert asked(on_postgres) == wanted
    assert (cloud / "signing-key").read_text() == (laptop / "signing-key").read_text()
    manage(on_postgres, "verify_site")
    manage(on_postgres, "backup")
    # Over a site that is there, which is kept; so is the table of another program.
    with psycopg.connect(server.url) as other_program:
        other_program.execute("CREATE TABLE ledger AS SELECT 7 AS amount")
    assert "The state before is kept in" in manage(on_postgres, "restore", copy)
    with psycopg.connect(server.url) as other_program:
        assert other_program.execute("SELECT amount FROM ledger").fetchall() == [(7,)]
        other_program.execute("DROP TABLE ledger")
    (back,) = (cloud / "backups").glob("before-restore-*")
    # PostgreSQL to SQLite.
    other = tmp_path / "other"
    other.mkdir()
    manage(environment_of(other), "restore", back)
    assert asked(environment_of(other)) == wanted
    # One event, into a site with an event and accounts of its own.
    third = tmp_path / "third"
    third.mkdir()
    there = environment_of(third)
    manage(there, "upgrade")
    manage(there, "shell", "-c", make)
    manage(there, "demo")
    manage(on_postgres, "export_event", "demo-open", tmp_path / "demo.event")
    said = manage(there, "import_event", tmp_path / "demo.event")
    assert "/t/demo-open-2/" in said
    assert "The account 'arbiter' of the file is 'arbiter-2' here." in said
    manage(there, "verify_site")
    # And from there to PostgreSQL, after the original was replaced by an empty site.
    manage(there, "export_event", "demo-open", tmp_path / "own.event")
    manage(on_postgres, "import_event", tmp_path / "own.event")
    manage(on_postgres, "verify_site")
    # An upgrade that fails is rolled back in its transaction.
    before = asked(on_postgres)
    (newer / "tournaments" / "migrations" / "9999_newer.py").write_text(FAILING)
    command = [sys.executable, str(newer / "manage.py"), "upgrade"]
    done = subprocess.run(command, env=on_postgres, capture_output=True, text=True)
    assert (done.returncode, "nothing is lost" in done.stderr) == (1, True), done.stderr
    assert asked(on_postgres) == before
    manage(on_postgres, "upgrade")
