"""``./run manage import_event FILE``: take over an event that another site exported."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from tournaments.backups.copy_file import CopyError
from tournaments.backups.taking_over import take_over


class Command(BaseCommand):
    help = "Take over an event from a file of export_event, with its record as it is, and check it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--despite-faults", action="store_true", help="even if its record or tables have faults")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = take_over(Path(options["file"]), now=timezone.now(), despite_faults=options["despite_faults"])
        except (CopyError, OSError, DatabaseError) as error:
            raise CommandError(str(error)) from error
        for remark in done.remarks:
            self.stdout.write(remark)
        for tournament in done.tournaments:
            self.stdout.write(
                f"{tournament}: /t/{tournament.slug}/, {tournament.version} lines of its record, "
                f"the last {tournament.fingerprint}"
            )
        keys = "".join(f" --key {key}" for key in done.keys)
        if keys:
            self.stdout.write(f"Its lines are signed by another installation: verify_record SLUG{keys}")
