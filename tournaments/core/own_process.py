"""Do long work in a process of its own, so that no request and no lock waits for it."""

from __future__ import annotations

import subprocess
import sys
import threading

from django.conf import settings


def start(*arguments: object) -> None:
    """Start ``manage.py`` with *arguments* and return at once."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *map(str, arguments)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Somebody must wait for the process, or it stays in the system's table after its end.
    threading.Thread(target=process.wait, daemon=True).start()
