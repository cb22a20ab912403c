"""The release before this one runs on the tables of this one:
while an upgrade goes round, and after a step back.

The release is the newest tag before this commit; ``PREVIOUS=COMMIT`` names another one, to try a
commit by hand.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.books import Books
from tests.live.conftest import SLUG, copied
from tests.live.databases import PostgresDatabase, SqliteDatabase
from tests.live.desk import Operator
from tests.live.event import PASSWORD
from tests.live.server import ROOT, Site

pytestmark = pytest.mark.slow


def git(*arguments: str) -> str:
    """Return what git says; empty if it fails, as in a folder without a checkout."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def previous() -> str:
    """Return the release before this commit: a tag that is its ancestor,
    not the commit itself; empty if none.
    """
    return os.environ.get("PREVIOUS") or git(
        "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1"
    )


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkout of the release before."""
    tag = previous()
    if not tag:
        pytest.skip("no release is an ancestor of this commit: there is nothing to start")
    folder = tmp_path_factory.mktemp("previous")
    archive = subprocess.run(["git", "archive", tag], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "x"], cwd=folder, input=archive.stdout, check=True)
    return folder


@pytest.fixture
def on_new_tables(
    older: Path, database: SqliteDatabase | PostgresDatabase, prepared: Path, tmp_path: Path
) -> Iterator[Site]:
    """The server of the release before, on an event that this program has made."""
    site = copied(database, prepared, tmp_path, "previous")
    site.program = older
    site.python("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    site.start()
    yield site
    site.kill()


def test_the_release_before_plays_a_round_on_the_new_tables_and_both_verify_the_record(
    on_new_tables: Site,
) -> None:
    site = on_new_tables
    chief = Operator(site.port, "arbiter-1", PASSWORD)
    for board in chief.boards(SLUG, 1).values():
        assert chief.enter(board, "10", on_loss=lambda: None).status == 200
    for path in ("1/results/publish/", "2/pair/", "2/publish/"):
        assert chief.do(f"/t/{SLUG}/rounds/{path}").status == 302, path
    for page in ("", "standings/", "rounds/2/"):
        assert chief.request("GET", f"/t/{SLUG}/{page}").status == 200, page
    chief.close()
    books = Books.read(site.database_url)
    assert books.faults() == []
    assert books.rounds[2][0] == "pairings_published"
    for program in (site.program, ROOT):
        site.program = program
        assert "is whole" in site.python("manage.py", "verify_record", SLUG), program
    site.kill()
    # This program goes on with it.
    site.start()
    chief = Operator(site.port, "arbiter-1", PASSWORD)
    first = next(iter(chief.boards(SLUG, 2).values()))
    assert chief.enter(first, "01", on_loss=lambda: None).status == 200
    chief.close()
    assert "is whole" in site.python("manage.py", "verify_record", SLUG)
