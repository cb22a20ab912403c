"""Write the log into a file that all processes share, and begin a new one when it is large."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

KEPT: Final = 5
"""Older files that stay: ``NAME.1`` is the newest of them."""


class SharedFile(logging.Handler):
    """Append each line to the file *path* in one write, so that lines of several processes do not mix.

    A process that finds *most_bytes* or more in it renames it; the others see that and open the new one. If the file
    cannot be written, because the disk is full, the line is lost here; stderr has it.
    """

    def __init__(self, path: Path | None, most_bytes: int) -> None:
        super().__init__()
        self._path = path or Path(os.devnull)  # Without a file no logger uses this handler.
        self._most = most_bytes
        self._file: int | None = None

    def emit(self, record: logging.LogRecord) -> None:
        line = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        with contextlib.suppress(OSError):
            file = self._newest()
            os.write(file, line)
            if os.fstat(file).st_size >= self._most:
                self._begin_a_new_one()

    def close(self) -> None:
        self._leave()
        super().close()

    def _newest(self) -> int:
        """Return the open file, after opening it again if another process has renamed it."""
        if self._file is not None:
            ours = os.fstat(self._file)
            with contextlib.suppress(FileNotFoundError):
                there = self._path.stat()
                if (there.st_ino, there.st_dev) == (ours.st_ino, ours.st_dev):
                    return self._file
            self._leave()
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return self._file

    def _leave(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _begin_a_new_one(self) -> None:
        with self._alone():
            if self._path.stat().st_size < self._most:
                return  # Another process was first.
            self._leave()  # Windows renames no open file.
            for number in range(KEPT, 0, -1):
                with contextlib.suppress(FileNotFoundError):
                    self._numbered(number - 1).replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait until no other process renames the file."""
        if sys.platform == "win32":  # one process
            yield
            return
        lock = os.open(self._path.with_name(f"{self._path.name}.lock"), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)
