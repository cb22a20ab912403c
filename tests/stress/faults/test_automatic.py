"""The copies that a running server makes by itself, with a memory
stick that is unplugged and plugged in again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.live.server import ROOT, Site
from tournaments.site.backups.copy_file import read_manifest

pytestmark = pytest.mark.slow
CHANGE = """
from django.contrib.auth.models import User
from tournaments.site.backups.automatic import want_soon
User.objects.create_user("helper-{}")
want_soon()
"""


@pytest.mark.parametrize("by_server", ["yes", "no"])
def test_copies_are_made_after_a_publication_and_tell_of_an_unplugged_stick(
    tmp_path: Path, by_server: str
) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    data.mkdir()
    site = Site(data, f"sqlite:///{data}/site.sqlite3")
    site.environment = {
        **site.environment,
        "SWISS_BACKUP_MINUTES": "10",
        "SWISS_BACKUP_DIR": str(stick),
    }
    site.environment = {**site.environment, "SWISS_WORK_BY_SERVER": by_server}
    site.prepare()
    site.python("manage.py", "upgrade")

    def copies() -> list[Path]:
        return sorted((data / "backups").glob("auto-*.backup"))

    def state() -> dict[str, Any]:
        path = data / "backups" / "state.json"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return found

    site.start()
    other = None
    if by_server == "no":
        other = subprocess.Popen(
            [sys.executable, "manage.py", "work"], cwd=ROOT, env=site.environment
        )
    try:
        # The first one comes by itself, half a minute after the start; the stick is not there.
        site.wait_until(lambda: bool(state().get("full_at")))
        assert len(copies()) == 1
        assert state()["problem"] is None
        assert state()["second_problem"]["code"] == "missing"
        assert not stick.exists()
        # A publication leaves its mark, and the stick is plugged in.
        stick.mkdir()
        site.python("manage.py", "shell", "-c", CHANGE.format(1))
        site.wait_until(lambda: len(copies()) == 2 and not state()["second_problem"])
        assert [path.name for path in stick.iterdir()] == [copies()[-1].name]
        for path in (*copies(), *stick.iterdir()):
            read_manifest(path)
    finally:
        site.kill()
        if other is not None:
            other.terminate()
            assert other.wait(10) == 0


def test_a_second_server_on_the_folder_warns_and_hides_no_alarm(tmp_path: Path) -> None:
    """It was started without the stick, in a window that somebody forgot."""
    data = tmp_path / "data"
    data.mkdir()
    sites = [Site(data, f"sqlite:///{data}/site.sqlite3") for _ in range(2)]
    for number, site in enumerate(sites):
        site.log = tmp_path / f"server-{number}.log"
        site.environment = {
            **site.environment,
            "SWISS_BACKUP_MINUTES": "10",
            "SWISS_WORK_BY_SERVER": "yes",
        }
    sites[0].environment = {**sites[0].environment, "SWISS_BACKUP_DIR": str(tmp_path / "stick")}
    sites[0].prepare()
    sites[0].python("manage.py", "upgrade")

    def second_problem() -> Any:
        path = data / "backups" / "state.json"
        return json.loads(path.read_text())["second_problem"] if path.exists() else None

    try:
        for site in sites:
            site.start()
        output = [site.log.read_text().count("another server uses") for site in sites]
        assert output == [0, 1]
        sites[0].wait_until(lambda: bool(second_problem()))
        time.sleep(15)  # A copy by the other one would have begun by now.
        assert second_problem()["code"] == "missing"
        assert len(list((data / "backups").glob("auto-*.backup"))) == 1
    finally:
        for site in sites:
            site.kill()
