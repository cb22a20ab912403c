"""``./run manage venue_check``: what the page *Is my venue ready?* says, on the terminal."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.core.public_address import printed_address
from tournaments.site.venue import capacity
from tournaments.site.venue.checks import Level, findings


class Command(BaseCommand):
    help = (
        "Check disk, clock, copies, speed, addresses and power before an event. Exit code 1 if "
        "there is a problem."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--measure", action="store_true", help="measure the speed first; it takes a second"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["measure"]:
            try:
                capacity.measure(now=timezone.now())
            except OSError as error:
                raise CommandError(str(error)) from error
        found = findings(now=timezone.now(), is_secure=False)
        if printed_address("/") is None:
            # ./run --host gives its address to the server only.
            found = [each for each in found if each.code not in ("address", "privacy")]
        for each in found:
            self.stdout.write(f"{each.level:8}{each.title}: {each.says}")
            if each.advice:
                self.stdout.write(f"{'':8}{each.advice}")
        problems = [each.title for each in found if each.level == Level.PROBLEM]
        if problems:
            message = f"Not ready: {', '.join(problems)}."
            raise CommandError(message)
        self.stdout.write(
            "No problem. The page “Is my venue ready?” also checks the address for phones, the "
            "browser and its clock."
        )
