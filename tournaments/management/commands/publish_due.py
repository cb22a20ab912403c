"""``./run manage publish_due``: publish what is announced for now;
``--watch`` for a server started in another way.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from pairing.rounds.automatic import publish_due
from pairing.rounds.clock_watch import watch
from tournaments.core.moments import on_terminal


class Command(BaseCommand):
    help = "Publish the pairings and results whose announced time has come, where an arbiter has set that."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--watch", action="store_true", help="look every two seconds, until it is stopped"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["watch"]:
            watch(stop=lambda: False)
        for done in publish_due(timezone.now()):
            self.stdout.write(
                f"{done.step}: round {done.number}, announced for {on_terminal(done.at)}"
            )
