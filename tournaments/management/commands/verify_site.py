"""``./run verify [FILE]``: check the present site, or a copy."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.core.moments import on_terminal
from tournaments.site.backups.checks import check_site
from tournaments.site.backups.copy_file import CopyError
from tournaments.site.backups.restoring import verify


class Command(BaseCommand):
    help = (
        "Check the tables, every record and the pairings of the present site, or of a copy. "
        "Changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="a copy; without one, the present site")
        parser.add_argument(
            "--seconds", type=float, default=60.0, help="time to pair rounds again (60)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["file"] is None:
            report = check_site(seconds=options["seconds"])
        else:
            try:
                manifest, report = verify(Path(options["file"]), seconds=options["seconds"])
            except (CopyError, OSError) as error:
                raise CommandError(str(error)) from error
            at = on_terminal(manifest.at)
            self.stdout.write(
                f"A copy of {at}, made by version {manifest.program} from {manifest.database}."
            )
            for event in manifest.events:
                self.stdout.write(
                    f"  {event.name} ({event.slug}): #{event.lines} {event.fingerprint}"
                )
        if report.faults:
            raise CommandError("\n".join(report.faults))
        self.stdout.write(f"No faults: {report}.")
