"""Bring mirrors up to date when the server starts: a process that tried again may have ended with the machine."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FIRST_AFTER: Final = 60.0
"""Seconds after the start: after a restore from a backup an arbiter can look first."""


class Mirrors:
    """Start ``manage.py mirror --all`` once, if there is a mirror in the data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "mirrors"
        self._process: subprocess.Popen[bytes] | None = None
        self._due: float | None = time.monotonic() + FIRST_AFTER

    def look(self) -> None:
        """Start it when it is due; cheap, and called several times a second."""
        if self._process is not None and self._process.poll() is not None:
            self._process = None
        if self._due is None or time.monotonic() < self._due:
            return
        self._due = None
        if any(self._folder.glob("*/settings.json")) or any(self._folder.glob("events/*/settings.json")):
            command = [sys.executable, str(ROOT / "manage.py"), "mirror", "--all"]
            nothing = subprocess.DEVNULL
            self._process = subprocess.Popen(command, stdin=nothing, stdout=nothing, start_new_session=True)
