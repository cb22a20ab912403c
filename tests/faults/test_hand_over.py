"""Kill the program between the seal of an event and the file for the other computer."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.faults.test_copies import copy_of_site, run, site
from tournaments.backups.copy_file import read_manifest

pytestmark = pytest.mark.slow
__all__ = ["copy_of_site", "site"]
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
