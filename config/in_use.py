"""Know whether a server uses a data folder, so that nobody replaces the database under it.

A server holds a shared lock on the file ``in-use`` of its folder until its last process has ended,
also when it is killed. Who replaces the database needs the lock alone. Windows has no such lock,
but refuses to replace an open file.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

if sys.platform != "win32":
    import fcntl

NAME: Final = "in-use"
FIRST: Final = "in-use-first"
"""Held by the first of several servers that use the folder."""
JOURNAL: Final = "restore.json"
"""What an interrupted restore has still to put in place (tournaments/site/backups/switching.py)."""
_held: list[int] = []


class InUseError(Exception):
    """A server uses the folder, somebody is replacing its database, or it cannot be written.

    The text is for the terminal.
    """


def serve_from(folder: Path) -> None:
    """Hold the folder for a server until this process and its children have ended.

    Raise :class:`InUseError`.
    """
    if (folder / JOURNAL).exists():
        message = (
            f"A restore in {folder} was interrupted. ./run finishes it; ./run manage "
            f"upgrade does it alone."
        )
        raise InUseError(message)
    if sys.platform == "win32":
        return
    handle = _opened(folder)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        message = (
            f"The database in {folder} is being replaced or upgraded. Wait until that is "
            f"done, and start again."
        )
        raise InUseError(message) from None
    _held.append(handle)


def is_first(folder: Path) -> bool:
    """Return whether no other server used the folder before; ask once, after :func:`serve_from`."""
    return hold(folder / FIRST)


def hold(path: Path) -> bool:
    """Hold the file *path* until this process and its children have ended.
    Return False if another process holds it.

    Where that cannot be known, on Windows or if the file cannot be made, the answer is True.
    """
    if sys.platform == "win32":
        return True
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return False
    except OSError:  # A file system without locks.
        os.close(handle)
        return True
    _held.append(handle)
    return True


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder while its database is replaced.

    Raise :class:`InUseError` while a server uses it.
    """
    if sys.platform == "win32":
        yield
        return
    handle = _opened(folder)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUseError(f"{_user_of(handle, folder)} Nothing was changed.") from None
        yield
    finally:
        os.close(handle)


def _user_of(handle: int, folder: Path) -> str:
    """Return who holds the folder: only those who replace the database do not share the lock."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return (
            f"Another restore or upgrade is at work on {folder}. Wait until it has ended, and "
            f"start again."
        )
    return f"The server is running on {folder}. Stop it first (Ctrl+C in its window)."


def _opened(folder: Path) -> int:
    try:
        return os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        message = (
            f"Nothing can be saved in the data folder {folder}: {error.strerror}. Nothing "
            f"was changed."
        )
        raise InUseError(message) from error
