"""``./run manage export_event SLUG FILE``: write one event with its record to a file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from config.terminal import reason
from tournaments.site.backups.copy_file import CopyError, NoRoomError
from tournaments.site.backups.one_event import export_event


class Command(BaseCommand):
    help = "Write a tournament, or an event with all its sections, to a file that another site can import."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the name in its address, like autumn-open")
        parser.add_argument("file", help="the file, which must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = export_event(
                options["slug"], Path(options["file"]).absolute(), now=timezone.now()
            )
        except CopyError as error:
            raise CommandError(str(error)) from error
        except NoRoomError as error:
            raise CommandError(f"The event was not exported: {error}.") from error
        except OSError as error:
            folder = Path(options["file"]).absolute().parent
            raise CommandError(f"The event was not exported: {reason(error, folder)}") from error
        for event in manifest.events:
            self.stdout.write(
                f"{event.name}: {event.lines} lines of its record, the last {event.fingerprint}"
            )
        self.stdout.write(
            "Do not go on with the event here: two records with different ends cannot be put together."
        )
