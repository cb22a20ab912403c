"""``manage.py upgrade``: bring the database up to date; ``./run`` does it at every start."""

from __future__ import annotations

import os
import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.in_use import InUseError
from tournaments.core import page_store
from tournaments.site.backups.copy_file import CopyError
from tournaments.site.backups.upgrading import upgrade

MEGABYTE: Final = 1 << 20
LITTLE: Final = 100 * MEGABYTE
_NO_PAGES: Final = "public pages are in the folder “pages” of the data folder"
GONE: Final = {
    "SWISS_STORE_PAGES": _NO_PAGES,
    "SWISS_KEEP_PAGES_DAYS": _NO_PAGES,
    "SWISS_BACKUP_BY_SERVER": "set SWISS_WORK_BY_SERVER instead, which is about all long work",
}
"""Settings of earlier versions, and what is instead of them."""


class Command(BaseCommand):
    help = (
        "Copy the site, bring its database up to date, and check it; if that fails, the site "
        "stays as it was."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--despite-faults",
            action="store_true",
            help="even if the check finds faults afterwards",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            upgrade(say=self.stdout.write, despite_faults=options["despite_faults"])
        except (CopyError, InUseError) as error:
            raise CommandError(str(error)) from error
        page_store.forget_other_builds()
        for warning in warnings():
            self.stdout.write(f"  WARNING: {warning}")


def warnings() -> Iterator[str]:
    """Yield what an arbiter should put right before the start, because results depend on it."""
    if (free := shutil.disk_usage(settings.DATA_DIR).free) < LITTLE:
        yield (
            f"the disk of {settings.DATA_DIR} has only {free // MEGABYTE} MB left. Make space: "
            f"when it is full, no "
            "result can be saved, and pages may not open."
        )
    for name in filter(os.environ.get, GONE):
        yield f"{name} does nothing any more: {GONE[name]}."
    if settings.BACKUP_DIR and not Path(settings.BACKUP_DIR).expanduser().is_dir():
        folder = settings.BACKUP_DIR
        yield (
            f"there is no folder {folder} for copies. Plug in the stick; until then there is "
            f"only one copy."
        )
