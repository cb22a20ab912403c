"""PDF files and pictures, made by the Chromium of this computer."""

from __future__ import annotations

import os
import re
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
"""The styles of the page, a file in the same folder."""
_FLAG: Final = re.compile(r'src="[^"]*/(img/flags/[A-Z]{3})\b[^"]*"')
_one_at_a_time: Final = threading.Lock()


def browser() -> str | None:
    """Return the program of the Chromium of this computer; None without one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def pdf_of(page: str) -> bytes | None:
    """Return *page* as a PDF file; None as for :func:`_made`.

    The page is a file of its own: the browser needs no session and no server. Its flags are files
    of the program.
    """
    return _made(
        with_own_flags(page), "page.html", "page.pdf", ["--no-pdf-header-footer"], "--print-to-pdf"
    )


def with_own_flags(page: str) -> str:
    """Return *page* with the flags as files of the program instead of addresses of the server."""
    return _FLAG.sub(lambda found: f'src="{_file_of(found[1])}"', page)


def _file_of(flag: str) -> str:
    return Path(str(finders.find(f"{flag}.svg"))).as_uri()


def png_of(svg: str, width: int, height: int) -> bytes | None:
    """Return *svg* of *width* × *height* pixels as a PNG twice as large; None as :func:`_made`."""
    flags = [f"--window-size={width},{height}", "--force-device-scale-factor=2"]
    return _made(svg, "picture.svg", "picture.png", [*flags, "--hide-scrollbars"], "--screenshot")


def _made(text: str, name: str, result: str, flags: list[str], option: str) -> bytes | None:
    """Return the file *result* that the browser makes of *text*; None if there is no browser, if it
    is busy with another file, fails, or needs more than a minute.
    """
    program = browser()
    if program is None or not _one_at_a_time.acquire(timeout=WAIT):
        return None
    try:
        # A browser that was stopped can still write to its profile for a moment.
        with TemporaryDirectory(prefix="swiss-arbiter-", ignore_cleanup_errors=True) as made:
            folder = Path(made)
            (folder / name).write_text(text, encoding="utf-8")
            shutil.copyfile(str(finders.find("css/sheets.css")), folder / STYLES)
            _run(program, folder, [*flags, f"{option}={folder / result}"], folder / name)
            return (folder / result).read_bytes()
    except (subprocess.SubprocessError, OSError):
        return None
    finally:
        _one_at_a_time.release()


def _run(program: str, folder: Path, flags: list[str], page: Path) -> None:
    flags = [
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        f"--user-data-dir={folder / 'profile'}",
        *flags,
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # Chromium refuses its sandbox to root
        flags.append("--no-sandbox")
    subprocess.run(
        [program, *flags, page.as_uri()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=SECONDS,
        check=True,
    )
