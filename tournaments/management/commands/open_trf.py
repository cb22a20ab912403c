"""``./run manage open_trf ROW RUN LANGUAGE``: read a large TRF file that a page has begun to open, or save it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone, translation

from tournaments.imports.large_trf import opening_work


class Command(BaseCommand):
    requires_system_checks: list[str] = []  # somebody waits for it, and they take two thirds of its start
    help = "Read a large TRF file for its preview, or save its tournament, for the page that began it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("row", type=int, help="the number of the file")
        parser.add_argument("run", type=int, help="the number of the run")
        parser.add_argument("language", help="the language of the preview, such as fr")

    def handle(self, *args: Any, **options: Any) -> None:
        # At normal priority: the arbiter waits for it, and while it saves, so does everybody else who writes.
        with translation.override(options["language"]):
            opening_work(options["row"], options["run"], timezone.now)
