"""``./run manage store_players TOURNAMENT KEY``: store the pages of the players, at low priority."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.web.storing import store_players


class Command(BaseCommand):
    help = "Store the pages of all players of a version that was just published, if it is still the newest one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tournament", type=int, help="the number of a tournament")
        parser.add_argument("key", help="the key of its public state")

    def handle(self, *args: Any, **options: Any) -> None:
        if hasattr(os, "nice"):
            os.nice(19)
        store_players(options["tournament"], options["key"], timezone.now())
