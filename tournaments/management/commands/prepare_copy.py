"""``manage.py prepare_copy FILE``: unpack and check a copy in
the empty data folder of this process.

Only :mod:`tournaments.site.backups.restoring` starts it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournaments.site.backups.copy_file import CopyError, NoRoomError, room_in
from tournaments.site.backups.copying import database_file
from tournaments.site.backups.restoring import prepare_here


class Command(BaseCommand):
    help = (
        "Unpack and check a copy in the empty data folder of this process; ./run restore and "
        "./run verify use it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--seconds", type=float, default=0.0)

    def handle(self, *args: Any, **options: Any) -> None:
        file = database_file()
        if (
            file is None
            or file.exists()
            or not (Path(settings.DATA_DIR) / "unchanged.json").exists()
        ):
            raise CommandError("This command is only for ./run restore and ./run verify.")
        try:
            # The folder is a temporary one: the disk of the folder around it is full.
            with room_in(Path(settings.DATA_DIR).parent):
                prepare_here(Path(options["file"]), seconds=options["seconds"])
        except CopyError as error:
            raise CommandError(str(error)) from error
        except NoRoomError as error:
            raise CommandError(f"The copy could not be unpacked and checked: {error}.") from error
