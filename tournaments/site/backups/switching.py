"""Put prepared files in place of the present ones: a kill leaves all old or all new.

First the present files are kept aside. Then a journal names the moves, and each move is one
renaming. Until the journal is on the disk everything is as before; after that :func:`finish` does
what is left, however often it is started.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from django.conf import settings

from config.in_use import JOURNAL
from config.terminal import uninterrupted
from tournaments.site.backups.copy_file import CopyError, sync_folder
from tournaments.site.backups.copying import database_file

WORK: Final = ".restore-"
"""The beginning of the folders in which copies are prepared;
one that a kill left behind is removed next time.
"""
SQLITE_SUFFIXES = ("-wal", "-shm", "-journal")
"""Files of SQLite beside a database in use."""


def keep(database: Path, files: Sequence[Path], folder: Path) -> None:
    """Keep *database* and *files* in the new *folder*, before they are replaced. Raise ``OSError``.

    The database becomes one file first; a damaged one is kept with what is beside it.
    """
    folder.mkdir(mode=0o700, parents=True)
    if database.exists():
        with (
            contextlib.suppress(sqlite3.DatabaseError),
            closing(sqlite3.connect(database, timeout=5)) as one,
        ):
            one.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            one.execute("PRAGMA journal_mode=DELETE")
    for path in (
        database,
        *(database.with_name(database.name + ending) for ending in SQLITE_SUFFIXES),
        *files,
    ):
        if path.exists():
            shutil.copy2(path, folder / path.name)
            with (folder / path.name).open("rb+") as copy:
                os.fsync(copy.fileno())
    sync_folder(folder)


def switch(moves: Sequence[tuple[Path, Path]], remove: Path) -> None:
    """Move each prepared file to its place; afterwards *remove* the folder that they came from."""
    journal = Path(settings.DATA_DIR) / JOURNAL
    draft = journal.with_suffix(".part")
    pairs = [(_next_to(source, target), target) for source, target in moves]
    values = {
        "moves": [[str(source), str(target)] for source, target in pairs],
        "remove": str(remove),
    }
    with draft.open("w") as file:
        json.dump(values, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(journal)
    sync_folder(journal.parent)
    finish()


def _next_to(source: Path, target: Path) -> Path:
    """Return *source*, or a copy beside *target*, as no file is renamed across disks.

    The keys go into the data folder, and ``DATABASE_URL`` may name a database on another disk.
    """
    if source.parent.parent == target.parent:
        return source
    copy = target.with_name(f".{target.name}.restored")
    copy.unlink(missing_ok=True)
    with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(source.read_bytes())
        file.flush()
        os.fsync(file.fileno())
    return copy


def is_begun() -> bool:
    """Return whether a switch has begun and is not finished."""
    return (Path(settings.DATA_DIR) / JOURNAL).exists()


def left_behind() -> list[Path]:
    """Return what a restore or upgrade killed early left: drafts, keys, files."""
    journal, file = Path(settings.DATA_DIR) / JOURNAL, database_file()
    drafts = [journal.with_suffix(".part"), *journal.parent.glob(".*.restored")]
    for place in {journal.parent, file.parent if file is not None else journal.parent}:
        drafts += place.glob(f"{WORK}*")
    return [] if journal.exists() else [path for path in drafts if path.exists()]


def finish() -> bool:
    """Finish an interrupted switch; return whether there was one. Raise
    :class:`CopyError` if it cannot be read.

    One that had not begun leaves everything as it was; what it has left is removed. Nobody else may
    be replacing files.
    """
    journal = Path(settings.DATA_DIR) / JOURNAL
    if not journal.exists():
        for path in left_behind():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        return False
    try:
        values = json.loads(journal.read_text())
        moves = [(Path(source), Path(target)) for source, target in values["moves"]]
    except (ValueError, KeyError) as error:
        raise CopyError(
            f"{journal} cannot be read ({error}). Delete it, and restore the copy again."
        ) from error
    with uninterrupted("The new database is being put in place"):
        for source, target in moves:
            if not source.exists():
                continue  # It was moved before the interruption.
            for ending in SQLITE_SUFFIXES:
                target.with_name(target.name + ending).unlink(missing_ok=True)
            source.replace(target)
            sync_folder(target.parent)
        journal.unlink()
        sync_folder(journal.parent)
        shutil.rmtree(values["remove"], ignore_errors=True)
    return True
