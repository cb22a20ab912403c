"""``./run manage recheck ROW LANGUAGE``: do a re-check that a page has begun, at low priority."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone, translation

from tournaments.reports.long_recheck import recheck_make


class Command(BaseCommand):
    help = "Re-check a large tournament from its report file, and store the differences for the page that began it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("row", type=int, help="the number of the re-check")
        parser.add_argument("language", help="the language of the answer, such as fr")

    def handle(self, *args: Any, **options: Any) -> None:
        if hasattr(os, "nice"):
            os.nice(10)
        with translation.override(options["language"]):
            recheck_make(options["row"], timezone.now)
