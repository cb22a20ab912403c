"""The file of the log: all processes append to it, and the first one begins a new one."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Final

OLD_FILES: Final = 5
"""Older files that stay: ``NAME.1`` is the newest of them."""


class SharedFile(WatchedFileHandler):
    """Append to a file, and open it again when somebody has renamed it.

    Where the file cannot be opened, a line is lost here; stderr has it.
    """

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):
            super().emit(record)


def rotation(path: Path, most_bytes: int) -> Callable[[], None]:
    """Return what renames the file *path* when it has *most_bytes*; only one process calls it.

    On Windows nobody can rename a file that another process has open: there it goes on growing.
    """
    names = [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, OLD_FILES + 1))]

    def rotate() -> None:
        with contextlib.suppress(OSError):
            if path.stat().st_size < most_bytes:
                return
            for older, newer in zip(names[:0:-1], names[-2::-1], strict=True):
                with contextlib.suppress(FileNotFoundError):
                    newer.replace(older)
            path.touch(mode=0o600)
            path.chmod(0o600)  # Another process may have been first.

    return rotate
