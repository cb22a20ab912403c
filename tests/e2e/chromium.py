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


def tests_path() -> str | None:
    """Return the browser of the tests: :func:`chromium_path`,
    but rather Debian's ``chromium-headless-shell``.

    It is the same Chromium without windows, tabs and toolbars, which nobody sees here: opening a
    page in a fresh profile costs half of the processor time.
    """
    shell = None if "CHROMIUM" in os.environ else shutil.which("chromium-headless-shell")
    return shell or chromium_path()


def chromium_path() -> str | None:
    """Return the program that ``CHROMIUM`` names, else ``chromium``; None where there is none."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))
