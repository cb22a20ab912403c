"""``./run manage work``: do long work, beside a server that leaves it to another process."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.in_use import InUseError, serve_from
from tournaments.core import processes as work


class Command(BaseCommand):
    help = (
        "Do long work until it is stopped: copies, mirrors, forecasts, rating lists, large "
        "files, re-checks."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            serve_from(settings.DATA_DIR)
        except InUseError as error:
            raise CommandError(str(error)) from error
        work.run()
