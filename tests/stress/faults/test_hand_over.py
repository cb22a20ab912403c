"""Kill the program while it hands an event over or takes it over, and take it over twice at once,
on both databases.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.live.databases import PostgresDatabase
from tournaments.site.backups.copy_file import read_manifest
from tournaments.site.backups.restoring import environment_of

from .commands import Where, begin, make_administrator, manage, python, run

pytestmark = pytest.mark.slow
BEGIN = """
import os, signal
from pathlib import Path
from django.contrib.auth.models import User
from django.utils import timezone
from tournaments.site.backups.hand_over import event_bring_back, event_hand_over
from tournaments.site.backups.one_event import export_tournaments
from tournaments.models import Role, Tournament
t = Tournament.objects.order_by("pk").first()
given = {
    "tournament_id": t.pk, "now": timezone.now(),
    "actor": User.objects.get(appointments__tournament=t, appointments__role=Role.CHIEF),
}
"""


def test_killed_after_the_seal_no_copy_is_live_and_the_file_is_made_again(
    copy_of_site: Path,
) -> None:
    require_killed(
        copy_of_site, f"{BEGIN}event_hand_over(to='a laptop', **given); os.kill(os.getpid(), 9)"
    )
    again = """
assert t.handed_over_at
export_tournaments([t.pk], Path(os.environ["SWISS_DATA_DIR"]) / "a", now=t.handed_over_at)
"""
    python(copy_of_site, BEGIN + again)
    assert len(read_manifest(copy_of_site / "a", "event").events) == 1
    back = (
        "event_bring_back(confirmed=True, **given); assert not "
        "Tournament.objects.get(pk=t.pk).handed_over_at"
    )
    python(copy_of_site, BEGIN + back)
    manage(copy_of_site, "verify_site")


def test_killed_in_the_transaction_the_copy_here_stays_live(copy_of_site: Path) -> None:
    cut = """
from django.db import transaction
with transaction.atomic():
    event_hand_over(to="a laptop", **given)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    require_killed(copy_of_site, BEGIN + cut)
    python(copy_of_site, f"{BEGIN}assert t.handed_over_at is None")


def require_killed(where: Where, script: str, **more: str) -> None:
    """Run *script*, which must kill its process."""
    environment = environment_of(where) if isinstance(where, Path) else where
    done = run({**environment, **more}, "shell", "--no-imports", "-c", script)
    assert done.returncode == -signal.SIGKILL, done.stderr


TAKE = """
import os, pathlib
from django.contrib.auth.models import User
from django.utils import timezone
from tournaments.models import Decision
from tournaments.site.backups import one_event, taking_over
def die(*_, **__):
    os.kill(os.getpid(), 9)
kill = os.environ.get("KILL")
if kill == "rows":
    saved = one_event._Import._save
    def save(self):
        saved(self)
        if Decision in self._new:
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


def seen(environment: Where) -> list[str]:
    return next(
        line.split()[1:]
        for line in python(environment, SEEN).splitlines()
        if line.startswith("SEEN")
    )


@pytest.mark.parametrize("db", ["sqlite", "postgres"])
def test_killed_while_it_takes_over_there_is_one_copy_or_none(
    db: str, copy_of_site: Path, tmp_path: Path, postgres: PostgresDatabase
) -> None:
    script = """
event_hand_over(to="a laptop", **given)
export_tournaments([t.pk], Path(os.environ["SWISS_DATA_DIR"]) / "a", now=given["now"])
"""
    python(copy_of_site, BEGIN + script)
    folder = tmp_path / "other"
    folder.mkdir()
    there = {**environment_of(folder), "FILE": str(copy_of_site / "a")}
    if db == "postgres":
        there["DATABASE_URL"] = postgres.create("taker")
    manage(there, "upgrade")
    make_administrator(there, "ada")
    for moment in ("rows", "check", "commit"):
        require_killed(there, TAKE, KILL=moment)
        assert seen(there) == ["0", "0", "0", "False", "False"], moment
    # Two requests at once: one takes over, the other finds the event here already.
    both = [begin(there, "shell", "--no-imports", "-c", TAKE) for _ in range(2)]
    ends = [(process.communicate()[1], process.returncode)[::-1] for process in both]
    assert sorted(code for code, _ in ends) == [0, 1], ends
    assert "is here already" in max(ends)[1]
    assert seen(there) == ["1", "1", "1", "True", "True"]
    manage(there, "verify_site")
