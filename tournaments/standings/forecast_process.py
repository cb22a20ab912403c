"""Make a forecast in a process of its own after each publication, so that no request waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from typing import Final

from django.conf import settings
from django.db import transaction

from tournaments.core.actions import OpenAction
from tournaments.models import Action

_FOLLOWED: Final = frozenset(
    {
        Action.PAIRINGS_PUBLISHED,
        Action.RESULTS_PUBLISHED,
        Action.ROUND_CHANGED,
        Action.RESULT_CORRECTED,
        Action.CORRECTION_APPLIED,
        Action.POINTS_ADJUSTED,
        Action.POINTS_WITHDRAWN,
        Action.TOURNAMENT_UPDATED,
    }
)


def follow(action: OpenAction) -> None:
    """Begin a forecast once *action* is committed, if the tournament shows forecasts and something changed in one."""
    if action.tournament.forecast_public and any(line.action in _FOLLOWED for line in action.lines):
        transaction.on_commit(partial(start, action.tournament.pk))


def start(tournament_id: int) -> None:
    """Start ``manage.py forecast`` and return at once."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "forecast", str(tournament_id)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Somebody must wait for the process, or it stays in the system's table after its end.
    threading.Thread(target=process.wait, daemon=True).start()
