"""Make a copy of the whole site, consistent while the server runs."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.migrations.exceptions import NodeNotFoundError
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from tournaments.core import signing
from tournaments.core.build import build
from tournaments.site.backups import rows
from tournaments.site.backups.copy_file import (
    FORMATS,
    CopyError,
    EventSummary,
    Manifest,
    NoRoomError,
    is_full,
    room_in,
    write,
)

SQLITE: Final = "database.sqlite3"
ROWS: Final = "database.jsonl"
KEYS: Final = ("signing-key", "secret-key")
"""The keys in the data folder.

Those given by environment variables are kept where the variables are.
"""
ENDING: Final = ".backup"
ROOM_TO_READ: Final = 1 << 17
"""Bytes: so much SQLite may need on the disk of a database to read it,
and calls it an I/O error if there is less.
"""


def copies_folder() -> Path:
    """Return the folder of the copies in the data folder; make it for its owner only.

    Raise ``OSError``.
    """
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def require_folder(folder: Path) -> None:
    """Raise :class:`CopyError` if there is no *folder*.

    It is not made: without the stick it is on the first disk.
    """
    if not folder.is_dir():
        raise CopyError(
            f"There is no folder {folder}. Is the stick plugged in? Nothing was written."
        )


def name_for(prefix: str, now: datetime, folder: Path) -> Path:
    """Return a name in *folder* that is free, with the local time, so that a person finds it."""
    stamp = timezone.localtime(now).strftime("%Y-%m-%d-%H%M%S")
    path = folder / f"{prefix}-{stamp}{ENDING}"
    number = 2
    while path.exists():
        path = folder / f"{prefix}-{stamp}-{number}{ENDING}"
        number += 1
    return path


def database_file() -> Path | None:
    """Return the file of the site's SQLite database; None with PostgreSQL."""
    return Path(str(connection.settings_dict["NAME"])) if connection.vendor == "sqlite" else None


def make_copy(path: Path, *, now: datetime, with_keys: bool = True) -> Manifest:
    """Write a copy of the site to the new file *path* and return its manifest.

    SQLite: its backup API, which writers do not wait for. PostgreSQL: all tables as rows from one
    snapshot. Without *with_keys* the copy has no keys, sessions and second steps, but hashes of
    passwords and PINs, and the secrets of table codes. Raise :class:`CopyError` for a damaged
    database, :class:`~.copy_file.NoRoomError` if the disk of the copy is full, and ``OSError`` or a
    database error otherwise.
    """
    # Beside the copy: it is on the disk with room for it, and /tmp may be in memory.
    with (
        room_in(path.parent),
        tempfile.TemporaryDirectory(prefix=".copying-", dir=path.parent) as folder,
    ):
        if (file := database_file()) is not None:
            content, part = SQLITE, Path(folder) / SQLITE
            copy_sqlite(file, part, log_ins=with_keys)
            applied, events = _of_sqlite(part)
        else:
            content, part = ROWS, Path(folder) / ROWS
            applied, events = _rows_to(part, log_ins=with_keys)
        manifest = Manifest(
            format=FORMATS["site"],
            program=settings.VERSION,
            build=build(),
            at=now.isoformat(timespec="seconds"),
            database=connection.vendor,
            content="sqlite" if content == SQLITE else "rows",
            migrations=tuple(applied),
            events=tuple(events),
            key=public_key(),
            has_keys=with_keys,
        )
        keys: Mapping[str, bytes] = _keys() if with_keys else {}
        return write(path, manifest, {content: part, **keys})


def _keys() -> dict[str, bytes]:
    files = (Path(settings.DATA_DIR) / name for name in KEYS)
    return {file.name: file.read_bytes() for file in files if file.exists()}


def public_key() -> str:
    """Return the installation's public key; empty before the first, as a copy makes no key."""
    if not settings.SIGNING_KEY and not Path(settings.SIGNING_KEY_FILE).exists():
        return ""
    return signing.public_key()


def copy_sqlite(source: Path, target: Path, *, log_ins: bool = True) -> None:
    """Copy the database *source* to the new *target* in one snapshot, and check it.

    Raise :class:`CopyError` if there is no database or it is damaged, and
    ``sqlite3.OperationalError`` for a full disk.
    """
    if not source.exists():
        raise CopyError(f"There is no database {source} yet, so there is nothing to copy.")
    target.touch(mode=0o600)
    try:
        with (
            closing(
                sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=20)
            ) as live,
            closing(sqlite3.connect(target)) as copy,
        ):
            live.backup(copy)
            # One file without a second one beside it; a site in use switches WAL on again.
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("PRAGMA secure_delete=ON")
            there = {
                name
                for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
            emptied = rows.EMPTY_IN_COPIES if log_ins else (*rows.EMPTY_IN_COPIES, *rows.LOG_INS)
            for table in [name for name in emptied if name in there]:
                copy.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
            copy.commit()
            if not log_ins:
                copy.execute("VACUUM")
            if fault := unsound(copy):
                raise CopyError(
                    f"The database {source} is damaged: {fault}. Restore the newest copy."
                )
    except sqlite3.DatabaseError as error:
        if is_full(error):
            raise
        if isinstance(error, sqlite3.OperationalError):
            is_odd = error.sqlite_errorcode & 0xFF in (
                sqlite3.SQLITE_IOERR,
                sqlite3.SQLITE_CANTOPEN,
            )
            if is_odd and shutil.disk_usage(source.parent).free < ROOM_TO_READ:
                raise NoRoomError(source.parent, has_site=True) from error
            raise CopyError(
                f"The database {source} could not be copied to {target.parent.parent}: {error}."
            ) from error
        raise CopyError(
            f"The database {source} is damaged: {error}. Restore the newest copy."
        ) from error


def unsound(database: sqlite3.Connection) -> str:
    """Return what ``integrity_check`` and ``foreign_key_check`` find in *database*, or empty."""
    found = [str(row[0]) for row in database.execute("PRAGMA integrity_check(3)")]
    if found != ["ok"]:
        return "; ".join(found)
    missing = database.execute("PRAGMA foreign_key_check").fetchone()
    return (
        f"a row of {missing[0]} refers to a row of {missing[2]} that is missing" if missing else ""
    )


def _of_sqlite(path: Path) -> tuple[list[str], list[EventSummary]]:
    """Return the migrations and tournaments in the file *path*, whatever made its tables."""
    with closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        try:
            applied = [
                f"{app}.{name}"
                for app, name in database.execute("SELECT app, name FROM django_migrations")
            ]
            found = [
                dict(row)
                for row in database.execute("SELECT * FROM tournaments_tournament ORDER BY id")
            ]
        except sqlite3.OperationalError as error:
            raise CopyError(
                f"The database has not the tables of this program ({error})."
            ) from error
    return sorted(applied), [seen(values) for values in found]


def seen(values: Mapping[str, Any]) -> EventSummary:
    """Return the end of the record of a tournament's row; empty without such a column."""
    return EventSummary(
        slug=str(values.get("slug", "")),
        name=str(values.get("name", "")),
        identity=str(values.get("identity", "")),
        lines=int(values.get("version", 0)),
        fingerprint=str(values.get("fingerprint", "")),
    )


def _rows_to(path: Path, *, log_ins: bool) -> tuple[list[str], list[EventSummary]]:
    """Write all tables of the site to *path*, in the form that its applied migrations gave them."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        apps, applied = state_of_tables()
        with path.open("x", encoding="ascii") as file:
            file.writelines(rows.dump(apps, connection.alias, log_ins=log_ins))
        tournament = apps.get_model("tournaments", "Tournament")
        events = [seen(values) for values in tournament._base_manager.order_by("pk").values()]
    return applied, events


def state_of_tables() -> tuple[Any, list[str]]:
    """Return the models as the applied migrations left them, and these as ``app.name``."""
    loader = MigrationLoader(connection)
    applied = sorted(loader.applied_migrations)
    unknown = [f"{app}.{name}" for app, name in applied if (app, name) not in loader.graph.nodes]
    if unknown:
        raise CopyError(newer(unknown))
    try:
        state = loader.project_state(
            [key for key in loader.applied_migrations if key in loader.graph.nodes]
        )
    except NodeNotFoundError as error:
        raise CopyError(str(error)) from error
    return state.apps, [f"{app}.{name}" for app, name in applied]


def newer(unknown: list[str]) -> str:
    """Return the sentence for tables that a newer program made."""
    return (
        f"A newer version of the program made these tables ({', '.join(unknown[:3])}). "
        "Use that version, or restore a copy that this version made."
    )
