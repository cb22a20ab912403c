"""Check a copy by restoring it into a folder of its own, and let it become the site.

Every copy is restored in the same way: a process with an empty data folder unpacks it, brings its
tables up to date and checks them. Only then the result takes the place of the present database.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor

from config.env import database_from_url
from config.in_use import alone
from config.terminal import uninterrupted
from tournaments.models import Tournament
from tournaments.site.backups import rows
from tournaments.site.backups.checks import Report, check_site
from tournaments.site.backups.copy_file import (
    CopyError,
    EventSummary,
    Manifest,
    extract,
    read_manifest,
    room_in,
)
from tournaments.site.backups.copying import (
    KEYS,
    ROWS,
    SQLITE,
    copies_folder,
    database_file,
    make_copy,
    name_for,
    newer,
    seen,
)
from tournaments.site.backups.switching import WORK, finish, is_begun, keep, switch

DATABASE: Final = "swiss-arbiter.sqlite3"
REPORT: Final = "report.json"
NOT_PASSED_ON: Final = (
    "SWISS_SIGNING_KEY",
    "SWISS_SIGNING_KEY_FILE",
    "DATABASE_URL_FILE",
    "SWISS_BACKUP_DIR",
)
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Restored:
    """A restore: manifest, check, and where the state before is kept (None: there was none).

    ``waiting``: the names of the tournaments whose automatic publication waits until an arbiter
    switches it on again.
    """

    manifest: Manifest
    report: Report
    kept: Path | None
    waiting: tuple[str, ...]


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment of a process with the data folder *folder* and its SQLite."""
    kept = {name: text for name, text in os.environ.items() if name not in NOT_PASSED_ON}
    address = f"sqlite:///{quote(str(folder / DATABASE))}"
    return {
        **kept,
        "SWISS_DATA_DIR": str(folder),
        "DATABASE_URL": address,
        "SWISS_BACKUP_MINUTES": "0",
    }


def prepare(
    path: Path, folder: Path, *, seconds: float, unchanged: Collection[tuple[str, str]] = ()
) -> Report:
    """Unpack the copy *path* in the empty *folder*, bring its tables up to date,
    and check them in another process.

    *seconds* and *unchanged* as in :func:`~.checks.check_site`. Raise :class:`CopyError` with the
    reason if it cannot be used at all.
    """
    read_manifest(path)
    command = [
        sys.executable,
        str(settings.BASE_DIR / "manage.py"),
        "prepare_copy",
        str(path.absolute()),
    ]
    with room_in(folder.parent):
        (folder / "unchanged.json").write_text(json.dumps(sorted(unchanged)))
    done = subprocess.run(
        [*command, "--seconds", str(seconds)],
        env=environment_of(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode or not (folder / REPORT).exists():
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [
            "it ended without a word"
        ]
        raise CopyError(lines[-1])
    return Report(**json.loads((folder / REPORT).read_text()))


def prepare_here(path: Path, *, seconds: float) -> Report:
    """Do the work of :func:`prepare` in the process whose data folder is the empty one."""
    folder, manifest = Path(settings.DATA_DIR), read_manifest(path)
    unchanged = {
        (identity, last) for identity, last in json.loads((folder / "unchanged.json").read_text())
    }
    for name in KEYS:
        if name in manifest.parts:
            (folder / name).unlink(missing_ok=True)
            extract(path, name, folder / name)
    known = MigrationExecutor(connection).loader.graph.nodes
    known_names = {f"{app}.{name}" for app, name in known}
    if unknown := [name for name in manifest.migrations if name not in known_names]:
        connection.close()
        raise CopyError(newer(unknown))
    if manifest.content == "sqlite":
        connection.close()
        for ending in ("", "-wal", "-shm"):
            (folder / (DATABASE + ending)).unlink(missing_ok=True)
        extract(path, SQLITE, folder / DATABASE)
    else:
        _load_rows(path, folder, manifest)
    if known_names - {*manifest.migrations}:  # Without work it takes 1.5 s of processor time.
        call_command("migrate", interactive=False, verbosity=0)
    report = check_site(seconds=seconds, unchanged=unchanged)
    if not report.faults:
        report.faults += other_events(manifest.events)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    (folder / DATABASE).chmod(0o600)
    (folder / REPORT).write_text(json.dumps(report.as_json()))
    return report


def _load_rows(path: Path, folder: Path, manifest: Manifest) -> None:
    """Make the tables as the copy had them, and load its rows."""
    executor = MigrationExecutor(connection)
    applied = {
        (app, name) for app, _, name in (text.partition(".") for text in manifest.migrations)
    }
    nodes = executor.loader.graph.node_map
    state = executor.migrate(
        [key for key in applied if not any(child.key in applied for child in nodes[key].children)]
    )
    extract(path, ROWS, folder / ROWS)
    try:
        with (folder / ROWS).open(encoding="ascii") as file:
            rows.load(file, state.apps, connection)
    except ValueError as error:
        raise CopyError(f"{path} cannot be read: {error}.") from error
    (folder / ROWS).unlink()


def other_events(wanted: tuple[EventSummary, ...]) -> list[str]:
    """Return a sentence if the tournaments in the tables are not those of the manifest."""
    there = tuple(seen(values) for values in Tournament.objects.order_by("pk").values())
    if there == wanted or not any(event.identity for event in wanted):
        return []
    other = sorted({event.name for event in {*there} ^ {*wanted}})
    return [f"The tournaments are not those that the copy was made of: {', '.join(other)}."]


@contextmanager
def work_folder(data_folder: Path) -> Iterator[Path]:
    """Make an empty folder in *data_folder*; remove it afterwards, with those that kills left.

    It stays if a switch has begun and failed: :func:`~.switching.finish` still needs what is in it.
    """
    for left in data_folder.glob(f"{WORK}*"):
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=WORK, dir=data_folder))
    try:
        yield folder
    finally:
        if not is_begun():
            shutil.rmtree(folder, ignore_errors=True)


def verify(path: Path, *, seconds: float) -> tuple[Manifest, Report]:
    """Return what is in the copy *path* and what a check of it finds. Raise :class:`CopyError`."""
    manifest = read_manifest(path)
    with tempfile.TemporaryDirectory(prefix="swiss-verify-") as folder:
        return manifest, prepare(path, Path(folder), seconds=seconds)


def restore(
    path: Path, *, now: datetime, seconds: float, despite_faults: bool, say: Say
) -> Restored:
    """Put the copy *path* in the place of the present site, which is kept aside.

    Raise :class:`~config.in_use.InUseError` while the server runs, and :class:`CopyError` if the
    copy is damaged, comes from a newer program, or has faults; then nothing is changed. Ctrl+C is
    heard until the copy is put in place.
    """
    data, file = Path(settings.DATA_DIR), database_file()
    manifest = read_manifest(path)
    with alone(data), room_in(data if file is None else file.parent):
        finish()
        with work_folder(data if file is None else file.parent) as folder:
            say("checking the copy")
            report = prepare(path, folder, seconds=seconds)
            if report.faults and not despite_faults:
                raise CopyError(
                    "\n".join(
                        [*report.faults[:10], "Nothing was changed. Another copy may be sound."]
                    )
                )
            waiting = _let_publication_wait(folder / DATABASE)
            kept = _moved_aside(file, now, say)
            say("putting it in place")
            with uninterrupted("The copy is being put in place"):
                if file is None:
                    _fill_postgresql(folder / DATABASE)
                moves = [(folder / name, data / name) for name in KEYS if name in manifest.parts]
                if file is not None:
                    moves.insert(0, (folder / DATABASE, file))
                connection.close()
                switch(moves, folder)
    return Restored(manifest, report, kept, waiting)


def _let_publication_wait(prepared: Path) -> tuple[str, ...]:
    """Stop all automatic publications of the site in the file *prepared*;
    return the names of their tournaments.

    A publication due in an old state was perhaps changed, or read out in the hall, after the copy
    was made. So nobody has set the publication there until an arbiter sets it again.
    """
    with closing(sqlite3.connect(prepared)) as database, database:
        database.execute("UPDATE tournaments_tournament SET automatic_by_id = NULL")
        found = database.execute(
            "SELECT name FROM tournaments_tournament"
            " WHERE final_at IS NULL AND (automatic_pairings IS NOT NULL OR automatic_results) "
            "ORDER BY name"
        )
        return tuple(name for (name,) in found)


def _moved_aside(file: Path | None, now: datetime, say: Say) -> Path | None:
    """Keep the present state as a copy, or as files if it is damaged; return where.

    None: there is none.
    """
    if file is None:
        with connection.cursor() as cursor:
            if "tournaments_tournament" not in connection.introspection.table_names(cursor):
                return None
    elif not file.exists():
        return None
    say("keeping the present state")
    path = name_for("before-restore", now, copies_folder())
    try:
        make_copy(path, now=now)
    except CopyError:
        if file is None:
            raise
        path = path.with_suffix("")
        keep(file, [Path(settings.DATA_DIR) / name for name in KEYS], path)
    return path


def _fill_postgresql(prepared: Path) -> None:
    """Replace all tables of the site by those in the SQLite file *prepared*, in one transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
            "pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        (others,) = cursor.fetchone()
    if others:
        raise CopyError(
            f"{others} other connections use the database: stop the servers and other programs first. "
            "Nothing was changed."
        )
    settings_ = database_from_url(f"sqlite:///{quote(str(prepared))}", base_dir=settings.BASE_DIR)
    connections.settings["prepared"] = connections.configure_settings(
        {"default": {}, "prepared": settings_}
    )["prepared"]
    try:
        with transaction.atomic():
            _drop_tables()
            executor = MigrationExecutor(connection)
            executor.migrate(executor.loader.graph.leaf_nodes())
            with transaction.atomic(using="prepared"):
                rows.load(rows.dump(apps, "prepared"), apps, connection)
    finally:
        connections["prepared"].close()
        del connections["prepared"], connections.settings["prepared"]


def _drop_tables() -> None:
    """Drop the tables of this program, of any version, but not those of others."""
    ours = tuple(f"{label}_" for label in (*apps.app_configs, "django"))
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if not table.startswith(ours):
                continue
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = "
            "current_schema()::regnamespace"
            " AND proname LIKE '%%\\_refuses\\_change'"
        )
        for (function,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {function}")
