"""Load a list in a process of its own, so that neither a request nor the other pages wait for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from django.conf import settings

from tournaments.models import RatingList


def start(row: RatingList) -> None:
    """Start ``manage.py load_ratings`` for *row* and return at once. The process tells its progress in the row."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "load_ratings", "--row", str(row.pk)]
    # SQLite sorts the words in temporary files: beside the lists, because /tmp is in memory in a container.
    environment = os.environ | {"SQLITE_TMPDIR": str(settings.RATING_LISTS_DIR)}
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    # Somebody must wait for the process, or it stays in the system's table after its end.
    threading.Thread(target=process.wait, daemon=True).start()
