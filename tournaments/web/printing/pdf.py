"""PDF files, made by the Chromium of this computer."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from django.contrib.staticfiles import finders

NAMES: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
SECONDS: Final = 60
"""The longest time for a file."""
WAIT: Final = 5
"""Seconds to wait for another file: a waiting request occupies one of the server's few threads."""
STYLES: Final = "sheets.css"
"""The styles of the page, as a file beside it."""
_one_at_a_time: Final = threading.Lock()


def browser() -> str | None:
    """Return the program of the Chromium of this computer; None without one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def pdf_of(page: str) -> bytes | None:
    """Return *page* as a PDF file; None if there is no browser, if it is busy with another file,
    fails, or needs more than a minute.

    The page is a file of its own: the browser needs no session and no server.
    """
    program = browser()
    if program is None or not _one_at_a_time.acquire(timeout=WAIT):
        return None
    try:
        # A browser that was stopped can still write to its profile for a moment.
        with TemporaryDirectory(prefix="swiss-arbiter-", ignore_cleanup_errors=True) as folder:
            return _made(program, Path(folder), page)
    finally:
        _one_at_a_time.release()


def _made(program: str, folder: Path, page: str) -> bytes | None:
    source, made = folder / "page.html", folder / "page.pdf"
    source.write_text(page, encoding="utf-8")
    shutil.copyfile(str(finders.find("css/sheets.css")), folder / STYLES)
    flags = [
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        f"--user-data-dir={folder / 'profile'}",
        "--no-pdf-header-footer",
        f"--print-to-pdf={made}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium refuses its sandbox to root
        flags.append("--no-sandbox")
    try:
        subprocess.run(
            [program, *flags, source.as_uri()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
        )
        return made.read_bytes()
    except (subprocess.SubprocessError, OSError):
        return None
