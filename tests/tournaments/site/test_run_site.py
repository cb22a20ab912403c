"""The start of a site on one's own machine, which ``./run`` hands over to."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.conf import settings

from tests.tournaments.site.test_server import HANG, free_port


def command(port: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tournaments.site.run",
        f"127.0.0.1:{port}",
        "--pages",
        "http://here/",
    ]


def environment(folder: Path) -> dict[str, str]:
    without = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("DATABASE_URL", "SWISS_"))
    }
    return {
        **without,
        "SWISS_DATA_DIR": str(folder),
        "SWISS_ADMIN_PASSWORD": "correct horse battery",
    }


@pytest.mark.costly
def test_one_process_makes_the_site_the_account_and_serves(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        [*command(port), "--announce", "192.0.2.7"],
        cwd=settings.BASE_DIR,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = []
        while not (lines and lines[-1].startswith("Ready after ")):
            lines.append(process.stdout.readline())
        text = "".join(lines)
        made, account, network = (
            text.index(words)
            for words in (
                "a new one is made there",
                "account 'arbiter'",
                f"http://192.0.2.7:{port}/",
            )
        )
        assert made < account < network
        with closing(HTTPConnection("127.0.0.1", port, timeout=HANG)) as connection:
            connection.request("GET", "/readyz")
            assert connection.getresponse().read() == b"ok\n"
        process.terminate()
        assert process.wait(HANG) == 0
    finally:
        process.kill()
        process.communicate()


def test_nothing_is_served_if_the_site_cannot_be_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "swiss-arbiter.sqlite3").write_bytes(b"no database" * 1000)
    done = subprocess.run(
        command(free_port()),
        cwd=settings.BASE_DIR,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "  bringing the database up to date …\n")
    assert done.stderr.startswith(f"The database {tmp_path}/swiss-arbiter.sqlite3 is damaged: ")
