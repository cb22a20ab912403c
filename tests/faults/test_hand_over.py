"""Kill the program while it hands an event over or takes it over, and take it over twice at once, on both databases."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings

from tests.faults.test_copies import copy_of_site, run, site
from tests.faults.test_moves import server
from tests.plugins.postgres import Server
from tournaments.backups.copy_file import read_manifest
from tournaments.backups.restoring import environment_of

pytestmark = pytest.mark.slow
__all__ = ["copy_of_site", "server", "site"]
BEGIN = """
import os, signal
from pathlib import Path
from django.contrib.auth.models import User
from django.utils import timezone
from tournaments.backups.hand_over import event_bring_back, event_hand_over
from tournaments.backups.one_event import export_tournaments
from tournaments.models import Role, Tournament
t = Tournament.objects.order_by("pk").first()
given = {
    "tournament_id": t.pk, "now": timezone.now(),
    "actor": User.objects.get(appointments__tournament=t, appointments__role=Role.CHIEF),
}
"""


def test_killed_after_the_seal_no_copy_is_live_and_the_file_is_made_again(copy_of_site: Path) -> None:
    killed = run(
        copy_of_site, "shell", "-c", f"{BEGIN}event_hand_over(to='a laptop', **given); os.kill(os.getpid(), 9)"
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    again = """
assert t.handed_over_at
export_tournaments([t.pk], Path(os.environ["SWISS_DATA_DIR"]) / "a", now=t.handed_over_at)
"""
    done = run(copy_of_site, "shell", "-c", BEGIN + again)
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(copy_of_site / "a", "event")
    assert len(manifest.events) == 1
    back = "event_bring_back(confirmed=True, **given); assert not Tournament.objects.get(pk=t.pk).handed_over_at"
    done = run(copy_of_site, "shell", "-c", BEGIN + back)
    assert done.returncode == 0, done.stderr
    assert run(copy_of_site, "verify_site").returncode == 0


def test_killed_in_the_transaction_the_copy_here_stays_live(copy_of_site: Path) -> None:
    cut = """
from django.db import transaction
with transaction.atomic():
    event_hand_over(to="a laptop", **given)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = run(copy_of_site, "shell", "-c", BEGIN + cut)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    done = run(copy_of_site, "shell", "-c", f"{BEGIN}assert t.handed_over_at is None")
    assert done.returncode == 0, done.stderr


MAKE = "from django.contrib.auth.models import User as U; U.objects.create_superuser('ada', password='a-secret')"
TAKE = """
import os, pathlib
from django.contrib.auth.models import User
from django.utils import timezone
from tournaments.backups import one_event, taking_over
def die(*_, **__):
    os.kill(os.getpid(), 9)
kill = os.environ.get("KILL")
if kill == "rows":
    saved = one_event._Import._save
    def save(self):
        saved(self)
        if one_event.Decision in self._new:
            die()
    one_event._Import._save = save
elif kill == "check":
    one_event._faults = die
elif kill == "commit":
    taking_over.AT_THE_END.append(die)
taking_over.event_take_over(
    [pathlib.Path(os.environ["FILE"]).read_bytes()], actor=User.objects.get(username="ada"), now=timezone.now()
)
"""
SEEN = """
from django.contrib.auth.models import User
from tournaments.models import Action, Decision, Entry, Tournament
taken = Decision.objects.filter(action=Action.TOURNAMENT_TAKEN_OVER).count()
live = Tournament.objects.filter(handed_over_at=None).count()
print("SEEN", Tournament.objects.count(), live, taken, Entry.objects.exists(), User.objects.count() > 1)
"""


def python(environment: Mapping[str, str], script: str, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "shell", "--no-imports", "-c", script]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env={**environment, **more}, stdout=pipe, stderr=pipe, text=True)  # type: ignore[dict-item]


def seen(environment: Mapping[str, str]) -> list[str]:
    said, problem = python(environment, SEEN).communicate()
    return next((line.split()[1:] for line in said.splitlines() if line.startswith("SEEN")), [problem])


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_killed_while_it_takes_over_there_is_one_copy_or_none(
    database: str, copy_of_site: Path, tmp_path: Path, server: Server
) -> None:
    script = """
event_hand_over(to="a laptop", **given)
export_tournaments([t.pk], Path(os.environ["SWISS_DATA_DIR"]) / "a", now=given["now"])
"""
    done = run(copy_of_site, "shell", "-c", BEGIN + script)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "other"
    folder.mkdir()
    there = {**environment_of(folder), "FILE": str(copy_of_site / "a")}
    if database == "postgres":
        there["DATABASE_URL"] = server.url
    for command in (["upgrade"], ["shell", "--no-imports", "-c", MAKE]):
        subprocess.run([sys.executable, str(settings.BASE_DIR / "manage.py"), *command], env=there, check=True)
    for moment in ("rows", "check", "commit"):
        killed = python(there, TAKE, KILL=moment)
        _, problem = killed.communicate()
        assert killed.returncode == -signal.SIGKILL, problem
        assert seen(there) == ["0", "0", "0", "False", "False"], moment
    # Two requests at once: one takes over, the other finds the event here already.
    both = [python(there, TAKE) for _ in range(2)]
    ends = [(process.communicate()[1], process.returncode)[::-1] for process in both]
    assert sorted(code for code, _ in ends) == [0, 1], ends
    assert "is here already" in max(ends)[1]
    assert seen(there) == ["1", "1", "1", "True", "True"]
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "verify_site"]
    assert subprocess.run(command, env=there, capture_output=True).returncode == 0
