"""Bring the database up to date with the program in one transaction, or leave it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from config.in_use import alone
from config.terminal import database_name
from tournaments.core.numbers import OWN, draw_block
from tournaments.models import Entry
from tournaments.reports.recorded_columns import columns_without_default
from tournaments.site.backups import state as states
from tournaments.site.backups.checks import Report, check_site, table_faults
from tournaments.site.backups.copy_file import CopyError, Manifest
from tournaments.site.backups.copying import (
    copies_folder,
    database_file,
    make_copy,
    name_for,
    newer,
)
from tournaments.site.backups.restoring import other_events
from tournaments.site.backups.switching import finish, is_begun, left_behind

Say = Callable[[str], None]
ROLLED_BACK: Final = """The database was not brought up to date, and is as it was before: nothing is lost.
{reason}
To go on now, start the version of the program from before: it works with this database as yesterday.
A copy of the site is in {path}. Send the lines above to the people who make the program."""

WITHOUT_DEFAULT: Final = (
    "This version of the program is incomplete, the site is not damaged: the record has no "
    "default for {columns}, so "
    "tournaments from before cannot be compared with their records. For the people who make the program: "
    "docs/developer/add-a-column.md says where a default goes."
)


def upgrade(*, say: Say, despite_faults: bool = False) -> None:
    """Bring the database up to date, or raise :class:`CopyError` and change nothing.

    A new site gets its tables. One from before gets a copy first, the new tables, and a check.
    """
    if is_begun() or left_behind():
        with alone(Path(settings.DATA_DIR)):
            if finish():
                say("  A restore that was interrupted is finished now.")
    keep_private()
    executor = MigrationExecutor(connection)
    unknown = [
        key for key in executor.loader.applied_migrations if key not in executor.loader.graph.nodes
    ]
    if unknown:
        raise CopyError(newer([f"{app}.{name}" for app, name in sorted(unknown)]))
    if not executor.loader.applied_migrations:
        say(f"  There is no site in {database_name()} yet: a new one is made there.")
        _make_tables()
    elif executor.migration_plan(executor.loader.graph.leaf_nodes()):
        _upgrade(say, despite_faults=despite_faults)
    elif faults := table_faults():
        raise CopyError(
            "\n".join([*faults[:5], "Start the version of the program that made this database."])
        )


def keep_private() -> None:
    """Let only the owner read the file of SQLite, before anything is written into it.

    A new file is made for that, because SQLite would let everybody read it; what SQLite puts beside
    it gets the same mode. Nothing happens where the file belongs to somebody else, or has no modes
    (FAT, Windows).
    """
    file = database_file()
    if file is None or not file.is_absolute():  # Tests have theirs in memory.
        return
    with contextlib.suppress(OSError):
        file.touch(mode=0o600)
        for path in (file, *(file.with_name(f"{file.name}-{ending}") for ending in ("wal", "shm"))):
            if path.exists() and path.stat().st_mode & 0o077:
                path.chmod(0o600)


@contextlib.contextmanager
def _one_transaction() -> Iterator[None]:
    """Change tables in one transaction, so that a change that is cut off has not begun."""
    # SQLite changes tables only without foreign keys, and turns them off only outside a
    # transaction.
    with connection.constraint_checks_disabled(), transaction.atomic():
        yield


def _make_tables() -> None:
    """Give a new site its tables and its numbers."""
    with _one_transaction():
        call_command("migrate", interactive=False, verbosity=0)
        draw_numbers()


def _upgrade(say: Say, *, despite_faults: bool) -> None:
    now = timezone.now()
    with alone(Path(settings.DATA_DIR)):
        path = name_for("before-upgrade", now, copies_folder())
        connection.close()
        try:
            manifest = make_copy(path, now=now)
        except OSError as error:
            raise CopyError(
                f"No copy could be made before the upgrade: {error}. Nothing was changed."
            ) from error
        say(f"  A copy of the site as it was is in {path}.")
        try:
            if not despite_faults and (columns := columns_without_default()):
                raise CopyError(WITHOUT_DEFAULT.format(columns=", ".join(columns)))
            report = _change_tables(manifest, despite_faults=despite_faults)
        except (CopyError, DatabaseError) as error:
            raise CopyError(ROLLED_BACK.format(reason=error, path=path)) from error
        if connection.vendor == "sqlite":
            with contextlib.suppress(DatabaseError), connection.cursor() as cursor:
                cursor.execute("VACUUM")  # Only the size of the file depends on it.
        say(f"  The database is up to date: {report}.")


def _change_tables(manifest: Manifest, *, despite_faults: bool) -> Report:
    """Bring the tables up to date and check them.

    Faults that the newest copy had before do not stop it.
    """
    known = states.read().faults
    with _one_transaction():
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except Exception as error:
            raise CopyError(f"{type(error).__name__}: {error}") from error
        report = check_site(seconds=0)
        found = [
            fault
            for fault in (*report.faults, *other_events(manifest.events))
            if fault not in known
        ]
        if found and not despite_faults:
            raise CopyError("\n".join(found[:10]))
    return report


def draw_numbers() -> None:
    """Let the accounts and the players of an empty site begin at a random number.

    Each has a block of its own: everybody reads the numbers of players in the addresses of their
    pages, and could compute those of the accounts otherwise. The record names both by number. Two
    sites with other numbers can therefore exchange events (:mod:`.one_event`). Nothing happens if
    there is an account or a player.
    """
    if User.objects.exists() or Entry.objects.exists():
        return
    for model, size in OWN.items():
        draw_block(connection, model, size)
