"""``./run restore FILE``: put a copy in the place of the present site."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from config.data_folder import data_option
from config.in_use import InUseError
from config.terminal import reason, uninterrupted
from tournaments.core.moments import on_terminal
from tournaments.site.backups.copy_file import CopyError, NoRoomError
from tournaments.site.backups.restoring import Restored, restore
from tournaments.site.backups.switching import is_begun


class Command(BaseCommand):
    help = (
        "Check a copy, keep the present state aside, and put the copy in its place. The server "
        "must be stopped."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a copy made by ./run backup or by the server itself")
        parser.add_argument(
            "--seconds", type=float, default=20.0, help="time to pair rounds again (20)"
        )
        parser.add_argument(
            "--despite-faults",
            action="store_true",
            help="restore a complete copy whose record has faults",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = restore(
                Path(options["file"]),
                now=timezone.now(),
                seconds=options["seconds"],
                despite_faults=options["despite_faults"],
                say=lambda text: self.stdout.write(f"  {text} …"),
            )
        except (CopyError, InUseError) as error:
            unchanged = (
                "" if is_begun() or "Nothing was changed" in str(error) else " Nothing was changed."
            )
            raise CommandError(f"{error}{unchanged}") from error
        except (OSError, DatabaseError) as error:
            why = (
                f"{error}."
                if isinstance(error, NoRoomError)
                else reason(error, Path(settings.DATA_DIR))
            )
            if is_begun():
                raise CommandError(
                    f"The restore was interrupted: {why} Put that right; then ./run finishes it."
                ) from error
            raise CommandError(
                f"The copy was not restored: {why} The site is as it was before."
            ) from error
        with uninterrupted("The copy is in place"):
            self.say(done)

    def say(self, done: Restored) -> None:
        for fault in done.report.faults:
            self.stdout.write(fault)
        self.stdout.write(f"{done.report}.")
        if done.kept is not None:
            self.stdout.write(f"The state before is kept in {done.kept}.")
        if settings.SIGNING_KEY and "signing-key" in done.manifest.parts:
            self.stdout.write(
                "New lines are signed with SWISS_SIGNING_KEY, not with the key of the copy."
            )
        elif not done.manifest.has_keys:
            self.stdout.write(
                "The copy has no keys: new lines are signed with the key of this installation."
            )
        for name in done.waiting:
            self.stdout.write(
                f"{name}: nothing is published automatically until that is switched on again."
            )
        self.stdout.write(
            f"Restored: the site of {on_terminal(done.manifest.at)}. Start it with "
            f"./run{data_option()}"
        )
