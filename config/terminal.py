"""Say in one sentence why a command ended, instead of printing a traceback.

Whatever a person starts on the terminal runs in :func:`in_words`: ``manage.py`` with all its
commands, the question for the first password, and the server. An error that is not known here is a
fault of the program and keeps its traceback. With ``DEBUG=1``, or ``--traceback`` after a command
of ``manage.py``, every error keeps it.

This module imports the standard library alone, so that hardly any time passes before Ctrl+C has its
answer.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130
"""The exit code after Ctrl+C, as in every shell."""
NOBODY_READS: Final = 141
"""The exit code, as in every shell, when the output goes to a program that has ended,
such as ``head``.
"""
NOTHING_CHANGED: Final = "Interrupted. Nothing was changed."
OTHER_USER: Final = "Start the program as the user whom it belongs to."
OTHER_FOLDER: Final = (
    "Start the program as the user whom it belongs to, or take another folder with --data."
)
MAKE_SPACE: Final = "Make space on that disk, and start again."
TO_DO: Final = {
    errno.EACCES: OTHER_USER,
    errno.EPERM: OTHER_USER,
    errno.EROFS: "Its disk can only be read.",
    errno.ENOSPC: MAKE_SPACE,
    errno.EDQUOT: MAKE_SPACE,
}
NAME_ANOTHER: Final = "Start the program as the user whom it belongs to, or name another folder."
TO_DO_IN_FOLDER: Final = {
    errno.EACCES: NAME_ANOTHER,
    errno.EPERM: NAME_ANOTHER,
    errno.EROFS: "Its disk can only be read: look for a lock on the stick, or name another folder.",
}


class RefusedError(Exception):
    """A command ends without its result: the sentence for the terminal, and its exit *code*."""

    def __init__(self, text: str, code: int = 1) -> None:
        super().__init__(text)
        self.code = code


def in_words(work: Callable[[], int | None], *, interrupted: str = NOTHING_CHANGED) -> int:
    """Do *work* and return the exit code. A known error and Ctrl+C end it with a sentence.

    *interrupted* is the sentence for Ctrl+C. Work that knows better what an interruption leaves
    raises ``KeyboardInterrupt`` with another one.
    """
    try:
        _let_ctrl_c_through()
        code = work() or 0
        print(end="", flush=True)  # Here, so that a reader who has gone is noticed here.
        return code
    except KeyboardInterrupt as error:
        if _wants_traceback():
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # A second one has no other answer.
        print(("\n" if sys.stderr.isatty() else "") + (str(error) or interrupted), file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            return NOBODY_READS
        text = None if _wants_traceback() else sentence(error)
        if text is None:
            raise
        print(text, file=sys.stderr)
        return error.code if isinstance(error, RefusedError) else 1


@contextlib.contextmanager
def uninterrupted(what: str) -> Iterator[None]:
    """Let Ctrl+C have no effect until the block has ended; *what* says meanwhile why."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def answer(number: int, frame: FrameType | None) -> None:
        print(f"\n{what}: this takes a moment and is not interrupted.", file=sys.stderr)

    before = signal.signal(signal.SIGINT, answer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def sentence(error: Exception) -> str | None:
    """Return what happened, where, and what to do; None if *error* is a fault of the program."""
    from django.db import Error

    from config.env import SettingError
    from config.in_use import InUseError

    if isinstance(error, RefusedError | SettingError | InUseError):
        return str(error)
    if isinstance(error, Error):
        return _of_database(error)
    if isinstance(error, OSError):
        return of_file(error)
    return None


def of_file(error: OSError, in_data_folder: Path | None = None) -> str | None:
    """Return a sentence for an unusable file or folder, or a full disk; None for other errors."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    where = in_data_folder or error.filename or ("The disk" if is_full else None)
    if error.errno not in TO_DO or where is None:
        return None
    to_do = OTHER_FOLDER if in_data_folder and not is_full else TO_DO[error.errno]
    return f"{where} cannot be used: {error.strerror}. {to_do}"


def reason(error: Exception, folder: Path) -> str:
    """Return why a command that writes into *folder* has no result, with what to do.

    Without a known cause it is the text of *error*. A file in *folder* is not named: the program
    chose its name.
    """
    to_do = TO_DO_IN_FOLDER.get(error.errno or 0) if isinstance(error, OSError) else None
    if (
        to_do
        and isinstance(error, OSError)
        and Path(os.fsdecode(error.filename or "")).is_relative_to(folder)
    ):
        return f"The folder {folder} cannot be written: {error.strerror}. {to_do}"
    return sentence(error) or f"{str(error).removesuffix('.')}."


def _of_database(error: Exception) -> str | None:
    from django.db import connection

    from config.data_folder import no_site
    from config.unavailable import is_unavailable

    if is_unavailable(error) or _is_damaged(error):
        return _of_sqlite(error) if connection.vendor == "sqlite" else _of_postgresql(error)
    with contextlib.suppress(Exception):
        if "django_migrations" not in connection.introspection.table_names():
            return no_site(database_name())
    return None


def _sqlite_code(error: BaseException | None) -> int:
    while error is not None and not isinstance(error, sqlite3.Error):
        error = error.__cause__ or error.__context__
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damaged(error: Exception) -> bool:
    return _sqlite_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _of_sqlite(error: Exception) -> str:
    from django.conf import settings

    file = Path(settings.DATABASES["default"]["NAME"])
    match _sqlite_code(error):
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return (
                f"The database {file} is damaged: {error}. Restore the newest copy: ./run "
                f"restore FILE"
            )
        case sqlite3.SQLITE_FULL:
            return f"The disk of the folder {file.parent} is full. {MAKE_SPACE}"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN:
            return f"The database {file} cannot be written or opened: {error}. {OTHER_FOLDER}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"Another program uses the database {file}. Wait until it has ended, and start again."
        case _:
            return (
                f"The database {file} cannot be used: {error}. Is the disk full, or was a "
                f"stick pulled out?"
            )


def _of_postgresql(error: Exception) -> str:
    """Return what libpq says, without its question and without the password.

    Libpq never repeats that by itself.
    """
    from django.conf import settings

    lines = (line.strip() for line in str(error).splitlines())
    reason = " ".join(
        line for line in lines if line and not line.startswith("Is the server running")
    ).rstrip(".")
    if password := settings.DATABASES["default"]["PASSWORD"]:
        reason = re.sub(rf"(?<!\w){re.escape(password)}(?!\w)", "…", reason)
    where = f"T{database_name()[1:]}"
    return (
        f"{where} cannot be used: {reason}. Start PostgreSQL, or correct DATABASE_URL; then "
        f"start again."
    )


def database_name() -> str:
    """Return the database in words: the folder of SQLite, or PostgreSQL's name without user."""
    from django.conf import settings

    values = settings.DATABASES["default"]
    if "sqlite" in values["ENGINE"]:
        return str(Path(values["NAME"]).parent)
    port = f":{values['PORT']}" if values["PORT"] else ""
    return f"the database {values['NAME']} at {values['HOST'] or 'this computer'}{port}"


def _nobody_reads() -> bool:
    """Return whether the reader of our output has gone; then nothing more is printed.

    Nor does Python print anything at its end.
    """
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return True
    return False


def _wants_traceback() -> bool:
    return "--traceback" in sys.argv or os.environ.get("DEBUG", "").lower() in {
        "1",
        "true",
        "yes",
        "on",
    }


def _let_ctrl_c_through() -> None:
    """Receive Ctrl+C from here on, and one that came before: ``./run`` has kept it waiting."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
