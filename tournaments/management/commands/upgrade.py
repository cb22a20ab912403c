"""``manage.py upgrade``: bring the database up to date; ``./run`` does it at every start."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.in_use import InUseError
from tournaments.backups.copy_file import CopyError
from tournaments.backups.upgrading import upgrade


class Command(BaseCommand):
    help = "Copy the site, bring its database up to date, and check it; if that fails, the site stays as it was."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--despite-faults", action="store_true", help="even if the check finds faults afterwards")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            upgrade(say=self.stdout.write, despite_faults=options["despite_faults"])
        except (CopyError, InUseError) as error:
            raise CommandError(str(error)) from error
