"""Where Chromium is, and how it is started for tests and measurements."""

from __future__ import annotations

import os
import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium_path() -> str | None:
    """Return the program that ``CHROMIUM`` names, else ``chromium``; None where there is none."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))
