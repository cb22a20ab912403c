"""Start the automatic copies of the site (tournaments/backups/automatic.py) from the first process of the server.

Of several servers on one data folder only one makes them, the first; when it has ended, another. So all copies have the
same settings, and none says that all is well with a second folder that it does not know.

With ``SWISS_BACKUP_BY_SERVER=no`` the server leaves that to another process: ``python -m config.copies``, until SIGTERM
or Ctrl+C; on the same machine or in a container of its own that shares the data folder.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

from config.in_use import hold

ROOT: Final = Path(__file__).resolve().parent.parent
LOOK_EVERY: Final = 1.0  # seconds
FIRST_AFTER: Final = 30.0  # Seconds after the start, when the first visitors have their pages.
TURN: Final = 0.5  # seconds
MAKER: Final = ".maker"
"""Held by the process that makes the copies."""
PAUSE: Final = 20.0  # Seconds from one start to the next, whatever is wanted.


class Copies:
    """Start a copy in a process of its own: when an action left its mark, and every *minutes*; 0: never."""

    def __init__(self, data: Path, minutes: int) -> None:
        self._folder = data / "backups"
        self._every = minutes * 60.0
        self._is_maker = False
        self._process: subprocess.Popen[bytes] | None = None
        now = time.monotonic()
        self._next_look, self._due, self._started = now, now + FIRST_AFTER, float("-inf")
        if minutes:
            # Where actions leave their mark. If it cannot be made, the copy says so.
            try:
                self._folder.mkdir(mode=0o700, exist_ok=True)
            except OSError as error:
                print(f"The folder {self._folder} for copies cannot be made: {error.strerror}.", file=sys.stderr)

    def look(self) -> None:
        """Start a copy if one is due; cheap, and called several times a second."""
        now = time.monotonic()
        if not self._every or now < self._next_look:
            return
        self._next_look = now + LOOK_EVERY
        self._is_maker = self._is_maker or hold(self._folder / MAKER)
        if not self._is_maker:
            return
        if self._process is not None and self._process.poll() is None:
            return
        self._process = None
        if now >= self._due or (now >= self._started + PAUSE and (self._folder / "wanted").exists()):
            self._started, self._due = now, now + self._every
            # Ctrl+C in the terminal of the server does not interrupt the copy.
            self._process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "backup", "--automatic"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )


def main() -> int:
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        copies = Copies(settings.DATA_DIR, settings.BACKUP_MINUTES)
        if not settings.BACKUP_MINUTES:
            print("SWISS_BACKUP_MINUTES is 0: there is nothing to copy.", file=sys.stderr)
            return 1
    except ImproperlyConfigured as error:
        print(error, file=sys.stderr)
        return 1
    stopped = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    while not stopped.wait(TURN):
        copies.look()
    return 0


if __name__ == "__main__":
    sys.exit(main())
