"""``./run backup [FOLDER]``: make a copy of the whole site."""

from __future__ import annotations

import secrets
import tempfile
from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from config.terminal import reason
from tournaments.site.backups import state as states
from tournaments.site.backups.automatic import one_at_a_time
from tournaments.site.backups.copy_file import CopyError, NoRoomError, room_in, sync_folder
from tournaments.site.backups.copying import copies_folder, make_copy, name_for, require_folder
from tournaments.site.backups.restoring import prepare


class Command(BaseCommand):
    help = "Make a copy of the whole site as one file, while the server runs, and check it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", nargs="?", help="the folder for the copy (backups in the data folder)"
        )
        parser.add_argument(
            "--without-keys",
            action="store_true",
            help="leave out the keys, sessions and second steps; hashes of passwords and secrets "
            "of table codes stay",
        )
        parser.add_argument(
            "--seconds", type=float, default=30.0, help="time to pair rounds again (30)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.copy(options)
        except (CopyError, NoRoomError) as error:
            raise CommandError(f"There is no new copy: {str(error).removesuffix('.')}.") from error
        except (OSError, DatabaseError) as error:
            folder = Path(options["folder"] or states.folder())
            raise CommandError(f"There is no new copy: {reason(error, folder)}") from error

    def copy(self, options: dict[str, Any]) -> None:
        folder = Path(options["folder"]) if options["folder"] else copies_folder()
        require_folder(folder)
        own = states.folder()
        with one_at_a_time(own) if own.is_dir() and folder.samefile(own) else nullcontext():
            self.copy_to(folder, options)

    def copy_to(self, folder: Path, options: dict[str, Any]) -> None:
        now = timezone.now()
        # The name of a copy only for a copy that was checked, also if this process is stopped
        # before.
        draft = folder / f".swiss-arbiter-{secrets.token_hex(4)}.part"
        try:
            manifest = make_copy(draft, now=now, with_keys=not options["without_keys"])
            with (
                room_in(folder),
                tempfile.TemporaryDirectory(prefix=".checking-", dir=folder) as work,
            ):
                report = prepare(draft, Path(work), seconds=options["seconds"])
            path = name_for("swiss-arbiter", now, folder)
            draft.replace(path)
            sync_folder(folder)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"Interrupted before the check was done. There is no new copy in {folder}."
            ) from None
        finally:
            draft.unlink(missing_ok=True)
        self.stdout.write(f"{path}\n{report}.")
        if manifest.content == "rows":
            self.stdout.write(
                "The tables are rows in a form of our own, which restore puts into SQLite or PostgreSQL."
            )
        if manifest.has_keys:
            self.stdout.write(
                "It contains the keys of this installation: keep it as secret as the laptop."
            )
        else:
            self.stdout.write(
                "It has no keys, sessions and second steps. It has the hashes of passwords and "
                "PINs, the secrets of "
                "table codes, and personal data: do not give it to everybody."
            )
        if report.faults:
            raise CommandError(
                "\n".join([*report.faults, "The copy is complete, but the site has these faults."])
            )
